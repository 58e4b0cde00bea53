/** The naive twin of a batch of texts: one text, from an empty sequence, with nothing beside it but what makes two rows. */
import type { TextAnswer, TextRequest } from "../backend.ts"
import { type Alphabet, GrowingText } from "./growingText.ts"
import { samplingOf } from "./sampling.ts"
import { rowPlace, stepParts, type TextEngine } from "./textEngine.ts"

/** `writing` hears of tokens as they are evaluated. */
export async function writtenAlone(
  engine: TextEngine,
  alphabet: Alphabet,
  request: TextRequest,
  writing: (tokens: number) => void,
): Promise<TextAnswer> {
  const text = new GrowingText(request, alphabet)
  const drawer = engine.drawer(samplingOf(request))
  try {
    let at = 0
    let place = rowPlace(0)
    for (const chunk of request.chunks) {
      const last = chunk.length - 1
      await engine.evaluate([{ sequence: 0, at, chunk, keep: [last] }])
      place = { part: 0, offset: last }
      at += chunk.length
      writing(chunk.length)
    }
    for (;;) {
      const token = await drawer.draw(place)
      const answer = text.take(token)
      if (answer !== undefined) return { ...answer, evaluated: at }
      await engine.evaluate(stepParts([{ at, token: token! }], engine.filler))
      place = rowPlace(0)
      at += 1
      writing(1)
    }
  } finally {
    drawer.close()
  }
}
