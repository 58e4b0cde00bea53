/**
 * Every table, figure, contrast and summary of both papers' specs, from a run on the simulated engine, against a count over its `trials.csv` that
 * shares nothing with the runtime (`recount.ts`): the same rows, the same numbers.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ExperimentIR, FigureIR, TableIR } from "../../compiler/ir.ts"
import { simulatedBackend } from "../../runtime/backend/simulated.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { silent } from "../../runtime/run/progress.ts"
import { run } from "../../runtime/run/run.ts"
import { compiled, invented, type Sound, specs } from "../specs/support.ts"
import * as published from "./published.ts"
import { crossed, holds, levelOf, Recount } from "./recount.ts"
import { figureIn, shownIn, tableIn } from "./rendered.ts"
import { type Row, rowsOf } from "./support.ts"

/** Items of each pool: as few as give most cells a number. */
const LIMITS: Readonly<Record<string, number>> = {
  "main.cfx": 1,
  "by_cell.cfx": 1,
  "containers.cfx": 1,
  "robustness.cfx": 1,
  "role_ladder.cfx": 1,
  "justification.cfx": 1,
  "inference.cfx": 1,
  "exhaustive.cfx": 1,
  "dose.cfx": 5,
  "free_answers.cfx": 20,
  "minimal_pairs.cfx": 4,
  "summary.cfx": 40,
  "maxflip.cfx": 5,
  "maxflip_gain.cfx": 5,
  "correlates.cfx": 4,
}
const FEW = 2

