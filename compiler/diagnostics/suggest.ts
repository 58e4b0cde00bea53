/** Did-you-mean: the name that was probably meant, or none rather than a far-fetched one. */

/**
 * The candidate nearest to a name, at most a third of the longer one's length away. Names that differ only in case, or hold
 * the same words in another order (`tag_expert`, `expert_tag`), come first. Of equally near ones the first is taken, so that
 * the order of the candidates is the order of preference.
 */
export const suggest = (name: string, candidates: Iterable<string>): string | undefined => {
  const others = [...new Set(candidates)].filter((candidate) => candidate !== name)
  const lower = name.toLowerCase()
  const cased = others.find((candidate) => candidate.toLowerCase() === lower)
  if (cased !== undefined) return cased
  const words = sortedWords(name)
  const reordered = others.find((candidate) => sortedWords(candidate) === words)
  if (reordered !== undefined) return reordered

  const letters = [...name]
  let nearest: string | undefined
  let best = Number.POSITIVE_INFINITY
  for (const candidate of others) {
    const length = Math.max(candidate.length, name.length)
    // What is far too long or too short needs no table; a pasted page of text as a name must not cost a second.
    if (Math.abs(candidate.length - name.length) * 3 > length || length > 200) continue
    const theirs = [...candidate]
    const away = editDistance(letters, theirs)
    if (away * 3 > Math.max(letters.length, theirs.length) || away >= best) continue
    nearest = candidate
    best = away
  }
  return nearest
}

const sortedWords = (name: string): string => name.toLowerCase().split("_").sort().join("_")

/**
 * Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours, edits of swapped letters
 * included (Lowrance and Wagner 1975), so that it is a metric. Over characters, in time |a| x |b|.
 */
export const editDistance = (a: readonly string[], b: readonly string[]): number => {
  const far = a.length + b.length
  const width = b.length + 2
  const table = new Array<number>((a.length + 2) * width).fill(far)
  const at = (row: number, column: number): number => row * width + column
  for (let i = 0; i <= a.length; i++) table[at(i + 1, 1)] = i
  for (let j = 0; j <= b.length; j++) table[at(1, j + 1)] = j
  const lastRow = new Map<string, number>()
  for (let i = 1; i <= a.length; i++) {
    let lastColumn = 0
    for (let j = 1; j <= b.length; j++) {
      const swapRow = lastRow.get(b[j - 1]!) ?? 0
      const swapColumn = lastColumn
      const same = a[i - 1] === b[j - 1]
      if (same) lastColumn = j
      table[at(i + 1, j + 1)] = Math.min(
        table[at(i, j)]! + (same ? 0 : 1),
        table[at(i + 1, j)]! + 1,
        table[at(i, j + 1)]! + 1,
        table[at(swapRow, swapColumn)]! + (i - swapRow - 1) + 1 + (j - swapColumn - 1),
      )
    }
    lastRow.set(a[i - 1]!, i)
  }
  return table[at(a.length + 1, b.length + 1)]!
}
