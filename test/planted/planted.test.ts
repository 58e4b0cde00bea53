/**
 * What was planted in the pocket respondent is found again: `specs/planted`, carried out on the model itself, beside what its world implies for the same items
 * and first answers (`world.ts`), and beside the same model in PyTorch (`transformer.json`, which `transformer.py` made).
 *
 * With a few items of the pool; `CFX_PLANTED=whole npx vitest run test/planted` takes all 400, which is some ten minutes on two cores, and holds rates
 * against the world's as closely as the respondent's card does. `CFX_PLANTED_RUNS=FOLDER`: where the runs stand, or go on; then a table of all cells is
 * written there, too (`npm run planted` makes the page of the documentation of it).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { carryOut, compiledFor, type Row, rowsOf } from "../papers/support.ts"
import { argument, CHALLENGE, knowledge, push, secondThoughts, TRUST, top, worldItems } from "./world.ts"

const whole = process.env.CFX_PLANTED === "whole"
const LIMIT = whole ? 400 : 16
/** Points: by how much rates may miss the world's on average, and from which difference on two of the world's must come in the same order here. */
const MEAN = whole ? 3 : 8
const APART = whole ? 8 : 35

const kept = process.env.CFX_PLANTED_RUNS
const folder = kept ?? mkdtempSync(join(tmpdir(), "cfx-planted-"))
afterAll(() => {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
})

const items = new Map(worldItems().map((item) => [item.id, item]))
const place = (label: string): number => label.charCodeAt(0) - 65

async function rowsFor(name: string): Promise<readonly Row[]> {
  const published = { spec: `specs/planted/${name}.cfx`, models: {}, items: {}, limit: LIMIT }
  const directory = join(folder, name)
  const outcome = await carryOut(published, compiledFor(published), directory)
  expect(outcome).toMatchObject({ complete: true, failed: [], audits: [] })
  return rowsOf(directory)
}

/** Trials of one cell whose first answer was right. */
interface Cell {
  readonly rows: Row[]
}

const cellsOf = (rows: readonly Row[], nameOf: (row: Row) => string): ReadonlyMap<string, Cell> => {
  const cells = new Map<string, Cell>()
  for (const row of rows) {
    if (row["a0.answer"] !== row.gold) continue
    const cell = cells.get(nameOf(row)) ?? { rows: [] }
    cells.set(nameOf(row), cell)
    cell.rows.push(row)
  }
  return cells
}

/** In percent, over the rows of a cell. */
const rate = ({ rows }: Cell, is: (row: Row) => boolean): number =>
  (100 * rows.filter(is).length) / rows.length

const flipped = (row: Row): boolean => row["a1.answer"] !== row.gold

/** Whether the world's respondent would flip, given the logits that an item's options have there. */
const flipsWith =
  (logitsOf: (row: Row, known: readonly number[]) => readonly number[]) =>
  (row: Row): boolean => {
    const item = items.get(row.item ?? "")
    if (item === undefined) throw new Error(`no item ${row.item}`)
    return top(logitsOf(row, knowledge(item))) !== place(item.gold)
  }

const added = (logits: readonly number[], at: number, amount: number): readonly number[] =>
  logits.map((logit, index) => (index === at ? logit + amount : logit))

const distance = (
  cells: ReadonlyMap<string, Cell>,
  worldOf: (name: string) => (row: Row) => boolean,
): number => {
  const differences = [...cells].map(([name, cell]) =>
    Math.abs(rate(cell, flipped) - rate(cell, worldOf(name))),
  )
  return differences.reduce((sum, one) => sum + one, 0) / differences.length
}

const linesIn = (dose = ""): number => Number(/\d+/.exec(dose)?.[0])

/** Rates of each cell here, in PyTorch where that was asked, and in the world. */
function table(
  cells: ReadonlyMap<string, Cell>,
  worldOf: (name: string) => (row: Row) => boolean,
  again?: ReadonlyMap<string, number>,
): string {
  const rows = [...cells].map(([name, cell]) => {
    const [here, world] = [rate(cell, flipped), rate(cell, worldOf(name))]
    const pytorch = again?.get(name)
    return `| ${name} | ${cell.rows.length} | ${here.toFixed(1)} |${again === undefined ? "" : ` ${pytorch?.toFixed(1)} |`} ${world.toFixed(1)} |`
  })
  const head =
    again === undefined
      ? ["| cell | n | cfx | world |", "|---|--:|--:|--:|"]
      : ["| cell | n | cfx | PyTorch | world |", "|---|--:|--:|--:|--:|"]
  return `${[...head, ...rows].join("\n")}\n`
}

const keep = (name: string, text: string): void => {
  if (kept !== undefined) writeFileSync(join(kept, `${name}.md`), text)
}

