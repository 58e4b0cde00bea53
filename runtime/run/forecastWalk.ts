/** Walks items as a run does, asking nothing: counts reads, and keeps what the engine would hold and would have answered by now. */
import { assumed } from "../../compiler/assume.ts"
import type { HoleIR } from "../../compiler/ir.ts"
import { askAt, conversationAt, modelOf, type Readings } from "../../compiler/prompt.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import type { LoadedModel, ReadRequest, TextRequest } from "../backend/backend.ts"
import { promptTokensOf } from "../backend/text/order.ts"
import { promptId } from "../read/key.ts"
import { type Prepared, type PreparedChat, prepare, type Unreadable } from "../read/prepare.ts"
import { type Chunk, heldAfter } from "../read/steps.ts"
import type { Answers } from "./answers.ts"
import { isAsked } from "./asked.ts"
import { depth, type PlannedTrial } from "./cohorts.ts"
import { distinctText, promptOf } from "./distinctText.ts"
import { charactersAsTokens } from "./estimated.ts"
import { type Counts, type Mutable, nothing, type UnreadableForecast } from "./forecast.ts"
import type { ForecastAudit } from "./forecastAudit.ts"
import type { Foreseen } from "./foreseen.ts"
import { type FreeTexts, freeAsk } from "./freeText.ts"
import { otherGuesses } from "./otherGuesses.ts"
import { type Read, readAt } from "./reads.ts"

export interface WaveCounts extends Mutable<Counts> {
  readonly holes: Set<string>
  /** Whether its prompts hold no assumed answer. */
  exact: boolean
}

/** A trial under way: what its reads came to or are assumed to, and which of them are assumed. */
interface UnderWay {
  readonly readings: Record<string, Reading>
  readonly guessed: Set<string>
}

/** What is left to ask in one wave of one item. */
interface Requests {
  readonly reads: ReadRequest[]
  readonly texts: TextRequest[]
}

/** What the reads of one item have in common. */
interface Item {
  /** By prompt: arms have most of theirs in common, and one is prepared once. */
  readonly prepared: Map<string, Prepared | Unreadable>
  readonly trials: ReadonlyMap<string, UnderWay>
}

export interface ForecastWay {
  readonly model: LoadedModel
  readonly answers: Answers
  readonly freeTexts: FreeTexts
  readonly foreseen: Foreseen
  /** Is offered what the audit may take again. */
  readonly audit: ForecastAudit
}

export class ForecastWalk {
  readonly waves: WaveCounts[] = []
  readonly unreadable: UnreadableForecast[] = []
  /** Models that are asked some of this one's reads before. */
  readonly sameAs = new Set<string>()
  readonly #model: LoadedModel
  readonly #answers: Answers
  readonly #freeTexts: FreeTexts
  /** By key, which model of the same file is asked. */
  readonly #asked: Map<string, string>
  readonly #audit: ForecastAudit
  /** Keys of reads that were sent, and ids of prompts that were answered before or cannot be asked. */
  readonly #seen = new Set<string>()
  #held: readonly Chunk[] = []

  constructor({ model, answers, freeTexts, foreseen, audit }: ForecastWay) {
    this.#model = model
    this.#answers = answers
    this.#freeTexts = freeTexts
    this.#asked = foreseen.of(model.fingerprint).reads
    this.#audit = audit
  }

  /** Takes the trials of one item, and gives their number. */
  walk(trials: readonly PlannedTrial[]): number {
    const item: Item = {
      prepared: new Map(),
      trials: new Map(trials.map(({ trial }) => [trial.id, { readings: {}, guessed: new Set() }])),
    }
    let guessed = false
    for (let wave = 0; wave < depth(trials); wave += 1) {
      const counts = this.#countsOf(wave)
      if (guessed) counts.exact = false
      const requests: Requests = { reads: [], texts: [] }
      for (const { trial, waves } of trials) {
        for (const hole of waves[wave] ?? []) {
          const isGuess = this.#take(trial, hole, item, counts, requests)
          guessed ||= isGuess
          this.#takeFreely(trial, hole, item, counts, requests)
        }
      }
      counts.sharedTokens += this.#evaluate(requests)
    }
    return trials.length
  }

