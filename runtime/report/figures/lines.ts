/** A measure over a factor as lines: at the numbers of its levels where they have some, else at even steps in their order. */
import { grouped } from "../format.ts"
import { possibleRange } from "../unit.ts"
import { type Part, paragraph, stacked } from "./frame.ts"
import { legend } from "./key.ts"
import { APART, numbersOf } from "./levels.ts"
import { type Lines, linesPart, type Series, type Tick } from "./lineChart.ts"
import { measuredAxis } from "./measuredAxis.ts"
import { heading, panelGrid } from "./panels.ts"
import { CHANCE, drawnEnds, hasChance } from "./range.ts"
import { SMALL, WIDTH } from "./sizes.ts"
import { type Mark, type MeasuredFigure, NONE } from "./view.ts"
import { tooltip } from "./words.ts"

export function linesFigure(figure: MeasuredFigure): Part {
  const axis = measuredAxis(figure)
  const at = placesOf(figure)
  const panels = figure.panels.length
  const drawn = (marks: readonly Mark[], width: number): Lines => ({
    width,
    series: seriesOf(figure, marks, at),
    axis,
    ticks: ticksOf(figure, marks, at),
    // A dose is a number of lines.
    label: figure.by === "dose" && numbersOf(figure) !== undefined ? "dose (lines)" : figure.by,
    ...(hasChance(figure) ? { marked: [{ y: CHANCE, label: "chance" }] } : {}),
    keyElsewhere: panels > 0,
  })
  // A line without a point would be missed in silence.
  const without = figure.colors.filter(
    (color) => !figure.marks.some((mark) => mark.color === color && mark.result.estimate !== undefined),
  )
  const note = paragraph(without.length === 0 ? "" : `No value: ${without.join(", ")}.`, WIDTH, {
    faint: true,
    size: SMALL,
  })
  if (panels === 0)
    return stacked([heading(figure.measure.name), linesPart(drawn(figure.marks, WIDTH)), note])
  return stacked([
    heading(figure.measure.name),
    ...(figure.colors.length === 0 ? [] : [legend(figure.colors, "line", WIDTH)]),
    panelGrid(figure.panels, 300, (name, width) =>
      linesPart(
        drawn(
          figure.marks.filter((mark) => mark.panel === name),
          width,
        ),
      ),
    ),
    note,
  ])
}

function seriesOf(
  figure: MeasuredFigure,
  marks: readonly Mark[],
  at: ReadonlyMap<string, number>,
): readonly Series[] {
  const names = figure.colors.length === 0 ? [undefined] : figure.colors
  return names.map((color) => ({
    name: color ?? "",
    points: marks
      .filter((mark) => mark.color === color)
      .flatMap((mark) => {
        const { estimate } = mark.result
        return estimate === undefined
          ? []
          : [
              {
                x: at.get(mark.level)!,
                y: estimate,
                ...drawnEnds(mark.result, possibleRange(figure.measure)),
                title: tooltip(figure, mark),
              },
            ]
      })
      .sort((a, b) => a.x - b.x),
  }))
}

/** One tick for each place on the axis, with how many trials stand there. */
function ticksOf(
  figure: MeasuredFigure,
  marks: readonly Mark[],
  at: ReadonlyMap<string, number>,
): readonly Tick[] {
  const numeric = numbersOf(figure) !== undefined
  const places = new Map<number, string[]>()
  for (const level of figure.levels) {
    const x = at.get(level)!
    places.set(x, [...(places.get(x) ?? []), level])
  }
  return [...places].map(([x, levels]) => {
    const counts = marks.filter(({ level }) => levels.includes(level)).map(({ result }) => result.n)
    const [least, most] = [Math.min(...counts), Math.max(...counts)]
    const below =
      counts.length === 0 ? undefined : `n = ${grouped(least)}${least === most ? "" : `–${grouped(most)}`}`
    const label = x === APART ? NONE : numeric ? String(x) : levels[0]!
    return { x, label, ...(below === undefined ? {} : { below }) }
  })
}

function placesOf(figure: MeasuredFigure): ReadonlyMap<string, number> {
  const numbers = numbersOf(figure)
  return new Map(figure.levels.map((level, at) => [level, numbers?.[at] ?? at]))
}
