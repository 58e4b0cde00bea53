/** What a measure is taken of, trial by trial: a histogram for each level, or, of many levels, boxes from quantile to quantile. */
import * as Plot from "@observablehq/plot"
import { grouped } from "../format.ts"
import { type Bins, binsOf, sharesIn } from "./bins.ts"
import { type Part, stacked, words } from "./frame.ts"
import { hatchings, hatchPaint, legend } from "./key.ts"
import { lyingBody, NUMBERS } from "./lyingBody.ts"
import { FAINT, INK, type Look, lookOf, PAGE } from "./palette.ts"
import { heading, panelGrid } from "./panels.ts"
import { FONT, SMALL, WIDTH } from "./sizes.ts"
import { brokenText, widest } from "./text.ts"
import type { DistributionFigure, Spread } from "./view.ts"
import { medianText, placeName, quantile, spreadText } from "./words.ts"

/** More rows than these are boxes. */
const MOST_HISTOGRAMS = 12
const TALL = 56
const LOW = 30

export function distributionPart(figure: DistributionFigure): Part {
  const bins = binsOf(figure.spreads.map(({ values }) => values))
  const most = Math.max(0, ...figure.spreads.flatMap(({ values }) => sharesIn(values, bins)))
  const panel = (spreads: readonly Spread[], width: number) => rows(figure, spreads, { bins, most, width })
  const title = heading(figure.measure.name)
  return stacked([
    { ...title, markup: hatchings(figure.colors.length) + title.markup },
    ...(figure.colors.length === 0 ? [] : [legend(figure.colors, "bar", WIDTH)]),
    figure.panels.length === 0
      ? panel(figure.spreads, WIDTH)
      : panelGrid(figure.panels, 460, (name, width) =>
          panel(
            figure.spreads.filter((spread) => spread.panel === name),
            width,
          ),
        ),
  ])
}

interface Shape {
  readonly bins: Bins
  /** The highest share of any bin of the figure: all rows have one scale. */
  readonly most: number
  readonly width: number
}

function rows(figure: DistributionFigure, spreads: readonly Spread[], { bins, most, width }: Shape): Part {
  const boxes = figure.spreads.length > MOST_HISTOGRAMS * Math.max(1, figure.panels.length)
  const tall = boxes ? LOW : TALL
  const ordered = figure.levels.flatMap((level) =>
    [undefined, ...figure.colors].flatMap((color) =>
      spreads.filter((spread) => spread.level === level && spread.color === color),
    ),
  )
  const notes = ordered.map(({ values }) =>
    values.length === 0 ? ["no value", ""] : [medianText(values), `n = ${grouped(values.length)}`],
  )
  const right =
    (boxes
      ? widest(
          notes.map((pair) => pair.join(", ")),
          SMALL,
        )
      : widest(notes.flat(), SMALL)) + 14
  const left = Math.min(width * 0.3, widest(figure.levels, FONT) + 2) + 12
  const height = ordered.length * tall + 4
  const marks = ordered.flatMap((spread, at) => {
    const base = (at + 1) * tall
    const look = lookOf(spread.color === undefined ? 0 : figure.colors.indexOf(spread.color))
    return boxes ? box(spread, base - tall / 2, look) : histogram(spread, { base, bins, most, look })
  })
  const { axis } = bins
  const body = lyingBody({ width, height, left, right, axis }, marks)
  return {
    width,
    height: height + NUMBERS,
    markup: [
      body,
      ...ordered.flatMap(({ level }, at) => {
        const first = ordered[at - 1]?.level !== level
        const own = ordered.filter((spread) => spread.level === level).length
        if (!first) return []
        const lines = brokenText(level, left - 12, FONT, boxes ? Math.max(2, own) : 3)
        const middle = at * tall + (own * tall) / 2 + (boxes ? 4.5 : 12)
        return lines.map((line, row) =>
          words(left - 10, middle + (row - (lines.length - 1) / 2) * 16, line, { anchor: "end" }),
        )
      }),
      ...notes.flatMap(([middle, count], at) => {
        const x = width - right + 10
        const faint = { faint: true, size: SMALL }
        if (boxes) return [words(x, (at + 0.5) * tall + 4, [middle, count].filter(Boolean).join(", "), faint)]
        return [words(x, (at + 1) * tall - 20, middle!, faint), words(x, (at + 1) * tall - 5, count!, faint)]
      }),
    ].join("\n"),
  }
}

function histogram(
  spread: Spread,
  { base, bins, most, look }: { base: number; bins: Bins; most: number; look: Look },
): Plot.Markish[] {
  const shares = sharesIn(spread.values, bins)
    .map((share, at) => ({ share, at }))
    .filter(({ share }) => share > 0)
  const edges = {
    x1: ({ at }: { at: number }) => bins.low + at * bins.step,
    x2: ({ at }: { at: number }) => bins.low + (at + 1) * bins.step,
    y1: base,
    y2: ({ share }: { share: number }) => base - (share / most) * (TALL - 12),
    insetLeft: 0.5,
    insetRight: 0.5,
  }
  const middle = spread.values.length === 0 ? [] : [quantile(spread.values, 0.5)]
  return [
    Plot.rect(shares, {
      ...edges,
      fill: look.shade,
      title: () => `${placeName(spread)}: ${spreadText(spread.values)}`,
    }),
    ...(look.hatch === 0 ? [] : [Plot.rect(shares, { ...edges, fill: hatchPaint(look) })]),
    Plot.ruleY([base], { stroke: INK.light, strokeWidth: 0.75 }),
    Plot.ruleX(middle, { y1: base - TALL + 8, y2: base, stroke: INK.light, strokeWidth: 1.25 }),
    Plot.dot(middle, {
      x: (value) => value,
      y: base - TALL + 8,
      symbol: "triangle",
      rotate: 180,
      r: 4,
      fill: INK.light,
    }),
  ]
}

/** From the 5th to the 95th percentile a line, the middle half a box, the median a stroke. */
function box(spread: Spread, middle: number, look: Look): Plot.Markish[] {
  if (spread.values.length === 0) return []
  const [low, lower, center, upper, high] = [0.05, 0.25, 0.5, 0.75, 0.95].map((share) =>
    quantile(spread.values, share),
  )
  const title = () => `${placeName(spread)}: ${spreadText(spread.values)}`
  const half = { x1: lower!, x2: upper!, y1: middle - 7, y2: middle + 7 }
  return [
    Plot.ruleY([middle], { x1: low!, x2: high!, stroke: FAINT.light, strokeWidth: 1.25 }),
    Plot.rect([0], { ...half, fill: look.shade, title }),
    ...(look.hatch === 0 ? [] : [Plot.rect([0], { ...half, fill: hatchPaint(look) })]),
    ...[
      { stroke: PAGE.light, strokeWidth: 5 },
      { stroke: INK.light, strokeWidth: 2 },
    ].map((line) => Plot.ruleX([center!], { y1: middle - 9, y2: middle + 9, ...line })),
  ]
}
