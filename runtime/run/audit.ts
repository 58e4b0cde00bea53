/**
 * The engine's own floor. When a model has answered all that a run asks of it, a sample of its reads is taken again: cold, from an empty sequence and
 * sharing nothing, and repeated, warm and in the opposite order (A/A). What differs is the engine's doing and no effect of a stimulus.
 */
import { Effect, Stream } from "effect"
import { sha256 } from "../../compiler/hash.ts"
import type { HoleIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { type Prepared, prepare } from "../read/prepare.ts"
import { type EngineAnswer, isWritten } from "../read/reading.ts"
import type { Again, Occasion } from "./answers.ts"
import { isAsked } from "./asked.ts"
import { Smallest } from "./smallest.ts"
import { defect, expectedIn, type OpenRead, type Session } from "./wave.ts"

/** Reads of each model that are taken again, at most; and texts that are written again. */
export const AUDITED = 24
const TEXTS = 2

/** The reads and texts of one model that are audited: those whose prompts have the smallest hashes. */
export class AuditSample<Found> {
  readonly #reads: Smallest<Found>
  readonly #texts: Smallest<Found>

  constructor(size: number = AUDITED) {
    this.#reads = new Smallest(size)
    this.#texts = new Smallest(Math.min(size, TEXTS))
  }

  /** Takes what has a usable answer and would have to be the same again: no text that is sampled. */
  offer(hole: HoleIR, reading: Reading, prompt: string, find: () => Found): void {
    if (hole.type === "text") {
      const written = reading.status === "text" || reading.status === "refused"
      if (written && hole.temperature === 0) this.#texts.offer(rankOf(prompt), find)
    } else if (isAsked(hole) && reading.status === "value") this.#reads.offer(rankOf(prompt), find)
  }

  get reads(): readonly Found[] {
    return this.#reads.all()
  }

  get texts(): readonly Found[] {
    return this.#texts.all()
  }
}

const rankOf = (prompt: string): string => sha256(`audit ${prompt}`)

/** Those of a sample that are not audited yet, in the opposite order; once each, since two prompts may come to the same tokens. */
export const leftToAudit = <One>(
  sample: readonly One[],
  keyOf: (one: One) => string,
  isAudited: (key: string) => boolean,
): readonly One[] =>
  [
    ...new Map(sample.map((one) => [keyOf(one), one] as const).filter(([key]) => !isAudited(key))).values(),
  ].toReversed()

/** Takes the reads of a sample again, those that the ledger has no audit of, and writes down what comes of it. */
export const audit = Effect.fnUntraced(function* (session: Session, sample: AuditSample<OpenRead>) {
  const { model, ledger, hooks } = session
  const open = <Request extends { readonly key: string }>(
    occasion: Occasion,
    requests: readonly Request[],
  ): readonly Request[] =>
    leftToAudit(
      requests,
      ({ key }) => key,
      (key) => ledger.audits.get(key)?.[occasion] !== undefined,
    )
  const asked = [...sample.reads, ...sample.texts].flatMap((read) => {
    const prepared = prepare(model, read.conversation, read.ask)
    return "problem" in prepared
      ? []
      : [{ ...prepared, request: { ...prepared.request, ...expectedIn(read) } } as Prepared]
  })
  if (model.kind === "chat") {
    const chats = open(
      "repeated",
      asked.flatMap((one) => (one.kind === "chat" ? [one.request] : [])),
    )
    if (chats.length > 0) hooks.auditing(chats.length)
    return yield* take(session, "repeated", chats, model.answer)
  }
  const reads = asked.flatMap((one) => (one.kind === "read" ? [one.request] : []))
  const written = asked.flatMap((one) => (one.kind === "text" ? [one.request] : []))
  const cold = open("cold", reads)
  const repeated = open("repeated", reads)
  const texts = open("repeated", written)
  const count = cold.length + repeated.length + texts.length
  if (count > 0) hooks.auditing(count)
  yield* take(session, "cold", cold, model.scoreCold)
  const counted = repeated.length === 0 ? 0 : model.count(repeated)
  const evaluated = yield* take(session, "repeated", repeated, model.score)
  if (evaluated !== counted)
    return yield* defect(
      model,
      `it evaluated ${evaluated} tokens for an audit that was counted as ${counted}`,
    )
  yield* take(session, "repeated", texts, (left) => model.generate(left, hooks.writing))
})

/** Gives the tokens that were evaluated. */
const take = Effect.fnUntraced(function* <Request extends { readonly key: string }>(
  { model, ledger, hooks }: Session,
  occasion: Occasion,
  requests: readonly Request[],
  answer: (requests: readonly Request[]) => Stream.Stream<EngineAnswer, EnvironmentFailure>,
) {
  if (requests.length === 0) return 0
  const left = new Set(requests.map(({ key }) => key))
  let evaluated = 0
  const accept = (answer: EngineAnswer): Effect.Effect<void, EnvironmentFailure> =>
    Effect.suspend(() => {
      if (!left.delete(answer.key)) return defect(model, `it answered a read that is not open: ${answer.key}`)
      evaluated += answer.evaluated
      hooks.audited(answer.evaluated)
      const { name, fingerprint } = model
      return ledger.append({
        kind: "audit",
        key: answer.key,
        model: name,
        fingerprint,
        occasion,
        ...said(answer),
      })
    })
  yield* Stream.runForEach(answer(requests), (one) => Effect.uninterruptible(accept(one)))
  if (left.size > 0) return yield* defect(model, `it left ${left.size} reads of an audit unanswered`)
  return evaluated
})

function said(answer: EngineAnswer): Again {
  if (isWritten(answer)) {
    const { text, invalid } = answer
    return { text, ...(invalid === undefined ? {} : { invalid }) }
  }
  const { probabilities, mass, also, censored, invalid } = answer
  return {
    probabilities,
    mass,
    ...(also === undefined ? {} : { also }),
    ...(censored === undefined ? {} : { censored }),
    ...(invalid === undefined ? {} : { invalid }),
  }
}
