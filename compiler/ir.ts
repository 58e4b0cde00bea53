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
  readonly engine: "gguf" | "server"
  /**
   * gguf: a path, as written and resolved against the declaring file, or `hf:user/repo/file.gguf#revision`; `--model` replaces it,
   * and a server too.
   * server: its address. Not part of the hash where `sha256` is given.
   */
  readonly file: string
  readonly bytes?: number
  readonly sha256?: string
  /** What a server calls the model, and the environment variable that holds its key (never the key). */
  readonly served?: ServedIR
  /** Where and how a file is opened. No part of the meaning. */
  readonly device?: DeviceIR
  /** Variables for the chat template, or `plain`: a base model, whose turns are written one after another. */
  readonly template?: "plain" | Readonly<Record<string, string | number | boolean>>
  /** Where the chat template has no place for a system message: it opens the first user message, followed by an empty line. */
  readonly system?: "into_user"
  /** Attributes that are columns and no more, such as family and size. */
  readonly attributes: Readonly<Record<string, string | number>>
  readonly doc: string
  readonly origin: Origin
}

/** How a server is asked. Only `name` and `logprobs` are part of the meaning; the rest bounds how fast and how much. */
export interface ServedIR {
  /** What the server calls the model. */
  readonly name: string
  /** The environment variable that holds its key (never the key). */
  readonly key?: string
  /** How many alternatives of a token it lists (`top_logprobs`); 0 where it lists none, so that only texts and what is found in them can be had. */
  readonly logprobs?: number
  /** Requests at a time. */
  readonly concurrency?: number
  /** Requests a minute. */
  readonly rate?: number
  /** How often a request is sent again after a failure that may pass. */
  readonly retries?: number
  /** Seconds that an answer may take; 300 at most. */
  readonly timeout?: number
  /** Requests, and tokens of prompts and answers, after which a run stops. */
  readonly maxCalls?: number
  readonly maxTokens?: number
}

/** Where a file is opened. */
export interface DeviceIR {
  readonly gpu?: "auto" | "none" | "cuda" | "metal" | "vulkan"
  /** Layers that the GPU holds; as many as fit where left out. */
  readonly layers?: number
  /** Tokens that a conversation may take. */
  readonly context?: number
}

export interface PoolIR {
  readonly name: string
  readonly source: PoolSourceIR
  /** Field of an item -> where a row has it. */
  readonly fields: ItemFields
  /** Rows that count; over the item's columns. */
  readonly where?: ExprIR
  /** Whether options are put into a seeded order of the item's own before anything else looks at them. */
  readonly shuffle: boolean
  /** What is known of the data while they are not at hand. */
  readonly published: {
    readonly size?: number
    readonly choices?: number
    readonly strata?: Readonly<Record<string, number>>
  }
  readonly doc: string
  readonly origin: Origin
}

export type PoolSourceIR =
  /** Absolute paths of files or folders. */
  | { readonly kind: "files"; readonly files: readonly string[] }
  /** `hf://datasets/org/name@revision#config/split`, as written. */
  | { readonly kind: "hub"; readonly address: string }
  /** A finished run: of each item's candidate stimuli the strongest over the models but the studied one. */
  | {
      readonly kind: "run"
      readonly folder: string
      readonly experiment: string
      /** Reads of that run, each of which is a column of the item. */
      readonly keep: readonly string[]
      readonly by?: MeasureIR
      readonly exceptStudied: boolean
    }

/** Where a row has a value: alternatives, of which the first that the row has counts. */
export type ColumnIR = readonly LookupIR[]

export type LookupIR =
  /** A path into the row; a list of records on the way is mapped over. */
  | { readonly kind: "path"; readonly path: readonly string[] }
  /** The column at this place of a table without a header, from 1. */
  | { readonly kind: "column"; readonly place: number }
  | { readonly kind: "file" }
  | { readonly kind: "row" }
  /** Gold: always the first option. */
  | { readonly kind: "first" }
  | {
      readonly kind: "keys" | "marked" | "index" | "position" | "lettered" | "letter"
      readonly path: readonly string[]
    }
  | { readonly kind: "before"; readonly of: LookupIR; readonly marker: string }

