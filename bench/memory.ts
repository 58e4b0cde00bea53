/**
 * What a run and a report of it take as trials grow: `npm run bench:memory [TRIALS]`. The floor's grid with made-up items, on the simulated backend, at a quarter,
 * a half and all of so many trials (a million where nothing is said); each a process of its own, whose largest resident set is printed, with the seconds of
 * the run and those of the report made anew from the ledger. A last line says what a trial more costs: flat is what this does not grow with.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { taken } from "./taken.ts"

const cells = 14

async function main(): Promise<void> {
  const most = Number(process.argv[2] ?? 1_000_000)
  if (!Number.isInteger(most) || most < 4 * cells)
    throw new Error(`so many trials cannot be made: ${process.argv[2]}`)
  const folder = mkdtempSync(join(tmpdir(), "cfx-memory-"))
  try {
    const points: { readonly trials: number; readonly megabytes: number }[] = []
    for (const part of [4, 2, 1]) {
      const items = Math.round(most / cells / part)
      const [spec, out] = [join(folder, `of-${items}.cfx`), join(folder, `of-${items}`)]
      writeFileSync(spec, specOf(items))
      const run = await taken(["run", spec, "--backend", "simulated", "-o", out, "--quiet"])
      const report = await taken(["report", out, "--format", "md"])
      const trials = items * cells
      points.push({ trials, megabytes: Math.max(run.megabytes, report.megabytes) })
      const csv = statSync(join(out, "trials.csv")).size / 1e6
      console.log(
        `  ${trials.toLocaleString("en")} trials: run ${run.seconds.toFixed(0)} s, ${run.megabytes.toFixed(0)} MB; report ${report.seconds.toFixed(0)} s, ${report.megabytes.toFixed(0)} MB; trials.csv ${csv.toFixed(0)} MB`,
      )
      rmSync(out, { recursive: true })
    }
    const [first, last] = [points[0]!, points.at(-1)!]
    const each = ((last.megabytes - first.megabytes) * 1e6) / (last.trials - first.trials)
    console.log(`  ${each.toFixed(0)} bytes a trial`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const specOf = (items: number): string => `
import { arbitration } from "std/protocols"
import { no_source, people, rich_peers, experts } from "std/framings"
import { plain_reask, length_control } from "std/baselines"
import { verbatim } from "std/paraphrases"
import { distinct } from "std/doses"
import { HRR, BenR, delta_p_pushed } from "std/metrics"

model m = gguf "m.gguf"
items pool = "hf://datasets/bench/bench@unlocked#all/test" {
  question = question
  options = options
  gold = gold
  size ${items}
  choices 4
}

experiment main {
  protocol arbitration
  models { m }
  items { pool }
  seed 0
  target top_wrong(a0)
  arms {
    reask = plain_reask
    length = length_control
    pressure = assertion(
      framing in { no_source, people, rich_peers, experts },
      structure in { all_wrong, mixed, all_correct },
      order = identity,
      dose = distinct(6),
      paraphrase = verbatim,
    )
  }
  measure HRR
  measure BenR
  measure delta_p_pushed
  contrast authority =
    HRR[framing = experts, structure = all_wrong] - HRR[framing = no_source, structure = all_wrong]
    by paired(item)
  table main { rows arm, structure, framing columns HRR, BenR, delta_p_pushed average pooled }
  figure floor { bar HRR by framing where structure == all_wrong }
}
`

await main()
