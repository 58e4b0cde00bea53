/**
 * What it takes to score records made elsewhere: `npm run bench:score [ROWS]`, 1,000,000 where nothing is said. A table (csv) and records of JSON (jsonl)
 * are made up, with two reads and eight probabilities a row. First a part of them is read here, and by the naive twin (test/records/naive.ts), whose
 * trials must be the same; then `cfx score` as a process, at a quarter and at all of the rows: rows a second, and the largest resident set.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compile } from "../compiler/compile.ts"
import { diskFiles } from "../runtime/disk/files.ts"
import type { TrialTable } from "../runtime/measure/table.ts"
import { openRecords } from "../runtime/records/open.ts"
import { scoreRecords } from "../runtime/records/score.ts"
import { naiveCsv, naiveJsonl, naiveScore } from "../test/records/naive.ts"
import { held, print, progress } from "./measures.ts"
import { taken } from "./taken.ts"

/** Rows that the twin reads too: it holds a cell for each value. */
const TWINS = 50_000
/** How much faster than the twin. */
const FASTER = 3

const models = ["one", "two", "three", "four", "five", "six"]
const labels = ["A", "B", "C", "D"]
const conditions = [
  ["reask", "", ""],
  ["length", "", ""],
  ...["no_source", "people", "rich_peers", "experts"].flatMap((framing) =>
    ["all_wrong", "mixed", "all_correct"].map((structure) => ["pressure", framing, structure]),
  ),
]
const formats = ["csv", "jsonl"] as const

