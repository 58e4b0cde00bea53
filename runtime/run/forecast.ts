/**
 * What a run would ask, before it runs. Trials and reads are exact, and so are the tokens of a wave that waits for no answer; later waves are an
 * estimate, since their prompts hold answers (`compiler/assume.ts` says what is assumed). Reads that are answered already are taken as
 * they are. The walk is that of `execute.ts`: model by model, item by item, wave by wave.
 */
import { assumed, assumption } from "../../compiler/assume.ts"
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { askAt, conversationAt } from "../../compiler/prompt.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import type { LoadedModel, ReadRequest } from "../backend/backend.ts"
import { promptId } from "../read/key.ts"
import { type Prepared, prepare, type Unreadable } from "../read/prepare.ts"
import { readingOf } from "../read/reading.ts"
import { buildTrie, type Chunk, walk } from "../read/trie.ts"
import { type Answers, noAnswers } from "./answers.ts"
import { type Cohort, cohortsOf, depth } from "./cohorts.ts"

export interface Forecast {
  readonly experiments: readonly ExperimentForecast[]
  readonly models: readonly ModelForecast[]
  /** What is assumed of answers that are not there yet, in words. */
  readonly assumption: string
}

export interface ExperimentForecast {
  readonly experiment: string
  readonly arms: readonly string[]
  readonly models: readonly string[]
  /** Items that are used, by pool. */
  readonly items: Readonly<Record<string, number>>
  readonly cells: number
  readonly trials: number
}

export interface ModelForecast extends Counts {
  readonly model: string
  readonly trials: number
  readonly waves: readonly WaveForecast[]
  /** Prompts that cannot be asked, such as one that does not fit the context: each distinct one once, with the first trial that has it. */
  readonly unreadable: readonly UnreadableForecast[]
  /** `sharedTokens` over the speed, when a speed is given. */
  readonly seconds?: number
  /** What the weights take: the size of the model's file, when it is given. The engine's buffers come on top. */
  readonly weightBytes?: number
}

export interface WaveForecast extends Counts {
  /** From 1. */
  readonly wave: number
  /** Names of the holes that are read in it, over all experiments. */
  readonly holes: readonly string[]
  /** Whether its prompts hold no assumed answer. */
  readonly exact: boolean
}

/** Tokens are those that would still be evaluated: what is answered costs none. */
export interface Counts {
  /** One for each hole of each trial. */
  readonly reads: number
  /** Of these, reads that no trial would take: something that they need has no value. */
  readonly skipped: number
  /** Different prompts and asks among the others, by token ids. */
  readonly distinct: number
  /** Of the distinct ones, those that are answered already. */
  readonly answered: number
  /** Tokens of the distinct prompts that are left to ask, each read from its start. */
  readonly promptTokens: number
  /** Tokens that the engine evaluates for them when prefixes are shared. */
  readonly sharedTokens: number
}

export interface UnreadableForecast extends Unreadable {
  readonly trial: string
  readonly pool: string
  readonly item: string
  readonly hole: string
}

export interface ForecastOptions {
  /** As the run's `--limit`: items of each pool. */
  readonly limit?: number
  /** What is answered already, from a run's ledger. */
  readonly answers?: Answers
  /** Prefill, in tokens a second, by model. */
  readonly speeds?: ReadonlyMap<string, number>
  /** Size of the model's file in bytes, by model. */
  readonly bytes?: ReadonlyMap<string, number>
}

/** The numbers of `cfx plan`. `models` are opened ones by their names in the program; nothing is asked of them. */
export const forecast = (
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  models: ReadonlyMap<string, LoadedModel>,
  options: ForecastOptions = {},
): Forecast => {
  const limit = options.limit === undefined ? {} : { limit: options.limit }
  const byModel = cohortsOf(program, items, limit)
  return {
    experiments: program.experiments.map((experiment) => experimentForecast(experiment, byModel)),
    models: [...byModel].flatMap(([name, cohorts]) => {
      const model = models.get(name)
      return model === undefined ? [] : [modelForecast(name, model, cohorts, options)]
    }),
    assumption,
  }
}

