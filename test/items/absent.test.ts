/** Pools whose data are not at hand: what plans count and what the simulated engine is asked. */
import { describe, expect, it } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import { countPools, unsaidStrata } from "../../compiler/items/count.ts"
import { inventItems } from "../../compiler/items/invent.ts"
import { pool } from "./support.ts"

const HUB = '"hf://datasets/someone/questions@unlocked#default/test"'
const rest = "question = q options = o gold = g"

const using = (sample?: number, per?: string, where?: ExperimentIR["only"]): ExperimentIR =>
  ({
    pools: [{ pool: "pool", ...(sample && { sample }), ...(per && { per }), ...(where && { where }) }],
  }) as unknown as ExperimentIR

describe("invented items", () => {
  it("say that they are, as many as are published, each with as many options", () => {
    const items = inventItems(pool(`${rest} size 7 choices 3`, HUB), [])
    expect(items).toHaveLength(7)
    expect(items[2]).toMatchObject({
      id: "3",
      question: "Question 3 of pool pool (invented)",
      options: ["Option 1 of question 3", "Option 2 of question 3", "Option 3 of question 3"],
      labels: ["A", "B", "C"],
      columns: {},
    })
  })
  it("have gold at every place, the same each time", () => {
    const of = () => inventItems(pool(`${rest} size 400 choices 4`, HUB), []).map(({ gold }) => gold)
    const counts = [0, 1, 2, 3].map((place) => of().filter((gold) => gold === place).length)
    expect(Math.min(...counts)).toBeGreaterThan(60)
    expect(of()).toEqual(of())
  })
  it("fill strata evenly, and a condition's values first", () => {
    const declared = pool(`${rest} subject = s size 10 choices 2 strata subject 3`, HUB)
    const where = {
      kind: "binary",
      operator: "!=",
      left: { kind: "column", column: "subject" },
      right: { kind: "string", value: "anatomy" },
    } as const
    const subjects = inventItems(declared, [using(2, "subject", where)]).map(({ columns }) => columns.subject)
    expect(new Set(subjects)).toEqual(new Set(["anatomy", "subject 2", "subject 3"]))
    expect(subjects.filter((subject) => subject === "anatomy")).toHaveLength(4)
  })
  it("fulfil the pool's own condition", () => {
    const declared = pool(`${rest} year = y size 9 where year > 1999`, HUB)
    const years = inventItems(declared, []).map(({ columns }) => columns.year)
    expect(years.length).toBeGreaterThan(0)
    expect(years.every((year) => Number(year) > 1999)).toBe(true)
  })
  it("are as many as a sample takes where nothing is published", () => {
    expect(inventItems(pool(rest, HUB), [using(40), using(12)])).toHaveLength(40)
    expect(
      inventItems(pool(`${rest} subject = s strata subject 5`, HUB), [using(4, "subject")]),
    ).toHaveLength(20)
  })
  it("of a run have the columns that it keeps", () => {
    const of = pool("experiment e keep argument size 2", 'run "../runs/first"')
    expect(inventItems(of, []).map(({ columns }) => columns)).toEqual([
      { argument: "argument of question 1 (invented)" },
      { argument: "argument of question 2 (invented)" },
    ])
  })
})

describe("the count of a pool", () => {
  const declared = (fields: string) => pool(`${rest} subject = s ${fields}`, HUB)
  const count = (fields: string) => countPools([declared(fields)], new Map()).get("pool")

  it("is what is published while the data are not at hand", () => {
    expect(count("size 90 choices 5 strata subject 3")).toEqual({
      atHand: false,
      items: 90,
      choices: 5,
      strata: { subject: 3 },
      unknown: [],
    })
  })
  it("says what nothing says", () => {
    expect(count('where subject == "x"')).toMatchObject({
      items: 0,
      choices: 4,
      unknown: ["size", "choices", "where"],
    })
  })
  it("leaves unsaid how many values a column has that a sample is per value of, unless it is published", () => {
    const unsaid = (fields: string, ...uses: readonly ExperimentIR[]) =>
      unsaidStrata("pool", count(fields), uses)
    expect(unsaid("size 90", using(4, "subject"), using(2, "subject"))).toEqual(["subject"])
    expect(unsaid("size 90 strata subject 3", using(4, "subject"))).toEqual([])
    expect(unsaid("size 90", using(4))).toEqual([])
  })
  it("takes items that differ by studied model for one", () => {
    const item = { question: "?", options: ["x", "y"], labels: [], gold: 0, columns: {} }
    const items = ["m", "n"].flatMap((only) => ["1", "2"].map((id) => ({ ...item, id, only })))
    expect(countPools([declared("size 90")], new Map([["pool", items]])).get("pool")).toMatchObject({
      items: 2,
      choices: [2, 2],
    })
  })
  it("is of the items where they are at hand", () => {
    const item = (id: string, subject: string, options: readonly string[]) => ({
      id,
      question: "?",
      options,
      labels: [],
      gold: 0,
      columns: { subject },
    })
    const items = [item("1", "a", ["x", "y"]), item("2", "b", ["x", "y", "z"]), item("3", "a", ["x", "y"])]
    expect(countPools([declared("size 90")], new Map([["pool", items]])).get("pool")).toEqual({
      atHand: true,
      items: 3,
      choices: [2, 3, 2],
      strata: { subject: 2 },
      unknown: [],
    })
  })
})
