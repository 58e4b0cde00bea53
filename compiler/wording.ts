/** What is counted in a text that a model wrote. */

/** Words: runs of characters without white space. */
export const wordsIn = (text: string): number => {
  let words = 0
  let within = false
  for (let at = 0; at < text.length; at += 1) {
    const space = isSpace(text.charCodeAt(at))
    if (!space && !within) words += 1
    within = !space
  }
  return words
}

/** White space as `\s` has it: all of it is in the basic plane. */
const isSpace = (code: number): boolean =>
  code < 0x80
    ? code === 0x20 || (code >= 9 && code <= 13)
    : code >= 0xa0 && /\s/.test(String.fromCharCode(code))

/** Sentences: stretches that end in `.`, `!` or `?` before white space or the end, and what is left after the last of them. */
export const sentencesIn = (text: string): number =>
  text.split(/(?<=[.!?]["')\]]*)\s+/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length

/** How often the terms of a lexicon stand in a text, without regard to case; one term's places do not overlap. */
export const occurrencesIn = (text: string, terms: readonly string[]): number => {
  const folded = text.toLowerCase()
  return terms.reduce(
    (sum, term) => (term === "" ? sum : sum + folded.split(term.toLowerCase()).length - 1),
    0,
  )
}

/** Occurrences for each 100 words; none of a text without words. */
export const densityIn = (text: string, terms: readonly string[]): number | undefined => {
  const words = wordsIn(text)
  return words === 0 ? undefined : (100 * occurrencesIn(text, terms)) / words
}
