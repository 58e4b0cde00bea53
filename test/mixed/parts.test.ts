/** The parts of a fit: the deviance against its naive twin, designs and tests against R (`parts.R` made `parts.json`), what cannot be estimated. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { fixedColumns, standsIn, type Term, termName, type Variable } from "../../runtime/mixed/design.ts"
import { fitMixed } from "../../runtime/mixed/fit.ts"
import { fitSeconds, sizeOf } from "../../runtime/mixed/forecast.ts"
import { Laplace } from "../../runtime/mixed/laplace.ts"
import { layoutOf } from "../../runtime/mixed/layout.ts"
import { logistic } from "../../runtime/mixed/logistic.ts"
import { merge } from "../../runtime/mixed/merge.ts"
import type { FixedColumn, Problem } from "../../runtime/mixed/problem.ts"
import { independent } from "../../runtime/mixed/rank.ts"
import { type Part, ratioTest } from "../../runtime/mixed/ratio.ts"
import { compared } from "../../runtime/mixed/reference.ts"
import { waldP } from "../../runtime/mixed/wald.ts"
import { normalTail } from "../../runtime/statistics/normal.ts"
import { generate, problemOf, type Spec, specs } from "./generate.ts"
import { naiveDeviance } from "./naiveTwin.ts"

interface Parts {
  readonly rows: readonly {
    readonly framing: string
    readonly structure: string
    readonly confidence: number
  }[]
  readonly designs: readonly {
    readonly formula: string
    readonly columns: readonly string[]
    readonly kept: readonly string[]
    /** Of each column the sum of its values times the number of their row. */
    readonly sums: readonly number[]
  }[]
  readonly ratios: readonly {
    readonly name: string
    readonly part: string
    readonly statistic: number
    readonly freedom: number
    readonly tail: number
  }[]
  /** Which terms R's drop1 takes out of "interaction of factors", and the tests of anova. */
  readonly drops: readonly {
    readonly fixed: string
    readonly tests: readonly { readonly term: string; readonly statistic: number; readonly freedom: number }[]
  }[]
}

const parts = JSON.parse(readFileSync(new URL("parts.json", import.meta.url), "utf8")) as Parts
const specOf = (name: string): Spec => specs().find((spec) => spec.name === name)!
const problemNamed = (name: string): Problem => problemOf(specOf(name), generate(specOf(name)))

const small: Spec = {
  ...specOf("correlated slopes by model"),
  name: "small",
  pools: 2,
  items: 4,
  models: 3,
  framings: 2,
}
const designs: readonly Pick<Spec, "random" | "slopes">[] = [
  { random: ["model", "pool", "item"], slopes: [{ factor: "framing", by: "model", correlated: true }] },
  { random: ["model", "item"], slopes: [{ factor: "framing", by: "item" }] },
  { random: ["item", "model"], slopes: [{ factor: "framing", by: "item", correlated: true }] },
  { random: ["item"] },
  { random: [] },
]

describe("the deviance", () => {
  test.each(designs)("with random effects $random and slopes $slopes is that of its definition", (random) => {
    const { slopes, ...base } = small
    const spec = { ...base, ...random }
    const problem = problemOf(spec, generate(spec))
    const model = new Laplace(layoutOf(problem))
    const theta = Float64Array.from(model.layout.theta, (_, at) => [0.8, -0.3, 0.5, 1.2, 0.4][at]!)
    const beta = Float64Array.of(0.3, -0.7)
    const at = Float64Array.from([...theta, ...beta])
    const found = model.at(at)!
    expect(found.deviance).toBeCloseTo(naiveDeviance(problem, theta, beta), 8)
    for (let i = 0; i < at.length; i++) {
      const beside = (by: number) => {
        const moved = at.slice()
        moved[i]! += by
        return naiveDeviance(problem, moved.slice(0, theta.length), moved.slice(theta.length))
      }
      expect(found.gradient[i]!).toBeCloseTo((beside(1e-4) - beside(-1e-4)) / 2e-4, 5)
    }
  })

  test("is the same of rows that are merged into counts", () => {
    const { slopes, ...base } = small
    const spec: Spec = { ...base, random: ["item"] }
    const problem = problemOf(spec, generate(spec))
    const merged = merge(problem)
    expect(merged.rows).toBeLessThan(problem.rows)
    expect(merged.trials.reduce((sum, count) => sum + count, 0)).toBe(problem.rows)
    const [one, other] = [problem, merged].map((of) => fitMixed(of))
    expect(one!.logLikelihood!).toBeCloseTo(other!.logLikelihood!, 7)
    for (const [at, { estimate, standardError }] of one!.fixed.entries()) {
      expect(other!.fixed[at]!.estimate!).toBeCloseTo(estimate!, 5)
      expect(other!.fixed[at]!.standardError!).toBeCloseTo(standardError!, 5)
    }
  })
})

