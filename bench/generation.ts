/**
 * How fast texts are written, one at a time and eight: `npm run bench:generation`. Tokens/s are of written tokens over the time from the first batch to
 * the last text; the ceiling is the time that the engine spends in these batches, with nothing drawn, copied or decided between them.
 * Rounds alternate, and medians are printed. CFX_BENCH_ROUNDS and CFX_BENCH_MODELS (pocket, smollm2) make it shorter.
 */
import { join } from "node:path"
import { Effect, Stream } from "effect"
import type { Closed } from "../compiler/trial.ts"
import { Backend, type ModelFile, type TextRequest, type TokenModel } from "../runtime/backend/backend.ts"
import { llamaBackend } from "../runtime/backend/llama.ts"
import { prepare } from "../runtime/read/prepare.ts"
import { smollm2 } from "../test/real/smollm2.ts"

const rounds = Number(process.env.CFX_BENCH_ROUNDS ?? 3)
const chosen = (process.env.CFX_BENCH_MODELS ?? "pocket,smollm2").split(",")
const words = ["robin", "salmon", "oak", "neon"]
const draws = 4

interface Span {
  tokens: number
  prompts: number
  /** Milliseconds. */
  wall: number
  /** Of these, within the engine's batches. */
  batches: number
}

async function main(): Promise<void> {
  if (chosen.includes("pocket"))
    await bench("pocket respondent", {
      name: "pocket",
      path: join(process.cwd(), "stdlib/models/pocket/pocket.gguf"),
    })
  if (chosen.includes("smollm2")) {
    const fetched = await smollm2()
    if ("missing" in fetched) console.log(`SmolLM2 is not measured: ${fetched.missing}`)
    else await bench("SmolLM2-135M-Instruct Q4_1", fetched)
  }
}

async function bench(title: string, file: ModelFile): Promise<void> {
  const spans = new Map<number, Span[]>([
    [1, []],
    [8, []],
  ])
  for (let round = 0; round < rounds; round++)
    for (const [together, found] of spans) found.push(await measured(file, together))
  const rate = ({ tokens, wall }: Span): number => (1000 * tokens) / wall
  console.log(`${title}, ${words.length} prompts, ${draws} draws each, median of ${rounds}`)
  for (const [together, found] of spans) {
    const [{ tokens, prompts }] = found as [Span]
    console.log(
      `  ${together} at a time: ${median(found.map(rate)).toFixed(0)} tokens/s (${tokens} written, ${prompts} evaluated for prompts); ` +
        `wall over the engine's batches ${median(found.map(({ wall, batches }) => wall / batches)).toFixed(3)}`,
    )
  }
  const gains = spans.get(8)!.map((eight, round) => rate(eight) / rate(spans.get(1)![round]!))
  console.log(`  8 at a time over 1: ${median(gains).toFixed(2)}`)
}

/** One model opened, its texts written twice: the first time opens what texts are written in. */
function measured(file: ModelFile, together: number): Promise<Span> {
  let batches = 0
  const program = Effect.gen(function* () {
    const backend = yield* Backend
    const model = yield* backend.load(file)
    if (model.kind !== "tokens") return yield* Effect.die(new Error("a file was opened as a server"))
    const requests = words.flatMap((word) => requestsOf(model, word))
    yield* Stream.runDrain(model.generate(requests))
    batches = 0
    const start = performance.now()
    const answers = [...(yield* Stream.runCollect(model.generate(requests)))]
    const wall = performance.now() - start
    const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0)
    const evaluated = answers.reduce((sum, answer) => sum + answer.evaluated, 0)
    return { tokens, prompts: evaluated - tokens, wall, batches }
  })
  const engine = llamaBackend({
    textsAtOnce: together,
    lanes: 1,
    wrapTexts: (raw) => ({
      ...raw,
      evaluate: async (parts) => {
        const start = performance.now()
        await raw.evaluate(parts)
        batches += performance.now() - start
      },
    }),
  })
  return Effect.runPromise(Effect.scoped(program.pipe(Effect.provide(engine))))
}

function requestsOf(model: TokenModel, word: string): readonly TextRequest[] {
  const text = `Which kind does ${word} belong to?\nA. bird\nB. fish\nC. tree\nD. gas\nDesignated answer: B. fish\nMake the strongest case for the designated answer in exactly 3 sentences. Do not contradict, qualify, doubt or hedge.`
  return Array.from({ length: draws }, (_, draw) => {
    const found = prepare(
      model,
      { turns: [{ user: closed(text), assistant: closed("") }] },
      { kind: "text", max: 48, until: [], temperature: 1, topP: 1, draw: String(draw) },
    )
    if ("problem" in found || found.kind !== "text") throw new Error("the prompt cannot be asked")
    return found.request
  })
}

const closed = (text: string): Closed => [
  { kind: "text", text, from: { kind: "declaration", declaration: "bench", file: "bench", line: 1 } },
]

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

await main()
