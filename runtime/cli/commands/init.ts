import { existsSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { writeFileAtomic } from "../../disk/disk.ts"
import { absolute } from "../../disk/files.ts"
import { EnvironmentFailure } from "../../failure.ts"
import { command } from "../command.ts"
import { exit } from "../exit.ts"
import { packageRoot } from "../package.ts"
import { here, invocation, quoted } from "../paths.ts"

/** Where each file of the starter goes, by its name in the standard library: npm leaves files out whose name begins with a dot. */
const STARTER = {
  "experiment.cfx": "experiment.cfx",
  "questions.yaml": "questions.yaml",
  gitignore: ".gitignore",
} as const

export default command({
  usage: "[DIR]",
  about:
    "Writes a starter into DIR (here, unless told otherwise): a spec that runs at once on the\nmodel that comes with cfx, its items, and a .gitignore where there is none. Overwrites\nnothing.",
  takes: { least: 0, most: 1, what: "DIR" },
  options: {},
  run: async ({ names: [given = "."], terminal }) => {
    const folder = absolute(given)
    if (existsSync(folder) && !statSync(folder).isDirectory()) {
      throw new EnvironmentFailure({
        what: "this is a file, and a starter needs a folder",
        where: folder,
        todo: `choose another folder: ${invocation()} init DIR`,
      })
    }
    const files = Object.entries(STARTER).map(([from, to]) => ({ from, to: join(folder, to) }))
    const isKept = (to: string): boolean => existsSync(to) && basename(to) === ".gitignore"
    const kept = files.filter(({ to }) => isKept(to))
    const taken = files.find(({ to }) => existsSync(to) && !isKept(to))
    if (taken !== undefined) {
      throw new EnvironmentFailure({
        what: "a file of this name is there already, and nothing was written",
        where: taken.to,
        todo: `move it away, or choose another folder: ${invocation()} init DIR`,
      })
    }
    const written = files.filter((file) => !kept.includes(file))
    for (const { from, to } of written) {
      writeFileAtomic(to, readFileSync(join(packageRoot(), "stdlib", "starter", from), "utf8"))
    }
    for (const { to } of kept)
      terminal.note(`${here(to)} is there already and stays as it is: runs/ should stand in it`)
    const spec = quoted(here(join(folder, STARTER["experiment.cfx"])))
    terminal.print(
      [
        ...written.map(({ to }) => here(to)),
        "",
        "Next:",
        `  ${invocation()} check ${spec}`,
        `  ${invocation()} run ${spec}`,
      ].join("\n"),
    )
    return exit.done
  },
})
