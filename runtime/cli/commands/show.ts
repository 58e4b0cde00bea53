import { Effect } from "effect"
import { assumedAs } from "../../../compiler/assume.ts"
import { suggest } from "../../../compiler/diagnostics/suggest.ts"
import { expand } from "../../../compiler/expand.ts"
import type { Readings } from "../../../compiler/prompt.ts"
import type { Trial } from "../../../compiler/trial.ts"
import { EnvironmentFailure } from "../../failure.ts"
import { differences, planOf } from "../../run/plan.ts"
import { copiesOf, portable } from "../../run/portable.ts"
import { rebuild } from "../../run/run.ts"
import { showJson, showTrial } from "../../show.ts"
import { showText } from "../../showText.ts"
import { assignments, count } from "../arguments.ts"
import { command, UsageError } from "../command.ts"
import { among, compileOptions, replacements, type Sound, soundSpec } from "../compiled.ts"
import { llama } from "../engine.ts"
import { exit } from "../exit.ts"
import { runFolder, todo } from "../folder.ts"
import { withEach } from "../models.ts"
import { version } from "../package.ts"

interface Choice {
  readonly experiment?: string
  readonly arm?: string
  readonly item?: string
  readonly limit: number
}

export default command({
  usage: "SPEC",
  about:
    "Prints the exact text of trials as the model reads it, chat template included, each span\nmarked with where it comes from. Later turns hold earlier answers: those of a run (--run),\nchosen ones (--assume), or the gold answers. Shows the first item unless told otherwise.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    experiment: { type: "string", value: "E", about: "trials of this experiment" },
    arm: { type: "string", value: "A", about: "trials of this arm" },
    item: { type: "string", value: "ID", about: "trials of this item" },
    limit: { type: "string", value: "N", about: "trials of the first N items of each pool (default: 1)" },
    run: { type: "string", value: "DIR", about: "answers as this run read them" },
    assume: { type: "string", multiple: true, value: "HOLE=VALUE", about: "take this answer, such as a0=B" },
    tokens: { type: "boolean", about: "token ids too, and the tokens of each label" },
    model: {
      ...replacements.model,
      value: "NAME[=FILE]",
      about: "trials of this model; with FILE, read that GGUF file as it",
    },
    items: replacements.items,
    json: { type: "boolean", about: "an array with one object per trial" },
  },
  run: async ({ values, names: [name = ""], terminal }) => {
    const chosen = (values.model ?? []).filter((text) => !text.includes("="))
    const files = (values.model ?? []).filter((text) => text.includes("="))
    const engine = llama(terminal)
    const assume = assignments("--assume", values.assume)
    const limit = values.limit === undefined ? 1 : count("--limit", values.limit)
    const spec = soundSpec(name, compileOptions({ ...values, model: files }), terminal)
    if (typeof spec === "number") return spec
    for (const model of chosen) {
      const known = spec.program.models.map(({ name }) => name)
      among("--model", model, known, name)
    }
    const { experiment, arm, item } = values
    const trials = select(spec, name, {
      ...(experiment === undefined ? {} : { experiment }),
      ...(arm === undefined ? {} : { arm }),
      ...(item === undefined ? {} : { item }),
      limit,
    })
    const read = values.run === undefined ? undefined : await readingsOf(values.run, spec, trials)
    const models = spec.program.models.filter(
      ({ name }) =>
        (chosen.length === 0 || chosen.includes(name)) && trials.some(({ model }) => model === name),
    )
    const shown = await withEach(models, engine, (loaded) =>
      Effect.sync(() =>
        trials
          .filter(({ model }) => model === loaded.name)
          .map((trial) =>
            showTrial(trial, loaded, { ...read?.get(trial.id), ...assumptions(trial, assume) }),
          ),
      ),
    )
    const tokens = values.tokens ?? false
    if (values.json) {
      const lines = shown.flat().map((trial) => `  ${JSON.stringify(showJson(trial, { tokens }))}`)
      terminal.print(`[\n${lines.join(",\n")}\n]`, "data")
    } else terminal.print(showText(shown.flat(), { color: terminal.color.out, tokens }), "painted")
    return exit.done
  },
})

