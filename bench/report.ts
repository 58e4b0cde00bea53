/**
 * What a report takes: `npm run bench:report [TRIALS]`, 210,000 where nothing is said. The floor's main grid over made-up items, simulated once and kept
 * where the system has its temporary files; then `cfx report` as a process, without and with what the run keeps of its records (`gatheredFile.ts`), and
 * its parts in this one, each with the seconds of the processor that it took.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { measure } from "../runtime/measure/measure.ts"
import { reportFiles } from "../runtime/report/write.ts"
import { files, readKept } from "../runtime/run/directory.ts"
import { gathered } from "../runtime/run/gathered.ts"
import { readLedger } from "../runtime/run/readLedger.ts"
import { rebuild } from "../runtime/run/run.ts"
import { held, print, progress } from "./measures.ts"
import { conditions, reportSpec } from "./reportSpec.ts"
import { taken } from "./taken.ts"

/** What the customer asks for: a report of 200,000 trials. */
const SECONDS = 10
const MEGABYTES = 1500

/** Exit codes of a whole report: all well, and an expectation that does not hold. */
const WHOLE = [0, 100]

async function main(): Promise<void> {
  const items = Math.round(Number(process.argv[2] ?? 210_000) / conditions / 6)
  if (!(items >= 10)) throw new Error(`so many trials cannot be made: ${process.argv[2]}`)
  const directory = await runOf(items)

  print(`report of ${(items * conditions * 6).toLocaleString("en")} trials`)
  rmSync(join(directory, files.gathered), { force: true })
  progress("cfx report, as a process, from the ledger alone")
  const naive = await taken(["report", directory], WHOLE)
  print(`  from the ledger alone: ${naive.seconds.toFixed(1)} s, ${naive.megabytes.toFixed(0)} megabytes`)
  progress("cfx report, as a process, with what is kept of the records")
  const { seconds, megabytes } = await taken(["report", directory], WHOLE)
  print(`  seconds: ${seconds.toFixed(1)} (${held(seconds, { most: SECONDS })})`)
  print(`  megabytes: ${megabytes.toFixed(0)} (${held(megabytes, { most: MEGABYTES })})`)
  print(`  from the ledger alone over it: ${(naive.seconds / seconds).toFixed(2)}`)

  print("its parts")
  const { plan, items: pools } = readKept(directory)
  const answers = await timed("the ledger", () => readLedger(join(directory, files.ledger)))
  const { tables } = await timed("trials, gathered", () => gathered(plan, pools, answers))
  const { report } = await Effect.runPromise(rebuild({ directory, version: "0", write: false }))
  await timed("measures", () => measure(plan.program, tables))
  const made = await timed("what the files are made from", () => reportFiles(report))
  for (const [name, pieces] of Object.entries(made)) {
    await timed(name, () => {
      let bytes = 0
      for (const piece of pieces) bytes += Buffer.byteLength(piece)
      return bytes
    })
  }
}

/** The folder of a finished run over so many items, which is made where there is none. */
async function runOf(items: number): Promise<string> {
  const folder = join(tmpdir(), "cfx-bench")
  const directory = join(folder, `floor-${items}`)
  if (existsSync(join(directory, "results.json"))) return directory
  progress("a simulated run, which is kept")
  mkdirSync(folder, { recursive: true })
  const spec = join(folder, `floor-${items}.cfx`)
  writeFileSync(spec, reportSpec(items))
  await taken(["run", spec, "--backend", "simulated", "-o", directory, "--quiet"], WHOLE)
  return directory
}

async function timed<Value>(what: string, work: () => Value | Promise<Value>): Promise<Value> {
  progress(what)
  const [started, used] = [performance.now(), process.cpuUsage()]
  const value = await work()
  const { user, system } = process.cpuUsage(used)
  const [wall, busy] = [(performance.now() - started) / 1000, (user + system) / 1e6]
  print(`  ${what}: ${wall.toFixed(2)} s (processor ${busy.toFixed(2)})`)
  return value
}

await main()
