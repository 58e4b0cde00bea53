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
  /** `{a[t]: option}`: the variable of the repeated turn, when the name has one. */
  readonly step?: Name
  readonly type: HoleType
}

export type HoleType =
  /** `option`, or `option of past[1]`: over the options of another item. */
  | (Node & { readonly kind: "option"; readonly of?: Expression })
  | (Node & { readonly kind: "label"; readonly labels: readonly (Name | NumberLiteral)[] })
  | (Node & { readonly kind: "integer"; readonly low: NumberLiteral; readonly high: NumberLiteral })
  /** A text that the model writes; how, says the turn's `read` field. */
  | (Node & { readonly kind: "text" })

// ---------------------------------------------------------------- expressions

export type Expression =
  | Name
  | NumberLiteral
  | Text
  | Member
  | Call
  | Index
  | List
  | Unary
  | Binary
  | Is
  | Membership
  | Except
  | Restriction

export interface NumberLiteral extends Node {
  readonly kind: "number"
  readonly value: number
  /** Its characters: `1.0` and `01` are other ones than `1`, where a number is read as a text. */
  readonly written: string
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

/** `past[1]`, `a[t]`, `block[t]` */
export interface Index extends Node {
  readonly kind: "index"
  readonly object: Name
  readonly index: Expression
}

/** `[wrong, wrong, gold]` */
export interface List extends Node {
  readonly kind: "list"
  readonly elements: readonly Expression[]
}

/** `a1 is invalid` */
export interface Is extends Node {
  readonly kind: "is"
  readonly subject: Expression
  readonly state: Name
}

/** `framing in { people, experts }` */
export interface Membership extends Node {
  readonly kind: "membership"
  readonly subject: Expression
  readonly levels: readonly Expression[]
}

/** `all_wrong except last = gold`: which line is another than the rest, and what stands there. */
export interface Except extends Node {
  readonly kind: "except"
  readonly structure: Name
  readonly place: Name | NumberLiteral
  readonly as?: Name
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
  /** `source != model`, `framing in { people, experts }`: comparisons and memberships of columns. */
  readonly conditions: readonly (Binary | Membership)[]
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
  /** `sha256:4f1c...`: what the names must mean. */
  readonly sum?: Sum
}

/** 64 hexadecimal digits, as written. */
export interface Sum extends Node {
  readonly kind: "sum"
  readonly digits: string
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
  | Structure
  | Order
  | Target
  | Protocol
  | Judge
  | Lexicon
  | Metric
  | Experiment

export type DeclarationKind = Declaration["kind"]

interface Declared extends Node {
  readonly name: Name
  /** The `///` lines above it, without the slashes and one leading space. Empty when there are none. */
  readonly doc: string
}

/** `verbatim "source"` or `reconstructed "why"`: where a stimulus comes from. */
export interface Provenance extends Node {
  readonly kind: "verbatim" | "reconstructed"
  readonly note: Text
}

/** `key value`, as written; the compiler says which keys a declaration may have. */
export interface Attribute extends Node {
  readonly key: Name
  readonly value: Text | NumberLiteral | Name | Attributes
}

/** `template { enable_thinking false }` */
export interface Attributes extends Node {
  readonly kind: "attributes"
  readonly attributes: readonly Attribute[]
}

/** `model respondent = gguf "models/x.gguf" { family "Qwen" }` */
export interface Model extends Declared {
  readonly kind: "model"
  /** `gguf` or `server`. */
  readonly engine: Name
  readonly file: Text
  readonly attributes: readonly Attribute[]
}

/** `items kinds = "kinds.yaml" { question = stem.text }` */
export interface Items extends Declared {
  readonly kind: "items"
  readonly source:
    | (Node & { readonly kind: "files"; readonly files: readonly Text[] })
    | (Node & { readonly kind: "run"; readonly folder: Text })
  readonly fields: readonly ItemsField[]
}

export type ItemsField =
  | FieldMapping
  | (Node & { readonly field: "records"; readonly path: Expression })
  | (Node & { readonly field: "where"; readonly condition: Expression })
  | (Node & { readonly field: "shuffle" })
  | (Node & { readonly field: "size" | "choices"; readonly count: NumberLiteral })
  | (Node & { readonly field: "strata"; readonly column: Name; readonly count: NumberLiteral })
  | (Node & { readonly field: "experiment"; readonly experiment: Name })
  | (Node & { readonly field: "keep"; readonly reads: readonly Name[] })
  /** `one per item by max flips over model except model` */
  | (Node & { readonly field: "one"; readonly metric: Name; readonly except: boolean })

/** `gold = answer.key or letter(target)`, `question = "Question text"`, `options = A, B, C, D` */
export interface FieldMapping extends Node {
  readonly field: "mapping"
  readonly target: Name
  /**
   * At least one. Each is a path into a row (a `Name` or a chain of `Member`s), the name of a column as a `Text`, a `Call` such as `column(2)`,
   * or a `Binary` `or` of such: the first that the row has.
   */
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
  | (Node & { readonly field: "closing"; readonly text: Text })
  /** A variant under a name: its fields stand for the declaration's own. */
  | (Node & { readonly field: "wording"; readonly name: Name; readonly fields: readonly FramingField[] })

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

export type BlockField =
  | (Node & { readonly field: "text"; readonly text: Text })
  /** One for each step of a repeated turn. */
  | (Node & { readonly field: "texts"; readonly texts: readonly Text[] })

/** `structure dissent = all_wrong except last = gold` */
export interface Structure extends Declared {
  readonly kind: "structure"
  readonly value: Expression
}

/** `order inside_out = [3, 1, 2]` */
export interface Order extends Declared {
  readonly kind: "order"
  readonly value: Expression
}

/** `target second_best = ranked_wrong(a0, 2)` */
export interface Target extends Declared {
  readonly kind: "target"
  readonly value: Expression
}

export interface Protocol extends Declared {
  readonly kind: "protocol"
  readonly fields: readonly ProtocolField[]
  readonly turns: readonly Turn[]
  readonly provenance: readonly Provenance[]
}

export type ProtocolField =
  | (Node & { readonly field: "slot"; readonly slot: Name })
  | (Node & { readonly field: "role"; readonly role: Name })
  | (Node & {
      readonly field: "draw"
      readonly name: Name
      readonly count: NumberLiteral
      readonly pool?: Name
    })
  | (Node & { readonly field: "options"; readonly each: Text; readonly join: Text })
  | (Node & { readonly field: "answers"; readonly as: Name })
  | (Node & { readonly field: "system"; readonly text: Text })
  | ExtractField
  | JudgeField

/** `extract a0: option from reply matching "ANSWER: (\w)" last` */
export interface ExtractField extends Node {
  readonly field: "extract"
  readonly name: Name
  readonly type: HoleType
  readonly from: Name
  readonly pattern: Pattern
  readonly which: "first" | "last"
}

/** A regular expression as written between its quotes; only `\"` is an escape. The span holds the quotes. */
export interface Pattern extends Node {
  readonly kind: "pattern"
  readonly source: string
}

/** `judge v0 = same_answer(reply0) by grader`, `judge v0 = explanation(item.reason) by grader` */
export interface JudgeField extends Node {
  readonly field: "judge"
  readonly name: Name
  readonly judge: Name
  readonly arguments: readonly (Name | Member)[]
  readonly by?: Name
}

export interface Turn extends Node {
  readonly kind: "turn"
  readonly name: Name
  /** `turn press[t] repeat 5`: the turn stands for as many, one after the other. */
  readonly repeat?: { readonly variable: Name; readonly times: NumberLiteral }
  /** The turn whose conversation is this one's prefix; a turn without one is a new session. */
  readonly continues?: Name
  /** The role, or the model, that is asked; the studied model where there is none. */
  readonly by?: Name
  readonly when?: Expression
  readonly fields: readonly TurnField[]
}

export type TurnField =
  | (Node & { readonly field: "system" | "user" | "assistant"; readonly text: Text })
  | (Node & { readonly field: "read"; readonly hole: Name; readonly settings: readonly ReadSetting[] })

export type ReadSetting =
  | (Node & {
      readonly setting: "max" | "temperature" | "top_p" | "mass" | "generate"
      readonly value: NumberLiteral
    })
  /** `score text_per_token`: what an option is recognised by. */
  | (Node & { readonly setting: "score"; readonly by: Name })
  | (Node & { readonly setting: "until" | "refusal"; readonly texts: readonly Text[] })

/** `judge same_answer(reply) { user "..." assistant "{verdict: label(same, different)}" gold same }` */
export interface Judge extends Declared {
  readonly kind: "judge"
  readonly parameters: readonly Name[]
  readonly fields: readonly JudgePart[]
  readonly provenance: readonly Provenance[]
}

export type JudgePart =
  | (Node & { readonly field: "system" | "user" | "assistant"; readonly text: Text })
  | (Node & { readonly field: "gold"; readonly label: Name })
  | (Node & { readonly field: "matching"; readonly pattern: Pattern })
  | (Node & { readonly field: "equals"; readonly value: Expression })
  | (Node & { readonly field: "then"; readonly yes: Name; readonly no: Name })

export interface Lexicon extends Declared {
  readonly kind: "lexicon"
  readonly terms: readonly Text[]
  readonly provenance: readonly Provenance[]
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
  | (Node & { readonly field: "rate" | "mean" | "sum" | "count"; readonly value: Expression })
  | (Node & { readonly field: "quantile"; readonly at: NumberLiteral; readonly value: Expression })
  | (Node & {
      readonly field: "ratio" | "kappa" | "auroc" | "difference"
      readonly value: Expression
      readonly other: Expression
    })
  | (Node & { readonly field: "given"; readonly condition: Expression })
  | (Node & { readonly field: "weight"; readonly value: Expression })
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
  /** `seed 0`, `target in { top_wrong(a0), random_wrong }`, `options in { identity, reversed }`, one level or several. */
  | (Node & { readonly field: "seed" | "target" | "options"; readonly levels: readonly Expression[] })
  | FactorField
  | (Node & { readonly field: "replicates"; readonly count: NumberLiteral })
  | (Node & { readonly field: "tolerate"; readonly share: NumberLiteral })
  | (Node & { readonly field: "independent" })
  | (Node & { readonly field: "only" | "except"; readonly condition: Expression })
  | (Node & { readonly field: "arms"; readonly arms: readonly Arm[] })
  | MeasureField
  | SummaryField
  | ContrastField
  | FamilyField
  | ModelFitField
  | TableField
  | FigureField
  | ForestField
  | (Node & { readonly field: "assume"; readonly entries: readonly AssumeEntry[] })
  | ExpectField
  | (Node & { readonly field: "allow"; readonly code: Name; readonly reason: Text })
  | RecordsField

/** `kinds sample 36 per subject where subject != "anatomy"` */
export interface PoolUse extends Node {
  readonly pool: Name
  readonly sample?: NumberLiteral
  readonly per?: Name
  readonly where?: Expression
}

/** `factor source in models`, `factor k in { 1, 3 }`, `factor persona = none` */
export interface FactorField extends Node {
  readonly field: "factor"
  readonly factor: Name
  /** `models`: each model of the experiment. */
  readonly levels: readonly Expression[] | "models"
}

/** `measure HRR`, `measure late = HRR(second = a5)` */
export interface MeasureField extends Node {
  readonly field: "measure"
  /** The measure's own name, when it has one besides the metric's. */
  readonly name?: Name
  readonly metric: Name
  readonly arguments: readonly { readonly parameter: Name; readonly value: Expression }[]
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

/** `summary r = correlation CSR against AFR over subject` */
export interface SummaryField extends Node {
  readonly field: "summary"
  readonly name: Name
  readonly statistic: Name
  readonly measure: Expression
  readonly against?: Expression
  /** At least one: the cells are what these columns cross to. */
  readonly over: readonly Name[]
  /** One number for each crossing of these; one for all trials where there are none. */
  readonly by: readonly Name[]
  readonly where?: Expression
}

/** `family framings = authority, attribution by holm` */
export interface FamilyField extends Node {
  readonly field: "family"
  readonly name: Name
  readonly contrasts: readonly Name[]
  readonly adjust: Name
}

export interface ContrastField extends Node {
  readonly field: "contrast"
  readonly name: Name
  readonly value: Expression
  /** `paired(item)`, `pooled`, `cells(model, pool)`, `mixed_logistic` and others: how its interval is taken. */
  readonly by: readonly Expression[]
}

/** `model_fit odds { logit HRR ~ framing random [model, item] slopes [framing by model] where structure == all_wrong }` */
export interface ModelFitField extends Node {
  readonly field: "model_fit"
  readonly name: Name
  readonly metric: Name
  /** What stands after `~`: a sum of terms. */
  readonly terms: Expression
  readonly random: readonly Name[]
  readonly slopes: readonly { readonly factor: Name; readonly by: Name; readonly correlated: boolean }[]
  readonly where?: Expression
}

export interface TableField extends Node {
  readonly field: "table"
  readonly name: Name
  readonly rows: readonly Name[]
  readonly columns: readonly Name[]
  /** `pooled`, `macro(model, pool)`, `median(model, pool)` */
  readonly average?: Expression
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
  /** One panel for each of its levels. */
  readonly facet?: Name
  readonly where?: Expression
}

/** `figure increments { forest authority, attribution }`: contrasts one below the other, all where none is named. */
export interface ForestField extends Node {
  readonly field: "forest"
  readonly name: Name
  readonly contrasts: readonly Name[]
}

/** `records "x.csv" { item = id  a0: option = first_answer  a0.p(A) = p_a }`: records made elsewhere, and where they have what. */
export interface RecordsField extends Node {
  readonly field: "records"
  readonly file?: Text
  readonly entries: readonly RecordsEntry[]
}

export type RecordsEntry =
  | RecordMapping
  /** `labels { A, B, C, D }`: those of every item. */
  | (Node & { readonly entry: "labels"; readonly labels: readonly RecordedLabel[] })
  /** `format lm_eval` */
  | (Node & { readonly entry: "format"; readonly format: Name })
  /** `on duplicate first`: what becomes of rows that something is wrong with. */
  | (Node & { readonly entry: "on"; readonly problem: Name; readonly policy: Name })

/** `gold = answer_key`, `a0: option = first_answer`, `a0.p(A) = p_a`, `framing = cond { experts = "expert panel" }` */
export interface RecordMapping extends Node {
  readonly entry: "mapping"
  readonly target: Name
  readonly part?: RecordedPart
  readonly type?: HoleType
  /** As one of a `FieldMapping`. */
  readonly column: Expression
  readonly levels?: readonly RecordedLevel[]
}

/** `.p(A)`, `.mass`, `.subject` */
export interface RecordedPart extends Node {
  readonly name: Name
  readonly label?: RecordedLabel
}

/** A level, and what stands for it in the file: its own name where nothing is given. */
export interface RecordedLevel extends Node {
  readonly level: Expression
  readonly values: readonly RecordedLabel[]
}

export type RecordedLabel = Name | NumberLiteral | Text

/** `accuracy 0.7`, `HRR { reask 0.1 }` */
export interface AssumeEntry extends Node {
  readonly name: Name
  readonly value: NumberLiteral | readonly AssumeEntry[]
}

export type ExpectField = Node & {
  readonly field: "expect"
  readonly claim:
    | { readonly kind: "comparison"; readonly value: Expression }
    /** The margin as written: `0.03`, or `3 pp` (percentage points). */
    | {
        readonly kind: "equivalent"
        readonly contrast: Name
        readonly margin: NumberLiteral
        readonly points: boolean
      }
    /** `HRR[framing = experts] equals 79.4 percent within 0.5 pp`: a number that was published. */
    | {
        readonly kind: "published"
        readonly measure: Expression
        /** With its sign; `percent` says that it is a hundred times what the measure is. */
        readonly value: NumberLiteral
        readonly percent: boolean
        readonly margin: NumberLiteral
        readonly points: boolean
      }
}
