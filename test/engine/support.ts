/** What the engine's tests share: the pocket respondent, its reference conversations, and running reads. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Stream } from "effect"
import type { Conversation } from "../../compiler/conversation.ts"
import type { Closed } from "../../compiler/trial.ts"
import {
  Backend,
  type ModelFile,
  type ReadAnswer,
  type ReadRequest,
  type TokenModel,
} from "../../runtime/backend/backend.ts"
import { type LlamaOptions, llamaBackend } from "../../runtime/backend/llama.ts"
import { type PreparedRead, prepare, type Unreadable } from "../../runtime/read/prepare.ts"
import type { ReadAsk } from "../../runtime/read/reading.ts"

export const pocketFile: ModelFile = {
  name: "pocket",
  path: fileURLToPath(new URL("../../stdlib/models/pocket/pocket.gguf", import.meta.url)),
  bytes: 2930272,
  sha256: "cebaac6056b597483f71d359876809ec18419b31e190ec0a26d7ba1572025af8",
}

/** A whole conversation with its option distribution by PyTorch, over the same weights. */
export interface ReferenceRow {
  readonly conversation: Conversation
  readonly ask: ReadAsk
  readonly p: readonly number[]
  readonly mass: number
  readonly tokens: number
}

export function referenceRows(): readonly ReferenceRow[] {
  const file = readFileSync(new URL("./reference.jsonl", import.meta.url), "utf8")
  return file
    .trim()
    .split("\n")
    .map((line) => {
      const row = JSON.parse(line) as {
        system?: string
        turns: [user: string, assistant: string][]
        labels: string[]
        p: number[]
        mass: number
        tokens: number
      }
      return {
        conversation: conversationOf(row.turns, row.system),
        ask: { kind: "option", labels: row.labels, follow: "" },
        p: row.p,
        mass: row.mass,
        tokens: row.tokens,
      }
    })
}

export function conversationOf(
  turns: readonly (readonly [user: string, assistant: string])[],
  system?: string,
): Conversation {
  const pairs = turns.map(([user, assistant]) => ({ user: closed(user), assistant: closed(assistant) }))
  return system === undefined ? { turns: pairs } : { system: closed(system), turns: pairs }
}

export const closed = (text: string): Closed => [
  { kind: "text", text, from: { kind: "declaration", declaration: "test", file: "test", line: 1 } },
]

/** Loads a model, uses it, and lets it go. */
export function withModel<A>(
  use: (model: TokenModel) => Promise<A>,
  options: LlamaOptions = {},
  file: ModelFile = pocketFile,
): Promise<A> {
  const program = Effect.gen(function* () {
    const backend = yield* Backend
    const model = yield* backend.load(file)
    if (model.kind !== "tokens") return yield* Effect.die(new Error("a file was opened as a server"))
    return yield* Effect.promise(() => use(model))
  })
  return Effect.runPromise(Effect.scoped(program.pipe(Effect.provide(llamaBackend(options)))))
}

/** Answers in the order of the requests, and all tokens that were evaluated for them. */
export async function scoreAll(
  model: TokenModel,
  requests: readonly ReadRequest[],
): Promise<{ readonly answers: readonly ReadAnswer[]; readonly evaluated: number }> {
  const answers = await Effect.runPromise(Stream.runCollect(model.score(requests)))
  const byKey = new Map(answers.map((answer) => [answer.key, answer]))
  return {
    answers: requests.map((request) => byKey.get(request.key)!),
    evaluated: answers.reduce((sum, answer) => sum + answer.evaluated, 0),
  }
}

export function prepared(model: TokenModel, conversation: Conversation, ask: ReadAsk): PreparedRead {
  const result = prepare(model, conversation, ask)
  if (isUnreadable(result)) throw new Error(result.problem)
  return result
}

export const isUnreadable = (result: PreparedRead | Unreadable): result is Unreadable => "problem" in result
