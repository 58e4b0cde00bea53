/**
 * Option reads here against lm-eval's of the same prompts on the same cores: `bench/lmEval.sh [--items N] [--rounds N] [--model FILE.gguf]`, which installs lm-eval. Prompts are
 * those of the floor's main grid with the model's own answers (SmolLM2's), and the same behind five solved questions; both sides get token ids. lm-eval reads the
 * weights in single precision with the fastest of some batch sizes; here they are read in single precision too, and in Q8_0 and Q4_0.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { basename, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { parseArgs } from "node:util"
import type { Evaluator } from "../runtime/backend/evaluator.ts"
import type { LlamaOptions } from "../runtime/backend/llama.ts"
import type { Mode } from "../runtime/backend/scorer.ts"
import { weightsOf, widen } from "../runtime/precision/widen.ts"
import { withModel } from "../test/engine/support.ts"
import { smollm2 } from "../test/real/smollm2.ts"
import { floorOf, floorSpec } from "./floorRun.ts"
import { held, median, print, progress, shown } from "./measures.ts"
import { type OptionRead, optionReads, scored } from "./optionReads.ts"
import { idealTokens } from "./recorder.ts"

const project = process.cwd()
const script = join(project, "bench/lmEval.py")
const batchSizes = [1, 4, 8, 16, 32]
/** Prompts that batch sizes are tried on. */
const tried = 32

/** `least`: how many times as fast as lm-eval reads in Q8_0 are expected to be. */
const designs = [
  { title: "the floor's main grid", spec: floorSpec, least: 2.5 },
  { title: "the same behind five solved questions", spec: join(project, "bench/fiveShot.cfx"), least: 5 },
]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      python: { type: "string" },
      folder: { type: "string" },
      model: { type: "string" },
      items: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
    },
  })
  const { python, folder } = values
  if (python === undefined || folder === undefined) {
    console.error("usage: bench/lmEval.sh [--items N] [--rounds N] [--model FILE.gguf]")
    process.exitCode = 2
    return
  }
  const fetched = values.model === undefined ? await smollm2() : { path: resolve(values.model) }
  if ("missing" in fetched) {
    console.error(`SmolLM2 cannot be had: ${fetched.missing}`)
    process.exitCode = 3
    return
  }
  const files = await weightsIn(folder, fetched.path, python)
  progress("lm-eval opens the model")
  const lmEval = new LmEval(python, files.F32)
  try {
    for (const design of designs) await compare(lmEval, files, design, values)
  } finally {
    lmEval.end()
  }
}

type Files = Readonly<Record<"F32" | "Q8_0" | "Q4_0", string>>

/** The weights of a file in single precision and, from these, in two types that have fast kernels. Made once. */
async function weightsIn(folder: string, source: string, python: string): Promise<Files> {
  await mkdir(folder, { recursive: true })
  const made = async (kind: keyof Files, make: (target: string) => Promise<void>): Promise<string> => {
    const path = join(folder, `${basename(source, ".gguf")}.as.${kind}.gguf`)
    if (existsSync(path)) return path
    progress(`writing the weights as ${kind}`)
    const unfinished = `${path}.${process.pid}`
    await rm(unfinished, { force: true })
    await make(unfinished)
    await rename(unfinished, path)
    return path
  }
  const F32 = await made("F32", async (target) =>
    widen(await weightsOf(source), target, { passed: () => {}, signal: new AbortController().signal }),
  )
  const quantised = (kind: "Q8_0" | "Q4_0"): Promise<string> =>
    made(kind, async (target) => {
      const child = spawn(python, [script, "quantise", F32, target, kind], { stdio: "inherit" })
      const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve))
      if (code !== 0) throw new Error(`quantising to ${kind} ended with ${code}`)
    })
  return { F32, Q8_0: await quantised("Q8_0"), Q4_0: await quantised("Q4_0") }
}

