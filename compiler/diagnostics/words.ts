import { suggest } from "./suggest.ts"

export const quote = (word: string): string => `\`${word}\``

/** A place in a text: "`{a}`" */
export const braces = (place: string): string => quote(`{${place}}`)

/** "`a`, `b` or `c`" */
export const either = (words: readonly string[]): string => series(words.map(quote), "or")

/** "`a`, `b` and `c`" */
export const all = (words: readonly string[]): string => series(words.map(quote), "and")

/** "a, b or c" */
export const series = (words: readonly string[], conjunction: "and" | "or"): string =>
  words.length < 2
    ? (words[0] ?? "nothing")
    : `${words.slice(0, -1).join(", ")} ${conjunction} ${words[words.length - 1]}`

/** "1 line", "6 lines" */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

/** "1 item has", "2 items have" */
export const have = (n: number): string => (n === 1 ? "has" : "have")

/** "a framing", "an experiment" */
export const article = (noun: string): string => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`

/** How a warning of the design is answered where it is meant so. */
export const allow = (code: string): string => `If this is meant, say why: allow ${code} "reason"`

const LISTED = 12

/** What was probably meant, for messages that list all there is themselves. */
export const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const meant = suggest(word, known)
  return meant === undefined ? undefined : `Did you mean ${quote(meant)}?`
}

/** What lacks only its brackets: `macro`, of which `macro(model, pool)` is known. */
export const completed = (word: string, known: readonly string[]): string | undefined => {
  const whole = known.find((one) => one.startsWith(`${word}(`))
  return whole === undefined ? undefined : `Say in brackets by what, such as ${quote(whole)}.`
}

/** The best that can be said about a name that is not known: what was probably meant, else what there is. */
export const suggestion = (word: string, known: readonly string[]): string | undefined => {
  const meant = didYouMean(word, known)
  return meant ?? thereIs(known)
}

/** The levels that there are, where one is not: of `distinct(5)` none is meant more than another among `distinct(1)` and `distinct(6)`. */
export const otherLevels = (level: string, known: readonly string[]): string | undefined => {
  const [head] = level.split("(", 1)
  const isNumber = level !== head && known.some((one) => one.startsWith(`${head}(`))
  return isNumber ? thereIs(known) : suggestion(level, known)
}

const thereIs = (known: readonly string[]): string | undefined => {
  if (known.length === 0) return undefined
  const rest = known.length - LISTED
  const listed = rest > 0 ? [...known.slice(0, LISTED).map(quote), `${rest} more`] : known.map(quote)
  return `There ${known.length === 1 ? "is" : "are"} ${series(listed, "and")}.`
}
