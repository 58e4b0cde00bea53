/** The most probable tokens at a place, as a server lists them (`top_logprobs`). */

export interface Listed {
  /** The token's bytes, one a character: a token may hold half a character. */
  readonly bytes: string
  readonly probability: number
}

/** Bytes of a text, one a character, as `Listed` has them. */
export const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

/**
 * The alternatives at one place, and the token that was taken where it is not among them. A log probability that is no number gives NaN, which
 * a reader must look for.
 */
export function listedIn(place: Readonly<Record<string, unknown>>): readonly Listed[] {
  const alternatives = Array.isArray(place.top_logprobs) ? place.top_logprobs : []
  const listed = alternatives.map(listedOf)
  const taken = listedOf(place)
  return listed.some(({ bytes }) => bytes === taken.bytes) ? listed : [...listed, taken]
}

function listedOf(value: unknown): Listed {
  const { token, bytes, logprob } = (typeof value === "object" && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >
  return {
    bytes: isBytes(bytes) ? Buffer.from(bytes).toString("latin1") : bytesOf(String(token ?? "")),
    // Logarithms are rounded, so that one may come out a little above 0.
    probability: typeof logprob === "number" && logprob < 1e-3 ? Math.min(1, Math.exp(logprob)) : Number.NaN,
  }
}

const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => Number.isInteger(one) && one >= 0 && one < 256)