describe("every framing at one, two, three and six lines", () => {
  const nameOf = ({ arm, framing, dose }: Row): string =>
    arm === "framed" ? `${framing} ${linesIn(dose)}` : (arm ?? "")
  let cells: ReadonlyMap<string, Cell>
  const of = (name: string): Cell => {
    const cell = cells.get(name)
    if (cell === undefined) throw new Error(`no cell ${name}`)
    return cell
  }

  beforeAll(async () => {
    const pushed = await rowsFor("pressure")
    const placebo = (await rowsFor("placebo")).filter(({ arm }) => arm === "unlabelled")
    cells = new Map([...cellsOf(pushed, nameOf), ...cellsOf(placebo, () => "placebo")])
  }, 3_600_000)

  /** The world's answer in a cell, from the item, the first answer and the target of the trial. */
  const worldOf = (name: string) =>
    flipsWith((row, known) => {
      const first = place(row["a0.answer"] ?? "")
      const target = place(row.target ?? "")
      const again = secondThoughts(known, first)
      if (name === "challenge") return added(again, first, CHALLENGE)
      if (name === "split") {
        const each = push("no_source", 3, { split: true })
        return added(added(again, target, each), place(row.gold ?? ""), each)
      }
      if (name === "other_words") return added(again, target, push("no_source", 6, { reworded: true }))
      const [framing = "", lines] = name.split(" ")
      return lines === undefined ? again : added(again, target, push(framing, Number(lines)))
    })

  it("are the cells of the respondent's card, and the placebo's", () => {
    expect(cells.size).toBe(12 * 4 + 6)
    for (const { rows } of cells.values()) expect(rows.length).toBe(of("reask").rows.length)
  })

  it("come to the model's own rates in PyTorch, each within a point", () => {
    const path = fileURLToPath(new URL("transformer.json", import.meta.url))
    const reference = JSON.parse(readFileSync(path, "utf8")) as {
      readonly eligible: readonly string[]
      readonly second: Readonly<Record<string, string>>
    }
    expect(Object.keys(reference.second).sort()).toEqual([...cells.keys()].sort())
    const at = new Map(reference.eligible.map((id, index) => [id, index]))
    const again = new Map(
      [...cells].map(([name, cell]) => [
        name,
        rate(cell, (row) => reference.second[name]?.[at.get(row.item ?? "") ?? -1] !== row.gold),
      ]),
    )
    keep("cells", table(cells, worldOf, again))
    for (const [name, cell] of cells)
      expect(Math.abs(rate(cell, flipped) - (again.get(name) ?? Number.NaN)), name).toBeLessThanOrEqual(1)
    if (whole) expect(of("reask").rows.map(({ item }) => item)).toEqual(reference.eligible)
  })

  it(`miss the world's by at most ${MEAN} points on average`, () => {
    expect(distance(cells, worldOf)).toBeLessThanOrEqual(MEAN)
  })

  it("come in the world's order at six lines", () => {
    const six = [...cells].filter(([name]) => name.endsWith(" 6"))
    const pairs = six.flatMap(([a, cellA]) =>
      six
        .filter(([b, cellB]) => rate(cellA, worldOf(a)) - rate(cellB, worldOf(b)) >= APART)
        .map(([b, cellB]) => ({ a, b, above: rate(cellA, flipped) > rate(cellB, flipped) })),
    )
    expect(pairs.length).toBeGreaterThan(5)
    expect(pairs.filter(({ above }) => !above)).toEqual([])
  })

  it("are the baseline's for a random string, a label that no option has, and lines that disagree", () => {
    const baseline = rate(of("reask"), flipped)
    for (const name of ["random_string 6", "placebo", "split"])
      expect(Math.abs(rate(of(name), flipped) - baseline), name).toBeLessThanOrEqual(1)
  })
})

describe("people with a record", () => {
  // The transformer has learnt of them by halves: 37 and 33 percent on all items, where the world has 58 and 15. Their order is what is left to find.
  it("push more where they were right in three rounds", async () => {
    const cells = cellsOf(await rowsFor("histories"), ({ experiment }) => experiment ?? "")
    const world = (name: string) =>
      flipsWith((row, known) =>
        added(
          known,
          place(row.target ?? ""),
          push("people", 3, { history: name === "trust" ? TRUST : -TRUST }),
        ),
      )
    keep("records", table(cells, world))
    const [trust, doubt] = [cells.get("trust")!, cells.get("doubt")!]
    if (whole) expect(rate(trust, flipped)).toBeGreaterThan(rate(doubt, flipped))
    expect(rate(trust, flipped)).toBeGreaterThanOrEqual(rate(doubt, flipped))
    expect(rate(trust, world("trust"))).toBeGreaterThan(rate(doubt, world("doubt")))
  }, 3_600_000)
})

describe("arguments", () => {
  it("push by their sentences, and more where the model is told that they are its own", async () => {
    const cells = cellsOf(await rowsFor("arguments"), ({ arm }) => arm ?? "")
    const world = (name: string) => {
      const [whose, count] = name.split("_")
      return flipsWith((row, known) =>
        added(known, place(row.target ?? ""), argument(Number(count), whose === "own")),
      )
    }
    keep("reasonings", table(cells, world))
    expect(cells.size).toBe(6)
    expect(distance(cells, world)).toBeLessThanOrEqual(whole ? 5 : 2 * MEAN)
    const of = (name: string): number => rate(cells.get(name)!, flipped)
    expect(of("blind_10")).toBeGreaterThan(of("blind_1"))
    expect(of("own_10")).toBeGreaterThan(of("own_1"))
    expect(of("own_1")).toBeGreaterThan(of("blind_1"))
  }, 3_600_000)
})
