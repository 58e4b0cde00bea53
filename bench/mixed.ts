/**
 * How long a mixed-effects logistic regression takes: 40,000 trials of 3,000 items, 6 models and 7 pools, without slopes and with slopes of framing by
 * model, beside lme4's glmer on the same rows where Rscript has it. Seconds of processor time, so that a busy machine changes little.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fitMixed } from "../runtime/mixed/fit.ts"
import { fitSeconds, sizeOf } from "../runtime/mixed/forecast.ts"
import { merge } from "../runtime/mixed/merge.ts"
import { generate, problemOf, type Row, type Spec } from "../test/mixed/generate.ts"
import { held, print, progress } from "./measures.ts"

const intercepts: Spec = {
  name: "random intercepts",
  seed: 40,
  pools: 7,
  items: 429,
  models: 6,
  framings: 4,
  keep: 0.555,
  intercept: 0.6,
  framing: [0, -0.4, 0.0, 0.9],
  sd: { model: 0.6, pool: 0.4, item: 1.0, modelSlope: 0.4 },
  fixed: ["framing"],
  random: ["model", "pool", "item"],
}
const slopes: Spec = {
  ...intercepts,
  name: "with slopes of framing by model",
  slopes: [{ factor: "framing", by: "model" }],
}

const rows = generate(intercepts)
const folder = mkdtempSync(join(tmpdir(), "cfx-mixed-"))
try {
  const file = join(folder, "rows.csv")
  writeFileSync(file, csv(rows))
  print(`${rows.length} rows, ${new Set(rows.map(({ item }) => item)).size} items, 6 models, 7 pools`)
  bench(intercepts, file, "y ~ framing + (1 | model) + (1 | pool) + (1 | item)")
  const dummies = [2, 3, 4].map((level) => `(0 + framing${level} | model)`).join(" + ")
  bench(slopes, file, `y ~ framing + (1 | model) + ${dummies} + (1 | pool) + (1 | item)`)
} finally {
  rmSync(folder, { recursive: true })
}

function bench(spec: Spec, file: string, formula: string): void {
  progress(`${spec.name}: here`)
  const before = process.cpuUsage()
  const problem = merge(problemOf(spec, rows))
  let evaluations = 0
  const fit = fitMixed(problem, { progress: (count) => (evaluations = count) })
  const { user, system } = process.cpuUsage(before)
  const own = (user + system) / 1e6
  print(`${spec.name}`)
  print(
    `  here: ${own.toFixed(2)} s, ${evaluations} evaluations, log-likelihood ${fit.logLikelihood!.toFixed(4)}`,
  )
  print(`  ${held(own, { most: 10 })}; forecast ${fitSeconds(sizeOf(problem)).toFixed(2)} s`)
  progress(`${spec.name}: glmer`)
  const said = spawnSync("Rscript", ["bench/mixed.R", file, formula], { encoding: "utf8" })
  if (said.status !== 0) {
    print(
      "  glmer: not measured, since Rscript with lme4 is not at hand (Debian: apt-get install r-cran-lme4)",
    )
    return
  }
  const [seconds, , logLikelihood, ...fixed] = said.stdout.trim().split(" ").map(Number)
  print(`  glmer: ${seconds!.toFixed(2)} s, log-likelihood ${logLikelihood!.toFixed(4)}`)
  print(`  glmer's time over ours: ${(seconds! / own).toFixed(1)}, ${held(seconds! / own, { least: 1 })}`)
  const off = Math.max(...fixed.map((value, at) => Math.abs(value - fit.fixed[at]!.estimate!)))
  print(`  largest difference of a coefficient: ${off.toExponential(1)}`)
}

function csv(all: readonly Row[]): string {
  const lines = all.map(({ y, framing, model, pool, item }) => [y, framing, model, pool, item].join(","))
  return `y,framing,model,pool,item\n${lines.join("\n")}\n`
}
