import { join } from "node:path"
import { spelt } from "./arguments.ts"
import { type Command, common, type Options } from "./command.ts"
import { packageRoot } from "./package.ts"
import { here, invocation, quoted } from "./paths.ts"

/** One line per command, in the order in which a newcomer meets them. */
export const overview = (commands: Readonly<Record<string, { readonly about: string }>>): string =>
  [
    "cfx runs declarative perturbation experiments on language models.",
    "",
    "Usage: cfx COMMAND ...",
    "",
    "Commands:",
    ...columns(Object.entries(commands).map(([name, { about }]) => [name, about])),
    "",
    "cfx COMMAND --help tells more; cfx --version prints the version.",
    `Start with: ${invocation()} run ${quoted(here(join(packageRoot(), "specs", "quickstart.cfx")))}`,
    "",
  ].join("\n")

export const help = (name: string, { usage, about, options }: Command): string => {
  const all: Options = { ...options, ...common }
  return [
    usageLine(name, usage),
    "",
    about,
    "",
    "Options:",
    ...columns(
      Object.entries(all).map(([option, { short, value, about }]) => {
        const long = spelt(option, all)
        const names = short && `-${short}` !== long ? `-${short}, ${long}` : long
        return [value ? `${names} ${value}` : names, about]
      }),
    ),
    "",
  ].join("\n")
}

export const usageLine = (name: string, usage: string): string =>
  `Usage: cfx ${[name, usage].filter(Boolean).join(" ")} [options]`

const columns = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
