/** The docs of a spec as prose: their paragraphs, and where a sentence ends. */

/** Paragraphs stand apart by an empty line; the lines of one are joined. */
export const paragraphsOf = (doc: string): readonly string[] =>
  doc
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "")

/** A mark that may end a sentence, where one may begin behind it: with a capital, a letter of a script that has none, a number, or code. */
const MARK = /[.?!]["'”’)\]»]*(?=\s+["'“‘«([]*[\p{Lu}\p{Lt}\p{Lo}\p{N}`]|\s*$)/gu

/** Words that a full stop shortens. */
const SHORT = new Set("al approx ca cf dr incl mr mrs ms prof resp vs".split(" "))
/** Those that a number follows: "Fig. 2". */
const OF_NUMBERS = new Set("app ch eq eqs fig figs no nos p pp sec secs tab tabs vol".split(" "))
/** The initial of a name, and letters with full stops, such as "e.g". */
const INITIALS = /^(?:\p{Lu}|(?:\p{L}\.)+\p{L})$/u

/** Up to where its first sentence ends: all of it where it has one only. */
export function firstSentence(paragraph: string): string {
  for (const { 0: mark, index } of paragraph.matchAll(MARK)) {
    const end = index + mark.length
    if (mark !== "." || !isShortened(paragraph.slice(0, index), paragraph.slice(end).trimStart()))
      return paragraph.slice(0, end)
  }
  return paragraph
}

/** The sentence without the full stop that ends it, as a title has it. */
export const withoutStop = (sentence: string): string =>
  sentence.endsWith(".") && !isShortened(sentence.slice(0, -1), "") ? sentence.slice(0, -1) : sentence

/** Whether a full stop belongs to the word before it. */
function isShortened(before: string, behind: string): boolean {
  const [word = ""] = /[^\s("'“‘«[]*$/.exec(before) ?? []
  const known = word.toLowerCase()
  return SHORT.has(known) || INITIALS.test(word) || (/^\p{N}/u.test(behind) && OF_NUMBERS.has(known))
}