export interface ItemFields {
  readonly id?: ColumnIR
  readonly question: ColumnIR
  /** One place that holds all options, or a place for each. */
  readonly options: { readonly list: ColumnIR } | { readonly each: readonly ColumnIR[] }
  /** Labels as displayed; A, B, C, ... where the mapping has none. */
  readonly labels?: ColumnIR
  readonly gold: ColumnIR
  /** Further columns of the item, by name. */
  readonly columns: Readonly<Record<string, ColumnIR>>
  /** Where in a JSON file the rows are. */
  readonly records?: readonly string[]
}

// ---------------------------------------------------------------- text with places to fill

/**
 * Text of a declaration, with its places. Places are filled in this order: by the arm (`slot`), by the item (`item`), by a line of an
 * assertion (`assertion`, `answer`, `i`, `speaker`), and last by what was read (`hole`).
 */
export type TextIR = readonly PieceIR[]

export type PieceIR =
  | { readonly kind: "text"; readonly text: string; readonly origin: Origin }
  /** What fills a slot; `step`, from 1, takes the text or the dose of that step. */
  | { readonly kind: "slot"; readonly slot: string; readonly step?: number; readonly origin: Origin }
  | { readonly kind: "item"; readonly field: ItemFieldIR; readonly origin: Origin }
  /** A field of another item: the `index`th, from 1, that this draw gives; `"step"` where a stimulus leaves it to the repeated turn that it stands in. */
  | {
      readonly kind: "other"
      readonly draw: string
      readonly index: number | "step"
      readonly field: ItemFieldIR
      readonly origin: Origin
    }
  | {
      readonly kind: "line"
      readonly field: "assertion" | "answer" | "answer.label" | "answer.text" | "i" | "speaker"
      readonly origin: Origin
    }
  /** The option that the trial is about, or the one that is pushed. */
  | {
      readonly kind: "push"
      readonly of: "target" | "pushed"
      readonly field: "label" | "text"
      readonly origin: Origin
    }
  /** The number of the step, in a stimulus of a repeated turn. */
  | { readonly kind: "step"; readonly origin: Origin }
  | { readonly kind: "option"; readonly field: "label" | "text"; readonly origin: Origin }
  | { readonly kind: "hole"; readonly hole: string; readonly origin: Origin }

/** `wrong`: of another item, a wrong option drawn from its stream. */
export type ItemFieldIR =
  | "question"
  | "options"
  | "gold.label"
  | "gold.text"
  | "wrong.label"
  | "wrong.text"
  | { readonly column: string }

// ---------------------------------------------------------------- experiments

export interface ExperimentIR {
  readonly name: string
  readonly doc: string
  /** The first seed: what samples of pools are drawn with, so that all seeds are asked about the same items. */
  readonly seed: number
  readonly models: readonly string[]
  readonly pools: readonly PoolUseIR[]
  readonly protocol: ProtocolIR
  /** The columns of the design in the order written, `arm` first; levels in the order written. */
  readonly factors: readonly FactorIR[]
  /** The grid, in the order written: one cell for each arm and each crossing of its levels and of the experiment's factors. */
  readonly cells: readonly CellIR[]
  /**
   * Which trials there are of those, where model, pool or a column of the item decides: all for which it is not false (what a trial lacks,
   * as a baseline its framing, it says nothing about). Cells that nothing lets through are gone already.
   */
  readonly only?: ExprIR
  /** Whether arms that render the same prompt draw their sampled texts apart. */
  readonly independent: boolean
  /** The share of reads that may fail before a run counts as failed (exit 4); 0 where left out. */
  readonly tolerate?: number
  readonly measures: readonly MeasureIR[]
  readonly contrasts: readonly ContrastIR[]
  readonly fits: readonly ModelFitIR[]
  readonly summaries: readonly SummaryIR[]
  readonly families: readonly FamilyIR[]
  readonly tables: readonly TableIR[]
  readonly figures: readonly FigureIR[]
  readonly forests: readonly ForestIR[]
  readonly expects: readonly ExpectIR[]
  readonly published: readonly PublishedIR[]
  readonly assume?: AssumeIR
  /** Where records made elsewhere have what a trial is made of (`cfx score`). */
  readonly records?: RecordsIR
  readonly allows: readonly { readonly code: string; readonly reason: string }[]
}

