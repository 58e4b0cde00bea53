import { basename } from "node:path"
import { Effect } from "effect"
import { selectExperiment } from "../../run/plan.ts"
import { replay } from "../../run/replay.ts"
import { planOfRun, run } from "../../run/run.ts"
import { count } from "../arguments.ts"
import { backendNamed } from "../backend.ts"
import { backendOf, carriedOut, failFast, runProgress } from "../carriedOut.ts"
import { command, UsageError } from "../command.ts"
import { among, askable, compileOptions, replacements, soundSpec } from "../compiled.ts"
import { watchOn } from "../files.ts"
import { runFolder, todo } from "../folder.ts"
import { heldForRun } from "../locked.ts"
import { modeOf, modeOption } from "../mode.ts"
import { version } from "../package.ts"
import { withPools } from "../pools.ts"

export default command({
  usage: "SPEC",
  about:
    "Compiles SPEC, asks its models, prints the tables and writes a run directory with a\nreport. Into the directory of an earlier run of the same spec it goes on where that one stopped.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    o: { type: "string", short: "o", value: "DIR", about: "the run directory (default: runs/NAME-OF-SPEC)" },
    experiment: { type: "string", value: "E", about: "only this experiment of the spec" },
    limit: { type: "string", value: "N", about: "only N items of each pool" },
    ...replacements,
    backend: {
      type: "string",
      value: "simulated",
      about: "made-up answers, and items where data are missing; replay: those of --from",
    },
    from: { type: "string", value: "DIR", about: "with --backend replay: the run whose answers are taken" },
    ...modeOption,
    ...failFast,
    json: { type: "boolean", about: "the results as JSON" },
  },
  run: async ({ values, names: [spec = ""], terminal }) => {
    const limit = values.limit === undefined ? {} : { limit: count("--limit", values.limit) }
    const from = replayedFrom(values)
    const engine =
      from === undefined
        ? backendNamed(values.backend, ["replay"])
        : (await Effect.runPromise(planOfRun(from))).engine
    const mode = modeOf(values.mode)
    const progress = runProgress(terminal)
    const layer = backendOf({ engine, mode }, terminal, progress.note)
    const directory = runFolder(values.o ?? `runs/${basename(spec, ".cfx")}`, todo.elsewhere)
    const given = compileOptions(values)
    const experiment = values.experiment
    const sound = soundSpec(spec, given, terminal)
    if (typeof sound === "number") return sound
    const compiled = askable(sound, experiment, spec, terminal)
    if (typeof compiled === "number") return compiled
    if (experiment !== undefined) {
      const known = compiled.program.experiments.map(({ name }) => name)
      among("--experiment", experiment, known, spec)
    }
    const asks = engine === "llama" && from === undefined
    const held = await heldForRun(spec, compiled, given, terminal, asks)
    if (typeof held === "number") return held
    const pools = withPools(compiled, selectExperiment(compiled.program, experiment), engine, terminal)
    const common = {
      compiled: pools.spec,
      invented: pools.invented,
      replaced: { models: Object.keys(given.models ?? {}), items: Object.keys(given.items ?? {}) },
      directory,
      version: version(),
      ...(experiment === undefined ? {} : { experiment }),
      ...limit,
    }
    const failFast = values["fail-fast"] ?? false
    const work =
      from === undefined
        ? run({ ...common, ...held, engine, mode, failFast, progress, sums: watchOn(terminal) })
        : replay({ ...common, from })
    return carriedOut(work, { backend: layer, engine, directory, json: values.json ?? false, terminal })
  },
})

/**
 * The run whose answers are taken, where no model is to be asked.
 * @throws UsageError when one of `--backend replay` and `--from` stands without the other, or a mode is given besides
 */
function replayedFrom({
  backend,
  from,
  mode,
}: {
  readonly backend?: string
  readonly from?: string
  readonly mode?: string
}): string | undefined {
  if (backend !== "replay") {
    if (from !== undefined) throw new UsageError("--from goes with --backend replay")
    return undefined
  }
  if (from === undefined)
    throw new UsageError("--backend replay takes the answers of a run: name its folder with --from DIR")
  if (mode !== undefined)
    throw new UsageError("--backend replay has the mode of the run in --from; leave --mode out")
  return runFolder(from, todo.other)
}
