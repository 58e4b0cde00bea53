/**
 * Text as a terminal may be given it. A spec or an item file may come from anyone: its control characters, terminal escapes
 * and direction overrides are shown as signs, never sent.
 */

/** One character as shown: `width` is in terminal columns. */
export interface Glyph {
  readonly shown: string
  readonly width: number
}

const TAB = 4

/** How one character is shown when it stands in this column, from 0 (a tab fills up to the next multiple of four). */
export const glyphOf = (character: string, column: number): Glyph => {
  const code = character.codePointAt(0)!
  if (code >= 0x20 && code < 0x7f) return { shown: character, width: 1 }
  if (code === 0x09) {
    const width = TAB - (column % TAB)
    return { shown: " ".repeat(width), width }
  }
  if (code < 0x20) return { shown: String.fromCodePoint(0x2400 + code), width: 1 }
  if (code === 0x7f) return { shown: "\u2421", width: 1 }
  if (hidden(code, character)) {
    const shown = `\\u{${code.toString(16)}}`
    return { shown, width: shown.length }
  }
  return { shown: character, width: widthOf(code, character) }
}

/** A text with its control characters made visible and its tabs filled; line breaks stay, since the caller lays lines out. */
export const visible = (text: string): string => laidOut(text).shown

/** Terminal columns that a text of one line takes, once it is visible. */
export const widthOfText = (text: string): number => laidOut(text).width

const laidOut = (text: string): Glyph => {
  let shown = ""
  let width = 0
  for (const character of text) {
    const glyph = character === "\n" ? { shown: character, width: -width } : glyphOf(character, width)
    shown += glyph.shown
    width += glyph.width
  }
  return { shown, width }
}

/** C1 controls, halves of surrogate pairs, marks that turn or hide text (joiners stay: scripts and emoji need them). */
const hidden = (code: number, character: string): boolean =>
  (code >= 0x80 && code < 0xa0) ||
  (code >= 0xd800 && code < 0xe000) ||
  (code !== 0x200c && code !== 0x200d && /[\p{Cf}\p{Zl}\p{Zp}]/u.test(character))

const widthOf = (code: number, character: string): number => {
  if (code === 0x200c || code === 0x200d || /[\p{Mn}\p{Me}]/u.test(character)) return 0
  return WIDE.some(([low, high]) => code >= low && code <= high) || /\p{Emoji_Presentation}/u.test(character)
    ? 2
    : 1
}

/** Blocks of East Asian Width W and F (Unicode Standard Annex 11), coarsely: unassigned gaps count with their block. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
]
