/** Levels that the analysis of records alone names and no trial has: with no design beside them, nothing else tells a misspelt one. */
import { suggest } from "../../compiler/diagnostics/suggest.ts"
import type { ExperimentIR, ExprIR } from "../../compiler/ir.ts"
import { nodesOf } from "../../compiler/looks.ts"

export interface UnseenLevel {
  readonly factor: string
  readonly level: string
  /** What names it: `contrast authority`. */
  readonly by: readonly string[]
  /** One that trials have, and that may have been meant. */
  readonly near?: string
}

/** In the order of the spec. `completed`: with the levels that the records have. */
export function unseenLevels(completed: ExperimentIR): readonly UnseenLevel[] {
  const { models, pools, factors } = completed
  const known = new Map<string, readonly string[]>([
    ["model", models],
    ["pool", pools.map(({ pool }) => pool)],
    ...factors.map(({ name, levels }) => [name, levels] as const),
  ])
  const unseen = new Map<string, UnseenLevel>()
  for (const { by, factor, level } of named(completed)) {
    const levels = known.get(factor)
    if (levels === undefined || levels.includes(level)) continue
    const key = JSON.stringify([factor, level])
    const near = suggest(level, levels)
    const before = unseen.get(key)
    unseen.set(key, {
      factor,
      level,
      by: [...new Set([...(before?.by ?? []), by])],
      ...(near === undefined ? {} : { near }),
    })
  }
  return [...unseen.values()]
}

interface Named {
  readonly by: string
  readonly factor: string
  readonly level: string
}

function named(experiment: ExperimentIR): readonly Named[] {
  const { measures, contrasts, summaries, published, tables, figures, fits } = experiment
  type Restriction = {
    readonly levels?: Readonly<Record<string, string>>
    readonly where?: ExprIR | undefined
  }
  const of = (by: string, { levels = {}, where }: Restriction): readonly Named[] =>
    [...Object.entries(levels), ...(where === undefined ? [] : levelsIn(where))].map(([factor, level]) => ({
      by,
      factor,
      level,
    }))
  return [
    ...measures.flatMap(({ name, value, other, given, weight }) =>
      [value, other, given, weight].flatMap((where) => of(`measure ${name}`, { where })),
    ),
    ...contrasts.flatMap(({ name, terms }) => terms.flatMap((term) => of(`contrast ${name}`, term))),
    ...summaries.flatMap(({ name, measure, against, where }) =>
      [measure, against ?? {}, { where }].flatMap((one) => of(`summary ${name}`, one)),
    ),
    ...tables.flatMap((table) => of(`table ${table.name}`, table)),
    ...figures.flatMap(({ name, where }) => of(`figure ${name}`, { where })),
    ...fits.flatMap(({ name, where }) => of(`model_fit ${name}`, { where })),
    ...published.flatMap(({ text, measure }) => of(`expect ${text}`, measure)),
  ]
}

/** Factors and the levels that they are compared with. */
const levelsIn = (condition: ExprIR): readonly (readonly [factor: string, level: string])[] =>
  nodesOf(condition).flatMap((node) => {
    if (node.kind === "among" && node.value.kind === "level") {
      const { factor } = node.value
      return node.levels.map((level) => [factor, level] as const)
    }
    if (node.kind !== "binary") return []
    const { left, right } = node
    if (left.kind === "level" && right.kind === "string") return [[left.factor, right.value]]
    if (left.kind === "string" && right.kind === "level") return [[right.factor, left.value]]
    return []
  })
