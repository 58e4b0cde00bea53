/** Summaries: one number over cells of a design, each with its own value of a measure, or of two. */
import type { MeasureIR, RestrictedIR, SummaryIR } from "../../compiler/ir.ts"
import { studentTail } from "../statistics/student.ts"
import { biasWords, cellwiseInterval, overCells, whyNoneOverCells } from "./cellwise.ts"
import { amongOf, type Crossed, crossed, crossingKey } from "./crossing.ts"
import { drawsOf } from "./draws.ts"
import { type Gathered, Gatherer, totalOf, whyNone } from "./gathered.ts"
import type { Outcome, Trials } from "./outcome.ts"
import { printExpression } from "./print.ts"
import type { Result } from "./result.ts"
import { estimateOf, whyNoEstimate } from "./statistic.ts"
import { levelOf } from "./units.ts"

type Outcomes = ReadonlyMap<string, Outcome>

/** Cells of which a method names those that have no number. */
const NAMED = 8

/** Fewest cells for a test of a correlation. */
const FEWEST = 4

/** 1 - r² of cells on a line, to rounding. */
const ON_A_LINE = 1e-12

/** In the order written; one for each crossing of the columns of `by`, in the order of their levels. */
export function summariesOf(trials: Trials, found: Outcomes): readonly Result[] {
  return trials.experiment.summaries.flatMap((summary) => {
    const sides = [summary.measure, ...(summary.against === undefined ? [] : [summary.against])].map(
      (restricted) => sideOf(trials, found, summary, restricted),
    )
    const groups = crossed(
      trials.experiment,
      sides.flatMap(({ cells }) => cells.flatMap(({ units }) => units)),
      summary.by,
    )
    return groups.cells.map(({ levels }) => summaryOf(trials, summary, sides, levels))
  })
}

/** One measure of a summary over the cells that the design has of it. */
interface Side {
  readonly measure: MeasureIR
  readonly cells: readonly Crossed[]
  readonly gathered: (cell: Crossed) => Gathered
  /** By reason, trials of one crossing of `by` that are in no cell, since they lack a column; those that lack one of `by` are of each crossing. */
  readonly lacking: (by: Readonly<Record<string, string>>) => Readonly<Record<string, number>>
}

function sideOf(trials: Trials, found: Outcomes, summary: SummaryIR, restricted: RestrictedIR): Side {
  const { experiment, columns } = trials
  const measure = experiment.measures.find(({ name }) => name === restricted.measure)
  const outcome = found.get(restricted.measure)
  if (measure === undefined || outcome === undefined)
    throw new Error(`no measure ${restricted.measure} in ${experiment.name}`)
  const among = amongOf(experiment, columns, restricted, summary.where)
  const gatherer = new Gatherer(trials, measure, outcome)
  const kept = gatherer.kept(among)
  const { cells, lacking } = crossed(experiment, among.units, [...summary.by, ...summary.over])
  return {
    measure,
    cells,
    gathered: ({ units }) => gatherer.gather(units, kept),
    lacking: (by) =>
      gatherer.lacking(
        new Map(
          [...lacking].map(([column, units]) => [
            column,
            units.filter((unit) =>
              Object.entries(by).every(([name, level]) => (levelOf(unit, name) ?? level) === level),
            ),
          ]),
        ),
        kept,
      ),
  }
}

/** A cell of a summary: what each measure comes to in it. */
interface Cell {
  readonly name: string
  readonly gathered: readonly Gathered[]
  /** None where a measure has none. */
  readonly estimates?: readonly number[]
  /** Why not. */
  readonly why?: string
}