export interface PoolUseIR {
  readonly pool: string
  /** So many items, or so many of each value of the column `per`. */
  readonly sample?: number
  readonly per?: string
  readonly where?: ExprIR
}

export interface FactorIR {
  readonly name: string
  readonly levels: readonly string[]
}

export interface CellIR {
  readonly arm: string
  /** Level by factor, `arm` included. A factor that the arm lacks is absent here and a dash in a table. */
  readonly levels: Readonly<Record<string, string>>
  /** What the arm puts into the protocol's first slot. An experiment without arms has one, `all`, with an empty block. */
  readonly stimulus: StimulusIR
  /** What stands in the other slots, by name. */
  readonly fills: Readonly<Record<string, StimulusIR>>
  /** Model by role: a name, or `model`, the studied one. */
  readonly roles: Readonly<Record<string, string>>
  readonly seed: number
  readonly target: TargetIR
  readonly options: OptionOrderIR
  /** From 1. */
  readonly replicate: number
}

/** In which order an item's options are shown. */
export type OptionOrderIR =
  | { readonly kind: "identity" | "reversed" | "shuffled" | "gold_first" }
  | { readonly kind: "rotate"; readonly by: number }

export type StimulusIR = BlockIR | AssertionIR

/** Fixed text; asserts nothing. */
export interface BlockIR {
  readonly kind: "block"
  readonly text: TextIR
  /** By step of a repeated turn; then `text` is empty. */
  readonly steps?: readonly TextIR[]
  readonly provenance: readonly ProvenanceIR[]
}

/** A preamble, one line per assertion and a closing, joined by line breaks. */
export interface AssertionIR {
  readonly kind: "assertion"
  readonly preamble: TextIR
  /** Templates of a line; cycled. */
  readonly lines: readonly TextIR[]
  readonly closing: TextIR
  /** Wordings of an assertion; cycled. */
  readonly wordings: readonly TextIR[]
  readonly roster: readonly string[]
  readonly structure: StructureIR
  readonly order: OrderIR
  readonly dose: DoseIR
  /** By step of a repeated turn; then `dose` is the first of them. */
  readonly doses?: readonly DoseIR[]
  readonly provenance: readonly ProvenanceIR[]
}

export interface DoseIR {
  readonly lines: number
  readonly speakers: number
}

/** What a line asserts. `other`: a wrong option besides the target. */
export type AssertedIR = "target" | "gold" | "other"

/** `list`: line by line. `except`: all lines assert `rest`, but the one at `place` (from 1; -1 is the last). */
export type StructureIR =
  | "all_wrong"
  | "all_correct"
  | "mixed"
  | { readonly kind: "list"; readonly lines: readonly AssertedIR[] }
  | { readonly kind: "except"; readonly rest: AssertedIR; readonly place: number; readonly as: AssertedIR }

/** `permutation`: which assignment stands at each place, from 1. */
export type OrderIR =
  | "identity"
  | "reversed"
  | "interleaved"
  | "shuffled"
  | { readonly kind: "permutation"; readonly places: readonly number[] }

export interface ProvenanceIR {
  readonly kind: "verbatim" | "reconstructed"
  readonly note: string
  readonly origin: Origin
}

