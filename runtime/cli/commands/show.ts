import { Effect } from "effect"
import { assumedAs } from "../../../compiler/assume.ts"
import { suggest } from "../../../compiler/diagnostics/suggest.ts"
import { expandEach } from "../../../compiler/expand.ts"
import type { Readings } from "../../../compiler/prompt.ts"
import type { Trial } from "../../../compiler/trial.ts"
import { EnvironmentFailure } from "../../failure.ts"
import { atPins } from "../../lock/pinned.ts"
import { unopenable } from "../../run/able.ts"
import { keptRun } from "../../run/finished.ts"
import { differences, planOf, selectExperiment } from "../../run/plan.ts"
import { readingAsShown } from "../../run/poolOrder.ts"
import { copiesOf, portable } from "../../run/portable.ts"
import { showJson, shownTrial, told, turnsOf } from "../../show.ts"
import { showText } from "../../showText.ts"
import { assignments, count } from "../arguments.ts"
import { backendNamed } from "../backend.ts"
import { backendOf } from "../carriedOut.ts"
import { command, UsageError } from "../command.ts"
import { among, askable, compileOptions, replacements, type Sound, soundSpec } from "../compiled.ts"
import { exit } from "../exit.ts"
import { runFolder, todo } from "../folder.ts"
import { pinsBeside } from "../locked.ts"
import { withEach } from "../models.ts"
import { withPools } from "../pools.ts"
import type { Terminal } from "../terminal.ts"
import { watchOn } from "../watch.ts"

interface Choice {
  readonly experiment?: string
  readonly arm?: string
  readonly item?: string
  readonly limit: number
}

export default command({
  usage: "SPEC",
  about:
    "Prints the exact text of trials as the model reads it, chat template included, each span\nmarked with where it comes from. Later turns hold earlier answers and texts: those of a run\n(--run), chosen ones (--assume), or the gold answers. Shows the first item unless told\notherwise.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    experiment: { type: "string", value: "E", about: "trials of this experiment" },
    arm: { type: "string", value: "A", about: "trials of this arm" },
    item: { type: "string", value: "ID", about: "trials of this item" },
    limit: { type: "string", value: "N", about: "trials of the first N items of each pool (default: 1)" },
    run: { type: "string", value: "DIR", about: "answers as this run read them" },
    assume: {
      type: "string",
      multiple: true,
      value: "HOLE=VALUE",
      about: "take this answer, such as a0=B, or text",
    },
    tokens: { type: "boolean", about: "token ids too, and the tokens of each label" },
    model: {
      ...replacements.model,
      value: "NAME[=FILE]",
      about: "trials of this model; with FILE, read that GGUF file as it",
    },
    items: replacements.items,
    backend: {
      type: "string",
      value: "simulated",
      about: "a made-up chat template, where model files are missing",
    },
    json: { type: "boolean", about: "an array with one object per trial" },
  },
  run: async ({ values, names: [name = ""], terminal }) => {
    const chosen = (values.model ?? []).filter((text) => !text.includes("="))
    const files = (values.model ?? []).filter((text) => text.includes("="))
    const engine = backendNamed(values.backend)
    const assume = assignments("--assume", values.assume)
    const limit = values.limit === undefined ? 1 : count("--limit", values.limit)
    const { experiment, arm, item } = values
    const sound = soundSpec(name, compileOptions({ ...values, model: files }), terminal)
    if (typeof sound === "number") return sound
    const found = askable(sound, experiment, name, terminal)
    if (typeof found === "number") return found
    if (experiment !== undefined) {
      const known = found.program.experiments.map(({ name }) => name)
      among("--experiment", experiment, known, name)
    }
    const program = selectExperiment(found.program, experiment)
    for (const model of chosen) {
      const known = program.models.map(({ name }) => name)
      among("--model", model, known, name)
    }
    const { spec, invented } = withPools(found, program, engine, terminal)
    const trials = select(spec, name, {
      ...(experiment === undefined ? {} : { experiment }),
      ...(arm === undefined ? {} : { arm }),
      ...(item === undefined ? {} : { item }),
      limit,
    })
    const read =
      values.run === undefined ? undefined : await readingsOf(values.run, spec, trials, invented, terminal)
    const tellings = trials
      .filter(({ model }) => chosen.length === 0 || chosen.includes(model))
      .map((trial) => told(trial, { ...read?.get(trial.id), ...assumptions(trial, assume) }))
    const asked = new Set(tellings.flatMap(({ trial }) => trial.turns.map(({ model }) => model)))
    const declared = program.models.filter(({ name }) => asked.has(name))
    const models = atPins(declared, engine === "llama" ? pinsBeside(name, spec) : {})
    if (engine === "llama") {
      const problem = models.flatMap((model) => unopenable(model, model.file) ?? [])[0]
      if (problem !== undefined) throw problem
    }
    // One model is open at a time, and a trial may be asked of several.
    const turns = await withEach(models, backendOf({ engine, mode: "exact" }, terminal), (loaded) =>
      Effect.sync(() => tellings.map((telling) => turnsOf(telling, loaded))),
    )
    const shown = tellings.map((telling, index) =>
      shownTrial(
        telling,
        turns.flatMap((of) => of[index] ?? []),
      ),
    )
    const tokens = values.tokens ?? false
    if (values.json) {
      const lines = shown.map((trial) => `  ${JSON.stringify(showJson(trial, { tokens }))}`)
      terminal.print(`[\n${lines.join(",\n")}\n]`, "data")
    } else terminal.print(showText(shown, { color: terminal.color.out, tokens }), "painted")
    return exit.done
  },
})

