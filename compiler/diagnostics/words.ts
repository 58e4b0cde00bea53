/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other; case does not count. */
export const editDistance = (from: string, to: string): number => {
  const a = [...from.toLowerCase()]
  const b = [...to.toLowerCase()]
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1, swap))
    }
    before = row
    row = next
  }
  return row[b.length]!
}

/** The known word that was probably meant: at most a third of the letters away, the nearest first. */
export const similar = (word: string, known: readonly string[]): string | undefined => {
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(word, candidate)
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

export const quote = (word: string): string => `\`${word}\``

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

/** "a framing", "an experiment" */
export const article = (noun: string): string => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`

const LISTED = 12

/** The best that can be said about a name that is not known: what was probably meant, else what there is. */
export const suggestion = (word: string, known: readonly string[]): string | undefined => {
  const meant = similar(word, known)
  if (meant !== undefined) return `Did you mean ${quote(meant)}?`
  if (known.length === 0) return undefined
  const rest = known.length - LISTED
  const listed = rest > 0 ? [...known.slice(0, LISTED).map(quote), `${rest} more`] : known.map(quote)
  return `There ${known.length === 1 ? "is" : "are"} ${series(listed, "and")}.`
}
