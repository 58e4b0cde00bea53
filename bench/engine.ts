/**
 * What a run costs beyond the engine's own work, on the floor's main grid: `npm run bench -- [--quick] [--items N] [--rounds N] [--models pocket,smollm2]
 * [--no-generation]`. In each round come, one after the other, a run in either mode, a raw replay of the chunks of each at their depths, with nothing
 * around them, and the naive twin: machines drift, so medians of ratios within a round are printed, and beside them ratios of least times
 * (`leastTimes.ts`), which a busy host does not sway. `--quick` takes some minutes on two cores.
 */
import { spawnSync } from "node:child_process"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { Backend, type ModelFile } from "../runtime/backend/backend.ts"
import type { Evaluator } from "../runtime/backend/evaluator.ts"
import { llamaBackend } from "../runtime/backend/llama.ts"
import type { Mode } from "../runtime/backend/scorer.ts"
import { lanesFor } from "../runtime/backend/threads.ts"
import { smollm2 } from "../test/real/smollm2.ts"
import { commandOnFloor, recordedFloor } from "./floorRun.ts"
import { leastTimes, type Round, sum, wholeOf } from "./leastTimes.ts"
import { held, median, print, progress, shown } from "./measures.ts"
import { idealTokens, overheadOf, type Recording, replay, roundOf, tokensOf, wallOf } from "./recorder.ts"

interface Size {
  readonly items: number
  readonly rounds: number
  /** Modes in which the naive twin runs, too, and the whole command is timed. */
  readonly fully: readonly Mode[]
}

const modes: readonly Mode[] = ["exact", "fast"]
/** Of the goals of the engine, by mode. */
const sharingGoal: Readonly<Record<Mode, number>> = { exact: 1.05, fast: 1.01 }

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      items: { type: "string" },
      rounds: { type: "string" },
      models: { type: "string", default: "pocket,smollm2" },
      "no-generation": { type: "boolean", default: false },
    },
  })
  const size = (quick: Omit<Size, "fully">): Size => ({
    fully: values.quick ? ["exact"] : modes,
    items: Number(values.items ?? (values.quick ? quick.items : 20)),
    rounds: Number(values.rounds ?? (values.quick ? quick.rounds : 5)),
  })
  const [load = 0] = loadavg()
  print(`${availableParallelism()} cores, load ${load.toFixed(1)} before the first measurement`)
  if (load > 0.5) print("  other work is going on: ratios hold within limits, times do not")
  const models = values.models.split(",")
  if (models.includes("pocket")) {
    const path = join(process.cwd(), "stdlib/models/pocket/pocket.gguf")
    await bench("pocket respondent", { name: "pocket", path }, size({ items: 20, rounds: 3 }))
  }
  if (models.includes("smollm2")) {
    const fetched = await smollm2()
    if ("missing" in fetched) print(`SmolLM2 is not measured: ${fetched.missing}`)
    else await bench("SmolLM2-135M-Instruct Q4_1", fetched, size({ items: 2, rounds: 3 }))
  }
  if (!values["no-generation"]) generation(values.quick ? "smollm2" : values.models, values.quick ? "1" : "3")
}

async function bench(title: string, file: ModelFile, { items, rounds, fully }: Size): Promise<void> {
  const loads: number[] = []
  for (let round = 0; round < 3; round += 1) {
    progress(`${title}: opening the model, ${round + 1} of 3`)
    await withEngine(file, async (_, { opening }) => void loads.push(opening))
  }
  await withEngine(file, async (evaluator, { threads }) => {
    const found = Object.fromEntries(modes.map((mode) => [mode, newFigures()])) as Record<Mode, Figures>
    for (let round = 0; round < rounds; round += 1) {
      const say = (what: string): void => progress(`${title}: round ${round + 1} of ${rounds}, ${what}`)
      const floor = { model: file.path, items }
      for (const mode of modes) {
        const figures = found[mode]
        say(`a run in ${mode} mode`)
        const shared = await recordedFloor({ ...floor, mode, engine: { threads } })
        say(`its chunks again (${tokensOf(shared)} tokens)`)
        const replayed = await replay(evaluator, shared)
        const raw = sum(replayed)
        figures.runs.push(roundOf(shared))
        figures.replays.push({ batches: replayed, beyond: 0 })
        figures.over.push(wallOf(shared) / raw)
        figures.overheads.push(overheadOf(shared))
        figures.walls.push(wallOf(shared) / 1000)
        figures.shared = shared
        figures.rates.push((1000 * tokensOf(shared)) / raw)
        if (!fully.includes(mode)) continue
        say("its naive twin")
        const naive = await recordedFloor({ ...floor, mode, engine: { threads, sharing: false } })
        figures.gains.push(wallOf(naive) / wallOf(shared))
        figures.naive = tokensOf(naive)
        figures.naives.push(roundOf(naive))
      }
      print(
        `${title}, round ${round + 1} of ${rounds}: ${modes.map((mode) => latest(mode, found[mode])).join("; ")}`,
      )
    }
    print(
      `${title}: the floor's main grid, ${items} items, ${threads === 1 ? "1 thread" : `${threads} threads`}, median of ${rounds}`,
    )
    print(`  opened in ${median(loads).toFixed(0)} ms, its sum checked and threads probed`)
    for (const mode of modes) tell(mode, file.name === "smollm2", found[mode])
    for (const mode of fully) {
      progress(`${title}: the command, ${mode} mode`)
      const { seconds, peak } = await commandOnFloor({ model: file.path, items: Math.min(20, items), mode })
      print(
        `  cfx run --mode ${mode}, ${Math.min(20, items)} items: ${seconds.toFixed(1)} s from start to report, audit included; peak memory ${(peak / 2 ** 20).toFixed(0)} MiB`,
      )
    }
    await lanes(title, file, { threads, items, rounds })
  })
}