  /** Settles one read, by what is known or by assumption, and says whether it is assumed. */
  #take(trial: Trial, hole: HoleIR, item: Item, counts: WaveCounts, requests: Requests): boolean {
    const { name } = hole
    const { readings, guessed } = item.trials.get(trial.id) as UnderWay
    const isMine = isAsked(hole) && modelOf(trial, hole.turn) === this.#model.name
    const read = this.#readAt(trial, name, readings, guessed)
    if (isMine) {
      counts.holes.add(name)
      counts.reads += 1
    }
    if (read.kind === "settled") {
      readings[name] = read.reading
      if (isMine) this.#countSettled(trial, name, read, counts)
      if (isMine && read.prompt !== undefined) this.#offer(trial, hole, readings, read.prompt, item)
      // Nothing was found in a text that is only assumed.
      const from = "from" in hole ? hole.from : undefined
      if (from === undefined || !guessed.has(from)) return false
      if (read.reading.status === "invalid") readings[name] = assumed(trial, name)
      guessed.add(name)
      return true
    }
    if (read.kind === "open" && isMine && !this.#send(trial, name, read, item, counts, requests)) return false
    const prompt = read.kind === "open" ? read.prompt : promptOf(trial, name, readings)
    readings[name] = distinctText(trial, name, prompt, assumed(trial, name))
    guessed.add(name)
    if (read.kind === "open" && isMine) this.#offer(trial, hole, readings, read.prompt, item)
    return true
  }