const experimentForecast = (
  experiment: Program["experiments"][number],
  byModel: ReadonlyMap<string, readonly Cohort[]>,
): ExperimentForecast => {
  const { name, models, pools, cells } = experiment
  const mine = [...byModel.values()].flat().map((cohort) => ({
    ...cohort,
    trials: cohort.trials.filter(({ trial }) => trial.experiment === experiment),
  }))
  const used = mine.filter(({ model, trials }) => model === models[0] && trials.length > 0)
  return {
    experiment: name,
    arms: [...new Set(cells.map(({ arm }) => arm))],
    models,
    items: Object.fromEntries(
      pools.map(({ pool }) => [pool, used.filter((cohort) => cohort.pool === pool).length]),
    ),
    cells: cells.length,
    trials: mine.reduce((sum, { trials }) => sum + trials.length, 0),
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const nothing = (): Mutable<Counts> => ({
  reads: 0,
  skipped: 0,
  distinct: 0,
  answered: 0,
  promptTokens: 0,
  sharedTokens: 0,
})

const sum = (counts: readonly Counts[]): Counts => {
  const total = nothing()
  for (const one of counts) {
    for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += one[key]
  }
  return total
}

const modelForecast = (
  name: string,
  model: LoadedModel,
  cohorts: readonly Cohort[],
  options: ForecastOptions,
): ModelForecast => {
  const walker = new Walker(model, options.answers ?? noAnswers)
  for (const cohort of cohorts) walker.walk(cohort)
  const waves = walker.waves.map(({ holes, ...counts }, index) => ({
    wave: index + 1,
    holes: [...holes],
    ...counts,
  }))
  const total = sum(waves)
  const speed = options.speeds?.get(name)
  const bytes = options.bytes?.get(name)
  return {
    model: name,
    trials: cohorts.reduce((count, { trials }) => count + trials.length, 0),
    ...total,
    waves,
    unreadable: walker.unreadable,
    ...(speed === undefined ? {} : { seconds: total.sharedTokens / speed }),
    ...(bytes === undefined ? {} : { weightBytes: bytes }),
  }
}

interface WaveCounts extends Mutable<Counts> {
  readonly holes: Set<string>
  exact: boolean
}

/** What a prompt comes to in the forecast: an answer of a run, a read that would be sent, or one that cannot be. */
type Fate =
  | { readonly kind: "answered"; readonly reading: Reading }
  | { readonly kind: "sent"; readonly prepared: Prepared }
  | { readonly kind: "unreadable"; readonly why: Unreadable }

/** Walks items as a run does and counts; keeps what the engine would hold, and which reads it would have answered by now. */
class Walker {
  readonly waves: WaveCounts[] = []
  readonly unreadable: UnreadableForecast[] = []
  readonly #model: LoadedModel
  readonly #answers: Answers
  /** Keys of reads that were sent, and ids of prompts that were answered before or cannot be asked. */
  readonly #seen = new Set<string>()
  #held: readonly Chunk[] = []

  constructor(model: LoadedModel, answers: Answers) {
    this.#model = model
    this.#answers = answers
  }

  walk(cohort: Cohort): void {
    const readings = new Map(cohort.trials.map(({ trial }) => [trial.id, {} as Record<string, Reading>]))
    // Arms have most of their prompts in common, and one prompt is prepared once; items have none in common.
    const fates = new Map<string, Fate>()
    let guessed = false
    for (let wave = 0; wave < depth(cohort); wave += 1) {
      const counts = this.#countsOf(wave)
      if (guessed) counts.exact = false
      const requests: ReadRequest[] = []
      for (const { trial, waves } of cohort.trials) {
        const own = readings.get(trial.id) as Record<string, Reading>
        for (const { name: hole } of waves[wave] ?? []) {
          counts.holes.add(hole)
          counts.reads += 1
          const conversation = conversationAt(trial, hole, own)
          if ("skipped" in conversation) {
            own[hole] = { status: "skipped", why: conversation.skipped }
            counts.skipped += 1
            continue
          }
          const ask = askAt(trial, hole)
          const prompt = promptId(this.#model.fingerprint, conversation, ask)
          const fate = fates.get(prompt) ?? this.#fateOf(prompt, conversation, ask)
          fates.set(prompt, fate)
          const isNew = this.#isNew(prompt, fate)
          if (isNew) counts.distinct += 1
          switch (fate.kind) {
            case "answered":
              own[hole] = fate.reading
              if (isNew) counts.answered += 1
              break
            case "unreadable":
              own[hole] = { status: "invalid", why: fate.why.problem }
              if (isNew) this.#report(trial, hole, fate.why)
              break
            case "sent":
              own[hole] = assumed(trial, hole)
              guessed = true
              if (!isNew) break
              counts.promptTokens += fate.prepared.tokens
              requests.push(fate.prepared.request)
          }
        }
      }
      counts.sharedTokens += this.#evaluate(requests)
    }
  }

  #fateOf(prompt: string, conversation: Conversation, ask: Ask): Fate {
    const known = this.#answers.byPrompt.get(prompt)
    if (known?.kind === "answer") return { kind: "answered", reading: readingOf(ask, known.answer) }
    if (known?.kind === "unreadable") {
      return { kind: "unreadable", why: { problem: known.problem, kind: known.why } }
    }
    const prepared = prepare(this.#model, conversation, ask)
    return "problem" in prepared ? { kind: "unreadable", why: prepared } : { kind: "sent", prepared }
  }

  #isNew(prompt: string, fate: Fate): boolean {
    const identity = fate.kind === "sent" ? fate.prepared.request.key : prompt
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

  /** Takes the steps that an engine would take, and holds what it would then hold. */
  #evaluate(requests: readonly ReadRequest[]): number {
    let tokens = 0
    for (const { depth, chunk } of walk(buildTrie(requests), this.#held)) {
      tokens += chunk.length
      this.#held = [...this.#held.slice(0, depth), chunk]
    }
    return tokens
  }
}
