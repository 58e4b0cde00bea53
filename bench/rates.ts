/**
 * HRR with intervals over 210,000 trials by five factors, after loading: `npm run bench:rates`. Beside it a naive twin, which is what a person writes in
 * Arquero: filter, groupby, rollup, and Wilson's formula. The twin takes no observation once and says of no trial why it is out; its numbers must be the same.
 */
import { desc, op, table as tableOf } from "arquero"
import type { ExperimentIR, MeasureIR, Program } from "../compiler/ir.ts"
import { measure } from "../runtime/measure/measure.ts"
import { emptyTables, type TrialTable, takeRecord } from "../runtime/measure/table.ts"
import { wilson } from "../runtime/statistics/proportion.ts"
import { cell, experimentOf, HRR, programOf, reading, trial } from "../test/measure/sample.ts"
import { held, median, print, progress, shown } from "./measures.ts"

const ROUNDS = 5
const models = ["one", "two", "three", "four", "five", "six"]
const pools = ["arc", "mmlu_pro", "truthfulqa", "geometric", "logical", "temporal", "tracking"]
const framings = ["no_source", "people", "rich_peers", "experts"]
const structures = ["all_wrong", "mixed", "all_correct"]
const factors = ["model", "pool", "arm", "framing", "structure"]
const ITEMS = 2500

const cells = [
  cell("reask"),
  cell("length"),
  ...framings.flatMap((framing) => structures.map((structure) => cell("pressure", { framing, structure }))),
]

/** Intervals as the floor has them, by each crossing of the factors. */
const experiment: ExperimentIR = experimentOf({
  models,
  pools: pools.map((pool) => ({ pool })),
  factors: [
    { name: "arm", levels: ["reask", "length", "pressure"] },
    { name: "framing", levels: framings },
    { name: "structure", levels: structures },
  ],
  cells,
  measures: [HRR as MeasureIR],
  tables: [{ name: "all", rows: factors, columns: ["HRR"], average: "pooled" }],
})

const program: Program = programOf(experiment)

function loaded(): TrialTable {
  const tables = emptyTables(program)
  let seed = 1
  const next = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  for (const model of models) {
    for (const [at, pool] of pools.entries()) {
      const count = Math.floor(ITEMS / pools.length) + (at < ITEMS % pools.length ? 1 : 0)
      for (let item = 0; item < count; item++) {
        const first = reading(next(10) < 7 ? 0 : 2)
        for (const { levels } of cells) {
          const second = reading(next(10) < 4 ? 1 : 0)
          takeRecord(tables, trial(levels.arm!, `item-${item}`, first, second, { model, pool, levels }))
        }
      }
    }
  }
  return tables.get(experiment.name)!
}

/** By the levels of the factors, k of n and the ends of the interval. */
type Rates = ReadonlyMap<string, readonly [k: number, n: number, low: number, high: number]>

function ours(table: TrialTable): Rates {
  const results = measure(program, new Map([[experiment.name, table]]))
  return new Map(
    results.map(({ by, k, n, low, high }) => [
      JSON.stringify(factors.map((factor) => by[factor] ?? null)),
      [k!, n, low!, high!] as const,
    ]),
  )
}

/** The columns as a person has them from a CSV file. */
function columnsOf(table: TrialTable): Record<string, unknown[]> {
  const columns = table.columns()
  const names = [...factors, "a0.option", "a1.option", "gold.option"]
  return Object.fromEntries(
    names.map((name) => [
      name.replace(".", "_"),
      Array.from({ length: table.rows }, (_, row) => columns.get(name)!.at(row)),
    ]),
  )
}

function naive(columns: Record<string, unknown[]>): Rates {
  const found = tableOf(columns)
    .filter((d: { a0_option: number; gold_option: number }) => d.a0_option === d.gold_option)
    .derive({
      moved: (d: { a1_option: number; gold_option: number }) => (d.a1_option !== d.gold_option ? 1 : 0),
    })
    .groupby(...factors)
    .rollup({ k: op.sum("moved"), n: op.count() })
    .orderby(desc("n"))
    .objects() as readonly (Record<string, string | null> & { readonly k: number; readonly n: number })[]
  return new Map(
    found.map(({ k, n, ...levels }) => {
      const { low, high } = wilson(k, n, 95)
      return [JSON.stringify(factors.map((factor) => levels[factor] ?? null)), [k, n, low, high] as const]
    }),
  )
}

function main(): void {
  progress("making trials")
  const table = loaded()
  const columns = columnsOf(table)
  const [first, twin] = [ours(table), naive(columns)]
  if (first.size !== twin.size) throw new Error(`${first.size} sets of trials, and ${twin.size} by the twin`)
  for (const [key, numbers] of twin) {
    const own = first.get(key)
    if (own === undefined || numbers.some((number, at) => Math.abs(number - own[at]!) > 1e-12))
      throw new Error(`${key}: ${own?.join(" ")}, and ${numbers.join(" ")} by the twin`)
  }
  const [mine, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    progress(`round ${round + 1} of ${ROUNDS}`)
    mine.push(seconds(() => ours(table)))
    theirs.push(seconds(() => naive(columns)))
  }
  print(
    `HRR of ${table.rows.toLocaleString("en")} trials by ${factors.length} factors, ${first.size} sets of trials: all numbers are the twin's`,
  )
  print(`  seconds of the processor: ${shown(mine)} (${held(median(mine), { most: 1 })})`)
  print(`  the naive twin: ${shown(theirs)}; ratio ${(median(mine) / median(theirs)).toFixed(2)}`)
}

/** Seconds of the processor, which a busy machine lengthens least. */
function seconds(work: () => unknown): number {
  const used = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(used)
  return (user + system) / 1e6
}

main()
