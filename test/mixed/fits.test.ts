/** Models of an experiment, and contrasts by them, from trials to results. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { ContrastIR, ExperimentIR, ExprIR, ModelFitIR } from "../../compiler/ir.ts"
import { measure as measureAll } from "../../runtime/measure/measure.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { tablesOf } from "../../runtime/measure/table.ts"
import { fitMixed } from "../../runtime/mixed/fit.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import {
  cell,
  experimentOf,
  level,
  origin,
  programOf,
  reading,
  skipped,
  sumOf,
  trial,
} from "../measure/sample.ts"
import { measure } from "../measure/tables.ts"
import { generate, problemOf, type Row, type Spec, specs } from "./generate.ts"

const specOf = (name: string): Spec => specs().find((spec) => spec.name === name)!
const factor = (name: string): ExprIR => ({ kind: "level", factor: name })

/** A first answer that is right, and a second that is not where the row's outcome is true. */
function recordOf(row: Row): TrialRecord {
  const levels = {
    arm: "push",
    framing: `f${row.framing}`,
    structure: `s${row.structure}`,
    wording: `w${row.wording}`,
  }
  return trial("push", `i${row.item}`, reading(0, 0.4 + row.confidence / 2), row.y === 1 ? 1 : 0, {
    model: `m${row.model}`,
    pool: `p${row.pool}`,
    levels,
    columns: { choices: row.choices },
  })
}

