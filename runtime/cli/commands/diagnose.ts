import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Cause, Effect, Exit } from "effect"
import { diagnose } from "../../diagnose/diagnose.ts"
import { type PilotRun, pilotOf } from "../../diagnose/pilot.ts"
import { makeFolder, removeIfEmpty, writeFileAtomic } from "../../disk/disk.ts"
import { selectExperiment } from "../../run/plan.ts"
import { count } from "../arguments.ts"
import { command, UsageError } from "../command.ts"
import { among, askable, compileOptions, replacements, soundSpec } from "../compiled.ts"
import { powerFigure } from "../diagnose/figure.ts"
import { diagnosisJson } from "../diagnose/json.ts"
import { simulationProgress } from "../diagnose/progress.ts"
import { diagnosisText, lackingText } from "../diagnose/text.ts"
import { engineOptions } from "../engine.ts"
import { exit } from "../exit.ts"
import { runFolder, todo } from "../folder.ts"
import { interruptible } from "../interrupt.ts"
import { here } from "../paths.ts"
import { withPools } from "../pools.ts"
import type { Terminal } from "../terminal.ts"
import { watchOn } from "../watch.ts"

/** Simulations where nobody says how many: a power of one half is known to within 2 points. */
const SIMULATIONS = 500

export default command({
  usage: "SPEC",
  about:
    "Judges a design before any model is asked: simulates it from the spec's `assume` block, or\nfrom what a pilot run showed, and prints for each contrast its true value, power, interval\nwidth, coverage, type S and type M error, the smallest effect found with 80 % power, and\npower by number of items. docs/diagnose.md has the model.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    sims: { type: "string", value: "N", about: `simulations at each point (default: ${SIMULATIONS})` },
    seed: { type: "string", value: "S", about: "of the simulations, a whole number from 0 (default: 0)" },
    from: { type: "string", value: "RUNDIR", about: "estimate what is assumed from this finished run" },
    experiment: { type: "string", value: "E", about: "only this experiment of the spec" },
    fits: { type: "boolean", about: "fit mixed-effects models in each simulation too" },
    ...replacements,
    items: {
      ...replacements.items,
      value: "N,N,...|NAME=FILE",
      about:
        "numbers of items over all pools, these alone (default: the design's, a quarter, half and twice as many), or a pool's file",
    },
    o: {
      type: "string",
      short: "o",
      value: "DIR",
      about: "write diagnosis.json, diagnosis.txt and figures there",
    },
    json: { type: "boolean", about: "the diagnosis as JSON" },
  },
  run: async ({ values, names: [name = ""], terminal }) => {
    const simulations = values.sims === undefined ? SIMULATIONS : count("--sims", values.sims)
    const given = values.items ?? []
    const sizes = given
      .filter(isNumbers)
      .flatMap((text) => text.split(",").map((one) => count("--items", one.trim())))
    const seed = values.seed === undefined ? 0 : seedOf(values.seed)
    const threads = engineOptions(terminal).threads ?? availableParallelism()
    const target = values.o === undefined ? undefined : runFolder(values.o, todo.elsewhere)
    const whole = soundSpec(
      name,
      compileOptions({ ...values, items: given.filter((one) => !isNumbers(one)) }),
      terminal,
    )
    if (typeof whole === "number") return whole
    const sound = askable(whole, values.experiment, name, terminal)
    if (typeof sound === "number") return sound
    if (values.experiment !== undefined) {
      const known = sound.program.experiments.map((experiment) => experiment.name)
      among("--experiment", values.experiment, known, name)
    }
    const program = selectExperiment(sound.program, values.experiment)
    const { spec } = withPools(sound, program, "simulated", terminal)
    const pilot =
      values.from === undefined ? undefined : await pilotRun(values.from, program.experiments, terminal)
    for (const line of pilot?.remarks ?? []) terminal.note(line)
    // A folder that cannot be made is heard of before the simulations, which may take hours.
    const isNew = target !== undefined && makeFolder(target)
    const withdrawn = (): void => {
      if (isNew) removeIfEmpty(target)
    }
    const progress = simulationProgress(terminal)
    const result = await interruptible(
      Effect.promise((signal) =>
        diagnose({
          program,
          items: spec.items,
          simulations,
          ...(sizes.length === 0 ? {} : { sizes }),
          seed,
          fits: values.fits ?? false,
          threads,
          pilots: pilot?.pilots ?? new Map(),
          signal,
          progress,
        }),
      ),
      () => terminal.complain("\nstopping; simulations are not kept"),
    )
    progress.end()
    if (Exit.isFailure(result)) {
      withdrawn()
      if (!Cause.hasInterruptsOnly(result.cause)) throw Cause.squash(result.cause)
      return exit.interrupted
    }
    const diagnosis = result.value
    if ("lacking" in diagnosis) {
      withdrawn()
      terminal.complain(lackingText(diagnosis.lacking, name))
      return exit.spec
    }
    const json = diagnosisJson(spec.hash, diagnosis)
    const text = diagnosisText(diagnosis)
    // First, so that a disk that fails takes no result away.
    terminal.print(values.json ? json : text, values.json ? "data" : "text")
    if (target !== undefined) {
      writeFileAtomic(join(target, "diagnosis.json"), json)
      writeFileAtomic(join(target, "diagnosis.txt"), `${text}\n`)
      for (const experiment of diagnosis.experiments) {
        if (experiment.contrasts.length === 0) continue
        writeFileAtomic(join(target, `power_${experiment.experiment}.svg`), powerFigure(experiment))
      }
      terminal.note(`diagnosis: ${here(target)}`)
    }
    return exit.done
  },
})

/** Numbers of items; anything else is a pool and its file. */
const isNumbers = (text: string): boolean => /^[\d,\s]+$/.test(text)

/** @throws UsageError unless the text is a whole number from 0 */
function seedOf(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new UsageError(`--seed takes a whole number from 0, not ${text}`)
}

async function pilotRun(
  given: string,
  experiments: Parameters<typeof pilotOf>[1],
  terminal: Terminal,
): Promise<PilotRun> {
  const watch = watchOn(terminal)
  try {
    return await Effect.runPromise(pilotOf(runFolder(given, todo.other), experiments, watch))
  } finally {
    watch.end()
  }
}