/** @throws UsageError when the spec has no such experiment, arm or item */
function select({ program, items }: Sound, spec: string, choice: Choice): readonly Trial[] {
  const { experiment, arm, item, limit } = choice
  const { experiments } = program
  if (experiment !== undefined)
    among(
      "--experiment",
      experiment,
      experiments.map(({ name }) => name),
      spec,
    )
  const within = experiments.filter(({ name }) => experiment === undefined || name === experiment)
  if (arm !== undefined) {
    const arms = within.flatMap(({ cells }) => cells.map(({ arm }) => arm))
    among("--arm", arm, [...new Set(arms)], spec)
  }
  const trials = within.flatMap((one) => expand(one, items, item === undefined ? { limit } : {}))
  const found = trials.filter(
    (trial) =>
      (arm === undefined || trial.cell.arm === arm) && (item === undefined || trial.item.id === item),
  )
  if (item !== undefined && found.length === 0) {
    const ids = [...new Set(trials.map((trial) => trial.item.id))]
    throw new UsageError(`--item ${item}: no such item is asked about in ${spec}; ${examples(item, ids)}`)
  }
  return found
}

/** What ids look like, and which one was probably meant. */
function examples(id: string, ids: readonly string[]): string {
  const near = suggest(id, ids)
  const some = ids.slice(0, 3).join(", ")
  const meant = near === undefined ? "" : `, and the nearest is ${near}`
  return `ids are ${some}${ids.length > 3 ? ", ..." : ""}${meant}`
}

/**
 * Readings of a run of this spec, by trial.
 * @throws EnvironmentFailure when the run is of something else, or asked about other trials: its answers are to other prompts
 */
async function readingsOf(
  given: string,
  spec: Sound,
  trials: readonly Trial[],
): Promise<ReadonlyMap<string, Readings>> {
  const directory = runFolder(given, todo.other)
  const { plan, records } = await Effect.runPromise(rebuild({ directory, version: version(), write: false }))
  const copies = copiesOf(spec.sources)
  const { engine, mode } = plan
  const program = portable(spec.program, copies.names)
  const now = planOf({ program, items: spec.items, spec: spec.hash, copies, engine, mode })
  const differing = differences(plan, now)
  if (differing.length > 0) {
    throw new EnvironmentFailure({
      what: `the folder holds another run; it differs in ${differing.join(", ")}`,
      where: directory,
      todo: "give a run of this spec, and the --model and --items that it was given",
    })
  }
  const readings = new Map(records.map(({ trial, readings }) => [trial, readings]))
  const missing = trials.find(({ id }) => !readings.has(id))
  if (missing !== undefined) {
    const experiments = plan.program.experiments.map(({ name }) => name).join(", ")
    throw new EnvironmentFailure({
      what: `the run did not ask about trial ${missing.id}`,
      where: directory,
      todo: `choose trials with --experiment, --item or --limit; it ran ${experiments}${plan.limit === undefined ? "" : ` with --limit ${plan.limit}`}`,
    })
  }
  return readings
}

/** @throws UsageError when a hole does not exist or cannot have this value */
function assumptions(trial: Trial, assume: Readonly<Record<string, string>>): Readings {
  const holes = trial.experiment.protocol.holes.map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(assume).map(([hole, value]) => {
      if (!holes.includes(hole))
        throw new UsageError(`--assume ${hole}: the protocol reads ${holes.join(", ")}`)
      const reading = assumedAs(trial, hole, value)
      if ("problem" in reading) throw new UsageError(`--assume ${hole}=${value}: ${reading.problem}`)
      return [hole, reading]
    }),
  )
}