describe("designs are coded as by R's model.matrix", () => {
  const factor = (name: "framing" | "structure", levels: readonly string[]): Variable => ({
    kind: "factor",
    name,
    levels,
    codes: Int32Array.from(parts.rows, (row) => levels.indexOf(row[name])),
  })
  const variables: Readonly<Record<string, Variable>> = {
    framing: factor("framing", ["a", "b", "c"]),
    structure: factor("structure", ["x", "y"]),
    confidence: {
      kind: "number",
      name: "confidence",
      values: Float64Array.from(parts.rows, ({ confidence }) => confidence),
    },
  }
  test.each(parts.designs)("$formula", ({ formula, columns, kept, sums }) => {
    const terms: readonly Term[] = formula
      .split(" + ")
      .map((term) => term.split(":").map((name) => variables[name]!))
    const found = fixedColumns(terms, parts.rows.length)
    const asInR = (name: string) =>
      name === "intercept" ? "(Intercept)" : name.replaceAll(" = ", "").replaceAll(" * ", ":")
    expect(found.map(({ name }) => asInR(name))).toEqual(columns)
    for (const [at, { values }] of found.entries())
      expect(values.reduce((sum, value, row) => sum + value * (row + 1), 0)).toBeCloseTo(sums[at]!, 8)
    const own = independent(found.map(({ values }) => values))
    expect(own.kept.map((at) => asInR(found[at]!.name))).toEqual(kept)
  })
})

describe("likelihood ratio tests are those of anova on glmer's fits", () => {
  test.each(parts.ratios)("$name without $part", ({ name, part, statistic, freedom, tail }) => {
    const problem = problemNamed(name)
    const which: Readonly<Record<string, Part>> = {
      framing: { kind: "term", term: 0 },
      pool: { kind: "intercept", by: "pool" },
      "framing * structure": { kind: "term", term: 2 },
      "framing by model": { kind: "slope", slope: 0 },
    }
    const found = ratioTest(problem, fitMixed(problem), which[part]!)
    if (typeof found === "string") throw new Error(found)
    expect(found.freedom).toBe(freedom)
    expect(Math.abs(found.statistic - statistic)).toBeLessThan(1e-2)
    // Of a single standard deviation half the tail.
    const p = part === "pool" ? tail / 2 : tail
    expect(Math.abs(found.p - p)).toBeLessThan(1e-3 + 2e-2 * p)
  })
})

describe("terms that stand in no other are those that R's drop1 takes out", () => {
  const factor = (name: string): Variable => ({ kind: "factor", name, levels: [], codes: new Int32Array() })
  const [framing, structure] = [factor("framing"), factor("structure")]
  const written: Readonly<Record<string, readonly Term[]>> = {
    "framing * structure": [[framing], [structure], [framing, structure]],
    "framing + structure": [[framing], [structure]],
  }
  test.each(parts.drops)("$fixed", ({ fixed, tests }) => {
    const terms = written[fixed]!
    const alone = terms.flatMap((term, at) => (standsIn(term, terms).length === 0 ? [at] : []))
    expect(alone.map((at) => termName(terms[at]!).replaceAll(" * ", ":"))).toEqual(
      tests.map(({ term }) => term),
    )
    const spec = specOf("interaction of factors")
    const problem = problemOf({ ...spec, fixed: terms.map(termName) }, generate(spec))
    const fit = fitMixed(problem)
    for (const [k, at] of alone.entries()) {
      const found = ratioTest(problem, fit, { kind: "term", term: at })
      if (typeof found === "string") throw new Error(found)
      expect(found.freedom).toBe(tests[k]!.freedom)
      expect(Math.abs(found.statistic - tests[k]!.statistic)).toBeLessThan(1e-2)
    }
  })
})

