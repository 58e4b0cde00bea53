/** Specs as they are written, compiled beside a small pool and carried out on the simulated engine. */
import { Effect, Layer, Stream } from "effect"
import { compile } from "../../compiler/compile.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import type { HoleIR } from "../../compiler/ir.ts"
import { Backend, type TextRequest, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import type { EnvironmentFailure } from "../../runtime/failure.ts"
import type { Engine } from "../../runtime/run/plan.ts"
import { type RunOutcome, type RunRequest, run } from "../../runtime/run/run.ts"
import { inMemory } from "../diagnostics/examples.ts"
import { silently } from "./request.ts"

const questions = (count: number): string =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({ question: `What is ${n} + 1?`, options: [`${n}`, `${n + 1}`, `${n + 2}`], gold: "B" }),
  ).join("\n")

const POOL = `items sums = "pool.jsonl" { question = question options = options gold = gold }
`

/** A spec over the pool `sums` (gold is always B, the second of three options), without errors. */
export function compiled(spec: string, items = 4): RunRequest["compiled"] {
  const files = inMemory({ "pool.jsonl": questions(items), "spec.cfx": POOL + spec })
  const result = compile("/spec/spec.cfx", files)
  const { program, hash } = result
  if (program === undefined || hash === undefined) {
    throw new Error(result.diagnostics.map((one) => render(one, { color: false })).join("\n\n"))
  }
  return { ...result, program, hash }
}

/** A protocol with an option before and after a text, which a model judges; with its models. `user`: what is said to the first answer. */
export const doubt = (user = "Are you sure?"): string => `
model respondent = gguf "r.gguf"
model grader = gguf "g.gguf"
protocol doubt {
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "Answer: {a0: option}"
  }
  turn second continues first {
    user "${user}"
    assistant "{reply: text}"
    read reply { max 30 }
  }
  turn third continues second {
    user "So?"
    assistant "{a1: option}"
  }
  judge v0 = right(reply) by grader
}
judge right(reply) {
  user "Answer: {reply} Is it right?"
  assistant "{verdict: label(yes, no)}"
  gold yes
}
`

/** What was put to the engine, in order. */
export interface Asked {
  /** Models, each time that one was opened. */
  readonly opened: string[]
  readonly reads: { readonly model: string; readonly prompt: string }[]
  readonly texts: { readonly model: string; readonly prompt: string; readonly request: TextRequest }[]
}

/** A backend that writes down what it is asked, and stops the run after so many answers. */
export function watching(stopAfter = Number.POSITIVE_INFINITY) {
  const asked: Asked = { opened: [], reads: [], texts: [] }
  let answers = 0
  const stopping = <A>(stream: Stream.Stream<A, EnvironmentFailure>) =>
    Stream.mapEffect(stream, (answer) => (answers++ < stopAfter ? Effect.succeed(answer) : Effect.interrupt))
  const watched = (model: TokenModel): TokenModel => {
    const promptOf = (chunks: readonly (readonly number[])[]): string =>
      chunks.flat().map(model.vocabulary.detokenize).join("")
    const { name } = model
    return {
      ...model,
      score: (reads) => {
        asked.reads.push(...reads.map(({ chunks }) => ({ model: name, prompt: promptOf(chunks) })))
        return stopping(model.score(reads))
      },
      generate: (texts) => {
        for (const request of texts)
          asked.texts.push({ model: name, prompt: promptOf(request.chunks), request })
        return stopping(model.generate(texts))
      },
    }
  }
  const layer = Layer.succeed(Backend, {
    load: (file) =>
      Effect.sync(() => {
        asked.opened.push(file.name)
        return watched(simulatedModel(file))
      }),
  })
  return { asked, layer }
}

export interface Carried {
  readonly items?: number
  readonly engine?: Engine
  readonly layer?: Layer.Layer<Backend>
}

export const requestOf = (
  directory: string,
  spec: string,
  { items = 4, engine = "simulated" }: Carried = {},
) => ({
  compiled: compiled(spec, items),
  directory,
  engine,
  mode: "exact" as const,
  ...silently,
})

/** Carries a spec out into a directory. */
export const carryOut = (directory: string, spec: string, options: Carried = {}): Promise<RunOutcome> =>
  Effect.runPromise(
    run(requestOf(directory, spec, options)).pipe(Effect.provide(options.layer ?? watching().layer)),
  )

/** The status of a hole in each record. */
export const statuses = ({ records }: RunOutcome, hole: HoleIR["name"]): readonly string[] =>
  records.map(({ readings }) => readings[hole]?.status ?? "none")