async function compare(
  lmEval: LmEval,
  files: Files,
  { title, spec, least }: (typeof designs)[number],
  {
    items,
    rounds,
    model,
  }: { readonly items: string; readonly rounds: string; readonly model?: string | undefined },
): Promise<void> {
  const compiled = floorOf(Number(items), files.F32, { spec })
  const reads = await withModel(
    (model) => optionReads(model, compiled, (trials) => progress(`${title}: prompts of ${trials} trials`)),
    { threads: availableParallelism() },
    { name: "respondent", path: files.F32 },
  )
  const prompts = reads.map(({ tokens, labels }) => ({ tokens, labels }))
  const { threads, opening } = await lmEval.ask<Held>({ hold: prompts })
  progress(`${title}: lm-eval's batch sizes`)
  const { batch, seconds } = await lmEval.ask<Chosen>({ choose: batchSizes, few: tried })
  const ways = (["F32", "Q8_0", "Q4_0"] as const).flatMap((kind) =>
    (["exact", "fast"] as const).map((mode) => ({ kind, mode, found: [] as Taken[] })),
  )
  const theirs: Read[] = []
  for (let round = 0; round < Number(rounds); round += 1) {
    progress(`${title}: round ${round + 1} of ${rounds}, lm-eval`)
    theirs.push(await lmEval.ask<Read>({ read: true }))
    for (const { kind, mode, found } of ways) {
      progress(`${title}: round ${round + 1} of ${rounds}, ${kind} in ${mode} mode`)
      found.push(await taken(files[kind], mode, reads))
    }
  }
  const prompted = prompts.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const ideal = idealTokens({
    steps: prompts.map(({ tokens }) => [{ sequence: 0, at: 0, chunk: tokens, keep: [] }]),
  })
  const rate = median(theirs.map((read) => prompted / read.seconds))
  print(`${title}: ${items} items, ${reads.length} reads of ${(prompted / reads.length).toFixed(0)} tokens`)
  print(
    `  lm-eval 0.4.13, F32, ${threads} threads, batches of ${batch} (${Object.entries(seconds)
      .map(([size, took]) => `${size}: ${took.toFixed(1)} s`)
      .join(", ")} for ${Math.min(tried, reads.length)} reads; opened in ${opening.toFixed(0)} s)`,
  )
  print(
    `    ${median(theirs.map((read) => read.seconds)).toFixed(1)} s, ${rate.toFixed(0)} prompt tokens/s; of ${prompted} tokens ${ideal} are distinct (${(prompted / ideal).toFixed(2)})`,
  )
  for (const { kind, mode, found } of ways) {
    const gains = found.map(({ seconds }, round) => theirs[round]!.seconds / seconds)
    const raw = median(found.map((one) => one.rate))
    const expected = kind === "Q8_0" && model === undefined ? `, ${held(median(gains), { least })}` : ""
    print(`  cfx, ${kind}, ${mode} mode: ${shown(gains)} times as fast${expected}`)
    print(
      `    ${median(found.map((one) => one.seconds)).toFixed(1)} s, ${found[0]!.evaluated} tokens; largest difference of a probability ${largest(found[0]!, theirs[0]!).toExponential(2)}`,
    )
    print(
      `    the limit, were every token evaluated once and as fast as in batches of ${longest} (${raw.toFixed(0)} tokens/s): ${((prompted / ideal) * (raw / rate)).toFixed(2)}`,
    )
  }
}

interface Taken {
  readonly seconds: number
  readonly evaluated: number
  readonly probabilities: readonly (readonly number[])[]
  /** Tokens/s of whole batches. */
  readonly rate: number
}

/** Tokens of a batch, at most. */
const longest = 512

/** Opens the file, reads all of it, and evaluates some batches with nothing around them. */
async function taken(path: string, mode: Mode, reads: readonly OptionRead[]): Promise<Taken> {
  let evaluator: Evaluator | undefined
  const options: LlamaOptions = {
    mode,
    threads: availableParallelism(),
    wrap: (raw) => {
      evaluator = raw
      return raw
    },
  }
  return withModel(
    async (model) => {
      const start = performance.now()
      const answers = await scored(
        model,
        reads.map(({ request }) => request),
      )
      const seconds = (performance.now() - start) / 1000
      const tokens = reads.flatMap((read) => read.tokens)
      const chunk = Array.from({ length: longest }, (_, at) => tokens[at % tokens.length]!)
      const times: number[] = []
      for (let time = 0; time < 3; time += 1) {
        const begun = performance.now()
        await evaluator?.evaluate([{ sequence: 0, at: 0, chunk, keep: [] }])
        times.push(performance.now() - begun)
      }
      return {
        seconds,
        evaluated: answers.reduce((sum, answer) => sum + answer.evaluated, 0),
        probabilities: answers.map((answer) => answer.probabilities),
        rate: (1000 * longest) / median(times),
      }
    },
    options,
    { name: "respondent", path },
  )
}

function largest({ probabilities }: Taken, { loglikelihoods }: Read): number {
  let most = 0
  for (const [at, ours] of probabilities.entries()) {
    const raw = loglikelihoods[at]!.map(Math.exp)
    const sum = raw.reduce((all, one) => all + one, 0)
    for (const [label, p] of ours.entries()) most = Math.max(most, Math.abs(p - raw[label]! / sum))
  }
  return most
}

interface Held {
  readonly threads: number
  readonly opening: number
}

interface Chosen {
  readonly batch: number
  readonly seconds: Readonly<Record<string, number>>
}

interface Read {
  readonly seconds: number
  readonly loglikelihoods: readonly (readonly number[])[]
}

/** `lmEval.py serve`: one line asks, one line answers. */
class LmEval {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor(python: string, model: string) {
    const environment = { ...process.env, HF_HUB_OFFLINE: "1", TOKENIZERS_PARALLELISM: "false" }
    this.#child = spawn(python, [script, "serve", model], {
      stdio: ["pipe", "pipe", "inherit"],
      env: environment,
    })
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]()
  }

  async ask<Answer>(question: object): Promise<Answer> {
    this.#child.stdin!.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await this.#lines.next()
    if (done) throw new Error("lm-eval ended: its own words are above")
    return JSON.parse(value) as Answer
  }

  end(): void {
    this.#child.stdin!.end()
  }
}

await main()
