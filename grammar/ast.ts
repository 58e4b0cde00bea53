/**
 * The syntax tree of a `.cfx` file. Every node carries its span: the text of a node is what stands at its span.
 * Meaning (which names exist, which types fit) is the compiler's.
 */
import type { Span } from "./source.ts"

interface Node {
  readonly span: Span
}

export interface File extends Node {
  readonly kind: "file"
  /** The doc comment that opens the file, when a blank line parts it from the first declaration. */
  readonly doc: string
  readonly imports: readonly Import[]
  readonly declarations: readonly Declaration[]
}

export interface Name extends Node {
  readonly kind: "name"
  readonly text: string
}

// ---------------------------------------------------------------- text

/** A quoted text. Indentation and the outer line breaks of a triple-quoted one are gone; `{{` and `}}` are braces. */
export interface Text extends Node {
  readonly kind: "text"
  readonly triple: boolean
  readonly parts: readonly TextPart[]
}

export type TextPart = Chars | Placeholder | Hole

/** Literal characters; the span covers them as written, escapes and all. */
export interface Chars extends Node {
  readonly kind: "chars"
  readonly text: string
}

/** `{item.question}`: filled before a model reads the text. */
export interface Placeholder extends Node {
  readonly kind: "placeholder"
  readonly path: Expression
}

/** `{a0: option}`: a read. */
export interface Hole extends Node {
  readonly kind: "hole"
  readonly name: Name
  readonly type: HoleType
}

export type HoleType =
  | (Node & { readonly kind: "option" })
  | (Node & { readonly kind: "integer"; readonly low: NumberLiteral; readonly high: NumberLiteral })

// ---------------------------------------------------------------- expressions

export type Expression = Name | NumberLiteral | Text | Member | Call | Unary | Binary | Restriction

export interface NumberLiteral extends Node {
  readonly kind: "number"
  readonly value: number
}

/** `first.confidence` */
export interface Member extends Node {
  readonly kind: "member"
  readonly object: Expression
  readonly property: Name
}

/** `top_wrong(a0)`, `first.p(pushed)` */
export interface Call extends Node {
  readonly kind: "call"
  readonly callee: Expression
  readonly arguments: readonly Expression[]
}

export interface Unary extends Node {
  readonly kind: "unary"
  readonly operator: "not" | "-"
  readonly operand: Expression
}

export type BinaryOperator = "or" | "and" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/"

export interface Binary extends Node {
  readonly kind: "binary"
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}

/** `HRR[framing = experts, structure = all_wrong]`: a measure over some of the trials. */
export interface Restriction extends Node {
  readonly kind: "restriction"
  readonly measure: Name
  readonly levels: readonly LevelFilter[]
}

export interface LevelFilter extends Node {
  readonly factor: Name
  readonly level: Expression
}

// ---------------------------------------------------------------- imports

/** `import { people, experts as panel } from "std/framings"` */
export interface Import extends Node {
  readonly kind: "import"
  readonly names: readonly ImportedName[]
  readonly from: Text
}

export interface ImportedName extends Node {
  readonly name: Name
  /** The name in this file: `alias` where there is one, else `name`. */
  readonly alias?: Name
}

// ---------------------------------------------------------------- declarations

export type Declaration =
  | Model
  | Items
  | Framing
  | Roster
  | Paraphrase
  | Dose
  | Block
  | Protocol
  | Metric
  | Experiment

export type DeclarationKind = Declaration["kind"]

interface Declared extends Node {
  readonly name: Name
  /** The `///` lines above it, without the slashes and one leading space. Empty when there are none. */
  readonly doc: string
}

/** `key value`, as written; the compiler says which keys a declaration may have. */
export interface Attribute extends Node {
  readonly key: Name
  readonly value: Text | NumberLiteral | Name
}

/** `verbatim "source"` or `reconstructed "why"`: where a stimulus comes from. */
export interface Provenance extends Node {
  readonly kind: "verbatim" | "reconstructed"
  readonly note: Text
}

export interface Model extends Declared {
  readonly kind: "model"
  /** `gguf "path"`, the path relative to the declaring file. */
  readonly engine: Name
  readonly file: Text
  readonly attributes: readonly Attribute[]
}

/** `items kinds = "kinds.yaml" { question = stem.text }` */
export interface Items extends Declared {
  readonly kind: "items"
  readonly file: Text
  readonly fields: readonly FieldMapping[]
}

/** `gold = answer.key`, `question = "Question text"`, `options = A, B, C, D` */
export interface FieldMapping extends Node {
  readonly field: Name
  /** At least one. Each is a path into a row, a `Name` or a chain of `Member`s, or the name of a column as a `Text`. */
  readonly columns: readonly Expression[]
}

