/** One wave of reads of one model: prepared, deduplicated, counted, sent, and written down. */
import { Deferred, Effect, Stream } from "effect"
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type {
  ChatModel,
  ChatRequest,
  Expectation,
  Lane,
  LoadedModel,
  ReadAnswer,
  ReadRequest,
  TextAnswer,
  TextRequest,
} from "../backend/backend.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { type Prepared, prepare, type Unreadable } from "../read/prepare.ts"
import { alsoOf, type EngineAnswer, isWritten, labelsOf } from "../read/reading.ts"
import type { Ledger } from "./ledger.ts"
import { type AnswerLine, isStop, type TextLine } from "./ledgerLine.ts"

/** A prompt that nothing has answered. */
export interface OpenRead {
  readonly prompt: string
  readonly conversation: Conversation
  readonly ask: Ask
  /** What a respondent is expected to answer, where the spec says so. */
  readonly expected?: Expectation
  /** For whom it is asked, in words: the item and the hole. */
  readonly about: string
}

/** A model at work, and what has been done with it. */
export interface Session {
  readonly model: LoadedModel
  readonly ledger: Ledger
  /** Prompts that were prepared ahead of their wave. Taken out when used. */
  readonly ahead: Map<string, Prepared>
  /** Reads that some lane is answering, by key; done once the ledger knows the answer. */
  readonly underWay: Map<string, Deferred.Deferred<void>>
  readonly hooks: WaveHooks
}

/** Where reads are put: to a lane of a model in this process, or to a server. */
export type Place =
  | { readonly kind: "lane"; readonly lane: Lane }
  | { readonly kind: "server"; readonly model: ChatModel }

export interface WaveHooks {
  /** So many reads are about to be put to the engine: those of one item's wave, of so many waves. Counted from 1. */
  readonly asking: (wave: number, of: number, reads: number) => void
  /** A read was answered by the engine, which evaluated so many tokens for it. */
  readonly answered: (tokens: number) => void
  /** Of a text that is being written, so many more tokens are there. */
  readonly writing: (tokens: number) => void
  /** So many reads are about to be taken again. */
  readonly auditing: (reads: number) => void
  /** One was, and the engine evaluated so many tokens for it. */
  readonly audited: (tokens: number) => void
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
  // Another lane may have met the same prompt.
  if (ledger.byPrompt.has(read.prompt)) return undefined
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
  readonly request: Request
  readonly ask: Ask
  readonly prompts: string[]
}

/**
 * Asks all of `reads`: afterwards the ledger knows each prompt. Prompts that come to the same tokens and ask are one read, and one that
 * was answered before is not asked again. What the engine evaluates for distributions must be what it counted beforehand: anything
 * else is a defect.
 */
export const askWave = Effect.fnUntraced(function* (
  session: Session,
  place: Place,
  reads: readonly OpenRead[],
  { number, of }: { readonly number: number; readonly of: number } = { number: 1, of: 1 },
) {
  const { wave, elsewhere } = yield* gather(session, reads)
  if (wave.size > 0) {
    session.hooks.asking(number, of, wave.size)
    yield* send(session, place, wave)
  }
  // Only now: a lane that waits has nothing open that another might be waiting for.
  for (const { key, prompt, answered } of elsewhere) {
    yield* Deferred.await(answered)
    yield* alias(session, key, prompt)
  }
})

const send = Effect.fnUntraced(function* (session: Session, place: Place, wave: Map<string, Asked>) {
  const { model, ledger, hooks, underWay } = session
  const requests = [...wave.values()].map(({ request }) => request)
  const reads = requests.filter(isRead)
  const texts = requests.filter(isText)
  const chats = requests.filter(isChat)
  const counted = place.kind === "lane" ? place.lane.count(reads) : 0
  let evaluated = 0
  const accept = (answer: EngineAnswer): Effect.Effect<void, EnvironmentFailure> =>
    Effect.suspend(() => {
      const asked = wave.get(answer.key)
      if (asked === undefined) return defect(model, `it answered a read that is not open: ${answer.key}`)
      wave.delete(answer.key)
      if (!isWritten(answer)) evaluated += answer.evaluated
      const line = lineOf(model, asked, answer)
      if (line === undefined) return defect(model, `its answer to ${answer.key} is no ${nameOf(asked.ask)}`)
      return Effect.gen(function* () {
        yield* ledger.append(line)
        hooks.answered(answer.evaluated)
        const waiting = underWay.get(answer.key)
        underWay.delete(answer.key)
        if (waiting !== undefined) yield* Deferred.succeed(waiting, undefined)
      })
    })
  // An answer that has been taken from the engine reaches the ledger, whatever comes.
  const take = (answer: EngineAnswer) => Effect.uninterruptible(accept(answer))
  if (place.kind === "server") yield* Stream.runForEach(place.model.answer(chats), take)
  else {
    if (reads.length > 0) yield* Stream.runForEach(place.lane.score(reads), take)
    if (texts.length > 0) yield* Stream.runForEach(place.lane.generate(texts, hooks.writing), take)
  }
  if (wave.size > 0)
    return yield* defect(model, `it left ${wave.size} of ${requests.length} reads unanswered`)
  if (place.kind === "lane" && evaluated !== counted) {
    return yield* defect(
      model,
      `it evaluated ${evaluated} tokens for a wave of ${reads.length} reads that was counted as ${counted}`,
    )
  }
})