export interface ProtocolIR {
  readonly name: string
  /** The arms fill the first. */
  readonly slots: readonly string[]
  readonly roles: readonly string[]
  readonly draws: readonly DrawIR[]
  /** How options are listed: one text per option, `option` pieces in it, joined. */
  readonly listing: { readonly each: TextIR; readonly join: string; readonly origin: Origin }
  /** What `{answer}` is. */
  readonly answers: "label" | "text"
  readonly system?: TextIR
  /** Judges that a model answers are turns too; repeated turns stand unrolled, each under a name of its own. */
  readonly turns: readonly TurnIR[]
  /** In the order in which they are read. */
  readonly holes: readonly HoleIR[]
  /** Reads of repeated turns: `a` -> `a1`, `a2`, ... */
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly provenance: readonly ProvenanceIR[]
  readonly origin: Origin
}

/** Items other than the trial's, from a stream of the item's own. */
export interface DrawIR {
  readonly name: string
  readonly count: number
  /** The item's own pool where there is none. */
  readonly pool?: string
}

export interface TurnIR {
  readonly name: string
  readonly continues?: string
  /** Who is asked: the studied model where there is none. */
  readonly by?: { readonly role: string } | { readonly model: string }
  /** The turn takes place where this is true; over design columns and earlier reads. */
  readonly when?: ExprIR
  /** Instead of the protocol's. */
  readonly system?: TextIR
  readonly user: TextIR
  readonly assistant: TextIR
}

export type HoleIR = HoleHeadIR & HoleTypeIR

export interface HoleHeadIR {
  readonly name: string
  /** The turn that it is read in; for what is worked out from a text, the turn of that text. */
  readonly turn: string
}

/** How a distribution is read. */
export interface DistributionIR {
  /** A read whose labels hold less raw probability than this is flagged; 0.5 where left out, and none where whole texts are scored. */
  readonly leastMass?: number
  /** In so many trials of each arm the model also writes its answer freely, with up to `max` tokens, and the two are compared. */
  readonly generate?: { readonly trials: number; readonly max: number }
}

export type HoleTypeIR =
  /**
   * Over the item's labels, or over those of a drawn one. `score`: over whole option texts, by the raw probability of all their tokens (`sum`), or by
   * the geometric mean of it (`mean`); such a read is written back as the option's text.
   */
  | (DistributionIR & {
      readonly type: "option"
      readonly of?: { readonly draw: string; readonly index: number }
      readonly score?: "sum" | "mean"
    })
  /** `gold`: the label that counts as the gold answer. */
  | (DistributionIR & { readonly type: "label"; readonly labels: readonly string[]; readonly gold?: string })
  | (DistributionIR & { readonly type: "integer"; readonly low: number; readonly high: number })
  | {
      readonly type: "text"
      /** Tokens. */
      readonly max: number
      readonly until: readonly string[]
      readonly temperature: number
      readonly topP: number
      readonly refusal: readonly string[]
    }
  /** No model is asked: the value is found in a text. */
  | {
      readonly type: "extract"
      readonly from: string
      readonly pattern: string
      readonly which: "first" | "last"
      readonly as:
        | { readonly type: "option" }
        | { readonly type: "label"; readonly labels: readonly string[]; readonly gold?: string }
        | { readonly type: "integer"; readonly low: number; readonly high: number }
    }
  /** No model is asked: `yes` where the pattern is found in the text, or where the two are the same but for case, white space and punctuation at the ends. */
  | {
      readonly type: "rule"
      readonly from: string
      readonly test: { readonly pattern: string } | { readonly equals: "gold.label" | "gold.text" }
      readonly labels: readonly [yes: string, no: string]
      readonly gold?: string
    }

