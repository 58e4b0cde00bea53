/**
 * What a GPU does with a model's file: `bench/gpu.sh MODEL.gguf [--gpu auto|cuda|vulkan|metal|none] [--items N]`. Runs the floor's main grid in exact mode,
 * and in fast mode with 1, 8 and 32 conversations at a time, and takes reads again, cold and in another order; writes texts, 1, 8 and 32 at a time; looks
 * at memory. Ends within eight minutes: what does not come in time is named. Exit 1 where something is not as it should be.
 */
import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import type { DeviceIR } from "../compiler/ir.ts"
import { Backend, type ModelFile } from "../runtime/backend/backend.ts"
import { llamaBackend } from "../runtime/backend/llama.ts"
import type { Mode } from "../runtime/backend/scorer.ts"
import { EnvironmentFailure } from "../runtime/failure.ts"
import { floorRun } from "./floorRun.ts"
import { sum } from "./leastTimes.ts"
import { print, progress } from "./measures.ts"
import { tokensOf } from "./recorder.ts"
import { words, written } from "./texts.ts"

type Gpu = NonNullable<DeviceIR["gpu"]>
const gpus: readonly Gpu[] = ["auto", "cuda", "vulkan", "metal", "none"]
const isGpu = (value: string): value is Gpu => gpus.some((gpu) => gpu === value)

/** No part begins later than so many milliseconds after the start. */
const lastBeginning = 6 * 60_000
const together = [1, 8, 32]
/** Reads that each run takes again. */
const AUDITED = 60
/** By how much a probability may differ in fast mode, as in a run. */
const TOLERATED = 0.02

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { gpu: { type: "string", default: "auto" }, items: { type: "string", default: "32" } },
  })
  const [path] = positionals
  const { gpu } = values
  const items = Number(values.items)
  if (path === undefined || positionals.length > 1 || !isGpu(gpu) || !Number.isInteger(items) || items < 1) {
    console.error(`usage: bench/gpu.sh MODEL.gguf [--gpu ${gpus.join("|")}] [--items N]`)
    process.exitCode = 2
    return
  }
  const file: ModelFile = { name: "respondent", path: resolve(path), device: { gpu } }
  const bench = new Bench(file, gpu, items)
  const parts: readonly (readonly [string, () => Promise<void>])[] = [
    ["opening", () => bench.opening()],
    ["refusal", () => bench.refusal()],
    ["exact mode", () => bench.reads("exact", 1)],
    ...together.map((count) => [`fast mode, ${count} at a time`, () => bench.reads("fast", count)] as const),
    ...together.map((count) => [`texts, ${count} at a time`, () => bench.texts(count)] as const),
  ]
  for (const [name, part] of parts) {
    if (performance.now() > lastBeginning) {
      bench.miss(`left out for want of time: ${name}; take fewer items`)
      continue
    }
    progress(name)
    try {
      await part()
    } catch (error) {
      bench.miss(`${name}: ${inWords(error)}`)
    }
  }
  print(bench.missed === 0 ? "all is as it should be" : `${bench.missed} things are not as they should be`)
  if (bench.missed > 0) process.exitCode = 1
}

class Bench {
  missed = 0
  readonly #file: ModelFile
  readonly #gpu: Gpu
  readonly #items: number
  /** Rates with one at a time, which others are compared with. */
  #reads: number | undefined
  #texts: number | undefined

  constructor(file: ModelFile, gpu: Gpu, items: number) {
    this.#file = file
    this.#gpu = gpu
    this.#items = items
  }

  miss(text: string): void {
    this.missed += 1
    print(`  MISSED: ${text}`)
  }

  /** What the model is opened on, how long that takes, and what memory it takes there. */
  async opening(): Promise<void> {
    const before = onGpu()
    const start = performance.now()
    await opened(this.#file, {}, (facts) => {
      const seconds = (performance.now() - start) / 1000
      const taken = before === undefined ? "" : `, ${(onGpu() ?? 0) - before} MiB of the GPU's memory`
      print(
        `${facts.model}: ${facts.device}, ${facts.flashAttention ? "flash" : "plain"} attention, ${facts.sequences ?? 1} sequences, context ${facts.contextSize}, opened in ${seconds.toFixed(1)} s${taken}`,
      )
      if (this.#gpu !== "none" && facts.device === "cpu")
        this.miss("no layer is on a GPU: none was found, or the engine has no binary for it")
    })
    const after = onGpu()
    if (before !== undefined && after !== undefined && after - before > 64)
      this.miss(`${after - before} MiB of the GPU's memory are still taken once the model is closed`)
  }