async function main(): Promise<void> {
  const rows = Number(process.argv[2] ?? 1_000_000)
  if (!Number.isInteger(rows) || rows < 1000)
    throw new Error(`so many rows cannot be made: ${process.argv[2]}`)
  const folder = mkdtempSync(join(tmpdir(), "cfx-score-"))
  try {
    for (const format of formats) {
      progress(`${format}: read by the twin`)
      await beside(folder, format, Math.min(rows, TWINS))
      const points: { readonly rows: number; readonly megabytes: number }[] = []
      for (const part of [4, 1]) {
        const count = Math.round(rows / part)
        const { spec, size } = made(folder, format, count)
        progress(`${format}: cfx score of ${count} rows, as a process`)
        const { seconds, megabytes } = await taken(["score", spec, "-o", join(folder, "out"), "--quiet"])
        points.push({ rows: count, megabytes })
        print(
          `${format}: ${count.toLocaleString("en")} rows (${(size / 1e6).toFixed(0)} MB): ${seconds.toFixed(1)} s, ${Math.round(count / seconds).toLocaleString("en")} rows a second, ${megabytes.toFixed(0)} MB`,
        )
        rmSync(join(folder, "out"), { recursive: true })
      }
      const [first, last] = [points[0]!, points.at(-1)!]
      const each = ((last.megabytes - first.megabytes) * 1e6) / (last.rows - first.rows)
      print(`  ${each.toFixed(0)} bytes of memory a row`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads a file here and by the twin, and compares what comes out. */
async function beside(folder: string, format: (typeof formats)[number], count: number): Promise<void> {
  const { spec, path } = made(folder, format, count)
  const { program } = compile(spec, diskFiles({ here: folder, stdlib: join(process.cwd(), "stdlib") }))
  const experiment = program?.experiments[0]
  if (program === undefined || experiment === undefined) throw new Error("the bench's spec does not compile")
  const own = await seconds(async () =>
    scoreRecords(experiment, program, new Map(), await openRecords(path, path, format)),
  )
  const twin = await seconds(async () => {
    const text = readFileSync(path, "utf8")
    return naiveScore(experiment, format === "csv" ? naiveCsv(text) : naiveJsonl(text), path)
  })
  compare(own.value.table, twin.value.table)
  const ratio = twin.seconds / own.seconds
  print(
    `${format}: ${count.toLocaleString("en")} rows read in ${own.seconds.toFixed(2)} s of the processor, by the twin in ${twin.seconds.toFixed(2)}: ${ratio.toFixed(1)} times (${held(ratio, { least: FASTER })}); the same trials`,
  )
}

function compare(own: TrialTable, twin: TrialTable): void {
  const [left, right] = [own.columns(), twin.columns()]
  if (own.rows !== twin.rows || left.size !== right.size) throw new Error("the twin has other trials")
  for (const [name, column] of left) {
    const other = right.get(name)
    for (let row = 0; row < own.rows; row++)
      if (!Object.is(column.at(row), other?.at(row)))
        throw new Error(`row ${row} has another ${name} than the twin's`)
  }
}

/** Seconds of the processor, which a busy machine lengthens least. */
async function seconds<Value>(work: () => Promise<Value>) {
  const used = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(used)
  return { value, seconds: (user + system) / 1e6 }
}

/** A file of so many rows and a spec over it. */
function made(folder: string, format: (typeof formats)[number], count: number) {
  progress(`${format}: making ${count} rows`)
  const path = join(folder, `records.${format}`)
  const file = openSync(path, "w")
  const names = ["id", "model", "pool", "arm", "framing", "structure", "gold", "target"]
  const header = [
    ...names,
    "a0",
    ...labels.map((label) => `b_${label}`),
    "a1",
    ...labels.map((label) => `p_${label}`),
    "note",
  ]
  let text = format === "csv" ? `${header.join(",")}\n` : ""
  let seed = 1
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const distribution = (): readonly number[] => {
    const weights = labels.map(() => 1 + next(999))
    const sum = weights.reduce((all, weight) => all + weight)
    return weights.map((weight) => weight / sum)
  }
  const mostOf = (all: readonly number[]): string => labels[all.indexOf(Math.max(...all))] ?? ""
  const record = (all: readonly number[]) => Object.fromEntries(labels.map((label, at) => [label, all[at]]))
  let row = 0
  for (let item = 0; row < count; item++) {
    const gold = next(labels.length)
    for (const model of models) {
      const before = distribution()
      for (const [arm = "", framing = "", structure = ""] of conditions) {
        if (row === count) break
        row += 1
        const after = distribution()
        const named = [`question-${item}`, model, item % 2 === 0 ? "arc" : "mmlu", arm, framing, structure]
        const own = [...named, labels[gold], labels[(gold + 1) % labels.length]]
        const note = `what, "by the way", else stands here: ${next(100)}`
        text +=
          format === "csv"
            ? `${[...own, mostOf(before), ...before, mostOf(after), ...after, `"${note.replaceAll('"', '""')}"`].join(",")}\n`
            : `${JSON.stringify({ ...Object.fromEntries(names.map((name, at) => [name, own[at]])), a0: mostOf(before), b: record(before), a1: mostOf(after), p: record(after), note, meta: { tags: ["x", "y"], run: next(9) } })}\n`
      }
    }
    if (text.length > 1 << 20) {
      writeSync(file, text)
      text = ""
    }
  }
  writeSync(file, text)
  closeSync(file)
  const spec = join(folder, `${format}.cfx`)
  writeFileSync(spec, specOf(path, format))
  return { spec, path, size: statSync(path).size }
}

const probabilities = (format: string): string =>
  format === "csv"
    ? labels.map((label) => `a0.p(${label}) = b_${label}\n    a1.p(${label}) = p_${label}`).join("\n    ")
    : "a0.p = b\n    a1.p = p"

const specOf = (path: string, format: string): string => `
import { HRR, BenR, delta_p_pushed } from "std/metrics"
experiment elsewhere {
  records ${JSON.stringify(path)} {
    item = id
    model = model
    pool = pool
    arm = arm
    framing = framing
    structure = structure
    labels { ${labels.join(", ")} }
    gold = gold
    target = target
    a0: option = a0
    a0.prompt = id
    a1: option = a1
    ${probabilities(format)}
    on contradiction keep
  }
  measure HRR
  measure BenR
  measure delta_p_pushed
  contrast authority =
    HRR[framing = experts, structure = all_wrong] - HRR[framing = no_source, structure = all_wrong]
    by paired(item), pooled, cells(model, pool)
  table table_1 { rows arm, structure, framing columns HRR, BenR, delta_p_pushed average pooled }
  figure figure_1 { bar HRR by framing where structure == all_wrong }
}
`

await main()