/** Which option a trial is about. */
export type TargetIR =
  /** The wrong option at this rank by probability in this read, from 1 (`top_wrong`); ties go to the first. */
  | { readonly kind: "ranked_wrong"; readonly hole: string; readonly rank: number }
  | { readonly kind: "least_wrong"; readonly hole: string }
  /** A wrong option drawn from a seeded stream of the item's. */
  | { readonly kind: "random_wrong" }
  /** The option at this place, from 1, in the order of the pool. */
  | { readonly kind: "option"; readonly position: number }
  /** The next letter past the item's options. */
  | { readonly kind: "placebo_label" }
  | { readonly kind: "gold" }
  /** A trial for each wrong option. */
  | { readonly kind: "each_wrong" }

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
  /** The confidence of a read whose probabilities were raised to the power 1 / temperature and renormalised: its logits, divided by it. */
  | { readonly kind: "recalibrated"; readonly hole: string; readonly temperature: number }
  | { readonly kind: "value"; readonly hole: string }
  /** The probability that a read gives to an option. */
  | { readonly kind: "p"; readonly hole: string; readonly option: ExprIR }
  /** The same before renormalising; also of a placebo label, which has no other. */
  | { readonly kind: "raw"; readonly hole: string; readonly option: ExprIR }
  /** A read as the text of its label, for reads of `label`. */
  | { readonly kind: "label"; readonly hole: string }
  /** Of an item: a column; how many options it has. */
  | { readonly kind: "column"; readonly column: string }
  | { readonly kind: "choices" }
  /** An attribute of the studied model. */
  | { readonly kind: "attribute"; readonly attribute: string }
  /** Of the arm's lines: words, and the place of the word that holds the answer, from 0; means over the lines. */
  | { readonly kind: "lines"; readonly of: "words" | "answer_index" }
  /** How a read came out. */
  | {
      readonly kind: "state"
      readonly hole: string
      readonly state: "value" | "invalid" | "refused" | "skipped"
    }
  /** Of a text that was written: a number. `count` and `density` (per 100 words) are of a lexicon's terms, by substring without regard to case. */
  | { readonly kind: "measured"; readonly hole: string; readonly of: "words" | "sentences" | "tokens" }
  | {
      readonly kind: "lexicon"
      readonly hole: string
      readonly of: "count" | "density"
      readonly terms: readonly string[]
    }
  /** Of a text that was written: whether it holds, or starts with, this text. */
  | {
      readonly kind: "found"
      readonly hole: string
      readonly of: "contains" | "starts"
      readonly text: string
    }
  /** `changes`: how many neighbours of these reads differ. `first_change`: the place, from 1 after the first read, of the first that differs from it. */
  | { readonly kind: "sequence"; readonly of: "changes" | "first_change"; readonly holes: readonly string[] }
  | { readonly kind: "among"; readonly value: ExprIR; readonly levels: readonly string[] }
  /** The model in a role, or the studied one: its name. */
  | { readonly kind: "role"; readonly role: string }
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
  /**
   * `rate` and `count` (of the true ones) are over truth values, `kappa` (Cohen's, of `value` and `other`) over labels, `auroc` over truth values and a
   * number (`value`: whether it came about; `other`: the score that should be higher where it did; Mann-Whitney, ties at one half), `ratio` over two
   * numbers or truth values, taken for 1 or 0 (the sum of `value` over the sum of `other`), `difference` over a number or a truth value, taken for 1 or 0, and a truth value (the mean
   * of `value` where `other` is true, less its mean where it is not), the others over numbers.
   */
  readonly statistic:
    | "rate"
    | "count"
    | "mean"
    | "sum"
    | "ratio"
    | "kappa"
    | "auroc"
    | "difference"
    | { readonly quantile: number }
  readonly value: ExprIR
  /** With `kappa`, `auroc`, `ratio` and `difference` only. */
  readonly other?: ExprIR
  readonly given?: ExprIR
  /** What a trial counts for, at least 0: of rates and means. 1 where left out. */
  readonly weight?: ExprIR
  /** `bootstrap`: of items, percentiles; `bca`: of items, bias-corrected and accelerated. */
  readonly interval: { readonly method: "wilson" | "bootstrap" | "bca"; readonly level: number }
  /** What becomes of a trial in which a read that the measure needs is invalid. */
  readonly invalid: "exclude" | "wrong" | "error"
  readonly origin: Origin
}

/** A measure over the trials that have these levels, and of which `where` holds, a condition over columns of the design. */
export interface RestrictedIR {
  readonly measure: string
  readonly levels: Readonly<Record<string, string>>
  /** Of `AFR[source != model]` and `HRR[framing in { people, experts }]`. */
  readonly where?: ExprIR
}

