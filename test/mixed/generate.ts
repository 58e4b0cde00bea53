/** Data sets for the tests and the bench of mixed-effects logistic regression: the numbers that `generate` of `glmer.R` makes, one by one. */
import { readFileSync } from "node:fs"
import type { Effect, FixedColumn, Problem, RandomColumn } from "../../runtime/mixed/problem.ts"

export interface Spec {
  readonly name: string
  readonly seed: number
  readonly pools: number
  readonly items: number
  readonly models: number
  readonly framings: number
  readonly structures?: number
  readonly wordings?: number
  readonly keep?: number
  readonly intercept: number
  readonly framing: readonly number[]
  readonly structure?: readonly number[]
  readonly interaction?: number
  readonly confidence?: number
  readonly steeper?: number
  readonly choices?: number
  readonly tokens?: number
  readonly sd: Readonly<Record<string, number>>
  readonly modelCorrelation?: number
  readonly itemCorrelation?: number
  readonly fixed: readonly string[]
  readonly random: readonly Factor[]
  readonly slopes?: readonly { readonly factor: Factor; readonly by: Factor; readonly correlated?: boolean }[]
}

type Factor = "pool" | "item" | "model" | "framing" | "structure" | "wording"
type Covariate = "confidence" | "choices" | "tokens"
export type Row = Readonly<Record<Factor | Covariate | "y", number>>

export const specs = (): readonly Spec[] =>
  JSON.parse(readFileSync(new URL("generated.json", import.meta.url), "utf8"))

interface Levels {
  readonly intercept: number
  readonly slopes: readonly number[]
}

/** Levels are numbered from 1, items through all pools. */
export function generate(spec: Spec): readonly Row[] {
  let state = spec.seed * 7919 + 1
  const uniform = () => {
    state = (16807 * state) % 2147483647
    return state / 2147483647
  }
  const normal = () => {
    let sum = 0
    for (let i = 0; i < 12; i++) sum += uniform()
    return sum - 6
  }
  for (let i = 0; i < 10; i++) uniform()
  const sd = (name: string) => spec.sd[name] ?? 0
  const { framings } = spec
  const effects = (
    levels: number,
    deviation: number,
    slope: number,
    correlation: number,
  ): readonly Levels[] =>
    Array.from({ length: levels }, () => {
      const intercept = normal()
      const slopes = Array.from(
        { length: framings - 1 },
        () => slope * (correlation * intercept + Math.sqrt(1 - correlation * correlation) * normal()),
      )
      return { intercept: deviation * intercept, slopes: [0, ...slopes] }
    })
  const models = effects(spec.models, sd("model"), sd("modelSlope"), spec.modelCorrelation ?? 0)
  const pools = effects(spec.pools, sd("pool"), sd("poolSlope"), 0)
  const wordings = Array.from({ length: spec.wordings ?? 1 }, () => sd("wording") * normal())
  const structures = spec.structures ?? 1
  const rows: Row[] = []
  for (let pool = 1; pool <= spec.pools; pool++) {
    for (let item = 1; item <= spec.items; item++) {
      const own = effects(1, sd("item"), sd("itemSlope"), spec.itemCorrelation ?? 0)[0]!
      const choices = 3 + Math.floor(uniform() * 3)
      for (let model = 1; model <= spec.models; model++) {
        const confidence = uniform()
        const tokens = Math.floor(uniform() * 4000)
        for (let framing = 1; framing <= framings; framing++) {
          for (let structure = 1; structure <= structures; structure++) {
            for (let wording = 1; wording <= wordings.length; wording++) {
              const isLast = framing === framings
              const logit =
                spec.intercept +
                spec.framing[framing - 1]! +
                (spec.structure?.[structure - 1] ?? 0) +
                (isLast && structure === structures && structures > 1 ? (spec.interaction ?? 0) : 0) +
                ((spec.confidence ?? 0) + (isLast ? (spec.steeper ?? 0) : 0)) * confidence +
                (spec.choices ?? 0) * choices +
                (spec.tokens ?? 0) * tokens +
                models[model - 1]!.intercept +
                models[model - 1]!.slopes[framing - 1]! +
                pools[pool - 1]!.intercept +
                pools[pool - 1]!.slopes[framing - 1]! +
                own.intercept +
                own.slopes[framing - 1]! +
                wordings[wording - 1]!
              const kept = uniform() < (spec.keep ?? 1)
              const y = uniform() < 1 / (1 + Math.exp(-logit)) ? 1 : 0
              if (!kept) continue
              const numbered = (pool - 1) * spec.items + item
              rows.push({
                pool,
                item: numbered,
                model,
                framing,
                structure,
                wording,
                confidence,
                choices,
                tokens,
                y,
              })
            }
          }
        }
      }
    }
  }
  return rows
}

/** The problem of a spec's formula, by hand: factors by treatment against their first level, under R's names. */
export function problemOf(spec: Spec, rows: readonly Row[]): Problem {
  const values = (of: (row: Row) => number) => Float64Array.from(rows, of)
  const levelsOf = (factor: Factor) => [...new Set(rows.map((row) => row[factor]))].sort((a, b) => a - b)
  const isCovariate = (name: string): name is Covariate => ["confidence", "choices", "tokens"].includes(name)
  const columnsOf = (name: string): readonly { name: string; of: (row: Row) => number }[] => {
    if (isCovariate(name)) return [{ name, of: (row) => row[name] }]
    const factor = name as Factor
    return levelsOf(factor)
      .slice(1)
      .map((level) => ({ name: `${factor}${level}`, of: (row) => (row[factor] === level ? 1 : 0) }))
  }
  const fixed: readonly FixedColumn[] = [
    { name: "intercept", term: -1, values: values(() => 1) },
    ...spec.fixed.flatMap((written, term) => {
      const products = written
        .split(" * ")
        .map(columnsOf)
        // The first factor varies fastest, as in R.
        .reduce((left, right) =>
          right.flatMap((b) =>
            left.map((a) => ({ name: `${a.name}:${b.name}`, of: (row: Row) => a.of(row) * b.of(row) })),
          ),
        )
      return products.map(({ name, of }) => ({ name, term, values: values(of) }))
    }),
  ]
  const random = spec.random.map((by): RandomColumn => {
    const levels = levelsOf(by)
    const slope = spec.slopes?.find((one) => one.by === by)
    const slopes: readonly Effect[] =
      slope === undefined
        ? []
        : columnsOf(slope.factor).map(({ name, of }) => ({ name, slope: 0, values: values(of) }))
    const intercept: Effect = { name: "intercept", slope: -1 }
    return {
      by,
      levels: levels.length,
      codes: Int32Array.from(rows, (row) => levels.indexOf(row[by])),
      blocks:
        slope?.correlated === true ? [[intercept, ...slopes]] : [[intercept], ...slopes.map((one) => [one])],
    }
  })
  return {
    rows: rows.length,
    successes: values(({ y }) => y),
    trials: values(() => 1),
    fixed,
    random,
  }
}
