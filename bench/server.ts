/**
 * How far the same model's reads on llama.cpp's server are from those in this process: `npm run bench:server -- ADDRESS MODEL.gguf [ITEMS]`, with a server that
 * `bench/llamaServer.sh MODEL.gguf` has started. Asks the quickstart's reads of both; later turns hold what this process answered. Twice here: as a run
 * does (exact mode), and each prompt from its start in one piece, as the server reads it, since flash attention rounds by the pieces that it is given.
 */
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { compile } from "../compiler/compile.ts"
import { expandEach } from "../compiler/expand.ts"
import { askAt, conversationAt } from "../compiler/prompt.ts"
import type { Reading } from "../compiler/trial.ts"
import { wavesOf } from "../compiler/waves.ts"
import {
  Backend,
  type ChatModel,
  type ReadAnswer,
  type ReadRequest,
  type TokenModel,
} from "../runtime/backend/backend.ts"
import { servedModel } from "../runtime/backend/http/http.ts"
import { type LlamaOptions, llamaBackend } from "../runtime/backend/llama.ts"
import { diskFiles } from "../runtime/disk/files.ts"
import { promptId } from "../runtime/read/key.ts"
import { prepare } from "../runtime/read/prepare.ts"
import { readingOf } from "../runtime/read/reading.ts"

const project = process.cwd()

async function main([address, path, count = "10"]: readonly string[]): Promise<void> {
  if (address === undefined || path === undefined) {
    console.error("usage: npm run bench:server -- ADDRESS MODEL.gguf [ITEMS]")
    process.exitCode = 2
    return
  }
  const exact = await compared(address, path, Number(count), { mode: "exact" }, (model) => model.score)
  console.log(`against a run's reads (exact mode): ${inWords(exact)}`)
  const whole = await compared(address, path, Number(count), { mode: "fast" }, (model) => model.scoreCold)
  console.log(`against prompts read in one piece: ${inWords(whole)}`)
}

interface Compared {
  reads: number
  /** Largest differences of a renormalised probability, and of the mass of all labels. */
  probability: number
  mass: number
  /** Answers that differ. */
  flips: number
  /** Labels that the server did not list, and reads that it could not give. */
  censored: number
  invalid: number
  /** Milliseconds on either side. */
  here: number
  there: number
}

const inWords = (found: Compared): string => {
  const { reads, probability, mass, flips, censored, invalid, here, there } = found
  const each = (milliseconds: number): string => `${(milliseconds / reads).toFixed(1)} ms`
  return `${reads} reads, largest difference of a probability ${probability.toExponential(2)}, of a mass ${mass.toExponential(2)}; ${flips} answers differ, ${censored} labels are censored, ${invalid} reads have no answer; ${each(here)} a read here, ${each(there)} there`
}

const compared = (
  address: string,
  path: string,
  limit: number,
  options: LlamaOptions,
  scoring: (model: TokenModel) => TokenModel["score"],
): Promise<Compared> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const backend = yield* Backend
      const model = yield* backend.load({ name: "respondent", path })
      if (model.kind !== "tokens") throw new Error("the file was not opened in this process")
      const server = yield* servedModel({ name: "respondent", path: address, served: { name: "respondent" } })
      return yield* Effect.promise(() => walk(model, scoring(model), server, limit))
    }).pipe(Effect.scoped, Effect.provide(llamaBackend(options))),
  )

async function walk(
  model: TokenModel,
  score: TokenModel["score"],
  server: ChatModel,
  limit: number,
): Promise<Compared> {
  const found: Compared = {
    reads: 0,
    probability: 0,
    mass: 0,
    flips: 0,
    censored: 0,
    invalid: 0,
    here: 0,
    there: 0,
  }
  const seen = new Set<string>()
  const { program, items } = compile(
    join(project, "specs/quickstart.cfx"),
    diskFiles({ here: project, stdlib: join(project, "stdlib") }),
  )
  for (const experiment of program?.experiments ?? []) {
    for (const trial of expandEach(experiment, items, { limit })) {
      const readings: Record<string, Reading> = {}
      for (const { name } of wavesOf(experiment).flat()) {
        const conversation = conversationAt(trial, name, readings)
        if ("skipped" in conversation) continue
        const ask = askAt(trial, name)
        const own = prepare(model, conversation, ask)
        const other = prepare(server, conversation, ask)
        if ("problem" in own || own.kind !== "read" || "problem" in other || other.kind !== "chat") continue
        const [here, took] = await timed(() => answer(score, own.request))
        readings[name] = readingOf(ask, here)
        const id = promptId("", conversation, ask)
        if (seen.has(id)) continue
        seen.add(id)
        const [there, waited] = await timed(async () =>
          onlyOne(await Effect.runPromise(Stream.runCollect(server.answer([other.request])))),
        )
        found.here += took
        found.there += waited
        compare(found, here, there as ReadAnswer)
      }
    }
  }
  return found
}

function compare(found: Compared, here: ReadAnswer, there: ReadAnswer): void {
  found.reads += 1
  if (there.invalid !== undefined) {
    found.invalid += 1
    return
  }
  const hidden = new Set(there.censored?.labels)
  found.censored += hidden.size
  // Over the labels that both have.
  const share = here.probabilities.reduce((sum, p, index) => (hidden.has(index) ? sum : sum + p), 0)
  for (const [index, p] of here.probabilities.entries()) {
    if (hidden.has(index)) continue
    found.probability = Math.max(
      found.probability,
      Math.abs(p / share - (there.probabilities[index] as number)),
    )
  }
  found.mass = Math.max(found.mass, Math.abs(here.mass * share - there.mass))
  if (best(here.probabilities) !== best(there.probabilities)) found.flips += 1
}

const best = (probabilities: readonly number[]): number => probabilities.indexOf(Math.max(...probabilities))

const answer = async (score: TokenModel["score"], request: ReadRequest): Promise<ReadAnswer> =>
  onlyOne(await Effect.runPromise(Stream.runCollect(score([request]))))

const onlyOne = <A>(answers: readonly A[]): A => {
  const [one] = answers
  if (one === undefined || answers.length > 1) throw new Error(`${answers.length} answers to one question`)
  return one
}

async function timed<A>(work: () => Promise<A>): Promise<readonly [A, number]> {
  const started = performance.now()
  const result = await work()
  return [result, performance.now() - started]
}

await main(process.argv.slice(2))
