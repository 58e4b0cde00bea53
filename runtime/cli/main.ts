#!/usr/bin/env node
/**
 * The entry of `cfx`: finds the command, loads it and nothing else, runs it, and turns what it threw into a message and an exit code.
 *
 *   words -> command (its own chunk) -> parse -> run -> exit code
 */
import { setFlagsFromString } from "node:v8"
import { suggest } from "../../compiler/diagnostics/suggest.ts"
import { parse } from "./arguments.ts"
import { type Command, UsageError } from "./command.ts"
import { exit } from "./exit.ts"
import { help, overview, usageLine } from "./help.ts"
import { version } from "./package.ts"
import { invocation } from "./paths.ts"
import { flushed, guardStreams, type Terminal, terminal } from "./terminal.ts"

// Garbage is collected when the heap is twice what was alive, and not only at some multiple of that: a run of a million trials then stays below a gigabyte.
setFlagsFromString("--heap-growing-percent=100")

const commands: Readonly<Record<string, { about: string; load: () => Promise<{ default: Command }> }>> = {
  init: { about: "a starter to change: one spec and its items", load: () => import("./commands/init.ts") },
  run: { about: "compile, plan, ask the models, report", load: () => import("./commands/run.ts") },
  check: {
    about: "find every error and doubtful choice of a spec",
    load: () => import("./commands/check.ts"),
  },
  plan: { about: "what a run would ask, before it runs", load: () => import("./commands/plan.ts") },
  diagnose: {
    about: "power and honesty of a design, before it runs",
    load: () => import("./commands/diagnose.ts"),
  },
  show: {
    about: "the exact text of a trial, and where it comes from",
    load: () => import("./commands/show.ts"),
  },
  resume: { about: "go on with an interrupted run", load: () => import("./commands/resume.ts") },
  report: { about: "rebuild a run's report from its ledger", load: () => import("./commands/report.ts") },
  export: {
    about: "a run's trials as CSV, Parquet, Arrow or Inspect's logs",
    load: () => import("./commands/export.ts"),
  },
  codes: {
    about: "have people code what a judge labelled, blind, and say how far they agree",
    load: () => import("./commands/codes.ts"),
  },
  score: {
    about: "a spec's measures over records made elsewhere",
    load: () => import("./commands/score.ts"),
  },
  fmt: { about: "the canonical layout of a file", load: () => import("./commands/fmt.ts") },
  lock: {
    about: "pin everything that a run depends on, in cfx.lock",
    load: () => import("./commands/lock.ts"),
  },
  diff: {
    about: "what two specs, or two runs, do differently: words of prompts, reads, numbers",
    load: () => import("./commands/diff.ts"),
  },
  doctor: {
    about: "whether engine, models and disk are in order",
    load: () => import("./commands/doctor.ts"),
  },
  explain: { about: "what a diagnostic's code means", load: () => import("./commands/explain.ts") },
  lsp: { about: "the language server, for editors", load: () => import("./commands/lsp.ts") },
}

async function main([name, ...words]: readonly string[]): Promise<number> {
  const plain = terminal({ quiet: false, plain: words.includes("--no-color") })
  if (name === undefined) {
    plain.complain(overview(commands))
    return exit.usage
  }
  if (name === "--help" || name === "-h" || name === "help") {
    if (words.length === 1 && Object.hasOwn(commands, words[0]!)) return main([words[0]!, "--help"])
    plain.print(overview(commands))
    return exit.done
  }
  if (name === "--version" || name === "-v") {
    plain.print(version())
    return exit.done
  }
  if (!Object.hasOwn(commands, name)) {
    const near = suggest(name, Object.keys(commands))
    plain.complain(`cfx: there is no command ${name}${near ? `; did you mean ${near}?` : ""}`)
    plain.complain(`${invocation()} --help lists them`)
    return exit.usage
  }
  const { default: command } = await commands[name]!.load()
  try {
    const { values, common, names } = parse(command, words)
    const own = terminal({ quiet: common.quiet ?? false, plain: common["no-color"] ?? false })
    if (common.help) {
      own.print(help(name, command))
      return exit.done
    }
    return await command.run({ values, names, terminal: own })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    plain.complain(`cfx ${name}: ${error.message}`)
    plain.complain(usageLine(name, command.usage))
    plain.complain(`${invocation()} ${name} --help tells more`)
    return exit.usage
  }
}

/** What a thrown value means to a person. A failure of the environment says so itself; anything else is a defect of cfx. */
function failed(error: unknown, { complain }: Pick<Terminal, "complain">): number {
  if (error instanceof Error && "_tag" in error && error._tag === "EnvironmentFailure") {
    complain(`error: ${error.message}`)
    return exit.environment
  }
  const text = error instanceof Error ? error.message : String(error)
  complain(`cfx has a defect and stopped: ${text.split("\n")[0]}`)
  complain("This is no fault of your spec. What was answered is kept; the same command goes on from there.")
  if (process.env.CFX_DEBUG) complain(error instanceof Error ? (error.stack ?? text) : text)
  else
    complain(
      "Run it again with CFX_DEBUG=1, and send what it prints to the maintainers, with the spec and `cfx doctor`.",
    )
  return exit.defect
}

guardStreams()
const plain = terminal({ quiet: false, plain: true })
const last = (error: unknown): void => process.exit(failed(error, plain))
process.on("uncaughtException", last)
process.on("unhandledRejection", last)
const code = await main(process.argv.slice(2)).catch((error) => failed(error, plain))
await flushed()
process.exit(process.exitCode ?? code)