  /** A model that memory has no room for is refused before it is opened. */
  async refusal(): Promise<void> {
    try {
      await opened(this.#file, { freeMemory: () => 1 }, () => {})
      this.miss("the model was opened though no memory was said to be free")
    } catch (error) {
      if (!(error instanceof EnvironmentFailure)) throw error
      print(`refused where 1 byte is free: ${error.what}`)
    }
  }

  async reads(mode: Mode, count: number): Promise<void> {
    const { recording, outcome } = await floorRun({
      model: this.#file.path,
      items: this.#items,
      mode,
      gpu: this.#gpu,
      audit: AUDITED,
      engine: { sequences: count, lanes: 1 },
    })
    const [floor] = outcome.report.floors
    const tokens = tokensOf(recording)
    // Between the model's being opened and the first batch threads are tried out.
    const wall = recording.span.done - recording.span.first
    const rate = (1000 * tokens) / wall
    const inBatches = sum(recording.times) / wall
    if (mode === "fast") this.#reads ??= rate
    const gain =
      mode === "exact" || this.#reads === undefined ? "" : `, ${(rate / this.#reads).toFixed(2)} times one`
    print(
      `${mode} mode, ${count} at a time: ${rate.toFixed(0)} tokens/s${gain}; ${tokens} tokens in ${recording.steps.length} batches, ${(100 * inBatches).toFixed(0)} % of the time in the engine`,
    )
    if (floor === undefined) return this.miss("no read was taken again")
    print(
      `  ${floor.cold} reads cold and ${floor.repeated} repeated: largest difference ${floor.floor}, ${floor.flips} answers flip, ${floor.nearTies.count} of ${floor.nearTies.of} are near ties`,
    )
    const tolerated = mode === "exact" ? 0 : TOLERATED
    if (floor.floor > tolerated)
      this.miss(`differences of up to ${floor.floor}, where ${tolerated} is allowed`)
    if (outcome.failed.length > 0) this.miss(`${outcome.failed.length} reads have no answer`)
  }

  async texts(count: number): Promise<void> {
    const { tokens, wall, batches } = await written(
      this.#file,
      count,
      Math.max(1, together.at(-1)! / words.length),
    )
    const rate = (1000 * tokens) / wall
    this.#texts ??= rate
    print(
      `texts, ${count} at a time: ${rate.toFixed(0)} tokens/s, ${(rate / this.#texts).toFixed(2)} times one; wall over the engine's batches ${(wall / batches).toFixed(3)}`,
    )
  }
}

type Facts = Readonly<Record<string, string | number | boolean>>

/** Opens the model, shows it, and closes it. @throws EnvironmentFailure */
const opened = (
  file: ModelFile,
  options: { readonly freeMemory?: () => number },
  show: (facts: Facts) => void,
): Promise<void> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const backend = yield* Backend
      const { facts } = yield* backend.load(file)
      show(facts)
    }).pipe(Effect.scoped, Effect.provide(llamaBackend({ ...options, mode: "fast" }))),
  )

/** MiB that are taken on NVIDIA's GPUs, all together; undefined where their tool does not say. */
function onGpu(): number | undefined {
  try {
    const said = execFileSync("nvidia-smi", ["--query-gpu=memory.used", "--format=csv,noheader,nounits"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
    return said
      .trim()
      .split("\n")
      .map(Number)
      .reduce((sum, one) => sum + one, 0)
  } catch {
    return undefined
  }
}

const inWords = (error: unknown): string =>
  error instanceof EnvironmentFailure
    ? `${error.what} (${error.where}): ${error.todo}`
    : error instanceof Error
      ? error.message
      : String(error)

await main()
