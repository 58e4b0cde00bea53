/**
 * The specs of both papers, of the field and of what was planted: each is sound, comes to the plan that is kept beside this file, says the prompts that are kept there,
 * and runs on the simulated engine.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { countsOf } from "../../compiler/counts/counts.ts"
import { expandEach } from "../../compiler/expand.ts"
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import { countPools } from "../../compiler/items/count.ts"
import type { Trial } from "../../compiler/trial.ts"
import { simulatedBackend, simulatedModel } from "../../runtime/backend/simulated.ts"
import { experimentText } from "../../runtime/cli/plan/experimentText.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { silent } from "../../runtime/run/progress.ts"
import { run } from "../../runtime/run/run.ts"
import { shownTrial, told, turnsOf } from "../../runtime/show.ts"
import { showText } from "../../runtime/showText.ts"
import { compiled, imported, invented, root, specs } from "./support.ts"

const LIMIT = 5

/** The first trial of each arm. */
const firstOfArms = (experiment: ExperimentIR, spec: ReturnType<typeof compiled>): readonly Trial[] => {
  const found = new Map<string, Trial>()
  const { items, program } = spec
  for (const trial of expandEach(experiment, items, { limit: 1, models: program.models })) {
    if (!found.has(trial.cell.arm)) found.set(trial.cell.arm, trial)
  }
  return [...found.values()]
}

const promptsOf = (spec: ReturnType<typeof compiled>): string =>
  spec.program.experiments
    .flatMap((experiment) => firstOfArms(experiment, spec))
    .map((trial) => {
      const telling = told(trial)
      const models = [...new Set(trial.turns.map(({ model }) => model))]
      const turns = models.flatMap((name) => turnsOf(telling, simulatedModel({ name, path: "" })))
      return showText([shownTrial(telling, turns)], { color: false, tokens: false })
    })
    .join("\n")

/** Reads that no trial of their experiment ever came to. */
const unread = ({ experiments }: Program, records: readonly TrialRecord[]): readonly string[] =>
  experiments.flatMap(({ name, protocol }) => {
    const own = records.filter(({ experiment }) => experiment === name)
    return protocol.holes
      .filter((hole) => own.every(({ readings }) => readings[hole.name]?.status === "skipped"))
      .map((hole) => `${name}: ${hole.name}`)
  })

const isShortAndSound = (name: string): void => {
  const { diagnostics } = compiled(name)
  expect(
    diagnostics
      .filter(({ severity }) => severity !== "note")
      .map(({ code, message }) => `${code} ${message}`),
  ).toEqual([])
  expect(readFileSync(join(root, name), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(80)
}

it.each(imported)("%s, which others import, is short and gives no warning", isShortAndSound)

describe.each(specs)("%s", (name) => {
  it("is short, and says why wherever it would be warned of", () => isShortAndSound(name))

  it("comes to the plan and the prompts that are kept", async () => {
    const { spec } = invented(compiled(name))
    const { program, absent } = spec
    const items = new Map([...spec.items].filter(([pool]) => !absent.has(pool)))
    const counts = countsOf(program, countPools(program.pools, items), { items })
    const plan = counts.experiments.flatMap((one) => {
      const assume = program.experiments.find((experiment) => experiment.name === one.experiment)?.assume
      return experimentText({ ...one, ...(assume === undefined ? {} : { assume }) }, [])
    })
    const kept = `snapshots/${name
      .replace(/^specs\//, "")
      .replace("/", "-")
      .replace(/\.cfx$/, "")}.txt`
    await expect(`${plan.join("\n")}\n${promptsOf(spec)}\n`).toMatchFileSnapshot(kept)
  })

  it("runs on the simulated engine: every trial that was planned is a row", async () => {
    const { spec, pools } = invented(compiled(name))
    const directory = mkdtempSync(join(tmpdir(), `cfx-${basename(name, ".cfx")}-`))
    try {
      const outcome = await Effect.runPromise(
        run({
          compiled: spec,
          directory,
          engine: "simulated",
          mode: "exact",
          limit: LIMIT,
          invented: pools,
          version: "0.1.0",
          progress: silent,
        }).pipe(Effect.provide(simulatedBackend())),
      )
      expect(outcome.failed).toEqual([])
      expect(unread(spec.program, outcome.records)).toEqual([])
      const rows = readFileSync(join(directory, "trials.csv"), "utf8").trimEnd().split("\n").length - 1
      const { program, items } = spec
      expect(rows).toBe(countsOf(program, countPools(program.pools, items), { items, limit: LIMIT }).trials)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})

describe("what the papers count", () => {
  const counted = (name: string) => {
    const { program } = compiled(name)
    return countsOf(program, countPools(program.pools, new Map())).experiments
  }

  it("14 conditions x 2,500 items x 6 models are 210,000 revisions, and every first answer is read once", () => {
    const [grid] = counted("specs/floor/main.cfx")
    const turns = Object.fromEntries(grid!.turns.map(({ turn, calls }) => [turn, calls]))
    expect(grid).toMatchObject({ cells: 14, trials: 210_000, collapsed: 0 })
    expect(turns).toEqual({ first: 15_000, second: 210_000 })
  })

  it("orders of lines that all say the same are one observation each", () => {
    const [, anchors] = counted("specs/floor/main.cfx")
    // 2 baselines, 4 framings all wrong in one order and mixed in three; 3 seeds, 2 models, 1,000 items.
    expect(anchors).toMatchObject({ trials: (2 + 4 + 4 * 3) * 3 * 2 * 1000, collapsed: 0 })
  })

  it("Who Flips: 572,836 expected calls for the restricted design, 1,731,149 for everything", () => {
    const [restricted] = counted("specs/who-flips/stability.cfx")
    const [everything] = counted("specs/who-flips/exhaustive.cfx")
    expect(Math.round(restricted!.expected)).toBe(572_836)
    expect(Math.round(everything!.expected)).toBe(1_731_149)
  })
})
