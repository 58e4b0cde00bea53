/**
 * What a run would ask, before it runs. Trials and reads are exact, and so are the tokens of a wave that waits for no answer; later waves are an
 * estimate, since their prompts hold answers (`compiler/assume.ts` says what is assumed). Reads that are answered already are taken as
 * they are. The walk is that of `execute.ts`: model by model, item by item, wave by wave.
 */
import { assumption, assumptionOfGates, assumptionOfTexts } from "../../compiler/assume.ts"
import { itemsOf } from "../../compiler/expand.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { LoadedModel } from "../backend/backend.ts"
import type { Unreadable } from "../read/prepare.ts"
import { type Answers, noAnswers } from "./answers.ts"
import { type Cohort, cohortsOf } from "./cohorts.ts"
import { type AuditForecast, ForecastAudit } from "./forecastAudit.ts"
import { ForecastWalk } from "./forecastWalk.ts"
import { Foreseen } from "./foreseen.ts"
import { type FreeTexts, freeTexts, isCompared } from "./freeText.ts"
import { openings } from "./openings.ts"
import type { RecordOptions } from "./records.ts"
import { templateNotes, variableNotes } from "./templateNotes.ts"
import { trialCount } from "./trialCount.ts"

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
  /** What the model's chat template does to the conversations, a sentence each. */
  readonly template: readonly string[]
  /** Set for a model on a server: its tokens are estimated by characters, and none are taken to be shared. */
  readonly estimated?: true
  /** Other models of the same file and engine, which are asked the reads that are counted `elsewhere`; empty where there are none. */
  readonly sameAs: readonly string[]
  /** What is asked once more at the end. */
  readonly audit: AuditForecast
  /** `sharedTokens` and those of the audit over the speed, when a speed is given. */
  readonly seconds?: number
  /** What the weights take: the size of the model's file, when it is given. The engine's buffers come on top. */
  readonly weightBytes?: number
}

export interface WaveForecast extends Counts {
  /** From 1; waves in which another model alone is asked are left out. */
  readonly wave: number
  /** Names of the holes that this model reads in it, over all experiments. */
  readonly holes: readonly string[]
  /** Whether its prompts hold no assumed answer. */
  readonly exact: boolean
}

/** Tokens are those that would still be evaluated: what is answered costs none. */
export interface Counts {
  /** One for each hole of each trial, and for each text that is asked beside one. */
  readonly reads: number
  /** Of these, reads that no trial would take: something that they need has no value. */
  readonly skipped: number
  /** Different prompts and asks among the others, by token ids. */
  readonly distinct: number
  /** Of the distinct ones, those that are answered already. */
  readonly answered: number
  /** Of the distinct ones, those that are asked of another model of the same file before, and not again of this one. */
  readonly elsewhere: number
  /** Tokens of the distinct prompts that are left to ask, each read from its start. */
  readonly promptTokens: number
  /** Tokens that the engine evaluates for them when prefixes are shared. */
  readonly sharedTokens: number
  /** Tokens that are written for texts among them, at most. */
  readonly writtenTokens: number
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
  /** What other models are asked before; where models are opened one at a time, each forecast is given the same. */
  readonly foreseen?: Foreseen
  /** Reads of each model that are taken again at the end, as a run is told. */
  readonly audit?: number
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
  const cut = options.limit === undefined ? {} : { limit: options.limit }
  const writes = program.experiments.some(({ protocol }) =>
    protocol.holes.some((hole) => hole.type === "text" || isCompared(hole)),
  )
  const isGated = program.experiments.some(({ protocol }) =>
    protocol.turns.some(({ when }) => when !== undefined),
  )
  const free = freeTexts(program, items, cut)
  const byModel = models.size === 0 ? new Map<string, readonly Cohort[]>() : cohortsOf(program, items, cut)
  const given = { ...options, foreseen: options.foreseen ?? new Foreseen() }
  return {
    experiments: program.experiments.map((experiment) => experimentForecast(experiment, program, items, cut)),
    models: inOrder(program).flatMap((name) => {
      const [model, cohorts] = [models.get(name), byModel.get(name)]
      return model === undefined || cohorts === undefined
        ? []
        : [modelForecast(name, model, cohorts, free, given)]
    }),
    assumption: [
      assumption,
      ...(writes ? [assumptionOfTexts] : []),
      ...(isGated ? [assumptionOfGates] : []),
    ].join("; "),
  }
}

/** Models in the order in which a run opens them first. */
export const inOrder = (program: Program): readonly string[] => [...new Set(openings(program))]

const experimentForecast = (
  experiment: Program["experiments"][number],
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  options: RecordOptions,
): ExperimentForecast => ({
  experiment: experiment.name,
  arms: [...new Set(experiment.cells.map(({ arm }) => arm))],
  models: experiment.models,
  items: Object.fromEntries(
    itemsOf(experiment, items, options).map(({ pool, items }) => [pool, items.length]),
  ),
  cells: experiment.cells.length,
  trials: trialCount(experiment, program, items, options),
})

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export const nothing = (): Mutable<Counts> => ({
  reads: 0,
  skipped: 0,
  distinct: 0,
  answered: 0,
  elsewhere: 0,
  promptTokens: 0,
  sharedTokens: 0,
  writtenTokens: 0,
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
  free: FreeTexts,
  options: ForecastOptions & { readonly foreseen: Foreseen },
): ModelForecast => {
  const { answers = noAnswers, foreseen } = options
  const again = new ForecastAudit(model, answers, foreseen, options.audit)
  const walker = new ForecastWalk({ model, answers, freeTexts: free, foreseen, audit: again })
  let trials = 0
  for (const cohort of cohorts) trials += walker.walk(cohort.trials())
  const waves = walker.waves
    .map(({ holes, ...counts }, index) => ({ wave: index + 1, holes: [...holes], ...counts }))
    .filter(({ reads }) => reads > 0)
  const total = sum(waves)
  const audit = again.total()
  const speed = options.speeds?.get(name)
  const bytes = options.bytes?.get(name)
  return {
    model: name,
    trials,
    ...total,
    waves,
    sameAs: [...walker.sameAs],
    audit,
    unreadable: walker.unreadable,
    template: model.kind === "tokens" ? [...templateNotes(model, cohorts), ...variableNotes(model)] : [],
    ...(model.kind === "chat" ? { estimated: true } : {}),
    ...(speed === undefined ? {} : { seconds: (total.sharedTokens + audit.tokens) / speed }),
    ...(bytes === undefined ? {} : { weightBytes: bytes }),
  }
}
