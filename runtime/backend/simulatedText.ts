/** Texts of the simulated engine: made-up words by a hash of the request's key, or what `assume` expects. A word is a token. */
import { createHash } from "node:crypto"
import type { TextAnswer, TextRequest } from "./backend.ts"
import { outcomeOf } from "./expectation.ts"

const syllables = [
  "ba",
  "de",
  "fi",
  "go",
  "ku",
  "la",
  "me",
  "ni",
  "po",
  "ru",
  "sa",
  "te",
  "vi",
  "wo",
  "zu",
  "ya",
]

/** Words of a made-up text: at least and at most. */
const shortest = 6
const longest = 40

export function simulatedText(request: TextRequest): TextAnswer {
  const { key, max, until, expected, chunks } = request
  const outcome = outcomeOf(key, expected)
  const whole = typeof outcome === "string" ? outcome : madeUp(key)
  const stops = until.map((text) => whole.indexOf(text)).filter((at) => at >= 0)
  const said = stops.length === 0 ? whole : whole.slice(0, Math.min(...stops))
  const words = said.match(/\s*\S+/g) ?? []
  const cut = words.length > max
  const text = cut ? words.slice(0, max).join("") : said
  const tokens = Math.min(words.length, max)
  return {
    key,
    text,
    tokens,
    stop: cut ? "max" : stops.length > 0 ? "until" : "end",
    evaluated: chunks.reduce((sum, chunk) => sum + chunk.length, tokens),
  }
}

function madeUp(key: string): string {
  const bytes = bytesOf(key)
  const next = (): number => bytes.next().value
  const count = shortest + (next() % (longest - shortest + 1))
  const words = Array.from({ length: count }, () =>
    Array.from({ length: 1 + (next() % 3) }, () => syllables[next() % syllables.length]).join(""),
  )
  const text = words.join(" ")
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** sha256 in counter mode: the same bytes for a key on every machine. */
function* bytesOf(key: string): Generator<number, never> {
  for (let block = 0; ; block += 1) yield* createHash("sha256").update(`text ${key} ${block}`).digest()
}
