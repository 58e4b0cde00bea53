/**
 * The lowered meaning of a spec: names resolved, inheritance applied, every stimulus in full. Plain JSON, so that it can be
 * hashed and kept; `origin` and `doc` say where things came from and are left out of the hash (`hash.ts`).
 */

/** Where characters of a prompt come from: a declaration, with its file as shown to a person and its line, from 1. */
export interface Origin {
  readonly declaration: string
  readonly file: string
  readonly line: number
}

export interface Program {
  readonly version: 1
  readonly models: readonly ModelIR[]
  readonly pools: readonly PoolIR[]
  readonly experiments: readonly ExperimentIR[]
  readonly doc: string
}

export interface ModelIR {
  readonly name: string
  readonly engine: "gguf"
  /** As written, resolved against the declaring file; `--model` replaces it. Not part of the hash where `sha256` is given. */
  readonly file: string
  readonly bytes?: number
  readonly sha256?: string
  /** Attributes that are columns and no more, such as family and size. */
  readonly attributes: Readonly<Record<string, string | number>>
  readonly doc: string
  readonly origin: Origin
}

export interface PoolIR {
  readonly name: string
  readonly file: string
  /** Field of an item -> path into a row. */
  readonly fields: ItemFields
  readonly doc: string
  readonly origin: Origin
}

export interface ItemFields {
  readonly id?: readonly string[]
  readonly question: readonly string[]
  /** One path to a list or a record, or a path for each option. */
  readonly options: readonly string[] | { readonly each: readonly (readonly string[])[] }
  /** Labels as displayed; A, B, C, ... where the mapping has none. */
  readonly labels?: readonly string[]
  readonly gold: readonly string[]
}

// ---------------------------------------------------------------- text with places to fill

/**
 * Text of a declaration, with its places. Places are filled in this order: by the arm (`slot`), by the item (`item`), by a line of an
 * assertion (`assertion`, `answer`, `i`, `speaker`), and last by what was read (`hole`).
 */
export type TextIR = readonly PieceIR[]

export type PieceIR =
  | { readonly kind: "text"; readonly text: string; readonly origin: Origin }
  | { readonly kind: "slot"; readonly slot: string; readonly origin: Origin }
  | { readonly kind: "item"; readonly field: "question" | "options"; readonly origin: Origin }
  | {
      readonly kind: "line"
      readonly field: "assertion" | "answer" | "i" | "speaker"
      readonly origin: Origin
    }
  | { readonly kind: "option"; readonly field: "label" | "text"; readonly origin: Origin }
  | { readonly kind: "hole"; readonly hole: string; readonly origin: Origin }

// ---------------------------------------------------------------- experiments

export interface ExperimentIR {
  readonly name: string
  readonly doc: string
  readonly seed: number
  readonly models: readonly string[]
  readonly pools: readonly { readonly pool: string; readonly sample?: number }[]
  readonly protocol: ProtocolIR
  readonly target: TargetIR
  /** The columns of the design in the order written, `arm` first; levels in the order written. */
  readonly factors: readonly FactorIR[]
  /** The grid, in the order written: one cell for each arm and each crossing of its levels. */
  readonly cells: readonly CellIR[]
  readonly measures: readonly MeasureIR[]
  readonly contrasts: readonly ContrastIR[]
  readonly tables: readonly TableIR[]
  readonly figures: readonly FigureIR[]
  readonly expects: readonly ExpectIR[]
  readonly allows: readonly { readonly code: string; readonly reason: string }[]
}

export interface FactorIR {
  readonly name: string
  readonly levels: readonly string[]
}

export interface CellIR {
  readonly arm: string
  /** Level by factor, `arm` included. A factor that the arm lacks is absent here and a dash in a table. */
  readonly levels: Readonly<Record<string, string>>
  readonly stimulus: StimulusIR
}

export type StimulusIR = BlockIR | AssertionIR

/** Fixed text; asserts nothing. */
export interface BlockIR {
  readonly kind: "block"
  readonly text: TextIR
  readonly provenance: readonly ProvenanceIR[]
}

/** A preamble and one line per assertion, joined by line breaks. */
export interface AssertionIR {
  readonly kind: "assertion"
  readonly preamble: TextIR
  /** Templates of a line; cycled. */
  readonly lines: readonly TextIR[]
  /** Wordings of an assertion; cycled. */
  readonly wordings: readonly TextIR[]
  readonly roster: readonly string[]
  readonly structure: "all_wrong" | "all_correct" | "mixed"
  readonly order: "identity" | "reversed" | "interleaved"
  readonly dose: { readonly lines: number; readonly speakers: number }
  readonly provenance: readonly ProvenanceIR[]
}

