/**
 * How long the compiler takes: `npm run bench:language`. Each is measured at one, two and four times its size, and printed with how it grows:
 * 1.00 is in proportion. Medians of several runs of a warm process, but for `cfx check`, which is a process of its own.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { compile } from "../compiler/compile.ts"
import { countsOf } from "../compiler/counts/counts.ts"
import type { Files } from "../compiler/files.ts"
import { countPools } from "../compiler/items/count.ts"
import { parse } from "../grammar/parse.ts"

const root = process.cwd()
const ROUNDS = 9

async function main(): Promise<void> {
  console.log("A generated spec, parsed and checked (warm; 10,000 lines: at most 150 ms)")
  grow([2500, 5000, 10_000], "lines", (lines) => {
    const text = longSpec(lines)
    const files = memory(text)
    const parsing = median(() => parse({ name: "long.cfx", text }))
    const checking = median(() => sound(files))
    return { ms: checking, also: `parsing alone ${parsing.toFixed(0)} ms` }
  })

  console.log("\nA plan, counted without tokens (warm; 1,000,000 trials: at most 3 s and 1 GB)")
  grow([250_000, 500_000, 1_000_000], "trials", (trials) => {
    const { program } = sound(memory(grid(trials)))
    let counted = 0
    const ms = median(() => {
      counted = countsOf(program, countPools(program.pools, new Map())).trials
    })
    if (counted !== trials) throw new Error(`${counted} trials were counted, not ${trials}`)
    return { ms, also: `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB in all` }
  })

  const specs = readdirSync(join(root, "specs/floor"))
    .filter((name) => name.endsWith(".cfx"))
    .map((name) => join("specs/floor", name))
  console.log(`\ncfx check of the ${specs.length} specs of the floor, a process (at most 800 ms)`)
  const bare = median(() => process_(["-e", ""]))
  const ms = median(() => process_([join(root, "dist/cfx.js"), "check", ...specs]))
  console.log(`  ${ms.toFixed(0)} ms, ${(ms / bare).toFixed(1)} times bare node (${bare.toFixed(0)} ms)`)
}

function process_(words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}:\n${stderr}`)
}

/** Prints a measurement at each size, and the exponent by which time grows from one to the next. */
function grow(
  sizes: readonly number[],
  unit: string,
  measured: (size: number) => { readonly ms: number; readonly also: string },
): void {
  let before: { readonly size: number; readonly ms: number } | undefined
  for (const size of sizes) {
    const { ms, also } = measured(size)
    const growth =
      before === undefined
        ? ""
        : `, growth ${(Math.log(ms / before.ms) / Math.log(size / before.size)).toFixed(2)}`
    console.log(`  ${size.toLocaleString("en")} ${unit}: ${ms.toFixed(1)} ms${growth}; ${also}`)
    before = { size, ms }
  }
}

function median(work: () => unknown): number {
  work()
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  }).sort((a, b) => a - b)
  return times[(ROUNDS - 1) / 2]!
}

const entry = "/bench/long.cfx"

const memory = (text: string): Files => ({
  stdlib: join(root, "stdlib"),
  show: (path) => path,
  read: (path) => {
    if (path === entry) return { text }
    try {
      return { text: readFileSync(path, "utf8") }
    } catch {
      return { problem: "no such file" }
    }
  },
  list: () => ({ problem: "no such folder" }),
  packaged: () => ({ problem: "no such package" }),
})

function sound(files: Files) {
  const { program, diagnostics } = compile(entry, files)
  if (program === undefined)
    throw new Error(
      `the generated spec has errors: ${diagnostics
        .map(({ code, label }) => `${code} ${label}`)
        .slice(0, 5)
        .join("; ")}`,
    )
  return { program }
}

const head = `
import { arbitration } from "std/protocols"
import { no_source, people, rich_peers, experts } from "std/framings"
import { plain_reask, length_control } from "std/baselines"
import { verbatim } from "std/paraphrases"
import { distinct } from "std/doses"
import { HRR, BenR } from "std/metrics"

model m = gguf "m.gguf"
items pool = "hf://datasets/bench/bench@unlocked#all/test" {
  question = question
  options = options
  gold = gold
  size 1000000
  choices 4
}
`

const experiment = (name: string, framings: string, sample: number, models = "m"): string => `
experiment ${name} {
  protocol arbitration
  models { ${models} }
  items { pool sample ${sample} }
  seed 0
  target top_wrong(a0)
  arms {
    reask = plain_reask
    length = length_control
    pressure = assertion(
      framing in { ${framings} },
      structure in { all_wrong, mixed, all_correct },
      order = identity,
      dose = distinct(6),
      paraphrase = verbatim,
    )
  }
  measure HRR
  measure BenR
  contrast authority =
    HRR[framing = experts, structure = all_wrong] - HRR[framing = no_source, structure = all_wrong]
    by paired(item)
  table main { rows arm, structure, framing columns HRR, BenR average pooled }
  figure floor { bar HRR by framing where structure == all_wrong }
  expect authority > 0
}
`

/** So many lines: framings, blocks, metrics and experiments in the proportions of a long spec. */
function longSpec(lines: number): string {
  const parts = [head]
  let count = head.split("\n").length
  for (let index = 0; count < lines; index += 1) {
    const part = `
/// Number ${index}: somebody says it.
framing said_${index} extends people {
  preamble "Group ${index} has shared its answers:"
  line "Member {i} of group ${index}: {assertion}"
  reconstructed "generated"
}

block pause_${index} {
  text """
    Please think again, for the ${index}th time.
    Question: {item.question}
    """
  reconstructed "generated"
}

metric sure_${index}(first = a0, second = a1) {
  rate second.confidence > 0.5 and second != item.gold
  given first == item.gold
  interval wilson 95
}
${experiment(`e${index}`, `no_source, people, experts, said_${index}`, 10)}`
    parts.push(part)
    count += part.split("\n").length - 1
  }
  return parts.join("")
}

/** One experiment of so many trials: 14 cells, 5 models, and as many items as it takes; the rest in a second one of one cell. */
function grid(trials: number): string {
  const names = ["m1", "m2", "m3", "m4", "m5"]
  const cells = 14
  const sample = Math.floor(trials / (cells * names.length))
  const rest = trials - sample * cells * names.length
  return [
    head,
    ...names.map((name) => `model ${name} = gguf "${name}.gguf"\n`),
    experiment("main", "no_source, people, rich_peers, experts", sample, names.join(", ")),
    rest === 0
      ? ""
      : `experiment rest {
  protocol arbitration
  models { m }
  items { pool sample ${rest} }
  seed 0
  target top_wrong(a0)
  arms { reask = plain_reask }
  measure HRR
}
`,
  ].join("")
}

await main()
