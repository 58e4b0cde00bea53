/** Keys that say which series is which: by colour, and by hatching, symbol or dash. */
import * as Plot from "@observablehq/plot"
import { ID, moved, type Part, words } from "./frame.ts"
import { COLOR_NAMES, type Look, lookOf, PAGE } from "./palette.ts"
import { plotted } from "./plot.ts"
import { FONT } from "./sizes.ts"
import { cut, widthOf } from "./text.ts"

/** What a key shows beside a name: a bar's ground, a dot, a line with its dot. */
export type Key = "bar" | "dot" | "line"

export const KEY_WIDTHS: Readonly<Record<Key, number>> = { bar: 14, dot: 14, line: 34 }
const ROW = 20

/** A key to series, as many to a row as fit; a name that is longer than a row is cut. */
export function legend(names: readonly string[], key: Key, width: number): Part {
  let [x, y] = [0, 0]
  const markup = names.map((name, at) => {
    const shown = cut(name, width - KEY_WIDTHS[key] - 8, FONT)
    const wide = KEY_WIDTHS[key] + 6 + widthOf(shown, FONT)
    if (x > 0 && x + wide > width) {
      x = 0
      y += ROW
    }
    const here = [keyMark(key, lookOf(at), x, y + ROW / 2), words(x + KEY_WIDTHS[key] + 6, y + 14.5, shown)]
    x += wide + 18
    return here.join("\n")
  })
  return { width, height: names.length === 0 ? 0 : y + ROW + 8, markup: markup.join("\n") }
}

/** A key whose left end is at `x` and whose middle is at `y`. */
export function keyMark(key: Key, look: Look, x: number, y: number): string {
  const name = COLOR_NAMES.get(look.shade)
  if (key === "bar") {
    const box = (paint: string) => `<rect ${paint} width="14" height="14"/>`
    const over = look.hatch === 0 ? "" : box(`fill="${hatchPaint(look)}"`)
    return moved(box(`class="cfx-f-${name}" fill="${look.shade}"`) + over, x, y - 7)
  }
  const wide = KEY_WIDTHS[key]
  const dashes = look.dash === "" ? "" : ` stroke-dasharray="${look.dash}"`
  const line = `<path class="cfx-k-${name}" stroke="${look.shade}" stroke-width="2"${dashes} d="M0 9H${wide}"/>`
  const symbol = plotted({
    width: wide,
    height: 18,
    margin: 0,
    x: { domain: [0, wide], axis: null },
    y: { domain: [18, 0], axis: null },
    marks: [Plot.dot([0], { x: [wide / 2], y: [9], symbol: look.symbol, fill: look.shade, r: DOT })],
  })
  return moved(key === "line" ? `${line}\n${symbol}` : symbol, x, y - 9)
}

/** Radius of a dot. */
export const DOT = 4.5

const HATCHES = [
  "",
  "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
  "M1.5 3H4.5",
  "M-1 -1L7 7M-1 5L1 7M5 -1L7 1",
  "M0 3H6",
  "M0 3H6M3 0V6",
  "M3 0V6",
]

/** What is laid over the ground of a hatched bar. */
export const hatchPaint = ({ hatch }: Look): string => `url(#${ID}-hatch-${hatch})`

/** The hatchings of so many series, to be put before what is hatched. */
export function hatchings(series: number): string {
  const used = new Set(Array.from({ length: series }, (_, at) => lookOf(at).hatch))
  const patterns = [...used].filter((hatch) => hatch > 0)
  if (patterns.length === 0) return ""
  const made = patterns.map(
    (hatch) =>
      `<pattern id="${ID}-hatch-${hatch}" width="6" height="6" patternUnits="userSpaceOnUse"><path class="cfx-k-page" stroke="${PAGE.light}" stroke-width="1.1" d="${HATCHES[hatch]}"/></pattern>`,
  )
  return `<defs>${made.join("")}</defs>`
}
