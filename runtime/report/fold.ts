/**
 * Wide tables on narrow pages. Where a table's frame has no room for its columns, each row is laid out as a list of its cells, each under its column's name, so that
 * nothing has to be scrolled sideways. A style sheet cannot ask whether a table fits: how wide one must be is reckoned from its texts, for a font as wide as a
 * system's may be, and the table folds below the next of some widths. Where that is too little after all, its frame scrolls, and shades the side that has more.
 */
import { escapeHtml } from "./escape.ts"

/** Widths of a frame, in rem, below which tables fold; the last is that of the page. */
const STEPS = [...Array.from({ length: 27 }, (_, at) => 16 + 2 * at), 69]

/** Sizes of type in rem, as the style sheet has them, by where a text stands; heads and estimates are bold, which is a tenth wider. */
const SIZE = { head: 1.1 * 0.925, name: 0.925, number: 1.1, small: 0.8125 } as const
export type Place = keyof typeof SIZE

/** Of a head's button, and of the space between columns, in rem. */
const [BUTTON, GAP] = [1.9, 0.9]

/** How wide a column must be, in rem. `pieces`: texts of its cells that are not broken; `button`: whether it can be sorted by. */
export function leastColumn(
  head: string,
  pieces: readonly (readonly [text: string, at: Place])[],
  button = true,
): number {
  const widths = pieces.map(([text, at]) => widthOf(text, at))
  return Math.max((button ? BUTTON : 0) + widthOf(longest(head), "head"), 0, ...widths) + GAP
}

/** In rem, of a font as wide as DejaVu Sans: 0.4 em for narrow signs, 0.98 for wide letters, and 0.65 for others. */
function widthOf(text: string, at: Place): number {
  let ems = 0
  for (const sign of text) ems += NARROW.has(sign) ? 0.4 : WIDE.test(sign) ? 0.98 : 0.65
  return ems * SIZE[at]
}

const NARROW: ReadonlySet<string> = new Set(" .,:;|'·()[]fijlrtI-")
const WIDE = /[mwMW%@<>=+\u0250-\u{10ffff}]/u

/** The class of a table that must be so wide, in rem: it folds where its frame is narrower. */
export function foldClass(columns: readonly number[]): string {
  const least = columns.reduce((sum, one) => sum + one, 0)
  const step = STEPS.find((one) => one >= least)
  return step === undefined ? "fold" : `fold-${step}`
}

/** Where a name may be broken: at spaces, and behind the signs that join words. */
const JOINT = /(?<=[_/:=])(?=[^\s_/:=])/

/** A name that may be broken behind the signs that join its words, as HTML. */
export const breakable = (name: string): string => name.split(JOINT).map(escapeHtml).join("<wbr>")

/** The longest part of a text that stays in one piece. */
export const longest = (text: string): string =>
  text
    .split(/\s+|(?<=-)/)
    .flatMap((word) => word.split(JOINT))
    .reduce((most, one) => (one.length > most.length ? one : most), "")

/** The parts of a number's text that stay together: the number, its interval, what is said behind. */
export const piecesOf = (text: string): readonly string[] => text.split(/ (?=[[(]|in \d|against )/)

/** The same as HTML, so that a line ends between parts only. */
export const inPieces = (parts: readonly string[]): string =>
  parts.map((part) => (part.includes(" ") ? `<span class="piece">${part}</span>` : part)).join(" ")

/** How much more room than they must have tables are laid out with an interval and its n side by side, in rem. */
const TIGHT = 12

/** The rules by which the tables of a page fold. */
export function foldingOf(page: string): string {
  const used = new Set(
    [...page.matchAll(/<table [^>]*class="(?:sortable )?(fold[-\d]*)/g)].map(([, name]) => name!),
  )
  return [...used].sort().map(rulesOf).join("\n")
}

function rulesOf(name: string): string {
  const [, step] = name.split("-")
  const table = `.${name}`
  const rules = `${table}, ${table} > caption, ${table} > thead, ${table} > tbody { display: block; min-width: 0; width: auto }
${table} > thead > tr { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; border-bottom: 2px solid var(--ink); padding-bottom: .3rem }
${table} > thead th { border: 0; padding: 0; text-align: left }
${table} > thead .unit { display: inline; margin-left: .3rem }
${table} > tbody > tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 8.75rem), 1fr)); gap: .4rem 1rem; padding: .7rem 0 }
${table} > tbody > tr > * { display: block; padding: 0; text-align: left; min-width: 0; max-width: none; overflow-wrap: anywhere }
${table} > tbody > tr > .broad { grid-column: 1 / -1 }
${table} > tbody > tr > td:empty { display: none }
${table} > tbody [data-name]::before { content: attr(data-name); content: attr(data-name) / ""; display: block; color: var(--faint); font-size: .8125rem; font-weight: 400 }
${table} .below, ${table} td > code, ${table} td > a > code { margin-left: 0; min-width: 0; max-width: none }
${table} .piece { display: inline-block; max-width: 100%; white-space: normal }`
  if (step === undefined) return rules
  // With little more room than a table must have, all its intervals stand above their n, not only the longest.
  const tight = `${table} .interval .piece { display: block }\n${table} .interval .dot { display: none }`
  return `@container (width < ${Number(step) + TIGHT}rem) {\n${tight}\n}\n@container (width < ${step}rem) {\n${rules}\n}`
}