describe("Wald's test of a term", () => {
  const problem = problemNamed("interaction of factors")
  const fit = fitMixed(problem)

  test("is that of z where it has one coefficient", () => {
    const own = fit.fixed.find(({ term }) => term === 1)!
    expect(waldP(fit, 1)!).toBeCloseTo(2 * normalTail(Math.abs(own.estimate! / own.standardError!)), 12)
  })

  test("is of all its coefficients together, whichever level they are compared with", () => {
    const third = problem.fixed.filter(({ term }) => term === 0)
    expect(third).toHaveLength(2)
    const additive = { ...problem, fixed: problem.fixed.filter(({ term }) => term < 2) }
    const first = additive.fixed.map((column) =>
      column === third[0]
        ? {
            ...column,
            values: column.values.map((_, row) => 1 - third[0]!.values[row]! - third[1]!.values[row]!),
          }
        : column,
    )
    const [one, other] = [additive, { ...additive, fixed: first }].map((of) => waldP(fitMixed(of), 0)!)
    expect(one! / other!).toBeCloseTo(1, 3)
    expect(one!).toBeLessThan(0.05)
  })
})

test("a search without random effects that stops short says so", () => {
  const ones = new Float64Array(4).fill(1)
  expect(logistic([ones, ones], Float64Array.of(1, 0, 1, 0), ones).converged).toBe(false)
  expect(logistic([ones], Float64Array.of(1, 0, 1, 0), ones).converged).toBe(true)
})

describe("a factor's levels are compared with", () => {
  const levels = ["a", "b", "c"]
  const framing: Variable = {
    kind: "factor",
    name: "framing",
    levels,
    codes: Int32Array.of(0, 0, 1, 1, 2, 2),
  }

  test("the first", () => {
    expect(compared(framing, [1, 0, 1, 1, 0, 1])).toEqual({ variable: framing })
  })

  test("the next whose trials differ, where those of the first are all alike", () => {
    const { variable, caution } = compared(framing, [1, 1, 0, 0, 0, 1])
    expect(variable).toEqual({ ...framing, levels: ["c", "a", "b"], codes: Int32Array.of(1, 1, 2, 2, 0, 0) })
    expect(caution).toBe("framing is compared with c, since all trials of a, its first level, came out alike")
  })

  test("the first, where no level's trials differ", () => {
    expect(compared(framing, [1, 1, 0, 0, 1, 1])).toEqual({ variable: framing })
  })
})

test("a large spread is warned of, since Laplace's approximation is poor there", () => {
  const spec = specOf("items alone")
  const cautionsAt = (item: number) => {
    const wide = { ...spec, sd: { ...spec.sd, item } }
    return fitMixed(problemOf(wide, generate(wide))).cautions.filter((one) => one.startsWith("large spread"))
  }
  expect(cautionsAt(1)).toEqual([])
  expect(cautionsAt(6)[0]).toMatch(/^large spread: the standard deviation of item is \d\.\d logits, above 3/)
})