  /** For the audit, which takes only what has a usable answer. */
  #offer(trial: Trial, hole: HoleIR, readings: Readings, prompt: string, { prepared }: Item): void {
    const reading = readings[hole.name]
    if (reading === undefined) return
    this.#audit.offer(hole, reading, prompt, () => {
      const known = prepared.get(prompt)
      if (known !== undefined) return known
      const conversation = conversationAt(trial, hole.name, readings)
      return "skipped" in conversation
        ? { problem: conversation.skipped, kind: "template" }
        : prepare(this.#model, conversation, askAt(trial, hole.name))
    })
  }

  /** Counts the text that is asked beside a distribution, where one is. */
  #takeFreely(trial: Trial, hole: HoleIR, item: Item, counts: WaveCounts, requests: Requests): void {
    const { readings } = item.trials.get(trial.id) as UnderWay
    if (modelOf(trial, hole.turn) !== this.#model.name || readings[hole.name]?.status !== "value") return
    if (!this.#freeTexts(trial, hole)) return
    const conversation = conversationAt(trial, hole.name, readings)
    if ("skipped" in conversation) return
    counts.reads += 1
    const ask = freeAsk(hole)
    const prompt = promptId(this.#model.fingerprint, conversation, ask)
    if (this.#answers.byPrompt.has(prompt)) {
      if (!this.#isNew(prompt)) return
      counts.distinct += 1
      counts.answered += 1
      return
    }
    const prepared = item.prepared.get(prompt) ?? prepare(this.#model, conversation, ask)
    item.prepared.set(prompt, prepared)
    if ("problem" in prepared) this.#cannot(trial, hole.name, prompt, prepared, counts)
    else this.#count(prepared, counts, requests)
  }

  /** What a read comes to; where a gate is closed by something assumed, what it comes to if the gate is open. */
  #readAt(trial: Trial, hole: string, readings: Readings, guessed: ReadonlySet<string>): Read {
    const at = (known: Readings): Read =>
      readAt(trial, hole, known, (model) => this.#fingerprintOf(model), this.#answers)
    const read = at(readings)
    if (!isSkipped(read)) return read
    for (const other of otherGuesses(trial, hole, readings, guessed)) {
      const again = at(other)
      if (!isSkipped(again)) return again
    }
    return read
  }

  /** Counts a read that is left to ask. False where it cannot be asked. */
  #send(
    trial: Trial,
    hole: string,
    read: Read & { readonly kind: "open" },
    { prepared: known, trials }: Item,
    counts: WaveCounts,
    requests: Requests,
  ): boolean {
    const { prompt, conversation, ask } = read
    const prepared = known.get(prompt) ?? prepare(this.#model, conversation, ask)
    known.set(prompt, prepared)
    if ("problem" in prepared) {
      const own = trials.get(trial.id) as UnderWay
      own.readings[hole] = { status: "invalid", why: prepared.problem }
      this.#cannot(trial, hole, prompt, prepared, counts)
      return false
    }
    this.#count(prepared, counts, requests)
    return true
  }

  #cannot(trial: Trial, hole: string, prompt: string, why: Unreadable, counts: WaveCounts): void {
    if (!this.#isNew(prompt)) return
    counts.distinct += 1
    this.#report(trial, hole, why)
  }

  #count(prepared: Prepared, counts: WaveCounts, requests: Requests): void {
    if (!this.#isNew(prepared.request.key)) return
    counts.distinct += 1
    const { key } = prepared.request
    const other = this.#asked.get(key)
    if (other !== undefined) {
      counts.elsewhere += 1
      this.sameAs.add(other)
      return
    }
    this.#asked.set(key, this.#model.name)
    if (prepared.kind === "chat") {
      countEstimated(prepared, counts)
      return
    }
    counts.promptTokens += prepared.tokens
    if (prepared.kind === "read") requests.reads.push(prepared.request)
    else {
      counts.writtenTokens += prepared.request.max
      requests.texts.push(prepared.request)
    }
  }

  #countSettled(trial: Trial, hole: string, { reading, prompt }: Settled, counts: WaveCounts): void {
    if (prompt === undefined) {
      counts.skipped += 1
      return
    }
    if (!this.#isNew(prompt)) return
    counts.distinct += 1
    const known = this.#answers.byPrompt.get(prompt)
    if (known?.kind === "unreadable") this.#report(trial, hole, { problem: known.problem, kind: known.why })
    else if (reading.status !== "skipped") counts.answered += 1
  }

  #fingerprintOf(model: string): string | undefined {
    return model === this.#model.name ? this.#model.fingerprint : this.#answers.fingerprints.get(model)
  }

  #isNew(identity: string): boolean {
    if (this.#seen.has(identity)) return false
    this.#seen.add(identity)
    return true
  }

  #report(trial: Trial, hole: string, why: Unreadable): void {
    this.unreadable.push({ ...why, trial: trial.id, pool: trial.pool, item: trial.item.id, hole })
  }

  #countsOf(wave: number): WaveCounts {
    const counts = this.waves[wave] ?? { ...nothing(), holes: new Set<string>(), exact: true }
    this.waves[wave] = counts
    return counts
  }

  /** Takes the steps that an engine would take, and holds what it would then hold. Texts are written on sequences of their own, which begin empty. */
  #evaluate({ reads, texts }: Requests): number {
    if (this.#model.kind === "chat") return 0
    let tokens = promptTokensOf(texts, this.#model.rewinds)
    for (const step of this.#model.steps(reads, this.#held)) {
      tokens += step.chunk.length
      this.#held = heldAfter(this.#held, step)
    }
    return tokens
  }
}

/** What a server has in its cache is not known, so nothing is taken to be shared. */
function countEstimated({ rendered, request }: PreparedChat, counts: WaveCounts): void {
  const tokens = charactersAsTokens(rendered)
  counts.promptTokens += tokens
  counts.sharedTokens += tokens
  if (request.ask.kind === "text") counts.writtenTokens += request.ask.max
}

type Settled = Read & { readonly kind: "settled" }

const isSkipped = (read: Read): boolean => read.kind === "settled" && read.reading.status === "skipped"
