/** One wave of reads of one model: prepared, deduplicated, counted, sent, and written down. */
import { Effect, Stream } from "effect"
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { LoadedModel, ReadAnswer, ReadRequest } from "../backend/backend.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { type Prepared, prepare, type Unreadable } from "../read/prepare.ts"
import type { Ledger } from "./ledger.ts"
import type { AnswerLine } from "./ledgerLine.ts"

/** A prompt that nothing has answered. */
export interface OpenRead {
  readonly prompt: string
  readonly conversation: Conversation
  readonly ask: Ask
  /** For whom it is asked, in words: the item and the hole. */
  readonly about: string
}

/** A model at work, and what has been done with it. */
export interface Session {
  readonly model: LoadedModel
  readonly ledger: Ledger
  /** Prompts that were prepared ahead of their wave. Taken out when used. */
  readonly ahead: Map<string, Prepared>
  readonly hooks: WaveHooks
}

export interface WaveHooks {
  /** Reads are about to be put to the engine. */
  readonly asking: () => void
  /** A read was answered by the engine, which evaluated so many tokens for it. */
  readonly answered: (tokens: number) => void
  /** A prompt cannot be asked. Called before its wave is sent. */
  readonly unreadable: (read: OpenRead, problem: string) => void
}

const isUnreadable = (prepared: Prepared | Unreadable): prepared is Unreadable => "problem" in prepared

/** Prepares a prompt. One that cannot be asked is named and written down, so that it is an invalid read and not asked again. */
export const prepareRead = Effect.fnUntraced(function* (session: Session, read: OpenRead) {
  const { model, ledger, ahead, hooks } = session
  const early = ahead.get(read.prompt)
  if (early !== undefined) {
    ahead.delete(read.prompt)
    return early
  }
  const prepared = prepare(model, read.conversation, read.ask)
  if (!isUnreadable(prepared)) return prepared
  hooks.unreadable(read, prepared.problem)
  yield* ledger.append({
    kind: "unreadable",
    prompts: [read.prompt],
    model: model.name,
    fingerprint: model.fingerprint,
    why: prepared.kind,
    problem: prepared.problem,
  })
  return undefined
})

/** A distinct read of a wave, and all prompts of the wave that come to it. */
interface Asked {
  readonly request: ReadRequest
  readonly ask: Ask
  readonly prompts: string[]
}

/**
 * Asks all of `reads`: afterwards the ledger knows each prompt. Prompts that come to the same tokens and ask are one read, and one that
 * was answered before is not asked again. What the engine evaluates must be what it counted beforehand: anything else is a defect.
 */
export const askWave = Effect.fnUntraced(function* (session: Session, reads: readonly OpenRead[]) {
  const { model, ledger, hooks } = session
  const wave = yield* gather(session, reads)
  if (wave.size === 0) return
  const requests = [...wave.values()].map(({ request }) => request)
  const counted = model.count(requests)
  let evaluated = 0
  const accept = (answer: ReadAnswer): Effect.Effect<void, EnvironmentFailure> =>
    Effect.suspend(() => {
      const asked = wave.get(answer.key)
      if (asked === undefined) return defect(model, `it answered a read that is not open: ${answer.key}`)
      wave.delete(answer.key)
      evaluated += answer.evaluated
      const line = lineOf(model, asked, answer)
      if (line === undefined) return defect(model, `its answer to ${answer.key} is no distribution`)
      return ledger.append(line).pipe(Effect.tap(() => Effect.sync(() => hooks.answered(answer.evaluated))))
    })
  hooks.asking()
  // An answer that has been taken from the engine reaches the ledger, whatever comes.
  yield* Stream.runForEach(model.score(requests), (answer) => Effect.uninterruptible(accept(answer)))
  if (wave.size > 0)
    return yield* defect(model, `it left ${wave.size} of ${requests.length} reads unanswered`)
  if (evaluated !== counted) {
    return yield* defect(
      model,
      `it evaluated ${evaluated} tokens for a wave of ${requests.length} reads that was counted as ${counted}`,
    )
  }
})

/** The distinct reads that are left to ask, in the order of the prompts. */
const gather = Effect.fnUntraced(function* (session: Session, reads: readonly OpenRead[]) {
  const { model, ledger } = session
  const seen = new Set<string>()
  const wave = new Map<string, Asked>()
  for (const read of reads) {
    if (seen.has(read.prompt)) continue
    seen.add(read.prompt)
    const prepared = yield* prepareRead(session, read)
    if (prepared === undefined) continue
    const { request } = prepared
    const asked = wave.get(request.key)
    if (asked !== undefined) {
      asked.prompts.push(read.prompt)
    } else if (ledger.byKey.has(request.key)) {
      yield* ledger.append({
        kind: "alias",
        key: request.key,
        prompts: [read.prompt],
        model: model.name,
        fingerprint: model.fingerprint,
      })
    } else {
      wave.set(request.key, { request, ask: read.ask, prompts: [read.prompt] })
    }
  }
  return wave
})

/** The line of an answer; undefined when it is neither a distribution over what was asked nor said to be invalid. */
function lineOf(model: LoadedModel, asked: Asked, answer: ReadAnswer): AnswerLine | undefined {
  const { key, invalid } = answer
  const { ask, prompts } = asked
  const of = { kind: "answer" as const, key, prompts, model: model.name, fingerprint: model.fingerprint, ask }
  if (invalid !== undefined) return { ...of, probabilities: [], mass: 0, invalid }
  const { probabilities, mass } = answer
  const size = ask.kind === "option" ? ask.labels.length : ask.high - ask.low + 1
  const sound = probabilities.length === size && [...probabilities, mass].every(Number.isFinite)
  return sound ? { ...of, probabilities, mass } : undefined
}

const defect = (model: LoadedModel, what: string): Effect.Effect<never> =>
  Effect.die(new Error(`the engine of model ${model.name} broke its contract: ${what}`))