/** `framing` and `container` are one type with two names. */
export interface Framing extends Declared {
  readonly kind: "framing"
  readonly keyword: "framing" | "container"
  readonly parent?: Name
  /** In the order written; a field written twice is the checker's to report. */
  readonly fields: readonly FramingField[]
  readonly provenance: readonly Provenance[]
}

export type FramingField =
  | (Node & { readonly field: "preamble"; readonly text: Text })
  | (Node & { readonly field: "lines"; readonly texts: readonly Text[] })
  | (Node & { readonly field: "speakers"; readonly roster: Name })

export interface Roster extends Declared {
  readonly kind: "roster"
  readonly speakers: readonly Text[]
}

export interface Paraphrase extends Declared {
  readonly kind: "paraphrase"
  readonly wordings: readonly Text[]
  readonly provenance: readonly Provenance[]
}

export interface Dose extends Declared {
  readonly kind: "dose"
  readonly parameters: readonly Name[]
  readonly fields: readonly DoseField[]
}

export interface DoseField extends Node {
  readonly field: "lines" | "speakers"
  readonly value: Expression
}

export interface Block extends Declared {
  readonly kind: "block"
  readonly fields: readonly BlockField[]
  readonly provenance: readonly Provenance[]
}

export interface BlockField extends Node {
  readonly field: "text"
  readonly text: Text
}

export interface Protocol extends Declared {
  readonly kind: "protocol"
  readonly fields: readonly ProtocolField[]
  readonly turns: readonly Turn[]
  readonly provenance: readonly Provenance[]
}

export type ProtocolField =
  | (Node & { readonly field: "slot"; readonly slot: Name })
  | (Node & { readonly field: "options"; readonly each: Text; readonly join: Text })
  | (Node & { readonly field: "system"; readonly text: Text })

export interface Turn extends Node {
  readonly kind: "turn"
  readonly name: Name
  /** The turn whose conversation is this one's prefix; a turn without one is a new session. */
  readonly continues?: Name
  readonly fields: readonly TurnField[]
}

export interface TurnField extends Node {
  readonly field: "user" | "assistant"
  readonly text: Text
}

export interface Metric extends Declared {
  readonly kind: "metric"
  readonly parent?: Name
  readonly parameters: readonly Parameter[]
  readonly fields: readonly MetricField[]
}

export interface Parameter extends Node {
  readonly name: Name
  readonly default: Expression
}

export type MetricField =
  | (Node & { readonly field: "rate" | "mean"; readonly value: Expression })
  | (Node & { readonly field: "given"; readonly condition: Expression })
  | (Node & { readonly field: "interval"; readonly method: Name; readonly level: NumberLiteral })
  | (Node & { readonly field: "invalid"; readonly policy: Name })

export interface Experiment extends Declared {
  readonly kind: "experiment"
  readonly fields: readonly ExperimentField[]
}

export type ExperimentField =
  | (Node & { readonly field: "protocol"; readonly protocol: Name })
  | (Node & { readonly field: "models"; readonly models: readonly Name[] })
  | (Node & { readonly field: "items"; readonly pools: readonly PoolUse[] })
  | (Node & { readonly field: "seed"; readonly seed: NumberLiteral })
  | (Node & { readonly field: "target"; readonly target: Expression })
  | (Node & { readonly field: "arms"; readonly arms: readonly Arm[] })
  | (Node & { readonly field: "measure"; readonly metric: Name })
  | ContrastField
  | TableField
  | FigureField
  | (Node & { readonly field: "expect"; readonly claim: Expression })
  | (Node & { readonly field: "allow"; readonly code: Name; readonly reason: Text })

/** `kinds sample 100` */
export interface PoolUse extends Node {
  readonly pool: Name
  readonly sample?: NumberLiteral
}

/** `reask = plain_reask` or `pressure = assertion(framing in { a, b }, dose = distinct(6))` */
export interface Arm extends Node {
  readonly name: Name
  readonly stimulus: Name | Assertion
}

export interface Assertion extends Node {
  readonly kind: "assertion"
  readonly arguments: readonly AssertionArgument[]
}

/** `in { ... }` makes a factor of several levels, `=` one of a single level. */
export interface AssertionArgument extends Node {
  readonly factor: Name
  readonly levels: readonly Expression[]
}

export interface ContrastField extends Node {
  readonly field: "contrast"
  readonly name: Name
  readonly value: Expression
  /** `paired(item)`, `pooled`: how its interval is taken. */
  readonly by: readonly Expression[]
}

export interface TableField extends Node {
  readonly field: "table"
  readonly name: Name
  readonly rows: readonly Name[]
  readonly columns: readonly Name[]
  readonly average?: Name
  readonly where?: Expression
}

export interface FigureField extends Node {
  readonly field: "figure"
  readonly name: Name
  readonly mark: Name
  readonly measure: Name
  /** The factor along the axis. */
  readonly by: Name
  /** The factor that is told apart by colour. */
  readonly color?: Name
  readonly where?: Expression
}
