/** Writes texts on one sequence of an engine: the prompt in its canonical chunks, then a token at a time. */
import { createHash } from "node:crypto"
import { Stream } from "effect"
import type { EnvironmentFailure } from "../failure.ts"
import type { Lane, TextAnswer, TextRequest } from "./backend.ts"
import type { Evaluator } from "./evaluator.ts"
import { type Alphabet, GrowingText } from "./growingText.ts"

export interface GeneratorOptions {
  readonly alphabet: Alphabet
  readonly onFailure: (error: unknown) => EnvironmentFailure
}

export interface Generator extends Pick<Lane, "generate"> {
  /** Resolves once no text is being written. */
  readonly idle: () => Promise<void>
}

export function generator(evaluator: Evaluator, { alphabet, onFailure }: GeneratorOptions): Generator {
  let busy: Promise<void> = Promise.resolve()

  async function* answers(texts: readonly TextRequest[]): AsyncGenerator<TextAnswer> {
    const before = busy
    let release = (): void => {}
    busy = new Promise((resolve) => {
      release = resolve
    })
    await before
    try {
      for (const text of texts) yield await written(evaluator, alphabet, text)
    } finally {
      release()
    }
  }

  return {
    generate: (texts) =>
      Stream.fromAsyncIterable({ [Symbol.asyncIterator]: () => answers(texts) }, onFailure),
    idle: () => busy,
  }
}

async function written(evaluator: Evaluator, alphabet: Alphabet, request: TextRequest): Promise<TextAnswer> {
  const { key, chunks, temperature, topP } = request
  const text = new GrowingText(request, alphabet)
  const drawer = evaluator.drawer({ temperature, topP, seed: seedOf(key) })
  try {
    let at = 0
    let place = { part: 0, offset: 0 }
    for (const [index, chunk] of chunks.entries()) {
      const last = chunk.length - 1
      const keep = index === chunks.length - 1 ? [last] : []
      await evaluator.evaluate([{ sequence: 0, at, chunk, keep }])
      at += chunk.length
      place = { part: 0, offset: last }
    }
    for (;;) {
      const token = await drawer.draw(place)
      const stop = text.take(token)
      if (stop !== undefined) return { key, text: text.text, tokens: text.tokens, stop, evaluated: at }
      place = { part: 0, offset: 0 }
      await evaluator.evaluate([{ sequence: 0, at, chunk: [token], keep: [0] }])
      at += 1
    }
  } finally {
    drawer.close()
  }
}

/** The seed of a sampled text: the first 32 bits of a hash of its key, of which the draw is part. */
const seedOf = (key: string): number => createHash("sha256").update(`seed ${key}`).digest().readUInt32BE(0)
