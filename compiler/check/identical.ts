/** Cells of a design that put the same texts before a model: what a level does not tell apart, no measure can. */
import type { CellIR, ExperimentIR } from "../ir.ts"
import { writtenCell } from "./written.ts"

/** Levels of a factor that come to the same text, and under which levels of other factors: none where under all of them. */
export interface SameText {
  readonly factor: string
  readonly cases: readonly { readonly levels: readonly string[]; readonly under: readonly string[] }[]
}

/** Every factor with levels that come to the same text where nothing else differs; `arm` is one of them. */
export const sameTexts = (experiment: ExperimentIR): readonly SameText[] => {
  // Texts are long, and are compared once for each factor: each stands for itself by a number.
  const numbers = new Map<string, number>()
  const cells = experiment.cells.map((cell) => {
    const text = writtenCell(experiment, cell)
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return { cell, text: numbers.get(text) }
  })
  if (numbers.size === cells.length) return []
  return experiment.factors.flatMap(({ name }) => {
    // By what else the cells have and by their text: the levels of the factor.
    const groups = new Map<string, { readonly levels: string[]; readonly context: CellIR["levels"] }>()
    for (const { cell, text } of cells) {
      const { [name]: level, ...context } = cell.levels
      if (level === undefined) continue
      const key = JSON.stringify([text, Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))])
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { levels: [level], context })
      else group.levels.push(level)
    }
    const classes = new Map<
      string,
      { readonly levels: readonly string[]; readonly contexts: CellIR["levels"][] }
    >()
    for (const { levels, context } of groups.values()) {
      if (levels.length < 2) continue
      const key = JSON.stringify(levels)
      const found = classes.get(key)
      if (found === undefined) classes.set(key, { levels, contexts: [context] })
      else found.contexts.push(context)
    }
    if (classes.size === 0) return []
    const cases = [...classes.values()].map(({ levels, contexts }) => ({
      levels,
      under: restrictions(name, levels, contexts, experiment),
    }))
    return [{ factor: name, cases }]
  })
}
/** The levels of other factors to which some cells are confined, among all cells with these levels. */
const restrictions = (
  name: string,
  levels: readonly string[],
  contexts: readonly CellIR["levels"][],
  { factors, cells }: ExperimentIR,
): readonly string[] =>
  factors.flatMap((factor) => {
    if (factor.name === name) return []
    const among = (cell: CellIR): boolean => levels.includes(cell.levels[name] ?? "")
    // A cell that lacks the factor is not kept apart by it.
    const levelsOf = (some: readonly CellIR["levels"][]) =>
      new Set(some.flatMap((one) => one[factor.name] ?? []))
    const own = levelsOf(contexts)
    const all = levelsOf(cells.filter(among).map((cell) => cell.levels))
    return own.size === all.size ? [] : [...own]
  })
