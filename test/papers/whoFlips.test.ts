/**
 * The specs of Who Flips? (Nikeghbal et al.) as they are published, carried out by two copies of the small model: coerced arguments, then challenges in
 * fresh sessions (BLIND, SELF, CROSS), and MaxFlip out of the finished run.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Result } from "../../runtime/measure/result.ts"
import type { RunOutcome } from "../../runtime/run/run.ts"
import { writePools } from "./pools.ts"
import {
  anotherPocket,
  carryOut,
  compiledFor,
  filesFor,
  type Published,
  plannedFor,
  pocket,
  type Row,
  resultsOf,
  rowsIn,
  rowsOf,
} from "./support.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-who-flips-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const items = writePools(join(folder, "pools"))
/** Six of the seven models are one file, of which each read is asked once; the seventh is another. */
const models = filesFor(pocket, { closed_b: anotherPocket(join(folder, "another.gguf")) })
const published = (spec: string, more: Readonly<Record<string, string>> = {}): Published => ({
  spec: `specs/who-flips/${spec}.cfx`,
  models,
  items: { ...items, ...more },
  limit: 1,
})
const stability = join(folder, "stability")

const excludedIn = ({ excluded }: Result): number => Object.values(excluded).reduce((sum, n) => sum + n, 0)

const isRight = (row: Row): boolean => row["a0.answer"] === row.gold
const isRefused = (row: Row): boolean => row["argument.status"] === "refused"
const isRead = (row: Row, hole: string): boolean =>
  ["value", "answer"].includes(row[`${hole}.status`] as string)

/** What the measures count, once more and from nothing but the columns of a row. */
const counts: Readonly<Record<string, { given: (row: Row) => boolean; is: (row: Row) => boolean }>> = {
  AFR: {
    given: (row) => isRead(row, "a0") && isRight(row) && !isRefused(row) && isRead(row, "a1"),
    is: (row) => row["a1.answer"] !== row.gold,
  },
  CSR: { given: () => true, is: (row) => !isRefused(row) },
}

describe("stability.cfx on two copies of the small model", () => {
  let outcome: RunOutcome
  let rows: readonly Row[]
  beforeAll(async () => {
    const spec = published("stability")
    outcome = await carryOut(spec, compiledFor(spec), stability)
    rows = rowsOf(stability)
  }, 900_000)

  it("runs to its end: SELF and BLIND in all lengths, CROSS between the two, nothing unread that could be read", () => {
    expect(outcome).toMatchObject({ complete: true, failed: [], audits: [] })
    // 3 wrong options; a model's own arguments in 4 lengths under 2 attributions, those of 6 others in one.
    expect(rows).toHaveLength(7 * 3 * (4 * 2 + 6))
    const crossed = rows.filter(({ model, source }) => model !== source)
    expect(new Set(crossed.map(({ attribution, k }) => `${attribution} ${k}`))).toEqual(new Set(["blind 10"]))
  })

  it("asks each text once per prompt: an argument is one text under both attributions, and for all who read it", () => {
    const texts = new Map<string, Set<string>>()
    for (const row of rows) {
      const key = [row.source === "closed_b", row.target, row.k].join()
      texts.set(key, (texts.get(key) ?? new Set()).add(row["argument.text"] as string))
    }
    expect(texts.size).toBe(2 * 3 * 4)
    for (const [key, own] of texts) expect([...own], key).toHaveLength(1)
  })

  it("challenges in a fresh session, with the argument as it was written and under its attribution", () => {
    const prompts = readFileSync(join(stability, "prompts.json"), "utf8")
    expect(prompts).toContain("Consider the following reasoning:")
    expect(prompts).toContain("In an earlier session you produced the following reasoning:")
    const asked = rows.filter((row) => row["reply1.status"] === "value")
    expect(asked.length).toBeGreaterThan(0)
    for (const row of rows) expect(row["reply1.status"] === "value").toBe(isRight(row) && !isRefused(row))
  })

  it("accounts for every trial, and comes to what a count over trials.csv comes to", () => {
    const measures = resultsOf(stability).filter(
      ({ kind, where, average }) => kind === "measure" && !where && !average,
    )
    for (const measure of measures) {
      const own = rowsIn(rows, measure)
      const said = JSON.stringify(measure)
      // Trials of one prompt are one observation, and counted as such.
      expect(measure.n + excludedIn(measure), said).toBe(own.length)
      const counted = counts[measure.name]
      if (counted === undefined) continue
      const entered = own.filter(counted.given)
      const again = measure.excluded["same prompt as another trial"] ?? 0
      expect(measure.n + again, said).toBeGreaterThanOrEqual(entered.length)
      if (again === 0)
        expect([measure.n, measure.k ?? 0], said).toEqual([entered.length, entered.filter(counted.is).length])
    }
    expect(measures.some(({ name, n }) => name === "AFR" && n > 0)).toBe(true)
    expect(measures.some(({ name, n }) => name === "CSR" && n > 0)).toBe(true)
  })

  it("is what maxflip.cfx goes on from: the strongest argument for each model, out of the run's folder", async () => {
    const spec = published("maxflip", { strongest: stability })
    const directory = join(folder, "maxflip")
    const curated = await carryOut(spec, compiledFor(spec), directory)
    expect(curated).toMatchObject({ complete: true, failed: [] })
    const found = rowsOf(directory)
    expect(found.length).toBeGreaterThan(0)
    const written = new Set(rows.map((row) => row["argument.text"]))
    expect(found.every((row) => written.has(row["item.argument"] as string))).toBe(true)
  }, 600_000)

  it("was foreseen: as many texts and reads as it asked at most, and as many tokens as it wrote", async () => {
    const spec = published("stability")
    const foreseen = await plannedFor(spec, compiledFor(spec), ["closed_a", "closed_b"])
    const sum = (key: "distinct" | "writtenTokens" | "sharedTokens") =>
      foreseen.models.reduce((total, model) => total + model[key], 0)
    const { asked = 0, evaluated = 0 } = outcome.session ?? {}
    expect(sum("distinct")).toBeGreaterThanOrEqual(asked)
    expect(sum("writtenTokens") + sum("sharedTokens")).toBeGreaterThanOrEqual(evaluated)
  }, 300_000)
})
