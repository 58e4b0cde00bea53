/**
 * What a report takes: `npm run bench:report [TRIALS]`, 210,000 where nothing is said. The floor's main grid over made-up items, simulated once and kept
 * where the system has its temporary files; then `cfx report` as a process, and its parts in this one, each with the seconds of the processor that it took: reading the ledger and gathering the trials, measuring, and each file.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { measure } from "../runtime/measure/measure.ts"
import { reportFiles } from "../runtime/report/write.ts"
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

  progress("cfx report, as a process")
  const { seconds, megabytes } = await taken(["report", directory], WHOLE)
  print(`report of ${(items * conditions * 6).toLocaleString("en")} trials`)
  print(`  seconds: ${seconds.toFixed(1)} (${held(seconds, { most: SECONDS })})`)
  print(`  megabytes: ${megabytes.toFixed(0)} (${held(megabytes, { most: MEGABYTES })})`)

  print("its parts")
  const outcome = await timed("ledger, trials and measures", () =>
    Effect.runPromise(rebuild({ directory, version: "0", write: false })),
  )
  const { program, tables } = outcome.report
  await timed("measures, once more", () => measure(program, tables))
  const made = await timed("what the files are made from", () => reportFiles(outcome.report))
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