describe("what cannot be estimated is named", () => {
  const named = (name: string, values: readonly number[], term: number): FixedColumn => ({
    name,
    term,
    values: Float64Array.from(values),
  })
  const problem = (y: readonly number[], ...columns: readonly FixedColumn[]): Problem => ({
    rows: y.length,
    successes: Float64Array.from(y),
    trials: new Float64Array(y.length).fill(1),
    fixed: [
      named(
        "intercept",
        y.map(() => 1),
        -1,
      ),
      ...columns,
    ],
    random: [],
  })
  const y = [1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1]
  const experts = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
  const people = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]

  test("a term whose trials all came out alike: the others are of the trials that remain", () => {
    const fit = fitMixed(problem(y, named("experts", experts, 0), named("people", people, 1)))
    expect(fit.cautions).toEqual([
      "quasi-complete separation: experts settle the outcome of 4 trials, which all came out so",
    ])
    expect(fit.fixed.map(({ why }) => why)).toEqual([undefined, "no finite estimate: separation", undefined])
    expect(fit.trials).toBe(8)
    const rest = (values: readonly number[]) => values.slice(4)
    const alone = fitMixed(problem(rest(y), named("people", rest(people), 1)))
    expect(fit.fixed[0]!.estimate!).toBeCloseTo(alone.fixed[0]!.estimate!, 8)
    expect(fit.fixed[2]!.standardError!).toBeCloseTo(alone.fixed[1]!.standardError!, 8)
  })

  test("a first level whose trials all came out alike takes every comparison with it", () => {
    const others = experts.map((one) => 1 - one)
    const fit = fitMixed(
      problem(
        y,
        named("people", people, 0),
        named(
          "no source",
          others.map((one, at) => one - people[at]!),
          0,
        ),
      ),
    )
    expect(fit.fixed.every(({ estimate }) => estimate === undefined)).toBe(true)
    expect(fit.logLikelihood).toBeLessThan(0)
  })

  test("complete separation leaves no fit", () => {
    const fit = fitMixed(problem([1, 1, 0, 0], named("x", [1, 1, 0, 0], 0)))
    expect(fit.cautions[0]).toMatch(/^complete separation: intercept, x /)
    expect(fit.logLikelihood).toBeUndefined()
  })

  test("data that a covariate tells apart but for one trial are not taken for separated", () => {
    const x = [-3, -2, -1, 0, 1, 2, 3, 4]
    const fit = fitMixed(problem([0, 0, 0, 1, 0, 1, 1, 1], named("x", x, 0)))
    expect(fit.cautions).toEqual([])
    // base R: glm(c(0,0,0,1,0,1,1,1) ~ x, binomial)
    expect(fit.fixed[1]!.estimate!).toBeCloseTo(1.2822934116, 5)
    expect(fit.fixed[1]!.standardError!).toBeCloseTo(0.8604127051, 5)
  })

  test("a column that is a sum of others, and one that is 0", () => {
    const both = experts.map((one, at) => one + people[at]!)
    const fit = fitMixed(
      problem(
        [...y.slice(1), 0],
        named("experts", experts, 0),
        named("people", people, 1),
        named("both", both, 2),
        named(
          "none",
          y.map(() => 0),
          3,
        ),
      ),
    )
    expect(fit.fixed.map(({ why }) => why)).toEqual([
      undefined,
      undefined,
      undefined,
      "dropped: over these trials it is a sum of experts, people",
      "dropped: it is 0 in all trials",
    ])
  })

  test("an item's spread without end is no fit that converged", () => {
    const spec = specOf("items alone")
    // Each item's trials all come out as its first.
    const first = new Map<number, number>()
    const rows = generate(spec).map((row) => {
      if (!first.has(row.item)) first.set(row.item, row.y)
      return { ...row, y: first.get(row.item)! }
    })
    const fit = fitMixed(problemOf({ ...spec, fixed: [] }, rows))
    expect(fit.converged).toBe(false)
    expect(fit.cautions.join()).toMatch(/not converged/)
  })
})

test("a fit's time is forecast from its size: more rows, columns and levels take longer", () => {
  const size = sizeOf(problemNamed("crossed"))
  const seconds = fitSeconds(size)
  expect(fitSeconds({ ...size, rows: 10 * size.rows })).toBeGreaterThan(5 * seconds)
  expect(fitSeconds({ ...size, fixed: size.fixed + 5 })).toBeGreaterThan(seconds)
  expect(fitSeconds(size, { noErrors: true })).toBeLessThan(seconds)
})
