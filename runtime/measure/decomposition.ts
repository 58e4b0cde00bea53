/** What share of the variance between the cells of a matrix its rows have, its columns, and neither. */
import type { FigureIR } from "../../compiler/ir.ts"
import { type TableCell, twoWay } from "../statistics/twoWay.ts"
import type { Trials } from "./outcome.ts"
import type { Result } from "./result.ts"
import { figureFactors, type Group, groupsOf, viewKey } from "./views.ts"

const PARTS = ["rows", "columns", "residual"] as const

/** Of each matrix, in the order written: three results, or one that says why there are none; of one with panels as many for each. */
export function decompositionsOf(trials: Trials, measures: readonly Result[]): readonly Result[] {
  return trials.experiment.figures.flatMap((figure) =>
    figure.mark === "matrix" && figure.color !== undefined
      ? decompositionOf(trials, figure, figure.color, measures)
      : [],
  )
}

function decompositionOf(
  { experiment, columns }: Trials,
  figure: FigureIR,
  color: string,
  measures: readonly Result[],
): readonly Result[] {
  const found = new Map(
    measures.filter(({ name }) => name === figure.measure).map((result) => [viewKey(result), result]),
  )
  const panels = new Map<string | undefined, Group[]>()
  for (const group of groupsOf(experiment, columns, {
    factors: figureFactors(figure),
    where: figure.where,
  })) {
    const panel = figure.facet === undefined ? undefined : (group.levels[figure.facet] ?? "–")
    const groups = panels.get(panel)
    if (groups === undefined) panels.set(panel, [group])
    else groups.push(group)
  }
  return [...panels].flatMap(([panel, groups]) => {
    const cells = groups.flatMap((group) => {
      const estimate = found.get(viewKey(group.view))?.estimate
      const [row, column] = [group.levels[figure.by], group.levels[color]]
      return estimate === undefined || row === undefined || column === undefined
        ? []
        : [{ row, column, value: estimate, n: found.get(viewKey(group.view))!.n }]
    })
    const [rows, across] = [
      numbered(cells.map(({ row }) => row)),
      numbered(cells.map(({ column }) => column)),
    ]
    const table = cells.map(
      ({ row, column, value }): TableCell => ({
        row: rows.get(row)!,
        column: across.get(column)!,
        value,
      }),
    )
    const of = rows.size * across.size
    const head = {
      experiment: experiment.name,
      kind: "decomposition" as const,
      name: figure.name,
      by: figure.facet === undefined || panel === undefined ? {} : { [figure.facet]: panel },
      n: cells.reduce((sum, { n }) => sum + n, 0),
      excluded: {},
      cells: { entered: cells.length, of },
    }
    const shares = cells.length === 0 ? { none: "no cell has a number" } : twoWay(table)
    if ("none" in shares) return [{ ...head, method: `none: ${shares.none}` }]
    const whole =
      cells.length === of
        ? "two-way additive decomposition over all cells"
        : `two-way additive decomposition by least squares over ${cells.length} of ${of} cells, shares averaged over both orders of rows and columns`
    const method = `${whole} of ${figure.by} by ${color}; the residual is what is not additive, and chance within cells`
    return PARTS.map((part) => ({ ...head, part, estimate: shares[part], method }))
  })
}

function numbered(levels: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...new Set(levels)].map((level, at) => [level, at]))
}