/** A sum of measures over sets of trials, each with its sign: a difference has two terms, a difference of differences four. */
export interface ContrastIR {
  readonly name: string
  readonly doc: string
  readonly terms: readonly (RestrictedIR & { readonly sign: 1 | -1 })[]
  readonly by: readonly EstimatorIR[]
  readonly origin: Origin
}

/**
 * `paired`: within items that both sides have; `permutation`: the same, with a test that swaps sides within items; `pooled`: over trials, items
 * resampled; `two_sample`: between items of one side and other items of the other; `cells`: within each crossing of these columns, then over them,
 * with `signs` also a test of their signs; `mixed_logistic`: by a model with random intercepts.
 */
export type EstimatorIR =
  | "paired"
  | "permutation"
  | "pooled"
  | "two_sample"
  | "mixed_logistic"
  | { readonly cells: readonly string[]; readonly signs?: true }

/**
 * One number over the cells that these columns cross to, each with its own value of the measure: `median AUROC over model, pool`,
 * `range AFR over k`, `sd HRR over wording`, `correlation CSR against AFR over subject`.
 */
export interface SummaryIR {
  readonly name: string
  readonly doc: string
  /** `sd` with n - 1; `correlation` is Pearson's, `rank_correlation` Spearman's. */
  readonly of: "mean" | "median" | "min" | "max" | "range" | "sd" | "correlation" | "rank_correlation"
  readonly measure: RestrictedIR
  /** With the correlations only. */
  readonly against?: RestrictedIR
  readonly over: readonly string[]
  /** One number for each crossing of these columns, such as `range AFR over k by model`; empty where there is one for all trials. */
  readonly by: readonly string[]
  readonly where?: ExprIR
  readonly origin: Origin
}

/** Contrasts whose p values are adjusted together. */
export interface FamilyIR {
  readonly name: string
  readonly contrasts: readonly string[]
  readonly adjust: "holm" | "benjamini_hochberg"
  readonly origin: Origin
}

/** Where rows of records made elsewhere have what a trial is made of. */
export interface RecordsIR {
  /** Absolute, resolved against the spec; `--records` replaces it. */
  readonly file?: string
  /** `lm_eval`: a `samples_*.jsonl`; `inspect`: a log, or a data frame of samples. Told by the file's name and first row where left out. */
  readonly format?: RecordsFormat
  /** Whether there is nothing besides: models, pools, levels and cells are those that the records have. */
  readonly alone: boolean
  /** Column by what it is: `item`, `model`, `pool`, `gold`, `target`, `pushed` and factors. */
  readonly columns: Readonly<Record<string, ColumnIR>>
  /** Of factors, `model` and `pool`: level by what stands for it in the file, where the spec says it. Any other value is unknown then. */
  readonly levels: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Of the options: those of every item, or where a row has them. */
  readonly labels?: { readonly all: readonly string[] } | { readonly list: ColumnIR }
  /** Columns of the item that measures look at, and attributes of its model, by name. */
  readonly items: Readonly<Record<string, ColumnIR>>
  readonly attributes: Readonly<Record<string, ColumnIR>>
  readonly reads: readonly RecordedReadIR[]
  /** What becomes of rows that something is wrong with, where the spec says it. */
  readonly policies: Readonly<Partial<Record<RecordsProblem, RecordsPolicy>>>
  readonly origin: Origin
}

export type RecordsFormat = "csv" | "jsonl" | "parquet" | "lm_eval" | "inspect"

/**
 * `missing`: a row lacks what it must have; `unknown`: it has an item, a model, a pool or a level that the design has not, or names an option that its item
 * has not; `duplicate`: its trial was there before; `contradiction`: it has another gold answer, other options or columns than an earlier row of its item,
 * another attribute than one of its model, another read under a prompt that it shares with one, or a read behind a closed gate; `no_option`: an answer that
 * is none of the options, or no integer of the range; `bad_number`: what should be a probability, a mass or a number of tokens is none.
 */