export interface ProvenanceIR {
  readonly kind: "verbatim" | "reconstructed"
  readonly note: string
  readonly origin: Origin
}

export interface ProtocolIR {
  readonly name: string
  readonly slots: readonly string[]
  /** How options are listed: one text per option, `option` pieces in it, joined. */
  readonly listing: { readonly each: TextIR; readonly join: string; readonly origin: Origin }
  readonly system?: TextIR
  readonly turns: readonly TurnIR[]
  /** In the order in which they are read. */
  readonly holes: readonly HoleIR[]
  readonly provenance: readonly ProvenanceIR[]
  readonly origin: Origin
}

export interface TurnIR {
  readonly name: string
  readonly continues?: string
  readonly user: TextIR
  readonly assistant: TextIR
}

export type HoleIR =
  | { readonly name: string; readonly turn: string; readonly type: "option" }
  | {
      readonly name: string
      readonly turn: string
      readonly type: "integer"
      readonly low: number
      readonly high: number
    }

/** Which option a trial is about. */
export type TargetIR =
  /** The wrong option with the highest probability in this read; ties go to the first. */
  | { readonly kind: "top_wrong"; readonly hole: string }
  /** A wrong option drawn from a seeded stream of the item's. */
  | { readonly kind: "random_wrong" }
  /** The option at this place, from 1. */
  | { readonly kind: "option"; readonly position: number }
  /** The next letter past the item's options. */
  | { readonly kind: "placebo_label" }

// ---------------------------------------------------------------- measures

/** An expression over one trial, checked: names are holes and columns, all of known type. */
export type ExprIR =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  /** An option, by what it is: an answer of a read, the gold one, the target or the pushed one. */
  | { readonly kind: "answer"; readonly hole: string }
  | { readonly kind: "gold" }
  | { readonly kind: "target" }
  | { readonly kind: "pushed" }
  /** A number of a read. */
  | { readonly kind: "confidence"; readonly hole: string }
  | { readonly kind: "mass"; readonly hole: string }
  | { readonly kind: "value"; readonly hole: string }
  /** The probability that a read gives to an option. */
  | { readonly kind: "p"; readonly hole: string; readonly option: ExprIR }
  /** The trial's level of a factor (also `model` and `pool`); no value where the arm lacks it. */
  | { readonly kind: "level"; readonly factor: string }
  | { readonly kind: "unary"; readonly operator: "not" | "-"; readonly operand: ExprIR }
  | {
      readonly kind: "binary"
      readonly operator: "or" | "and" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/"
      readonly left: ExprIR
      readonly right: ExprIR
    }

export interface MeasureIR {
  readonly name: string
  readonly doc: string
  /** `rate` is over truth values, `mean` over numbers. */
  readonly statistic: "rate" | "mean"
  readonly value: ExprIR
  readonly given?: ExprIR
  readonly interval: { readonly method: "wilson" | "bootstrap"; readonly level: number }
  /** What becomes of a trial in which a read that the measure needs is invalid. */
  readonly invalid: "exclude" | "wrong" | "error"
  readonly origin: Origin
}

/** A measure over the trials that have these levels. */
export interface RestrictedIR {
  readonly measure: string
  readonly levels: Readonly<Record<string, string>>
}

/** The difference of a measure between two sets of trials, or of two measures. */
export interface ContrastIR {
  readonly name: string
  readonly doc: string
  readonly left: RestrictedIR
  readonly right: RestrictedIR
  /** `paired`: within items that both sides have; `pooled`: over trials, items resampled. */
  readonly by: readonly ("paired" | "pooled")[]
  readonly origin: Origin
}

export interface TableIR {
  readonly name: string
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  readonly average: "pooled"
  readonly where?: ExprIR
}

export interface FigureIR {
  readonly name: string
  readonly mark: "bar" | "dot"
  readonly measure: string
  readonly by: string
  readonly color?: string
  readonly where?: ExprIR
}

/** `estimate OPERATOR bound` over a contrast, or over one end of its interval. */
export interface ExpectIR {
  /** As written, for the report. */
  readonly text: string
  readonly contrast: string
  readonly of: "estimate" | "low" | "high"
  readonly operator: "<" | "<=" | ">" | ">="
  readonly bound: number
  readonly origin: Origin
}
