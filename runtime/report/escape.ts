/**
 * Text of items, models and specs on its way into a report: always data, never markup. Characters that a reader cannot see, or that reorder what
 * they see, are shown by their number.
 */

/**
 * Controls other than tab and line feed, halves of surrogate pairs, what XML does not allow, line and paragraph separators, and all that Unicode
 * says to draw as nothing: what reorders text, invisible spaces, tags that spell a hidden text. Joiners and the selectors between forms of a
 * character stay, since scripts and emoji need them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\uffff\p{Cs}]|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

/** The text with each unseen character as its code point: `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")
    return `⟨U+${code}⟩`
  })
}

/** Text for an element or a quoted attribute of HTML or SVG. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character as keyof typeof ENTITIES])
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" } as const

/**
 * Text within a paragraph or a table cell of Markdown: on one line, every sign of markup taken literally. GitHub makes a link of an address of mail whatever
 * stands before its sign, so that a comment is put into one, which nobody sees.
 */
export function escapeMarkdown(text: string): string {
  return markdownAlt(text).replace(/(?<=[\w.+-]\\@)(?=[\\\w-]+\.)/g, "<!-- -->")
}

/** Text that stands for an image, where no address becomes a link and a comment would be seen. */
export function markdownAlt(text: string): string {
  return visible(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*[\]<>|#~&$]/g, (sign) => `\\${sign}`)
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_")
    .replace(/:\/\//g, ":\\/\\/")
    .replace(/www(?=\.)/gi, "$&\\")
    .replace(/@/g, "\\@")
    .replace(/^(\s*)([-+])(?=\s)/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])(?=\s)/, "$1\\$2")
}

/** A code span of Markdown in a table cell, which a bar would end. */
export const markdownCodeCell = (text: string): string => markdownCode(text).replaceAll("|", "\\|")

/** A code span of Markdown, on one line. */
export function markdownCode(text: string): string {
  const shown = visible(text).replace(/\s+/g, " ")
  const fence = "`".repeat(longestRun(shown) + 1)
  const pad = shown.startsWith("`") || shown.endsWith("`") ? " " : ""
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** A fenced block of Markdown: no text in it can end it. */
export function markdownBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${visible(text)}\n${fence}`
}

/** One line for a terminal: no control character gets through, so no text can move the cursor. */
export function terminalLine(text: string): string {
  return visible(text.replace(/\s+/g, " "))
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}
