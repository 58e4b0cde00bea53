/**
 * What a report is made from. Nothing in it may depend on when, where or how fast a run was: no clock, no path, no host, no thread count, so
 * that two runs of one spec give the same bytes.
 */
import type { Program } from "../../compiler/ir.ts"
import type { Segment } from "../../compiler/trial.ts"
import type { Result } from "../measure/result.ts"
import type { Tables } from "../measure/table.ts"
import type { ScoredFacts } from "../records/facts.ts"

export interface ReportInput {
  readonly program: Program
  /** The program's meaning, 64 hexadecimal digits. */
  readonly hash: string
  /** The cfx that made it, such as "0.1.0". */
  readonly version: string
  /** The spec as it was compiled: its file name without folders, and its text. */
  readonly spec: { readonly name: string; readonly text: string }
  /** All trials, by experiment. */
  readonly tables: Tables
  /** What `measure(program, tables)` gave. */
  readonly results: readonly Result[]
  /**
   * A whole prompt for each cell of the design and each conversation of its protocol, in the order of the grid; and those of the trials that are shown
   * one by one.
   */
  readonly prompts: readonly PromptSample[]
  /** Where there are none because the run lost them or has not come to its end: a paragraph that says so and what to do. */
  readonly promptsLost?: string
  readonly models: readonly ModelFacts[]
  readonly pools: readonly PoolFacts[]
  /** Warnings that the spec allows, each with its reason. */
  readonly allowed: readonly AllowedWarning[]
  /** Those about its design that it does not allow; absent where an earlier cfx made the run and kept none. */
  readonly open?: readonly OpenWarning[]
  /** Reads that came to no value, one entry for each distinct reason. */
  readonly failed: readonly FailedReads[]
  /** Models whose reads were audited; none in runs of before. */
  readonly floors: readonly EngineFloor[]
  /** Reads whose labels hold little of the probability. */
  readonly lowMass: readonly LowMass[]
  /** Whether models write what is read off their distributions, where the spec asks for it. */
  readonly agreement: readonly Agreement[]
  /** Reads over all trials, and how many of them differ: the rest share an answer. Those of the plan, so that a resumed run says the same. */
  readonly reads: { readonly all: number; readonly distinct: number }
  /** Items per pool, where the run was cut short by `--limit`. */
  readonly limit?: number
  /** The experiment that alone was chosen of several that the spec has. */
  readonly experiment?: string
  /** Models and pools of the spec that read other files than it names. */
  readonly replaced?: { readonly models: readonly string[]; readonly items: readonly string[] }
  /** Set when the answers were taken from an earlier run. */
  readonly replayed?: boolean
  /** Pools whose items were made up, since their data were not at hand. */
  readonly invented?: readonly string[]
  /** Set when the trials were records made elsewhere: what they were, by experiment. */
  readonly scored?: readonly ScoredFacts[]
  /** Set when answers were not a model's, so that no reader takes them for one: "simulated". */
  readonly backend?: string
}

/** The whole string that a model read up to its last hole in one trial, with where each span comes from. */
export interface PromptSample {
  readonly experiment: string
  /** Of a trial that is shown by itself; a cell's sample has none. */
  readonly trial?: string
  /** The studied model. */
  readonly model: string
  /** The model that reads it, where that is another. */
  readonly asked?: string
  readonly pool: string
  readonly item: string
  /** The cell's levels, `arm` included. */
  readonly levels: Readonly<Record<string, string>>
  /** The read that this text stops at. */
  readonly hole: string
  readonly rendered: readonly Segment[]
  /** Tokens of the whole text, as the model counts them. */
  /** Absent where only the server knows. */
  readonly tokens?: number
}

export interface ModelFacts {
  readonly name: string
  readonly fingerprint: string
  readonly sha256?: string
  readonly bytes?: number
  /** What stays the same between runs: engine, its version, mode, quantisation. No path, no timing, no thread count. */
  readonly facts: Readonly<Record<string, string | number | boolean>>
}

export interface PoolFacts {
  readonly name: string
  /** Items that were used. */
  readonly count: number
  /** Of the items file as read. */
  readonly sha256: string
}

export interface AllowedWarning {
  readonly experiment: string
  readonly code: string
  readonly title: string
  readonly reason: string
}

export interface OpenWarning {
  readonly experiment: string
  readonly code: string
  readonly title: string
  /** What is found, in a sentence. */
  readonly message: string
}

/** How far the engine of a model agrees with itself: what came of reads that were taken again. */
export interface EngineFloor {
  readonly model: string
  /** Reads that were taken again from an empty sequence, reads in another order, and texts that were written again. */
  readonly cold: number
  readonly repeated: number
  readonly texts: number
  /** The largest difference of a probability or mass: 0 where every bit is the same. */
  readonly floor: number
  /** Answers that became another. */
  readonly flips: number
  /** Of so many distinct reads, those whose two most probable answers are closer than `below`. */
  readonly nearTies: { readonly count: number; readonly of: number; readonly below: number }
  /** The difference that is allowed: 0 in exact mode. Absent for a server, which may say something else each time. */
  readonly tolerance?: number
  /** All that differ. */
  readonly differing: readonly DifferingRead[]
}

export interface DifferingRead {
  readonly experiment: string
  readonly pool: string
  readonly item: string
  readonly hole: string
  readonly occasion: "cold" | "repeated"
  /** What differs most, such as "p(B)", with both of its values. */
  readonly of: string
  readonly first: string
  readonly again: string
  /** Absent for a text. */
  readonly difference?: number
  /** Whether it is more than is allowed. */
  readonly beyond: boolean
}

export interface LowMass {
  readonly experiment: string
  readonly model: string
  readonly arm: string
  readonly hole: string
  /** Reads, by trial, that hold less than `least` of the probability on their labels; of so many with a value. */
  readonly count: number
  readonly of: number
  readonly least: number
}

/** In so many trials of an arm the model was also asked for a text. */
export interface Agreement {
  readonly experiment: string
  readonly model: string
  readonly arm: string
  readonly hole: string
  readonly trials: number
  /** Texts that begin with the label that was read, and those that begin with none. */
  readonly agree: number
  readonly none: number
  /** 95 % Wilson interval of the share that agrees. */
  readonly low: number
  readonly high: number
}

export interface FailedReads {
  readonly experiment: string
  readonly model: string
  readonly hole: string
  readonly why: string
  /** Trials that it touched. */
  readonly count: number
  /** The items, each with its pool. */
  readonly items: readonly { readonly pool: string; readonly item: string }[]
}
