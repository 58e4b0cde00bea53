import { readFileSync } from "node:fs"
import { syntaxError } from "../../../compiler/load.ts"
import { format } from "../../../grammar/format.ts"
import type { Source } from "../../../grammar/source.ts"
import { writeFileAtomic } from "../../disk/disk.ts"
import { absolute, diskFiles } from "../../disk/files.ts"
import { EnvironmentFailure } from "../../failure.ts"
import { command, UsageError } from "../command.ts"
import { showDiagnostics } from "../compiled.ts"
import { exit } from "../exit.ts"
import { packageRoot } from "../package.ts"

const STDIN = "-"
const STANDARD_INPUT = "standard input"

export default command({
  usage: "FILE...",
  about:
    "Rewrites each file in the canonical layout; comments stay and no meaning changes.\nWith - it reads standard input and writes standard output.",
  takes: { least: 1, most: Number.POSITIVE_INFINITY, what: "FILE" },
  options: {
    check: {
      type: "boolean",
      about: "write nothing; list the files that would change, and exit 1 if there are any",
    },
  },
  run: async ({ values, names, terminal }) => {
    if (names.includes(STDIN) && names.length > 1) throw new UsageError("- stands alone")
    let worst: number = exit.done
    for (const name of names) {
      const source = read(name)
      const formatted = format(source)
      if ("problems" in formatted) {
        showDiagnostics(
          formatted.problems.map((problem) => syntaxError(problem, source)),
          terminal,
        )
        worst = exit.spec
      } else if (values.check) {
        if (formatted.text === source.text) continue
        terminal.print(source.name)
        worst = exit.spec
      } else if (name === STDIN) {
        terminal.print(formatted.text, "data")
      } else if (formatted.text !== source.text) {
        writeFileAtomic(absolute(name), formatted.text)
        terminal.note(`${source.name}: rewritten`)
      }
    }
    return worst
  },
})

/** @throws EnvironmentFailure when the file cannot be read */
function read(name: string): Source {
  if (name === STDIN) return { name: STANDARD_INPUT, text: standardInput() }
  const disk = diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` })
  const path = absolute(name)
  const result = disk.read(path)
  if ("text" in result) return { name: disk.show(path), text: result.text }
  throw new EnvironmentFailure({
    what: `the file cannot be read: ${result.problem}`,
    where: path,
    todo: "check the path",
  })
}

/** @throws EnvironmentFailure when it cannot be read, as where it is a folder */
function standardInput(): string {
  try {
    return readFileSync(0, "utf8")
  } catch (cause) {
    throw new EnvironmentFailure({
      what: `the text cannot be read: ${(cause as Error).message}`,
      where: STANDARD_INPUT,
      todo: "give it the text of a file: cfx fmt - < FILE",
    })
  }
}
