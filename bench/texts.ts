/** Texts that benches have written: some prompts, drawn several times each. */
import { Effect, Stream } from "effect"
import type { Closed } from "../compiler/trial.ts"
import { Backend, type ModelFile, type TextRequest, type TokenModel } from "../runtime/backend/backend.ts"
import { llamaBackend } from "../runtime/backend/llama.ts"
import { prepare } from "../runtime/read/prepare.ts"

export const words = ["robin", "salmon", "oak", "neon"]
export const draws = 4

export interface Span {
  tokens: number
  prompts: number
  /** Milliseconds. */
  wall: number
  /** Of these, within the engine's batches. */
  batches: number
}

/** `each`: draws of each prompt. One model opened, its texts written twice: the first time opens what texts are written in. */
export function written(file: ModelFile, together: number, each = draws): Promise<Span> {
  let batches = 0
  const program = Effect.gen(function* () {
    const backend = yield* Backend
    const model = yield* backend.load(file)
    if (model.kind !== "tokens") return yield* Effect.die(new Error("a file was opened as a server"))
    const requests = words.flatMap((word) => requestsOf(model, word, each))
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

function requestsOf(model: TokenModel, word: string, each: number): readonly TextRequest[] {
  const text = `Which kind does ${word} belong to?\nA. bird\nB. fish\nC. tree\nD. gas\nDesignated answer: B. fish\nMake the strongest case for the designated answer in exactly 3 sentences. Do not contradict, qualify, doubt or hedge.`
  return Array.from({ length: each }, (_, draw) => {
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