function summaryOf(
  trials: Trials,
  summary: SummaryIR,
  sides: readonly Side[],
  by: Readonly<Record<string, string>>,
): Result {
  const { of, name, over, where } = summary
  const { experiment } = trials
  const cells = cellsOf(sides, by, over)
  const entered = cells.filter(({ estimates }) => estimates !== undefined)
  const excluded = totalOf([
    ...sides.map(({ lacking }) => lacking(by)),
    ...cells.flatMap(({ gathered }) => gathered.map((one) => one.excluded)),
  ])
  const count = { entered: entered.length, of: cells.length }
  const head = {
    experiment: experiment.name,
    kind: "summary" as const,
    name,
    by,
    ...(where === undefined ? {} : { where: printExpression(where) }),
    n: entered.reduce((sum, { gathered }) => sum + gathered.reduce((all, { n }) => all + n, 0), 0),
    excluded,
    cells: count,
  }
  const forbidden = sides.flatMap(({ measure }, at) => {
    const own = totalOf(cells.map(({ gathered }) => gathered[at]!.excluded))
    return whyNone(measure, own, 1) ?? []
  })
  if (forbidden.length > 0) return { ...head, method: forbidden[0]! }
  const empty = emptyWords(cells)
  const words = (said: readonly string[]) => [...said, ...empty].join("; ")
  if (entered.length === 0) return { ...head, method: words(["none: no cell has a number"]) }
  const [values, against] = sides.map((_, at) => entered.map(({ estimates }) => estimates![at]!))
  const estimate = overCells(of, values!, against)
  if (estimate === undefined) return { ...head, method: words([whyNoneOverCells(of, entered.length)]) }
  const series = sides.map(({ measure }, at) => ({
    statistic: measure.statistic,
    cells: entered.map(({ gathered }) => gathered[at]!),
  }))
  const {
    ends,
    words: interval,
    caution,
  } = cellwiseInterval(of, series, drawsOf(trials), sides[0]!.measure.interval.level)
  const test = against === undefined ? undefined : correlationTest(estimate, entered.length)
  return {
    ...head,
    estimate,
    ...ends,
    method: words([
      `${of.replace("_", " ")} over ${count.entered} of ${count.of} cells by ${over.join(" and ")}`,
      interval,
      ...biasWords(of),
      ...(test === undefined ? [] : [test.words]),
    ]),
    ...(test?.p === undefined ? {} : { p: test.p }),
    ...(caution === undefined ? {} : { cautions: [caution] }),
  }
}

/** The cells that every measure has by the design. */
function cellsOf(
  sides: readonly Side[],
  by: Readonly<Record<string, string>>,
  over: readonly string[],
): readonly Cell[] {
  const others = sides
    .slice(1)
    .map(({ cells }) => new Map(cells.map((cell) => [crossingKey(cell.levels), cell])))
  return sides[0]!.cells.flatMap((cell) => {
    if (Object.entries(by).some(([column, level]) => cell.levels[column] !== level)) return []
    const all = [cell, ...others.flatMap((cells) => cells.get(crossingKey(cell.levels)) ?? [])]
    return all.length === sides.length ? cellOf(sides, all, over) : []
  })
}

function cellOf(sides: readonly Side[], cells: readonly Crossed[], over: readonly string[]): Cell {
  const name = over.map((column) => `${column} = ${cells[0]!.levels[column]}`).join(", ")
  const gathered = sides.map((side, at) => side.gathered(cells[at]!))
  const estimates: number[] = []
  for (const [at, { measure }] of sides.entries()) {
    const { items } = gathered[at]!
    const estimate = items.length === 0 ? undefined : estimateOf(measure.statistic, items)
    if (estimate === undefined) {
      const why = items.length === 0 ? "no trial entered" : whyNoEstimate(measure).replace(/^none: /, "")
      return { name, gathered, why }
    }
    estimates.push(estimate)
  }
  return { name, gathered, estimates }
}

/** "without a number: model = m, pool = p (no trial entered)" */
function emptyWords(cells: readonly Cell[]): readonly string[] {
  const empty = cells.flatMap(({ name, why }) => (why === undefined ? [] : [`${name} (${why})`]))
  if (empty.length === 0) return []
  const more = empty.length > NAMED ? [`and ${empty.length - NAMED} more`] : []
  return [`without a number: ${[...empty.slice(0, NAMED), ...more].join(", ")}`]
}

/** Of a correlation over cells, which are taken as independent: t = r sqrt((n - 2) / (1 - r²)); of ranks, Kendall & Stuart (1973), 31.19. */
function correlationTest(r: number, cells: number): { readonly p?: number; readonly words: string } {
  if (cells < FEWEST) return { words: `no p, since it takes ${FEWEST} cells` }
  const rest = 1 - r * r
  if (rest <= ON_A_LINE) return { words: "no p, since the cells lie on a line" }
  const freedom = cells - 2
  const p = 2 * studentTail(Math.abs(r) * Math.sqrt(freedom / rest), freedom)
  return { p, words: `p by Student's t with ${freedom} degrees of freedom, cells taken as independent` }
}
