/** What changed between two texts, word by word. */

export interface Stretch {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** A line of a text in which something changed. A line break that itself was removed or added ends it as a stretch of its own. */
export interface ChangedLine {
  readonly words: readonly Stretch[]
  /** Whether lines that are the same stand between this one and the one before it, or the text's start. */
  readonly gap: boolean
}

/** The lines of a difference that are not the same, in order. */
export function changedLines(stretches: readonly Stretch[]): readonly ChangedLine[] {
  const lines: Stretch[][] = [[]]
  for (const { kind, text } of stretches) {
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) {
        if (kind !== "same") lines.at(-1)?.push({ kind, text: "\n" })
        lines.push([])
      }
      if (piece !== "") lines.at(-1)?.push({ kind, text: piece })
    }
  }
  let gap = false
  return lines.flatMap((words) => {
    if (words.every(({ kind }) => kind === "same")) {
      gap = true
      return []
    }
    const line = { words, gap }
    gap = false
    return [line]
  })
}

/** Above so many comparisons the middle of two texts counts as replaced whole. */
const MOST = 4_000_000

/** In order; removed words stand before those that were added in their place. Neighbours are of different kinds. */
export function wordDiff(before: string, now: string): readonly Stretch[] {
  const old = words(before)
  const fresh = words(now)
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const middle = aligned(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end))
  const whole: Stretch[] = [
    { kind: "same", text: old.slice(0, start).join("") },
    ...middle,
    { kind: "same", text: old.slice(old.length - end).join("") },
  ]
  return joined(whole)
}

/** Words, single signs, stretches of blanks, and line breaks. */
const words = (text: string): readonly string[] =>
  text.match(/\n|[^\S\n]+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** By a longest common subsequence. */
function aligned(old: readonly string[], fresh: readonly string[]): readonly Stretch[] {
  const replaced: readonly Stretch[] = [
    { kind: "removed", text: old.join("") },
    { kind: "added", text: fresh.join("") },
  ]
  if (old.length * fresh.length > MOST) return replaced
  const width = fresh.length + 1
  // Length of the longest common subsequence of what stands from here on.
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === fresh[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const found: Stretch[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      found.push({ kind: "same", text: old[i]! })
      i++
      j++
    } else if (
      j === fresh.length ||
      (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      found.push({ kind: "removed", text: old[i]! })
      i++
    } else {
      found.push({ kind: "added", text: fresh[j]! })
      j++
    }
  }
  return found
}

/**
 * Puts neighbours of one kind together; between two stretches that are the same, all that is removed comes first. A blank between two changes is
 * part of both, so that a phrase that was replaced reads as one.
 */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const whole: Stretch[] = []
  let removed = ""
  let added = ""
  let blank = ""
  const flush = (): void => {
    if (removed !== "") whole.push({ kind: "removed", text: removed })
    if (added !== "") whole.push({ kind: "added", text: added })
    removed = ""
    added = ""
  }
  const keep = (text: string): void => {
    const last = whole.at(-1)
    if (last?.kind === "same") whole[whole.length - 1] = { kind: "same", text: last.text + text }
    else if (text !== "") whole.push({ kind: "same", text })
  }
  for (const { kind, text } of stretches) {
    if (text === "") continue
    if (kind === "same") {
      if (blank === "" && removed + added !== "" && /^[^\S\n]+$/.test(text)) blank = text
      else {
        flush()
        keep(blank + text)
        blank = ""
      }
      continue
    }
    removed += kind === "removed" ? blank + text : blank
    added += kind === "added" ? blank + text : blank
    blank = ""
  }
  flush()
  keep(blank)
  return whole
}