interface Figures {
  /** Of each round: wall over raw replay, share beyond the engine's batches, seconds, naive twin over shared. */
  readonly over: number[]
  readonly overheads: number[]
  readonly walls: number[]
  /** Tokens/s of the raw replay. */
  readonly rates: number[]
  readonly gains: number[]
  /** The same work each, batch by batch. */
  readonly runs: Round[]
  readonly replays: Round[]
  readonly naives: Round[]
  /** All rounds evaluate the same. */
  shared: Recording | undefined
  /** Tokens of the naive twin. */
  naive: number | undefined
}

const newFigures = (): Figures => ({
  over: [],
  overheads: [],
  walls: [],
  rates: [],
  gains: [],
  runs: [],
  replays: [],
  naives: [],
  shared: undefined,
  naive: undefined,
})

/** Of the round that has just ended, since the sums come hours later. */
const latest = (mode: Mode, { over, overheads, gains }: Figures): string =>
  [
    `${mode} ${over.at(-1)!.toFixed(3)} over a raw replay`,
    `${(100 * overheads.at(-1)!).toFixed(2)} % beyond its batches`,
    ...gains.slice(-1).map((gain) => `naive twin ${gain.toFixed(3)}`),
  ].join(", ")

/** `isJudged`: the goals are of this model. */
function tell(
  mode: Mode,
  isJudged: boolean,
  { over, overheads, walls, rates, gains, runs, replays, naives, shared, naive }: Figures,
): void {
  if (shared === undefined) return
  const run = leastTimes(runs)
  const goal: typeof held = (value, bounds) => (isJudged ? `, ${held(value, bounds)}` : "")
  const [tokens, ideal] = [tokensOf(shared), idealTokens(shared)]
  print(
    `  ${mode}: wall ${median(walls).toFixed(1)} s, ${tokens} tokens in ${shared.steps.length} batches (raw ${median(rates).toFixed(0)} tokens/s)`,
  )
  print(`    over a raw replay of the same chunks: ${shown(over)}`)
  const leastOver = wholeOf(run) / wholeOf(leastTimes(replays))
  print(`      by least times: ${leastOver.toFixed(3)}${goal(leastOver, { most: 1.05 })}`)
  print(`    beyond the engine's batches: ${(100 * median(overheads)).toFixed(2)} % of them`)
  const overhead = (100 * run.beyond) / run.batches
  print(`      by least times: ${overhead.toFixed(2)} %${goal(overhead, { most: 3 })}`)
  print(
    `    tokens over the ideal trie's ${ideal}: ${(tokens / ideal).toFixed(4)}${goal(tokens / ideal, { most: sharingGoal[mode] })}`,
  )
  if (naive === undefined) return
  const ratio = naive / tokens
  print(
    `    naive twin over it: time ${shown(gains)}, tokens ${ratio.toFixed(3)}; share had in time ${(median(gains) / ratio).toFixed(3)}`,
  )
  const gain = wholeOf(leastTimes(naives)) / wholeOf(run)
  const share = gain / ratio
  print(
    `      by least times: ${gain.toFixed(3)}; share had in time ${share.toFixed(3)}${goal(share, { least: 0.9 })}`,
  )
}

/** What several contexts side by side are worth, where cores are left. */
async function lanes(
  title: string,
  file: ModelFile,
  { threads, items, rounds }: Omit<Size, "fully"> & { readonly threads: number },
): Promise<void> {
  const count = lanesFor(threads, availableParallelism())
  if (count === 1) return
  const gains: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    progress(`${title}: round ${round + 1} of ${rounds}, on 1 and on ${count} lanes`)
    const floor = { model: file.path, items, mode: "exact" as const }
    const one = await recordedFloor({ ...floor, engine: { threads } })
    const all = await recordedFloor({ ...floor, engine: { threads, lanes: count } })
    gains.push(wallOf(one) / wallOf(all))
  }
  print(`  one lane over ${count}: time ${shown(gains)}`)
}

/** A copy of the model that nothing but replays uses, the number of threads that the probe chose for it, and milliseconds that opening it took. */
function withEngine(
  file: ModelFile,
  use: (evaluator: Evaluator, facts: { readonly threads: number; readonly opening: number }) => Promise<void>,
): Promise<void> {
  let evaluator: Evaluator | undefined
  const wrap = (raw: Evaluator): Evaluator => {
    evaluator = raw
    return raw
  }
  const program = Effect.gen(function* () {
    const backend = yield* Backend
    const start = performance.now()
    const { facts } = yield* backend.load(file)
    const opening = performance.now() - start
    const raw = evaluator
    if (raw !== undefined) yield* Effect.promise(() => use(raw, { threads: Number(facts.threads), opening }))
  })
  return Effect.runPromise(Effect.scoped(program.pipe(Effect.provide(llamaBackend({ wrap, lanes: 1 })))))
}

/** `bench/generation.ts`, in a process of its own. */
function generation(models: string, rounds: string): void {
  progress("texts, 1 and 8 at a time")
  print("generation")
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "generation.js")], {
    stdio: "inherit",
    env: { ...process.env, CFX_BENCH_MODELS: models, CFX_BENCH_ROUNDS: rounds },
  })
  if (status !== 0) process.exitCode = 1
}

await main()
