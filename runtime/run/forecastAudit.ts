/** What the audit of a model takes again at the end of a run (`audit.ts`), before it is asked: as many reads, and about the same ones. */
import type { HoleIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { LoadedModel, TokenModel } from "../backend/backend.ts"
import { promptTokensOf } from "../backend/text/order.ts"
import type { Prepared, Unreadable } from "../read/prepare.ts"
import { type Chunk, heldAfter, type Step, tokensOf } from "../read/steps.ts"
import type { Answers, Occasion } from "./answers.ts"
import { AuditSample, leftToAudit } from "./audit.ts"
import { charactersAsTokens } from "./estimated.ts"
import type { Foreseen } from "./foreseen.ts"

export interface AuditForecast {
  /** Reads and texts that are asked once more: a read of a model in this process twice, cold and repeated. */
  readonly reads: number
  /** Tokens that are evaluated for them; estimated where only a server can count them. */
  readonly tokens: number
  /** Tokens that are written for texts among them, at most. */
  readonly writtenTokens: number
}

export class ForecastAudit {
  readonly #model: LoadedModel
  readonly #answers: Answers
  readonly #again: Set<string>
  readonly #sample: AuditSample<Prepared | Unreadable>

  constructor(model: LoadedModel, answers: Answers, foreseen: Foreseen, size: number | undefined) {
    this.#model = model
    this.#answers = answers
    this.#again = foreseen.of(model.fingerprint).again
    this.#sample = new AuditSample(size)
  }

  /** Takes a read that is known or assumed by now. */
  offer(hole: HoleIR, reading: Reading, prompt: string, find: () => Prepared | Unreadable): void {
    this.#sample.offer(hole, reading, prompt, find)
  }

  /** Once all reads have been offered. */
  total(): AuditForecast {
    const found = [...this.#sample.reads, ...this.#sample.texts].flatMap((one) =>
      "problem" in one ? [] : [one],
    )
    const model = this.#model
    if (model.kind === "chat") {
      const chats = this.#open(
        "repeated",
        found.flatMap((one) => (one.kind === "chat" ? [one] : [])),
      )
      return {
        reads: chats.length,
        tokens: chats.reduce((sum, { rendered }) => sum + charactersAsTokens(rendered), 0),
        writtenTokens: chats.reduce(
          (sum, { request: { ask } }) => sum + (ask.kind === "text" ? ask.max : 0),
          0,
        ),
      }
    }
    return this.#here(model, found)
  }

  #here(model: TokenModel, found: readonly Prepared[]): AuditForecast {
    const reads = found.flatMap((one) => (one.kind === "read" ? [one] : []))
    const cold = this.#open("cold", reads).map(({ request }) => request)
    const repeated = this.#open("repeated", reads).map(({ request }) => request)
    const texts = this.#open(
      "repeated",
      found.flatMap((one) => (one.kind === "text" ? [one] : [])),
    ).map(({ request }) => request)
    const alone = [...model.coldSteps(cold)]
    return {
      reads: cold.length + repeated.length + texts.length,
      tokens:
        tokensOf(alone) +
        tokensOf(model.steps(repeated, heldAfterAll(alone))) +
        promptTokensOf(texts, model.rewinds),
      writtenTokens: texts.reduce((sum, { max }) => sum + max, 0),
    }
  }

  /** What is left to take again on an occasion, when another model of the same file has taken its own. */
  #open<One extends { readonly request: { readonly key: string } }>(
    occasion: Occasion,
    found: readonly One[],
  ): readonly One[] {
    const isKnown = (key: string): boolean =>
      this.#answers.audits.get(key)?.[occasion] !== undefined || this.#again.has(`${occasion} ${key}`)
    const left = leftToAudit(found, ({ request: { key } }) => key, isKnown)
    for (const { request } of left) this.#again.add(`${occasion} ${request.key}`)
    return left
  }
}

const heldAfterAll = (steps: readonly Step[]): readonly Chunk[] =>
  steps.reduce<readonly Chunk[]>((held, step) => heldAfter(held, step), [])