/** A read that another lane is answering. */
interface Elsewhere {
  readonly key: string
  readonly prompt: string
  readonly answered: Deferred.Deferred<void>
}

/** The distinct reads that are left to ask, in the order of the prompts, and those that are asked already. */
const gather = Effect.fnUntraced(function* (session: Session, reads: readonly OpenRead[]) {
  const { ledger, underWay } = session
  const seen = new Set<string>()
  const wave = new Map<string, Asked>()
  const elsewhere: Elsewhere[] = []
  for (const read of reads) {
    const { prompt } = read
    if (seen.has(prompt)) continue
    seen.add(prompt)
    const prepared = yield* prepareRead(session, read)
    if (prepared === undefined) continue
    const request = { ...prepared.request, ...expectedIn(read) }
    const { key } = request
    const asked = wave.get(key)
    const answered = underWay.get(key)
    if (asked !== undefined) asked.prompts.push(prompt)
    else if (answered !== undefined) elsewhere.push({ key, prompt, answered })
    else if (ledger.byKey.has(key)) yield* alias(session, key, prompt)
    else {
      wave.set(key, { request, ask: read.ask, prompts: [prompt] })
      underWay.set(key, Deferred.makeUnsafe())
    }
  }
  return { wave, elsewhere }
})

/** Writes down that a prompt has the answer of a read that is known, where that is not known yet. */
const alias = ({ model, ledger }: Session, key: string, prompt: string) =>
  Effect.suspend(() =>
    ledger.byPrompt.has(prompt)
      ? Effect.void
      : ledger.append({
          kind: "alias",
          key,
          prompts: [prompt],
          model: model.name,
          fingerprint: model.fingerprint,
        }),
  )

type Request = ReadRequest | TextRequest | ChatRequest

const isChat = (request: Request): request is ChatRequest => "messages" in request

const isRead = (request: Request): request is ReadRequest => "labels" in request

const isText = (request: Request): request is TextRequest => !isChat(request) && !isRead(request)

export const expectedIn = ({ expected }: OpenRead): { readonly expected?: Expectation } =>
  expected === undefined ? {} : { expected }

const nameOf = ({ kind }: Ask): string => (kind === "text" ? "text" : "distribution")

/** The line of an answer; undefined when it is not what was asked for, and not said to be invalid either. */
function lineOf(model: LoadedModel, asked: Asked, answer: EngineAnswer): AnswerLine | TextLine | undefined {
  return isWritten(answer) ? textLine(model, asked, answer) : answerLine(model, asked, answer)
}

function answerLine(model: LoadedModel, asked: Asked, answer: ReadAnswer): AnswerLine | undefined {
  const { key, invalid } = answer
  const { ask, prompts } = asked
  if (ask.kind === "text") return undefined
  const of = { kind: "answer" as const, key, prompts, model: model.name, fingerprint: model.fingerprint, ask }
  if (invalid !== undefined) return { ...of, probabilities: [], mass: 0, invalid }
  const { probabilities, mass, also = [], censored } = answer
  // Of a label besides that a server does not list, nothing is known.
  const isUnlisted = model.kind === "chat" && also.length === 0
  const sound =
    probabilities.length === labelsOf(ask).length &&
    (also.length === alsoOf(ask).length || isUnlisted) &&
    [...probabilities, mass, ...also].every(Number.isFinite)
  if (!sound) return undefined
  return {
    ...of,
    probabilities,
    mass,
    ...(also.length === 0 ? {} : { also }),
    ...(censored === undefined ? {} : { censored }),
  }
}

function textLine(model: LoadedModel, asked: Asked, answer: TextAnswer): TextLine | undefined {
  const { key, text, tokens, stop, invalid } = answer
  const { ask, prompts } = asked
  if (ask.kind !== "text" || !(tokens >= 0 && tokens <= ask.max) || !isStop(stop)) return undefined
  const of = { kind: "text" as const, key, prompts, model: model.name, fingerprint: model.fingerprint }
  return { ...of, ask, text, tokens, stop, ...(invalid === undefined ? {} : { invalid }) }
}

export const defect = (model: LoadedModel, what: string): Effect.Effect<never> =>
  Effect.die(new Error(`the engine of model ${model.name} broke its contract: ${what}`))
