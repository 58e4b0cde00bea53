/**
 * A trial: one item under one cell of the design, for one model. Its conversation has every character in place but for what only a
 * read can give.
 */
import type { AssertedIR, CellIR, ExperimentIR, Origin } from "./ir.ts"
import type { Item } from "./item.ts"

export interface Trial {
  /** As `trialId.ts` spells it: unique, stable, and in the order of the grid. */
  readonly id: string
  readonly experiment: ExperimentIR
  /** The studied model. */
  readonly model: string
  readonly pool: string
  /** With its options in the order in which this trial shows them: `Item.original` leads back. */
  readonly item: Item
  readonly cell: CellIR
  /** With `each_wrong`: the index, in this trial's order, of the wrong option that it is about. */
  readonly choice?: number
  /** What records made elsewhere say that it is about and pushes, in this trial's order: it counts in the stead of what the design comes to. */
  readonly written?: { readonly target?: Target; readonly pushed?: Target }
  /** Other items, by draw. */
  readonly others: Readonly<Record<string, readonly Item[]>>
  readonly turns: readonly TurnPrompt[]
  /** Of the studied model, where they were given: what conditions may ask for. */
  readonly attributes?: Readonly<Record<string, string | number>>
}

/** What a turn says. The assistant's text holds the reads. */
export interface TurnPrompt {
  readonly name: string
  readonly continues?: string
  /** The model that is asked. */
  readonly model: string
  /** Empty: no system message. Only of turns that start a session. */
  readonly system: Template
  readonly user: Template
  readonly assistant: Template
}

/** Text with holes, in order. A text without holes is `Closed`. */
export type Template = readonly Piece[]

export type Piece = Segment | Open

/** Characters that are settled, and where they come from. */
export interface Segment {
  readonly kind: "text"
  readonly text: string
  readonly from: SegmentOrigin
}

export type SegmentOrigin =
  | ({ readonly kind: "declaration" } & Origin)
  | { readonly kind: "item"; readonly field: string; readonly item: string }
  | { readonly kind: "read"; readonly hole: string }
  | { readonly kind: "target" }
  | { readonly kind: "chat_template" }

/** Characters that wait for a read. */
export type Open =
  /** The value of a hole, written back in its canonical form: the label, or the integer in digits. */
  | { readonly kind: "hole"; readonly hole: string }
  /** The label or the text of an option that only the trial's target settles. */
  | {
      readonly kind: "answer"
      /** `pushed`: what the lines assert; `target`, `gold` and `other`: what one line does. */
      readonly asserts: AssertedIR | "pushed"
      readonly as: "label" | "text"
    }

export type Closed = readonly Segment[]

/**
 * What a read came to. `skipped`: something that it needed had no value, or its gate was closed. `answer` is a value without a distribution: found
 * in a text, or judged. `text` and `refused` are what a model wrote.
 */
export type Reading =
  | {
      readonly status: "value"
      /** As displayed: a label, or an integer in digits. */
      readonly value: string
      /** Index of the option as displayed, of the label, or of the integer counted from the lowest, from 0. */
      readonly index: number
      /** Renormalised over the labels in the order displayed, or over the integers from the lowest. Sums to 1. */
      readonly probabilities: readonly number[]
      /** The probability of all of them together before renormalising. */
      readonly mass: number
      /** The raw probability of the pushed placebo label, where one is pushed. */
      readonly placebo?: number
      /** Indices of what a server did not list: more than 0 and at most `below` before renormalising, so that neither has a probability here. */
      readonly censored?: { readonly labels: readonly number[]; readonly below: number }
    }
  | {
      readonly status: "answer"
      readonly value: string
      /** As for `value`. */
      readonly index: number
      /** As for `value`, where records made elsewhere say it without a distribution. */
      readonly mass?: number
      /** Where in the text it was found: UTF-16 units. */
      readonly at?: { readonly start: number; readonly end: number }
    }
  | {
      readonly status: "text"
      readonly text: string
      readonly tokens: number
      /** Why it ended: by itself, at a declared text, or at the declared number of tokens. */
      readonly stop: "end" | "until" | "max"
    }
  /** A text with a declared marker of refusal in it. */
  | { readonly status: "refused"; readonly text: string; readonly tokens: number; readonly marker: string }
  | { readonly status: "invalid"; readonly why: string }
  | { readonly status: "skipped"; readonly why: string }

/** The option that a trial is about, once its reads allow it. `placebo` is a label that no option has. */
export type Target =
  | { readonly kind: "option"; readonly index: number }
  | { readonly kind: "placebo"; readonly label: string }
  | { readonly kind: "none"; readonly why: string }
