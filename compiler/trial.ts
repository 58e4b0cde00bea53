/**
 * A trial: one item under one cell of the design, for one model. Its conversation has every character in place but for what only a
 * read can give.
 */
import type { CellIR, ExperimentIR, Origin } from "./ir.ts"
import type { Item } from "./item.ts"

export interface Trial {
  /** `experiment/model/pool/item/cell`: unique, stable, and in the order of the grid. */
  readonly id: string
  readonly experiment: ExperimentIR
  readonly model: string
  readonly pool: string
  readonly item: Item
  readonly cell: CellIR
  readonly turns: readonly TurnPrompt[]
}

/** What a turn says. The assistant's text holds the reads. */
export interface TurnPrompt {
  readonly name: string
  readonly continues?: string
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
  | { readonly kind: "item"; readonly field: "question" | "options"; readonly item: string }
  | { readonly kind: "read"; readonly hole: string }
  | { readonly kind: "target" }
  | { readonly kind: "chat_template" }

/** Characters that wait for a read. */
export type Open =
  /** The value of a hole, written back in its canonical form: the label, or the integer in digits. */
  | { readonly kind: "hole"; readonly hole: string }
  /** The label of the option that a line asserts. */
  | { readonly kind: "answer"; readonly asserts: "target" | "gold" }

export type Closed = readonly Segment[]

/** What a read came to. `skipped`: something that it needed had no value. */
export type Reading =
  | {
      readonly status: "value"
      /** As displayed: a label, or an integer in digits. */
      readonly value: string
      /** Index of the option, or of the integer counted from the lowest, from 0. */
      readonly index: number
      /** Renormalised over the item's options in their original order, or over the integers from the lowest. Sums to 1. */
      readonly probabilities: readonly number[]
      /** The probability of all of them together before renormalising. */
      readonly mass: number
    }
  | { readonly status: "invalid"; readonly why: string }
  | { readonly status: "skipped"; readonly why: string }

/** The option that a trial is about, once its reads allow it. `placebo` is a label that no option has. */
export type Target =
  | { readonly kind: "option"; readonly index: number }
  | { readonly kind: "placebo"; readonly label: string }
  | { readonly kind: "none"; readonly why: string }
