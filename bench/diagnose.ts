/**
 * How long a diagnosis takes: simulations of the floor's main grid at 500 items and six models, by the columns and by the naive twin, which makes a record
 * of every trial and takes the measures of a run of them.
 */
import { join } from "node:path"
import { compile } from "../compiler/compile.ts"
import { inventItems } from "../compiler/items/invent.ts"
import { designOf } from "../runtime/diagnose/design.ts"
import { drawTrials } from "../runtime/diagnose/draw.ts"
import { simulate } from "../runtime/diagnose/estimates.ts"
import { scopeOf } from "../runtime/diagnose/scope.ts"
import { sizedTo } from "../runtime/diagnose/sized.ts"
import { diskFiles } from "../runtime/disk/files.ts"
import type { TrialRecord } from "../runtime/record.ts"
import { naively, recordsIn } from "../test/diagnose/naive.ts"
import { held, median, print, shown } from "./measures.ts"

const ROUNDS = 7
const SIMULATIONS = 500
const CORES = 2

const here = process.cwd()
const files = diskFiles({ here, stdlib: join(here, "stdlib") })
const { program } = compile(join(here, "specs/floor/main.cfx"), files)
const main = program!.experiments.find(({ name }) => name === "main_grid")!
const { contrasts } = main
const experiment = {
  ...main,
  contrasts: contrasts.map((contrast) => ({
    ...contrast,
    by: ["paired", "pooled", { cells: ["model", "pool"] }] as const,
  })),
}
const pools = program!.pools.map((pool) => ({ ...pool, published: { ...pool.published, size: 72 } }))
const items = new Map(pools.map((pool) => [pool.name, inventItems(pool, [experiment])]))
const ends: TrialRecord[] = []
const request = { scope: scopeOf(experiment, false), models: program!.models, items }
const design = designOf(request, (leaf, record) => {
  ends[leaf] = record
})
if ("missing" in design) throw new Error("the main grid lacks assumptions")
const sized = sizedTo(design, 7 * 72)
const own = { ...program!, experiments: [design.experiment] }

const seconds = (work: () => void): number => {
  const { user, system } = process.cpuUsage()
  work()
  const after = process.cpuUsage({ user, system })
  return (after.user + after.system) / 1e6
}

const [columns, naive]: number[][] = [[], []]
for (let round = 0; round < ROUNDS; round++) {
  columns!.push(seconds(() => simulate(sized, 0, round)))
  const drawn = drawTrials(sized, 0, round)
  naive!.push(seconds(() => naively(own, design, recordsIn(sized, drawn, ends))))
}
const all = (median(columns!) * SIMULATIONS) / CORES
print(`${sized.trials.rows} trials, paired, pooled and by cells; seconds of a core a simulation`)
print(`columns: ${shown(columns!)}`)
print(`naive twin: ${shown(naive!)}, ${(median(naive!) / median(columns!)).toFixed(1)} times as long`)
print(`${SIMULATIONS} simulations on ${CORES} cores: ${all.toFixed(1)} s; ${held(all, { most: 60 })}`)
