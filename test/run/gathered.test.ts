/** What is kept of a run's records beside its ledger: a report made from it is the report that is made without it. */
import { createHash } from "node:crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { pack, unpack } from "../../runtime/compact/packing.ts"
import { type PackedColumn, Values } from "../../runtime/measure/column.ts"
import { reportFiles } from "../../runtime/report/write.ts"
import { readKept } from "../../runtime/run/directory.ts"
import { keptRun } from "../../runtime/run/finished.ts"
import { keyOf, readGathered, writeGathered } from "../../runtime/run/gatheredFile.ts"
import type { Plan } from "../../runtime/run/plan.ts"
import { type RunOutcome, rebuild } from "../../runtime/run/run.ts"
import type { Watch } from "../../runtime/run/watch.ts"
import { failureOf } from "./runs.ts"
import { carryOut, doubt } from "./spec.ts"
import { temporary } from "./temporary.ts"

/** With a text, something found in it, a judge, an item column and reads that are invalid or skipped. */
const spec = `
${doubt()}
metric flips(first = a0, second = a1) { rate second != first interval wilson 95 }
metric sure(read = a1) { mean read.confidence interval bootstrap 95 }
experiment study {
  protocol doubt
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  measure flips
  measure sure
  table overview { rows pool columns flips, sure }
}
`

const folder = temporary()
const directory = join(folder, "run")
const kept = join(directory, "gathered.bin")

let plan: Plan
let first: RunOutcome

beforeAll(async () => {
  first = await carryOut(directory, spec)
  plan = readKept(directory).plan
})

const again = (): Promise<RunOutcome> =>
  Effect.runPromise(rebuild({ directory, version: "0.1.0", write: false }))

const filesOf = ({ report }: RunOutcome): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(reportFiles(report)).map(([name, pieces]) => [name, [...pieces].join("")]),
  )

describe("what was gathered", () => {
  it("is kept of large runs alone", () => {
    expect(existsSync(kept)).toBe(false)
    writeGathered(directory, keyOf(directory, plan), first.gathered, 7)
    expect(existsSync(kept)).toBe(false)
  })

  it("is told of while it is found out, up to the last trial; what is kept is not gone through", async () => {
    const told: (readonly [what: string, count: number, of?: number | undefined])[] = []
    const watch: Watch = { at: (...one) => told.push(one), end: () => {} }
    const trials = first.records.length
    await Effect.runPromise(rebuild({ directory, version: "0.1.0", write: false, watch }))
    expect(told.filter(([what]) => what.startsWith("reading the ledger")).length).toBeGreaterThan(1)
    expect(told.at(-1)).toEqual(["going through trials:", trials, trials])
    told.length = 0
    const run = await Effect.runPromise(keptRun(directory, watch))
    expect([...run.records]).toEqual(first.records)
    expect(told.at(-1)).toEqual(["going through trials:", trials, undefined])
    const [one, , other] = first.records
    expect([...run.among(new Set([other!.trial, one!.trial]))]).toEqual([one, other])
    writeGathered(directory, keyOf(directory, plan), first.gathered, 1)
    told.length = 0
    await Effect.runPromise(rebuild({ directory, version: "0.1.0", write: false, watch }))
    expect(told).toEqual([])
    rmSync(kept)
  })

  it("comes to the files of a report that is made without it", async () => {
    const without = await again()
    writeGathered(directory, keyOf(directory, plan), without.gathered, 1)
    const from = await again()
    expect([without.key, from.key]).toEqual([keyOf(directory, plan), undefined])
    expect(filesOf(from)).toEqual(filesOf(without))
    expect(from.records).toEqual(without.records)
    const told = ({
      counts,
      open,
      failed,
      shares,
      audits,
      complete,
    }: RunOutcome & RunOutcome["gathered"]) => ({
      counts,
      open,
      failed,
      shares,
      audits,
      complete,
    })
    expect(told({ ...from, ...from.gathered })).toEqual(told({ ...without, ...without.gathered }))
  })

  it.each([
    ["a byte of it is another", () => corrupt(kept, 2000)],
    ["it was cut off", () => writeFileSync(kept, readFileSync(kept).subarray(0, 300))],
    ["it is empty", () => writeFileSync(kept, "")],
    ["its sum is right and it says nothing", () => exchange(kept, Buffer.from("{}"))],
    ["its sum is right and half of it is gone", () => exchange(kept, readFileSync(kept).subarray(128, 3000))],
    [
      "it is of another plan",
      () => writeGathered(directory, keyOf(directory, { ...plan, spec: "another" }), first.gathered, 1),
    ],
  ])("is left alone where %s", async (_, harm) => {
    writeGathered(directory, keyOf(directory, plan), first.gathered, 1)
    expect(readGathered(directory, plan, keyOf(directory, plan))).toBeDefined()
    harm()
    expect(readGathered(directory, plan, keyOf(directory, plan))).toBeUndefined()
    expect(filesOf(await again())).toEqual(filesOf(first))
  })

  it("is of the ledger that was read, whatever is appended meanwhile", () => {
    const [ledger, key] = [join(directory, "ledger.jsonl"), keyOf(directory, plan)]
    const text = readFileSync(ledger, "utf8")
    writeFileSync(ledger, `${text}\n`)
    writeGathered(directory, key, first.gathered, 1)
    expect(readGathered(directory, plan, keyOf(directory, plan))).toBeUndefined()
    writeFileSync(ledger, text)
    expect(readGathered(directory, plan, keyOf(directory, plan))).toBeDefined()
  })

  it("holds columns with as many values as a large run has items", () => {
    const [values, again] = [new Values(), new Values()]
    for (let item = 0; item < 200_000; item++) values.push(`item ${item}`)
    again.unpack(unpack(Buffer.concat([...pack(values.packed())])) as PackedColumn)
    expect([again.length, again.at(0), again.at(199_999)]).toEqual([200_000, "item 0", "item 199999"])
    again.push("item 7")
    expect(again.codeAt(200_000)).toBe(7)
  })

  it("is taken away with a smaller run", () => {
    writeGathered(directory, keyOf(directory, plan), first.gathered, 1)
    writeGathered(directory, keyOf(directory, plan), first.gathered)
    expect(existsSync(kept)).toBe(false)
    writeGathered(directory, keyOf(directory, plan), first.gathered, 1)
  })

  it("is done without where the disk does not take it", () => {
    rmSync(kept)
    mkdirSync(kept)
    writeGathered(directory, keyOf(directory, plan), first.gathered, 1)
    rmSync(kept, { recursive: true })
    expect(existsSync(kept)).toBe(false)
  })

  it("hides nothing that happened to the ledger since", async () => {
    writeGathered(directory, keyOf(directory, plan), first.gathered, 1)
    const ledger = join(directory, "ledger.jsonl")
    const text = readFileSync(ledger, "utf8")
    appendFileSync(ledger, "{}\n")
    expect((await failureOf(again())).what).toContain("the ledger cannot be trusted")
    rmSync(ledger)
    expect((await failureOf(again())).what).toContain("its ledger lacks")
    writeFileSync(ledger, text)
    expect((await again()).key).toBeUndefined()
  })
})

/** Puts another body behind the key, with its sum. */
function exchange(path: string, body: Buffer): void {
  const key = readFileSync(path).subarray(0, 64)
  const sum = createHash("sha256").update(body).digest("hex")
  writeFileSync(path, Buffer.concat([key, Buffer.from(sum), body]))
}

function corrupt(path: string, place: number): void {
  const bytes = readFileSync(path)
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