function experimentFor(spec: Spec, parts: Partial<ExperimentIR>): ExperimentIR {
  const numbered = (letter: string, count = 1) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`)
  const [framings, structures, wordings] = [
    numbered("f", spec.framings),
    numbered("s", spec.structures),
    numbered("w", spec.wordings),
  ]
  return experimentOf({
    models: numbered("m", spec.models),
    pools: numbered("p", spec.pools).map((pool) => ({ pool })),
    factors: [
      { name: "arm", levels: ["push"] },
      { name: "framing", levels: framings },
      { name: "structure", levels: structures },
      { name: "wording", levels: wordings },
    ],
    cells: framings.flatMap((framing) =>
      structures.flatMap((structure) =>
        wordings.map((wording) => cell("push", { framing, structure, wording })),
      ),
    ),
    ...parts,
  })
}

const fitOf = (parts: Partial<ModelFitIR>): ModelFitIR => ({
  name: "odds",
  measure: "HRR",
  terms: [[factor("framing")]],
  random: ["model", "pool", "item"],
  slopes: [],
  origin,
  ...parts,
})

const resultsOf = (
  spec: Spec,
  records: readonly TrialRecord[],
  parts: Partial<ModelFitIR>,
): readonly Result[] =>
  measure(programOf(experimentFor(spec, { fits: [fitOf(parts)] })), records).filter(
    ({ kind }) => kind === "fit",
  )

const found = (results: readonly Result[], part: Result["part"], term?: string): Result =>
  results.find((result) => result.part === part && (term === undefined || result.term === term))!

interface Truth {
  readonly name: string
  readonly logLikelihood: number
  readonly fixed: readonly {
    readonly name: string
    readonly estimate: number
    readonly standardError: number
  }[]
}
const truthOf = (name: string): Truth =>
  (
    JSON.parse(readFileSync(new URL("glmer.json", import.meta.url), "utf8")) as { truths: Truth[] }
  ).truths.find((one) => one.name === name)!

describe("a model of trials", () => {
  const spec = specOf("covariates")
  const records = generate(spec).map(recordOf)
  const terms: ModelFitIR["terms"] = [
    [factor("framing")],
    [{ kind: "confidence", hole: "a0" }],
    [{ kind: "column", column: "choices" }],
  ]
  const results = resultsOf(spec, records, { terms })

  test("has lme4's coefficients, under the names of the spec, with odds ratios and Wald's intervals", () => {
    const { fixed, logLikelihood } = truthOf("covariates")
    const names = ["intercept", "framing = f2", "framing = f3", "a0.confidence", "item.choices"]
    expect(results.flatMap(({ part, term }) => (part === "fixed" ? [term] : []))).toEqual(names)
    expect(found(results, "model").estimate!).toBeCloseTo(logLikelihood, 3)
    for (const at of [1, 2, 4]) {
      const own = found(results, "fixed", names[at])
      expect(own.estimate!).toBeCloseTo(fixed[at]!.estimate, 3)
      expect(own.standardError!).toBeCloseTo(fixed[at]!.standardError, 3)
      expect(own.odds!.estimate).toBeCloseTo(Math.exp(own.estimate!), 10)
      expect(own.odds!.low!).toBeCloseTo(Math.exp(own.estimate! - 1.959963984540054 * own.standardError!), 10)
      expect(own.statistic).toEqual({ name: "z", value: own.estimate! / own.standardError! })
    }
    // The confidence of a read is 0.4 and half the data's covariate.
    expect(found(results, "fixed", "a0.confidence").estimate! / 2).toBeCloseTo(fixed[3]!.estimate, 3)
  })

  test("has deviations of its random effects, and tests of each term and each column against the model without it", () => {
    expect(results.flatMap(({ part, term }) => (part === "spread" ? [term] : []))).toEqual([
      "model",
      "pool",
      "item",
    ])
    const tests = results.filter(({ part }) => part === "test")
    expect(tests.map(({ term }) => term)).toEqual([
      "framing",
      "a0.confidence",
      "item.choices",
      "model",
      "pool",
      "item",
    ])
    expect(tests[0]!.statistic!.freedom).toBe(2)
    for (const { p, statistic } of tests) {
      expect(statistic!.value).toBeGreaterThanOrEqual(0)
      expect(p).toBeGreaterThanOrEqual(0)
      expect(p).toBeLessThanOrEqual(1)
    }
  })

  test("is the same whatever the order of records and the names of items", () => {
    const renamed = [...records]
      .reverse()
      .map((record) => ({ ...record, item: `other ${record.item}`, trial: `x${record.trial}` }))
    const again = resultsOf(spec, renamed, { terms })
    for (const [at, { estimate, standardError }] of results.entries()) {
      if (estimate !== undefined) expect(again[at]!.estimate!).toBeCloseTo(estimate, 5)
      if (standardError !== undefined) expect(again[at]!.standardError!).toBeCloseTo(standardError, 5)
    }
  })

  test("says which trials do not enter, and why", () => {
    const some = records.map((record, at) => {
      if (at % 10 === 0) return { ...record, readings: { ...record.readings, a1: skipped } }
      return at % 10 === 1 ? { ...record, columns: {} } : record
    })
    const [model] = resultsOf(spec, some, { terms, where: level("framing", "f2") })
    expect(model!.where).toBe("framing == f2")
    expect(Object.values(model!.excluded).reduce((sum, count) => sum + count, 0) + model!.n).toBe(
      records.length / 3,
    )
    expect(model!.excluded["no item.choices"]).toBeGreaterThan(0)
  })

  test("takes trials of one prompt once", () => {
    const twice = records.flatMap((record) => [record, { ...record, trial: `${record.trial} again` }])
    const again = resultsOf(spec, twice, { terms })
    expect(found(again, "model").excluded).toEqual({ "same prompt as another trial": records.length })
    expect(found(again, "fixed", "framing = f3").estimate!).toBeCloseTo(
      found(results, "fixed", "framing = f3").estimate!,
      5,
    )
  })

  test("has no numbers where no trial enters", () => {
    const none = resultsOf(spec, records, { where: level("framing", "nobody") })
    expect(none.map(({ part, method }) => [part, method])).toEqual([["model", "none: no trial entered"]])
  })
})

test("slopes of a factor have a deviation for each level, correlated with the intercepts where the spec says so", () => {
  const spec = specOf("slopes by two columns")
  const slopes = [
    { factor: "framing", by: "model", correlated: true },
    { factor: "framing", by: "pool" },
  ]
  const results = resultsOf(spec, generate(spec).map(recordOf), { slopes })
  const truth = truthOf(spec.name)
  expect(found(results, "model").estimate!).toBeCloseTo(truth.logLikelihood, 3)
  expect(found(results, "model").cautions!.map((caution) => caution.split(",")[0])).toEqual([
    "few levels: slopes of framing vary by model",
    "few levels: slopes of framing vary by pool",
  ])
  expect(found(results, "correlation").term).toBe("model with framing = f2 by model")
  expect(results.flatMap(({ part, term }) => (part === "spread" ? [term] : []))).toEqual([
    "model",
    "framing = f2 by model",
    "pool",
    "framing = f2 by pool",
    "item",
  ])
  expect(results.flatMap(({ part, term }) => (part === "test" ? [term] : []))).toEqual([
    "framing",
    "framing by model",
    "framing by pool",
    "item",
  ])
})

test("wordings, and columns of the items, can have random effects", () => {
  const spec = specOf("wordings")
  const records = generate(spec).map(recordOf)
  const results = resultsOf(spec, records, { random: ["model", "item", "wording"] })
  expect(found(results, "model").estimate!).toBeCloseTo(truthOf(spec.name).logLikelihood, 3)
  const byColumn = resultsOf(spec, records, { random: ["item", "choices"] })
  expect(found(byColumn, "spread", "choices").estimate).toBeGreaterThanOrEqual(0)
  expect(found(byColumn, "model").method).toContain("3 levels of choices")
})

test("a term whose trials all came out alike has no estimate, and the model says so", () => {
  const spec = specOf("crossed")
  const records = generate(spec).map((row) => recordOf(row.framing === 4 ? { ...row, y: 1 } : row))
  const results = resultsOf(spec, records, {})
  expect(found(results, "model").cautions).toEqual([
    "quasi-complete separation: framing = f4 settle the outcome of 300 trials, which all came out so",
  ])
  expect(found(results, "fixed", "framing = f4").estimate).toBeUndefined()
  expect(found(results, "fixed", "framing = f4").method).toBe("none: no finite estimate: separation")
  expect(found(results, "fixed", "framing = f3").estimate).toBeTypeOf("number")
  expect(found(results, "test", "framing").p).toBeLessThan(1e-10)
})

test("a first level whose trials all came out alike is compared with another, so that the others have numbers", () => {
  const spec = specOf("crossed")
  const records = generate(spec).map((row) => recordOf(row.framing === 1 ? { ...row, y: 1 } : row))
  const results = resultsOf(spec, records, {})
  expect(found(results, "model").cautions![0]).toBe(
    "framing is compared with f2, since all trials of f1, its first level, came out alike",
  )
  expect(found(results, "fixed", "framing = f1").estimate).toBeUndefined()
  expect(found(results, "fixed", "framing = f3").estimate).toBeTypeOf("number")
  expect(found(results, "fixed", "framing = f3").against).toBe("framing = f2")
})

test("a coefficient says what it compares with: a level, or a step of a number", () => {
  const spec = specOf("covariates")
  const confidence: ExprIR = { kind: "confidence", hole: "a0" }
  const results = resultsOf(spec, generate(spec).map(recordOf), {
    terms: [[factor("framing")], [confidence], [factor("framing"), confidence]],
  })
  expect(results.flatMap(({ part, against }) => (part === "fixed" ? [against] : []))).toEqual([
    undefined,
    "framing = f1",
    "framing = f1",
    "a0.confidence one lower",
    "framing = f1, a0.confidence one lower",
    "framing = f1, a0.confidence one lower",
  ])
  const tests = results.filter(({ part }) => part === "test")
  expect(tests.slice(0, 3).map(({ term, p, method }) => [term, p === undefined, method])).toEqual([
    ["framing", true, "none: not taken, since it stands in framing * a0.confidence"],
    ["a0.confidence", true, "none: not taken, since it stands in framing * a0.confidence"],
    ["framing * a0.confidence", false, "likelihood ratio against the model without it"],
  ])
})

test("with complete separation the model is said not to be fitted, and why", () => {
  const spec = { ...specOf("items alone"), framings: 2 }
  const records = generate(spec).map((row) => recordOf({ ...row, y: row.framing === 2 ? 1 : 0 }))
  const { method, cautions } = found(resultsOf(spec, records, {}), "model")
  expect(method).toMatch(/; not fitted: complete separation$/)
  expect(method).not.toContain("converge")
  expect(cautions!.join()).toContain("complete separation")
})

test("where the first levels of a product are separated together, the model says what to do", () => {
  const spec = specOf("interaction of factors")
  const rows = generate(spec).map((row) =>
    row.framing === 1 && row.structure === 1 ? { ...row, y: 1 } : row,
  )
  const terms = [[factor("framing")], [factor("structure")], [factor("framing"), factor("structure")]]
  const { cautions } = found(resultsOf(spec, rows.map(recordOf), { terms }), "model")
  expect(cautions!.join()).toContain("declare another level first")
})

test("slopes by a column that is left out are not told of", () => {
  const spec = { ...specOf("crossed"), items: 1, pools: 1, models: 8, framings: 2 }
  const slopes = [{ factor: "framing", by: "item", correlated: true }]
  const { method, cautions } = found(
    resultsOf(spec, generate(spec).map(recordOf), { random: ["item"], slopes }),
    "model",
  )
  expect(cautions).toContain("left out: item has one level, between which nothing varies")
  expect(method).toContain("no random effects; maximum likelihood")
  expect(method).not.toContain("slopes")
})

test("where Wald's test and the likelihood ratio lie on two sides of 5 %, the term is named", () => {
  // A framing after which nearly all trials came out true: a large coefficient, whose standard error is larger.
  const spec: Spec = { ...specOf("items alone"), items: 24, models: 1, framings: 2, seed: 5 }
  const rows = generate(spec).map((row, at) => ({
    ...row,
    model: 1,
    y: row.framing === 1 ? (at % 4 === 0 ? 0 : 1) : at === 1 ? 0 : 1,
  }))
  const results = resultsOf(spec, rows.map(recordOf), { random: ["item"] })
  const wald = found(results, "fixed", "framing = f2").p!
  const ratio = found(results, "test", "framing").p!
  expect([wald > 0.05, ratio < 0.05]).toEqual([true, true])
  expect(found(results, "model").cautions!.join()).toContain(
    "two tests disagree: of framing, Wald's has p 0.",
  )
})

test("data twice under new items halve the squared standard errors, and under the same items do not", () => {
  const spec: Spec = { ...specOf("items alone"), models: 6 }
  const rows = generate(spec)
  const doubled = (again: (row: Row) => Row) =>
    resultsOf(
      spec,
      [
        ...rows.map(recordOf),
        ...rows.map((row) => ({ ...recordOf(again(row)), trial: `again ${JSON.stringify(row)}` })),
      ].map((record) => ({ ...record, prompts: { a0: record.trial, a1: record.trial } })),
      { random: ["item"] },
    )
  const squared = (results: readonly Result[]) => found(results, "fixed", "framing = f2").standardError! ** 2
  const once = squared(resultsOf(spec, rows.map(recordOf), { random: ["item"] }))
  expect(squared(doubled((row) => ({ ...row, item: row.item + 1000 }))) / once).toBeCloseTo(0.5, 3)
  const intercept = (results: readonly Result[]) => found(results, "fixed", "intercept").standardError! ** 2
  const single = intercept(resultsOf(spec, rows.map(recordOf), { random: ["item"] }))
  expect(intercept(doubled((row) => row)) / single).toBeGreaterThan(0.6)
})

describe("a contrast by a model", () => {
  const contrastIn = (spec: Spec, contrast: ContrastIR, rows = generate(spec)): Result =>
    measure(programOf(experimentFor(spec, { contrasts: [contrast] })), rows.map(recordOf)).find(
      ({ kind }) => kind === "contrast",
    )!

  test("of two sides is the coefficient of the factor between them", () => {
    const spec: Spec = { ...specOf("items alone"), random: ["model", "item"] }
    const rows = generate(spec)
    const contrast = sumOf(
      [
        [1, "HRR", { framing: "f2" }],
        [-1, "HRR", { framing: "f1" }],
      ],
      ["mixed_logistic"],
    )
    const own = contrastIn(spec, contrast, rows)
    const fit = fitMixed(problemOf(spec, rows))
    expect(own.estimate!).toBeCloseTo(fit.fixed[1]!.estimate!, 5)
    expect(own.standardError!).toBeCloseTo(fit.fixed[1]!.standardError!, 5)
    expect(own.odds!.estimate).toBeCloseTo(Math.exp(own.estimate!), 10)
    expect(own.n).toBe(rows.length)
    const rate = (framing: number) => {
      const of = rows.filter((row) => row.framing === framing)
      return of.reduce((sum, { y }) => sum + y, 0) / of.length
    }
    expect(own.sides!.left).toBeCloseTo(rate(2), 12)
  })

  test("of four sides is the interaction", () => {
    const base = specOf("uncorrelated slopes by item")
    const { slopes, ...spec }: Spec = { ...base, fixed: ["framing", "structure", "framing * structure"] }
    const rows = generate(base)
    const side = (framing: string, structure: string) => ({ framing, structure })
    const contrast = sumOf(
      [
        [1, "HRR", side("f2", "s2")],
        [-1, "HRR", side("f1", "s2")],
        [-1, "HRR", side("f2", "s1")],
        [1, "HRR", side("f1", "s1")],
      ],
      ["mixed_logistic"],
    )
    const own = contrastIn(base, contrast, rows)
    const fit = fitMixed(problemOf(spec, rows))
    expect(own.estimate!).toBeCloseTo(fit.fixed[3]!.estimate!, 4)
    expect(own.standardError!).toBeCloseTo(fit.fixed[3]!.standardError!, 4)
  })

  test("takes no trial twice, which sides that overlap would", () => {
    const spec = specOf("items alone")
    const contrast = sumOf(
      [
        [1, "HRR", { framing: "f2" }],
        [-1, "HRR", {}],
      ],
      ["mixed_logistic"],
    )
    const { estimate, method } = contrastIn(spec, contrast)
    expect(estimate).toBeUndefined()
    const shared = generate(spec).filter(({ framing }) => framing === 2).length
    expect(method).toBe(
      `none: ${shared} trials are on several sides, and the model takes each once; give sides that do not overlap`,
    )
  })

  test("tells while it is fitted how far it is", () => {
    const spec = specOf("items alone")
    const contrast = sumOf(
      [
        [1, "HRR", { framing: "f2" }],
        [-1, "HRR", { framing: "f1" }],
      ],
      ["mixed_logistic"],
    )
    const told: string[] = []
    const program = programOf(experimentFor(spec, { contrasts: [contrast] }))
    measureAll(program, tablesOf(program, generate(spec).map(recordOf)), (fit) => told.push(fit))
    expect(new Set(told)).toEqual(new Set([contrast.name]))
  })

  test("has no estimate where one side's trials all came out alike, and says so", () => {
    const spec = specOf("items alone")
    const rows = generate(spec).map((row) => (row.framing === 2 ? { ...row, y: 1 } : row))
    const contrast = sumOf(
      [
        [1, "HRR", { framing: "f2" }],
        [-1, "HRR", { framing: "f1" }],
      ],
      ["mixed_logistic"],
    )
    const own = contrastIn(spec, contrast, rows)
    expect(own.estimate).toBeUndefined()
    expect(own.method).toBe("none: no finite estimate: separation")
    expect(own.cautions![0]).toMatch(/^quasi-complete separation/)
  })
})