export type RecordsProblem =
  | "missing"
  | "unknown"
  | "duplicate"
  | "contradiction"
  | "no_option"
  | "bad_number"

/** `stop`: nothing is scored; `leave_out`: the row is none of the trials; `invalid`: the read is; `first`, `last`: of rows of one trial; `keep`: it is noted. */
export type RecordsPolicy = "stop" | "leave_out" | "invalid" | "first" | "last" | "keep"

/** A read of the protocol, as records have it. */
export interface RecordedReadIR {
  readonly hole: string
  /** The answer's label, value or text. Without it the answer is the most probable one. */
  readonly answer?: ColumnIR
  /** Probability by label, or one place that holds them all. */
  readonly probabilities?: { readonly by: Readonly<Record<string, ColumnIR>> } | { readonly list: ColumnIR }
  readonly mass?: ColumnIR
  /** Whether the answer was refused. */
  readonly refused?: ColumnIR
  /** What tells prompts of one model and item apart: rows with the same value share one read, and are one observation of it. */
  readonly prompt?: ColumnIR
  /** `value`, `invalid`, `refused` or `skipped`, where the file says how it came out, and why. */
  readonly status?: ColumnIR
  readonly why?: ColumnIR
  /** Of a text: how many tokens it has. */
  readonly tokens?: ColumnIR
}

/** logit P(measure) = intercept + terms + random intercepts + slopes. */
export interface ModelFitIR {
  readonly name: string
  readonly measure: string
  /** A term is a product of columns and numbers of reads. */
  readonly terms: readonly (readonly ExprIR[])[]
  readonly random: readonly string[]
  /** `correlated`: with the intercepts of the same column. */
  readonly slopes: readonly { readonly factor: string; readonly by: string; readonly correlated?: boolean }[]
  readonly where?: ExprIR
  readonly origin: Origin
}

export interface TableIR {
  readonly name: string
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** `macro`: first within each crossing of these columns, then their unweighted mean, or their median. */
  readonly average: "pooled" | { readonly macro: readonly string[]; readonly of?: "median" }
  readonly where?: ExprIR
}

/** `distribution`: of what the measure is taken of, trial by trial; `matrix`: rows are levels of `by`, columns of `color`. */
export interface FigureIR {
  readonly name: string
  readonly mark: "bar" | "dot" | "line" | "matrix" | "distribution"
  readonly measure: string
  readonly by: string
  readonly color?: string
  readonly facet?: string
  readonly where?: ExprIR
}

/** A figure of contrasts, one under the other, with their intervals; all of the experiment's where none is named. */
export interface ForestIR {
  readonly name: string
  readonly contrasts: readonly string[]
}

/** What is expected of a respondent: for the simulated engine, for plans and for power. Shares from 0 to 1. */
export interface AssumeIR {
  /** First answers that are right. */
  readonly accuracy?: number
  /** Texts that are refused. */
  readonly refusal?: number
  /** By measure, by the level of an arm or of any factor. */
  readonly measures: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Standard deviations of random intercepts, in logits, by column. */
  readonly spread: Readonly<Record<string, number>>
}

/** A number that was published: the measure comes to `value`, give or take `within`. */
export interface PublishedIR {
  /** As written, for the report. */
  readonly text: string
  readonly measure: RestrictedIR
  readonly value: number
  readonly within: number
  readonly origin: Origin
}

export type ExpectIR =
  /** `estimate OPERATOR bound` over a contrast, or over one end of its interval. */
  | {
      readonly kind: "comparison"
      /** As written, for the report. */
      readonly text: string
      readonly contrast: string
      readonly of: "estimate" | "low" | "high"
      readonly operator: "<" | "<=" | ">" | ">="
      readonly bound: number
      readonly origin: Origin
    }
  /** Two one-sided tests: the contrast lies within plus and minus the margin. */
  | {
      readonly kind: "equivalent"
      readonly text: string
      readonly contrast: string
      readonly margin: number
      readonly origin: Origin
    }
