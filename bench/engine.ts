/**
 * What a run costs beyond the engine's own work: `npm run bench`. Runs the quickstart's spec on the pocket respondent and on SmolLM2, and after each
 * run evaluates the same chunks again with nothing around them. Machines drift, so runs and replays alternate and medians of
 * their ratios are printed. CFX_BENCH_ITEMS, CFX_BENCH_ROUNDS and CFX_BENCH_MODELS (pocket, smollm2) make it shorter.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { Backend, type ModelFile } from "../runtime/backend/backend.ts"
import type { Evaluator } from "../runtime/backend/evaluator.ts"
import { type LlamaOptions, llamaBackend } from "../runtime/backend/llama.ts"
import { lanesFor } from "../runtime/backend/threads.ts"
import { runQuickstart } from "../test/engine/quickstartRun.ts"
import { smollm2 } from "../test/real/smollm2.ts"
import { newRecording, type Recording, recordInto, replay, tokensOf } from "./recorder.ts"

const project = process.cwd()
const rounds = Number(process.env.CFX_BENCH_ROUNDS ?? 5)
const items = Number(process.env.CFX_BENCH_ITEMS ?? 100)
const chosen = (process.env.CFX_BENCH_MODELS ?? "pocket,smollm2").split(",")
/** Items for the comparison with the naive twin, which evaluates two to three times as much. */
const twinItems = Math.min(10, items)

async function main(): Promise<void> {
  if (chosen.includes("pocket")) {
    const path = join(project, "stdlib/models/pocket/pocket.gguf")
    await bench("pocket respondent", { name: "pocket", path })
  }
  if (chosen.includes("smollm2")) {
    const fetched = await smollm2()
    if ("missing" in fetched) console.log(`SmolLM2 is not measured: ${fetched.missing}`)
    else await bench("SmolLM2-135M-Instruct Q4_1", fetched)
  }
}

async function bench(title: string, file: ModelFile): Promise<void> {
  await withEngine(file, async (evaluator, threads) => {
    const overheads: number[] = []
    const rates: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const recording = await recorded(file, items, { threads })
      const raw = await replay(evaluator, recording)
      overheads.push((recording.span.done - recording.span.ready) / raw)
      rates.push((1000 * tokensOf(recording)) / raw)
    }
    console.log(`${title}, ${items} items, ${threads} threads, median of ${rounds}`)
    console.log(`  raw prefill ${median(rates).toFixed(0)} tokens/s`)
    console.log(`  run over raw replay of the same chunks: ${shown(overheads)}`)

    const gains: number[] = []
    let tokenRatio = 0
    for (let round = 0; round < rounds; round += 1) {
      const shared = await recorded(file, twinItems, { threads })
      const naive = await recorded(file, twinItems, { threads, sharing: false })
      tokenRatio = tokensOf(naive) / tokensOf(shared)
      gains.push((naive.span.done - naive.span.ready) / (shared.span.done - shared.span.ready))
    }
    console.log(
      `  naive twin over shared, ${twinItems} items: time ${shown(gains)}, tokens ${tokenRatio.toFixed(3)}`,
    )
    console.log(`  share of the token ratio that is had in time: ${(median(gains) / tokenRatio).toFixed(3)}`)

    const lanes = lanesFor(threads, availableParallelism())
    if (lanes === 1) return
    const spreads: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const one = await recorded(file, twinItems, { threads })
      const all = await recorded(file, twinItems, { threads, lanes })
      spreads.push((one.span.done - one.span.ready) / (all.span.done - all.span.ready))
    }
    console.log(`  one lane over ${lanes}, ${twinItems} items: time ${shown(spreads)}`)
  })
}

/** One run of the quickstart's spec with this model, in a folder that is thrown away. */
async function recorded({ path }: ModelFile, limit: number, options: LlamaOptions): Promise<Recording> {
  const recording = newRecording()
  const folder = await mkdtemp(join(tmpdir(), "cfx-bench-"))
  const engine = { ...options, wrap: recordInto(recording) }
  await runQuickstart({ directory: join(folder, "run"), limit, model: path, engine })
  await rm(folder, { recursive: true })
  return recording
}

/** A second copy of the model, which nothing but replays uses, and the number of threads that the probe chose for it. */
function withEngine(
  file: ModelFile,
  use: (evaluator: Evaluator, threads: number) => Promise<void>,
): Promise<void> {
  let evaluator: Evaluator | undefined
  const wrap = (raw: Evaluator): Evaluator => {
    evaluator = raw
    return raw
  }
  const program = Effect.gen(function* () {
    const backend = yield* Backend
    const { facts } = yield* backend.load(file)
    const raw = evaluator
    if (raw !== undefined) yield* Effect.promise(() => use(raw, Number(facts.threads)))
  })
  return Effect.runPromise(Effect.scoped(program.pipe(Effect.provide(llamaBackend({ wrap, lanes: 1 })))))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const shown = (values: readonly number[]): string =>
  `${median(values).toFixed(3)} (${[...values]
    .sort((a, b) => a - b)
    .map((value) => value.toFixed(2))
    .join(" ")})`

await main()
