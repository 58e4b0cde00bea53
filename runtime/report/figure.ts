/**
 * A figure as SVG: one bar or dot per level with its interval, its number above and its n below. No script, no font of its own, nothing loaded.
 * Colours are Okabe & Ito's, apart in hue and in lightness; they follow the reader's theme, over a ground of the figure's own, since the page
 * around it may not follow it; in print they are ink on white.
 */
import { escapeHtml } from "./escape.ts"
import { excludedText, fixed, intervalText, measureText, printed, type Unit } from "./format.ts"
import { type Scale, scaleOf, shareScale } from "./scale.ts"
import type { FigureBar, FigureView } from "./summary.ts"

const HEIGHT = 280
const TOP = 34
const LEFT = 62
const RIGHT = 14
const BELOW = 62
const LEGEND = 26
/** Width of a character at 13 px, on the wide side of common fonts. */
const CHARACTER = 7.4

interface Placed {
  readonly bar: FigureBar
  readonly x: number
  readonly shade: number
}

/** The whole SVG element; `id` must be unique in the document that it is put into. */
export function figureSvg(figure: FigureView, id: string): string {
  const bars = figure.groups.flatMap((group) => group.bars)
  const scale = scaleFor(figure, bars)
  const legend = figure.colors.length > 0 ? LEGEND : 0
  const slot = slotWidth(figure)
  const plot = Math.max(600, figure.groups.length * slot)
  const width = LEFT + plot + RIGHT
  const height = TOP + legend + HEIGHT + BELOW
  const top = TOP + legend
  const y = (value: number) => top + HEIGHT * (1 - (value - scale.low) / (scale.high - scale.low))
  const step = plot / Math.max(1, figure.groups.length)
  const parts = [
    ...axis(figure, scale, y, width, top),
    ...(legend > 0 ? legendOf(figure) : []),
    ...figure.groups.flatMap((group, at) => {
      const middle = LEFT + step * (at + 0.5)
      const placed = place(group.bars, figure, middle, step)
      return [
        ...placed.flatMap((one) => mark(figure, one, barWidth(figure, step), y)),
        text(middle, top + HEIGHT + 20, group.level, "label"),
        ...placed.map(({ bar, x }) => text(x, top + HEIGHT + 37, nText(bar, placed.length), "small")),
      ]
    }),
    ...(figure.groups.some((group) => group.bars.length > 2)
      ? [text(LEFT - 8, top + HEIGHT + 37, "n", "tick")]
      : []),
    line(LEFT, width - RIGHT, y(0), "base"),
    text(LEFT + plot / 2, height - 6, figure.by, "title"),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="cfx-figure" role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif" font-size="13">`,
    `<title id="${id}-title">${escapeHtml(titleOf(figure))}</title>`,
    `<desc id="${id}-desc">${escapeHtml(describe(figure))}</desc>`,
    STYLE,
    `<rect class="cfx-page" fill="#ffffff" width="100%" height="100%"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n")
}

/** "HRR by framing and model where arm == pressure". */
export function titleOf(figure: FigureView): string {
  const color = figure.color === undefined ? "" : ` and ${figure.color}`
  const facet = figure.facet === undefined ? "" : ` for ${figure.facet.factor} = ${figure.facet.level}`
  const where = figure.where === undefined ? "" : ` where ${figure.where}`
  return `${figure.measure.name} by ${figure.by}${color}${facet}${where}`
}

/** Every number of the figure in words. */
export function describe(figure: FigureView): string {
  const unit = figure.measure.statistic
  const sentences = figure.groups.flatMap((group) =>
    group.bars.map(({ color, result }) => {
      const name = color === undefined ? group.level : `${group.level}, ${color}`
      if (result.estimate === undefined) return `${name}: no value, n = 0.`
      const interval = intervalText(result, unit)
      const ends = interval === "" ? "" : ` ${interval}`
      return `${name}: ${measureText(result.estimate, figure.measure)}${ends}, n = ${result.n}.`
    }),
  )
  const methods = new Set(
    figure.groups.flatMap(({ bars }) =>
      bars.flatMap(({ result }) =>
        result.level === undefined ? [] : [`${result.level}% (${result.method})`],
      ),
    ),
  )
  const intervals = methods.size === 0 ? "" : ` Intervals: ${[...methods].join(", ")}.`
  return `${figure.measure.doc || figure.measure.name} ${sentences.join(" ")}${intervals}`
}

const INK = "#1b1f24"
const FAINT = "#57606a"
const GRID = "#d5dae0"
/**
 * Okabe & Ito (2008), without the yellow that vanishes on white and with an orange that does not; the dark page has the lighter of each hue.
 * Each stands out from its page by 3 to 1.
 */
const SHADES = ["#0072b2", "#d55e00", "#009e73", "#b45a92", "#c28800", "#3f3f46"]
const DARK_SHADES = ["#56b4e9", "#f08a45", "#3cc79f", "#d99bc0", "#f0c05a", "#a8adb4"]

const STYLE = `<style>
.cfx-figure { max-width: 100%; height: auto }
@media (prefers-color-scheme: dark) {
  .cfx-figure .cfx-page { fill: #15181c } .cfx-figure .cfx-ink { fill: #e6e9ed } .cfx-figure .cfx-faint { fill: #a3abb5 } .cfx-figure .cfx-grid { stroke: #343b45 }
  .cfx-figure .cfx-line { stroke: #e6e9ed } .cfx-figure .cfx-halo { stroke: #15181c }
${DARK_SHADES.map((shade, at) => `  .cfx-figure .cfx-s${at} { fill: ${shade} }`).join("\n")}
}
@media print {
  .cfx-figure .cfx-page { fill: #fff } .cfx-figure .cfx-ink { fill: #000 } .cfx-figure .cfx-faint { fill: #333 } .cfx-figure .cfx-grid { stroke: #ccc }
  .cfx-figure .cfx-line { stroke: #000 } .cfx-figure .cfx-halo { stroke: #fff }
${SHADES.map((shade, at) => `  .cfx-figure .cfx-s${at} { fill: ${shade}; print-color-adjust: exact }`).join("\n")}
}
</style>`

function scaleFor(figure: FigureView, bars: readonly FigureBar[]): Scale {
  const values = [...bars.map(({ result }) => result), ...(figure.beside ?? [])].flatMap((result) =>
    [result.estimate, result.low, result.high].filter((value) => value !== undefined),
  )
  return figure.measure.statistic === "rate" ? shareScale(values) : scaleOf(values)
}

/** Wide enough for the level's name, and for each bar's number and n. */
function slotWidth(figure: FigureView): number {
  const names = figure.groups.map((group) => group.level.length * CHARACTER + 18)
  const numbers = figure.groups.map((group) => group.bars.length * 58 + 12)
  return Math.max(84, ...names, ...numbers)
}

function barWidth(figure: FigureView, step: number): number {
  const most = Math.max(1, ...figure.groups.map((group) => group.bars.length))
  return Math.min(72, (step * 0.72) / most)
}

function place(
  bars: readonly FigureBar[],
  figure: FigureView,
  middle: number,
  step: number,
): readonly Placed[] {
  const apart = Math.max(barWidth(figure, step) + 4, bars.length > 1 ? 54 : 0)
  return bars.map((bar, at) => ({
    bar,
    x: middle + (at - (bars.length - 1) / 2) * apart,
    shade: bar.color === undefined ? 0 : figure.colors.indexOf(bar.color) % SHADES.length,
  }))
}

function axis(
  figure: FigureView,
  scale: Scale,
  y: (value: number) => number,
  width: number,
  top: number,
): readonly string[] {
  const rate = figure.measure.statistic === "rate"
  const decimals = Math.max(0, ...scale.ticks.map((tick) => (String(tick).split(".")[1] ?? "").length))
  const ticks = scale.ticks.flatMap((tick) => [
    line(LEFT, width - RIGHT, y(tick), "grid"),
    text(LEFT - 8, y(tick) + 4, printed(rate ? `${fixed(tick * 100, 0)}%` : fixed(tick, decimals)), "tick"),
  ])
  const middle = px(top + HEIGHT / 2)
  return [
    ...ticks,
    `<text class="cfx-ink" fill="${INK}" font-weight="600" text-anchor="middle" transform="translate(14 ${middle}) rotate(-90)">${escapeHtml(figure.measure.name)}</text>`,
  ]
}

function mark(
  figure: FigureView,
  placed: Placed,
  wide: number,
  y: (value: number) => number,
): readonly string[] {
  const { bar, x, shade } = placed
  const { estimate, low, high } = bar.result
  if (estimate === undefined) return [text(x, y(0) - 6, "no value", "small")]
  const unit = figure.measure.statistic
  const above = Math.min(y(0), y(Math.max(estimate, high ?? estimate)))
  const shown = printed(measureText(estimate, figure.measure))
  const body =
    figure.mark === "bar"
      ? `<rect class="cfx-s${shade}" fill="${SHADES[shade]}" x="${px(x - wide / 2)}" y="${px(Math.min(y(0), y(estimate)))}" width="${px(wide)}" height="${px(Math.abs(y(estimate) - y(0)))}" rx="1.5"/>`
      : dot(shade, x, y(estimate))
  return [
    "<g>",
    `<title>${escapeHtml(tooltip(bar, shown, unit))}</title>`,
    ...(figure.mark === "bar" ? [body] : []),
    ...(low === undefined || high === undefined ? [] : whisker(x, y(low), y(high))),
    ...(figure.mark === "bar" ? [] : [body]),
    text(x, above - 7, shown, "number"),
    "</g>",
  ]
}

function tooltip({ result, color }: FigureBar, shown: string, unit: Unit): string {
  const excluded = excludedText(result.excluded)
  return [
    `${color === undefined ? "" : `${color}: `}${shown} ${intervalText(result, unit)}`.trim(),
    `n = ${result.n}`,
    ...(excluded === "" ? [] : [`not counted: ${excluded}`]),
  ].join(", ")
}

/** Dots of the second and later colours differ in shape as well. */
function dot(shade: number, x: number, y: number): string {
  const look = `class="cfx-s${shade}" fill="${SHADES[shade]}"`
  const at = (dx: number, dy: number) => `${px(x + dx)} ${px(y + dy)}`
  if (shade % 3 === 1) return `<rect ${look} x="${px(x - 5.5)}" y="${px(y - 5.5)}" width="11" height="11"/>`
  if (shade % 3 === 2)
    return `<path ${look} d="M${at(0, -7.5)} L${at(7.5, 0)} L${at(0, 7.5)} L${at(-7.5, 0)} Z"/>`
  return `<circle ${look} cx="${px(x)}" cy="${px(y)}" r="6"/>`
}

/** The interval over a light edge, so that it is seen on the bar as well as above it. */
function whisker(x: number, low: number, high: number): readonly string[] {
  const path = `M${px(x)} ${px(low)}V${px(high)}M${px(x - 6)} ${px(low)}h12M${px(x - 6)} ${px(high)}h12`
  return [
    `<path class="cfx-halo" stroke="#ffffff" stroke-width="4.5" stroke-linecap="round" fill="none" d="${path}"/>`,
    `<path class="cfx-line" stroke="${INK}" stroke-width="1.5" fill="none" d="${path}"/>`,
  ]
}

function legendOf(figure: FigureView): readonly string[] {
  let x = LEFT
  return figure.colors.flatMap((color, at) => {
    const shade = at % SHADES.length
    const here = x
    x += 26 + color.length * CHARACTER + 14
    const key =
      figure.mark === "dot"
        ? dot(shade, here + 6, 16)
        : `<rect class="cfx-s${shade}" fill="${SHADES[shade]}" x="${px(here)}" y="10" width="12" height="12" rx="1.5"/>`
    return [key, text(here + 19, 21, color, "legend")]
  })
}

function nText({ result }: FigureBar, beside: number): string {
  return beside > 2 ? String(result.n) : `n = ${result.n}`
}

const TEXT = {
  label: `class="cfx-ink" fill="${INK}" text-anchor="middle"`,
  number: `class="cfx-ink cfx-halo" fill="${INK}" stroke="#ffffff" stroke-width="4" stroke-linejoin="round" paint-order="stroke" text-anchor="middle" font-weight="600"`,
  small: `class="cfx-faint" fill="${FAINT}" text-anchor="middle" font-size="11.5"`,
  tick: `class="cfx-faint" fill="${FAINT}" text-anchor="end" font-size="11.5"`,
  title: `class="cfx-ink" fill="${INK}" text-anchor="middle" font-weight="600"`,
  legend: `class="cfx-ink" fill="${INK}"`,
} as const

function text(x: number, y: number, words: string, kind: keyof typeof TEXT): string {
  return `<text ${TEXT[kind]} x="${px(x)}" y="${px(y)}">${escapeHtml(words)}</text>`
}

function line(from: number, to: number, y: number, kind: "grid" | "base"): string {
  const look = kind === "grid" ? `class="cfx-grid" stroke="${GRID}"` : `class="cfx-line" stroke="${INK}"`
  return `<path ${look} stroke-width="1" d="M${px(from)} ${px(y)}H${px(to)}"/>`
}

function px(value: number): string {
  return String(Number(value.toFixed(2)))
}
