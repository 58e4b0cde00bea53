/**
 * How much room text takes, and where it may be broken. No font is at hand where figures are drawn, and readers have different ones: widths are
 * those of Helvetica, rounded up, so that what fits here fits there.
 */

/** Width of a character as a share of the font's size. */
function widthIn(character: string): number {
  if (/[ijl.,:;'|!]/.test(character)) return 0.3
  if (/[ ftrI()[\]{}\-/"*\\]/.test(character)) return 0.4
  if (/[mMW@%—…]/.test(character)) return 0.9
  if (/[A-Zw+<>=~&–−±≥≤]/.test(character)) return 0.73
  // Scripts whose characters fill a square, and emoji.
  if (
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3fffd}]/u.test(
      character,
    )
  )
    return 1.05
  return 0.58
}

/** Width in pixels at a font size. */
export function widthOf(text: string, size: number): number {
  let width = 0
  for (const character of text) width += widthIn(character)
  return width * size
}

/** The widest of several, 0 for none. */
export const widest = (texts: readonly string[], size: number): number =>
  texts.reduce((most, text) => Math.max(most, widthOf(text, size)), 0)

/** Cut to a width, with an ellipsis where something is missing. */
export function cut(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text
  const kept = [...text]
  while (kept.length > 1 && widthOf(`${kept.join("")}…`, size) > width) kept.pop()
  return `${kept.join("").trimEnd()}…`
}

/**
 * Lines of at most `width` pixels and at most `most` lines: broken after spaces and `_ - / . , )` and before `(`, a longer word
 * within; what does not fit into the last line is cut
 * off with an ellipsis.
 */
export function brokenText(text: string, width: number, size: number, most = 3): readonly string[] {
  const lines: string[] = []
  let line = ""
  for (const piece of piecesOf(text, width, size)) {
    if (line === "" || widthOf((line + piece).trimEnd(), size) <= width) line += piece
    else {
      lines.push(line.trimEnd())
      line = piece
    }
  }
  if (line !== "" || lines.length === 0) lines.push(line.trimEnd())
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(" "), width, size)]
}

/** With what stands between them, so that joined they are the text. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\(*[^\s_\-/.,)(]*(?:[\s_\-/.,)]+|(?=\()|$)/g) ?? []

function piecesOf(text: string, width: number, size: number): readonly string[] {
  return wordsOf(text).flatMap((word) => {
    if (widthOf(word.trimEnd(), size) <= width) return word === "" ? [] : [word]
    const pieces: string[] = []
    let piece = ""
    for (const character of word) {
      if (piece !== "" && widthOf((piece + character).trimEnd(), size) > width) {
        pieces.push(piece)
        piece = ""
      }
      piece += character
    }
    return [...pieces, piece]
  })
}

/** Whether the text stands within a width in so many lines, with no word broken. */
export function fits(text: string, width: number, size: number, most: number): boolean {
  const words = wordsOf(text)
  return (
    words.every((word) => widthOf(word.trimEnd(), size) <= width) &&
    brokenText(text, width, size, Number.POSITIVE_INFINITY).length <= most
  )
}