/** @throws UsageError when the spec has no such arm or item */
function select({ program, items }: Sound, spec: string, choice: Choice): readonly Trial[] {
  const { experiment, arm, item, limit } = choice
  const { experiments, models } = program
  const within = experiments.filter(({ name }) => experiment === undefined || name === experiment)
  if (arm !== undefined) {
    const arms = within.flatMap(({ cells }) => cells.map(({ arm }) => arm))
    among("--arm", arm, [...new Set(arms)], spec)
  }
  const ids = new Set<string>()
  const found: Trial[] = []
  for (const one of within) {
    for (const trial of expandEach(one, items, item === undefined ? { limit, models } : { models })) {
      ids.add(trial.item.id)
      const isChosen = arm === undefined || trial.cell.arm === arm
      if (isChosen && (item === undefined || trial.item.id === item)) found.push(trial)
    }
  }
  if (item !== undefined && !ids.has(item)) {
    throw new UsageError(
      `--item ${item}: no such item is asked about in ${spec}; ${examples(item, [...ids])}`,
    )
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
  invented: readonly string[],
  terminal: Terminal,
): Promise<ReadonlyMap<string, Readings>> {
  const directory = runFolder(given, todo.other)
  const watch = watchOn(terminal)
  const { plan, among } = await Effect.runPromise(keptRun(directory, watch)).finally(watch.end)
  const copies = copiesOf(spec.sources)
  const { engine, mode } = plan
  const program = portable(spec.program, copies.names)
  const now = planOf({ program, items: spec.items, spec: spec.hash, copies, engine, mode, invented })
  const differing = differences(plan, now)
  if (differing.length > 0) {
    throw new EnvironmentFailure({
      what: `the folder holds another run; it differs in ${differing.join(", ")}`,
      where: directory,
      todo: "give a run of this spec, and the --model and --items that it was given",
    })
  }
  const wanted = new Set(trials.map(({ id }) => id))
  const kept = new Map<string, Readings>()
  for (const { trial, readings } of among(wanted)) kept.set(trial, readings)
  const readings = new Map(
    trials.flatMap((trial): readonly (readonly [string, Readings])[] => {
      const own = kept.get(trial.id)
      if (own === undefined) return []
      const shown = trial.experiment.protocol.holes.flatMap((hole) => {
        const reading = own[hole.name]
        return reading === undefined ? [] : [[hole.name, readingAsShown(trial, hole, reading)] as const]
      })
      return [[trial.id, Object.fromEntries(shown)]]
    }),
  )
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