const folder = mkdtempSync(join(tmpdir(), "cfx-tables-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Factors by which sets of trials are named: those of which there are several levels, and columns of items that tables go by. */
function namesOf(experiment: ExperimentIR): readonly string[] {
  const { models, pools, factors, tables, figures, summaries } = experiment
  const varying = factors.filter(({ name, levels }) => name === "arm" || levels.length > 1)
  const own = ["model", "pool", "arm", ...factors.map(({ name }) => name)]
  const used = [
    ...tables.flatMap(({ rows }) => rows),
    ...figures.flatMap(({ by, color, facet }) => [by, color, facet].flatMap((one) => one ?? [])),
    ...summaries.flatMap(({ over, by }) => [...over, ...by]),
  ]
  return [
    ...(models.length > 1 ? ["model"] : []),
    ...(pools.length > 1 ? ["pool"] : []),
    ...varying.map(({ name }) => name),
    ...new Set(used.filter((name) => !own.includes(name))),
  ]
}

/** The levels that all rows share. */
function shared(experiment: ExperimentIR, rows: readonly Row[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    namesOf(experiment).flatMap((name) => {
      const [level, ...others] = new Set(rows.map((row) => levelOf(row, name)))
      return level === undefined || others.length > 0 ? [] : [[name, level]]
    }),
  )
}

/** In the order in which the spec declares them; of items by number, else by text. What lacks the factor goes first. */
function levelsOf(experiment: ExperimentIR, factor: string, rows: readonly Row[]): readonly string[] {
  if (factor === "model") return experiment.models
  if (factor === "pool") return experiment.pools.map(({ pool }) => pool)
  const declared = experiment.factors.find(({ name }) => name === factor)
  return declared?.levels ?? [...new Set(rows.flatMap((row) => levelOf(row, factor) ?? []))].sort()
}

interface Group {
  readonly levels: readonly (string | undefined)[]
  readonly rows: readonly Row[]
}

/** The rows of a table, or the marks of a figure, in order. */
function groupsOf(recount: Recount, factors: readonly string[], where: TableIR["where"]): readonly Group[] {
  const { experiment, rows } = recount
  const among = rows.filter((row) => holds(where, row))
  const ranks = factors.map((factor) => levelsOf(experiment, factor, rows))
  const placeOf = ({ levels }: Group) =>
    levels.map((level, at) => (level === undefined ? -1 : ranks[at]!.indexOf(level)))
  const compared = (one: Group, two: Group): number => {
    const [a, b] = [placeOf(one), placeOf(two)]
    const at = a.findIndex((place, index) => place !== b[index])
    return at < 0 ? 0 : a[at]! - b[at]!
  }
  return crossed(among, factors)
    .map(({ rows: own }) => ({ levels: factors.map((factor) => levelOf(own[0]!, factor)), rows: own }))
    .sort(compared)
}

const excludedIn = ({ excluded }: Result): number => Object.values(excluded).reduce((sum, n) => sum + n, 0)

const averageOf = (average: TableIR["average"]): string | undefined =>
  average === "pooled" ? undefined : `${average.of ?? "macro"}(${average.macro.join(", ")})`

const near = (found: number | undefined, counted: number | undefined): boolean =>
  found === undefined || counted === undefined
    ? found === counted
    : Math.abs(found - counted) <= 1e-12 * Math.max(1, Math.abs(counted))

const factorsOf = ({ by, color, facet }: FigureIR): readonly string[] =>
  [by, color, facet].flatMap((one) => one ?? [])

const papers = specs.filter((name) => /specs\/(floor|who-flips)\//.test(name))

describe.each(papers)("%s", (name) => {
  const directory = join(folder, basename(name, ".cfx"))
  let spec: Sound
  let report: string
  let results: readonly Result[]
  let recounts: readonly Recount[]
  const measured = new Map<string, Result[]>()

  beforeAll(async () => {
    const made = invented(compiled(name))
    spec = made.spec
    const request = {
      compiled: spec,
      directory,
      engine: "simulated",
      mode: "exact",
      limit: LIMITS[basename(name)] ?? FEW,
      invented: made.pools,
      version: "0.1.0",
      progress: silent,
    } as const
    const outcome = await Effect.runPromise(run(request).pipe(Effect.provide(simulatedBackend())))
    expect(outcome).toMatchObject({ complete: true, failed: [] })
    report = readFileSync(join(directory, "report.md"), "utf8")
    results = JSON.parse(readFileSync(join(directory, "results.json"), "utf8"))
    for (const one of results) {
      if (one.kind !== "measure") continue
      const key = keyOf(one.experiment, one.name, one.average, one.by)
      measured.set(key, [...(measured.get(key) ?? []), one])
    }
    const rows = rowsOf(directory)
    recounts = spec.program.experiments.map((experiment) => new Recount(experiment, rows))
  }, 300_000)

  const ofKind = (kind: Result["kind"], { experiment }: Recount, name: string): readonly Result[] =>
    results.filter((one) => one.kind === kind && one.experiment === experiment.name && one.name === name)

  const keyOf = (
    experiment: string,
    measure: string,
    average: string | undefined,
    by: Result["by"],
  ): string => JSON.stringify([experiment, measure, average ?? null, Object.entries(by).sort()])

  /** The results of a measure that are named by what these rows share. */
  const named = (
    recount: Recount,
    measure: string,
    rows: readonly Row[],
    average?: string,
  ): readonly Result[] =>
    measured.get(keyOf(recount.experiment.name, measure, average, shared(recount.experiment, rows))) ?? []

  it("has in results.json what trials.csv comes to: each cell of the design, each row of a table, each mark of a figure", () => {
    let compared = 0
    const expectOne = (
      recount: Recount,
      measure: string,
      rows: readonly Row[],
      average: TableIR["average"],
    ) => {
      const counted =
        average === "pooled"
          ? recount.pooled(measure, rows)
          : recount.macro(measure, rows, average.macro, average.of)
      const found = named(recount, measure, rows, averageOf(average))
      const said = () => JSON.stringify({ measure, counted, rows: rows.length, found }, undefined, 1)
      const same = found.filter((one) => near(one.estimate, counted.estimate) && one.n === counted.n)
      const accounted = same.filter(
        (one) =>
          one.n + excludedIn(one) === rows.length &&
          (one.k === undefined || !("k" in counted) || one.k === counted.k) &&
          (one.cells === undefined || !("cells" in counted) || one.cells.entered === counted.cells),
      )
      if (accounted.length === 0) expect.fail(said())
      compared++
    }
    for (const recount of recounts) {
      const { measures, tables, figures, models, pools, factors } = recount.experiment
      const design = ["model", "pool", "arm", ...factors.map((one) => one.name)]
      expect(models.length * pools.length).toBeGreaterThan(0)
      for (const { name: measure } of measures)
        for (const { rows } of crossed(recount.rows, design)) expectOne(recount, measure, rows, "pooled")
      for (const { rows: factors, columns, average, where } of tables)
        for (const { rows } of groupsOf(recount, factors, where))
          for (const measure of columns) expectOne(recount, measure, rows, average)
      for (const figure of figures)
        for (const { rows } of groupsOf(recount, factorsOf(figure), figure.where))
          expectOne(recount, figure.measure, rows, "pooled")
    }
    expect(compared).toBeGreaterThan(0)
  })

  it("prints each table with the declared rows in order, the declared columns, and these numbers", () => {
    for (const recount of recounts) {
      for (const { name: table, rows: factors, columns, average, where } of recount.experiment.tables) {
        const printed = tableIn(report, table)
        expect(printed, table).toBeDefined()
        const { heads, rows } = printed!
        const groups = groupsOf(recount, factors, where)
        // A factor of which all rows have one level stands in the caption.
        const shown = factors.filter((factor) => heads.includes(factor))
        for (const [at, factor] of factors.entries())
          if (!shown.includes(factor))
            expect(new Set(groups.map(({ levels }) => levels[at])).size, `${table}: ${factor}`).toBe(1)
        const measures = heads.map((head) => head.split(" (")[0]!)
        expect(
          measures.filter((head) => columns.includes(head)),
          table,
        ).toEqual(columns)
        expect(
          rows.map((row) => row.slice(0, shown.length)),
          table,
        ).toEqual(groups.map(({ levels }) => shown.map((factor) => levels[factors.indexOf(factor)] ?? "–")))
        for (const [at, { rows: own }] of groups.entries()) {
          for (const column of columns) {
            const counted =
              average === "pooled"
                ? recount.pooled(column, own)
                : recount.macro(column, own, average.macro, average.of)
            const place = measures.indexOf(column)
            const value = shownIn(rows[at]![place]!)
            const said = `${table}, ${column}: ${rows[at]!.join(" | ")}; counted ${JSON.stringify(counted)}`
            if (value === undefined || counted.estimate === undefined)
              expect([value, counted.estimate], said).toEqual([undefined, undefined])
            else expect(Math.abs(value.value - counted.estimate), said).toBeLessThanOrEqual(value.within)
            const n = heads.indexOf("n", place)
            expect(shownIn(rows[at]![n]!)?.value, said).toBe(counted.n)
          }
        }
      }
    }
  })

  it("prints what the paper prints: its rows, in its order, and its columns", () => {
    for (const { paper, table, rows, columns } of published.tables[basename(name)] ?? []) {
      const printed = tableIn(report, table)
      expect(
        printed?.heads.map((head) => head.split(" (")[0]).filter((head) => columns.includes(head!)),
      ).toEqual(columns)
      const places = rows.map((row) => {
        const own = recounts.flatMap(({ experiment }) => experiment.tables).find((one) => one.name === table)!
        const shown = row.filter((_, at) => printed!.heads.includes(own.rows[at]!))
        return printed!.rows.findIndex((line) => shown.every((level, at) => line[at] === level))
      })
      expect(places, `${paper}: ${JSON.stringify(rows)}`).not.toContain(-1)
      expect(
        [...new Set(places)].sort((a, b) => a - b),
        paper,
      ).toEqual(places)
    }
    for (const [paper, figure] of Object.entries(published.figures[basename(name)] ?? {}))
      expect(figureIn(directory, report, figure), paper).toBeDefined()
    if (basename(name) !== "containers.cfx") return
    for (const [framing, numbers] of Object.entries(published.lines)) {
      const row = tableIn(report, "table_4")!.rows.find(([level]) => level === framing)!
      expect([row[1], row[4]].map(Number), framing).toEqual(numbers)
    }
  })

  it("draws each figure, and says in words what trials.csv comes to", () => {
    for (const recount of recounts) {
      const { figures, forests, contrasts } = recount.experiment
      for (const figure of figures) {
        const drawn = figureIn(directory, report, figure.name)
        expect(drawn?.svg, figure.name).toMatch(/<svg[\s\S]*<\/svg>\s*$/)
        const { svg, words } = drawn!
        for (const { levels, rows } of groupsOf(recount, factorsOf(figure), figure.where)) {
          const counted = recount.pooled(figure.measure, rows)
          const label = levels.map((level) => level ?? "–").join(", ")
          for (const level of levels) expect(svg, figure.name).toContain(level ?? "–")
          const at = words.indexOf(` ${label}: `)
          const told = words.slice(at + label.length + 3)
          const said = `${figure.name}, ${label}: ${told.slice(0, 90)}; counted ${JSON.stringify(counted)}`
          expect(at, said).toBeGreaterThan(0)
          expect(/\bn = ([\d,]+)/.exec(told)?.[1]?.replaceAll(",", "") ?? "0", said).toBe(String(counted.n))
          if (figure.mark === "distribution") {
            const values = recount
              .entered(figure.measure, rows)
              .map(({ value }) => value)
              .sort((a, b) => a - b)
            if (values.length === 0) continue
            const median =
              (values[Math.floor((values.length - 1) / 2)]! + values[Math.ceil((values.length - 1) / 2)]!) / 2
            const value = shownIn(told.replace(/^median /, ""))!
            expect(Math.abs(value.value - median), said).toBeLessThanOrEqual(value.within)
            continue
          }
          const value = shownIn(told)
          if (value === undefined || counted.estimate === undefined)
            expect([value, counted.estimate], said).toEqual([undefined, undefined])
          else expect(Math.abs(value.value - counted.estimate), said).toBeLessThanOrEqual(value.within)
        }
      }
      for (const forest of forests) {
        const drawn = figureIn(directory, report, forest.name)
        expect(drawn?.svg, forest.name).toMatch(/<svg[\s\S]*<\/svg>\s*$/)
        const names = forest.contrasts.length > 0 ? forest.contrasts : contrasts.map((one) => one.name)
        for (const one of names) {
          const { by } = contrasts.find((contrast) => contrast.name === one)!
          expect(drawn!.words.split(` ${one}, `).length - 1, one).toBe(by.length)
        }
      }
    }
  })

  it("has for each contrast the difference that trials.csv comes to", () => {
    for (const recount of recounts) {
      for (const contrast of recount.experiment.contrasts) {
        const found = ofKind("contrast", recount, contrast.name)
        expect(found).toHaveLength(contrast.by.length)
        for (const [at, by] of contrast.by.entries()) {
          const result = found[at]!
          // A model's logits have yardsticks of their own: test/mixed.
          if (by === "mixed_logistic") continue
          const ofCells = typeof by === "string" ? undefined : recount.cells(contrast, by.cells)
          const counted =
            ofCells ??
            (by === "pooled"
              ? recount.summed(contrast)
              : by === "two_sample"
                ? recount.twoSample(contrast)
                : recount.paired(contrast))
          const said = JSON.stringify({ counted, result }, undefined, 1)
          expect(near(result.estimate, counted.estimate), said).toBe(true)
          expect(result.n, said).toBe(counted.n)
          expect(result.cells?.entered, said).toBe(ofCells?.cells)
          if (result.signs !== undefined)
            expect([result.signs.above, result.signs.below], said).toEqual([ofCells?.above, ofCells?.below])
        }
      }
    }
  })

  it("has for each summary what the cells of trials.csv come to", () => {
    for (const recount of recounts) {
      for (const summary of recount.experiment.summaries) {
        const counted = recount.summary(summary)
        const found = ofKind("summary", recount, summary.name)
        expect(found).toHaveLength(counted.length)
        for (const one of counted) {
          const result = found.find(({ by }) => JSON.stringify(by) === JSON.stringify(one.by))
          const said = JSON.stringify({ one, result }, undefined, 1)
          expect(result !== undefined && near(result.estimate, one.estimate), said).toBe(true)
          expect([result?.n, result?.cells?.entered], said).toEqual([one.n, one.cells])
        }
      }
    }
  })
})
