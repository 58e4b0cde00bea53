/**
 * What cfx asks of an inference engine. A layer per engine implements it: `llama.ts` (node-llama-cpp), `http/` (OpenAI-compatible servers)
 * and `simulated.ts` (answers are a hash of the token ids; never chosen unless asked for).
 */
import { Context, type Effect, type Scope, type Stream } from "effect"
import type { Ask } from "../../compiler/conversation.ts"
import type { DeviceIR, ServedIR } from "../../compiler/ir.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { LabelTree } from "../read/labels.ts"
import type { Chunk, Step } from "../read/steps.ts"

export type Token = number

export class Backend extends Context.Service<
  Backend,
  {
    /** Opens a model for as long as the scope lasts. Checks size and sha256 first when they are declared. */
    readonly load: (model: ModelFile) => Effect.Effect<LoadedModel, EnvironmentFailure, Scope.Scope>
    /** Has the files of models at hand before the first read is sent, and not hours later; where left out, `load` finds all that it needs by itself. */
    readonly prepare?: (models: readonly ModelFile[]) => Effect.Effect<void, EnvironmentFailure>
  }
>()("cfx/Backend") {}

export interface ModelFile {
  /** The name in the spec. */
  readonly name: string
  /** Absolute path, or the address of a file on a hub or the web; of a served model, the server's address. */
  readonly path: string
  readonly bytes?: number
  readonly sha256?: string
  /** What the declaration says of its chat template. */
  readonly template?: DeclaredTemplate
  /** Present where a server is asked and no file opened. */
  readonly served?: ServedIR
  /** Where and how a file is opened. */
  readonly device?: DeviceIR
  /** What becomes of a system message where the chat template has no place for one: it opens the first user message. */
  readonly system?: "into_user"
}

/** Variables for a model's own chat template, or `plain`: a base model, whose turns are written one below the other. */
export type DeclaredTemplate = "plain" | Readonly<Record<string, string | number | boolean>>

/** A sequence of the engine, which goes on from what it holds. It does one thing at a time; lanes work at the same time. */
export interface Lane {
  /** How many tokens `score` would evaluate for these reads from the lane's present state. */
  readonly count: (reads: readonly ReadRequest[]) => number
  /** Answers each read once, in whatever order is cheapest; the sum of `evaluated` equals `count`. */
  readonly score: (reads: readonly ReadRequest[]) => Stream.Stream<ReadAnswer, EnvironmentFailure>
  /** Writes a text for each request; fails where the engine cannot. `writing` hears of tokens as they come: a text may take a while. */
  readonly generate: (
    texts: readonly TextRequest[],
    writing?: (tokens: number) => void,
  ) => Stream.Stream<TextAnswer, EnvironmentFailure>
}

/** A model that can be asked: its tokens are at hand, or only its words. */
export type LoadedModel = TokenModel | ChatModel

interface Opened {
  readonly name: string
  /**
   * Everything that a probability may depend on besides the tokens: engine, its version, mode, the file's sha256. Part of every read's key.
   * Threads, lanes and sharing are not in it: in exact mode they change nothing.
   */
  readonly fingerprint: string
  /** Facts for `run.json`: threads, batch size, device, processor, versions. */
  readonly facts: Readonly<Record<string, string | number | boolean>>
}

/** A model in this process. It is its own first lane. */
export interface TokenModel extends Opened, Lane {
  readonly kind: "tokens"
  readonly vocabulary: Vocabulary
  /** The model's own chat template (Jinja), or null for a base model. */
  readonly chatTemplate: string | null
  /** What the model's declaration says of it. */
  readonly declared?: DeclaredTemplate
  /** Where the chat template has no place for a system message, it opens the first user message, followed by an empty line. */
  readonly system?: "into_user"
  /** Tokens that a conversation may take, the answer's included. */
  readonly contextSize: number
  /** No chunk may be longer. */
  readonly chunkSize: number
  /** Lanes besides its own: same model, same answers, other cores. */
  readonly extraLanes: readonly Lane[]
  /** Whether a sequence can forget its end alone. That of a recurrent model keeps all that it holds or nothing. */
  readonly rewinds: boolean
  /** The steps in which a lane that holds `held` would answer these reads: what plans count. */
  readonly steps: (reads: readonly ReadRequest[], held: readonly Chunk[]) => Iterable<Step>
  /** The steps of `scoreCold`. */
  readonly coldSteps: (reads: readonly ReadRequest[]) => Iterable<Step>
  /** Answers each read from an empty sequence, sharing nothing: what an audit compares the answers of `score` with. */
  readonly scoreCold: (reads: readonly ReadRequest[]) => Stream.Stream<ReadAnswer, EnvironmentFailure>
}

/** A model on a server, which is told messages and whose tokens nobody sees. Its answers need not be the same twice. */
export interface ChatModel extends Opened {
  readonly kind: "chat"
  /** Items that are walked at the same time. */
  readonly concurrency: number
  /** A system message opens the first user message instead, followed by an empty line. */
  readonly system?: "into_user"
  /** Why it cannot be asked this, whatever the prompt, in words; undefined where it can. */
  readonly cannot: (ask: Ask) => string | undefined
  /** Answers each request once, in any order; `evaluated` is what the server counts as prompt tokens, less those that it says it had. */
  readonly answer: (
    requests: readonly ChatRequest[],
  ) => Stream.Stream<ReadAnswer | TextAnswer, EnvironmentFailure>
}

/** What a server is asked: a conversation as messages, and what is read at its end. */
export interface ChatRequest {
  /** Hash of fingerprint, messages and ask. */
  readonly key: string
  readonly messages: readonly {
    readonly role: "system" | "user" | "assistant"
    readonly content: string
  }[]
  /** What the assistant has said before the place that is asked for; empty where its turn begins there. */
  readonly opening: string
  readonly ask: Ask
  readonly expected?: Expectation
}

export interface Vocabulary {
  /** Tokens of plain text: control tokens spelt out in it stay text. Adds no BOS. */
  readonly tokenize: (text: string) => readonly Token[]
  /** The text of one token, special tokens included. */
  readonly detokenize: (token: Token) => string
  /** Control tokens by their text, longest first: where a rendered chat template is split. */
  readonly control: ReadonlyMap<string, Token>
  /** Put before everything, once, when the model asks for it. */
  readonly bos: Token | null
  /** The texts that `bos_token` and `eos_token` stand for in the chat template; empty when left out. */
  readonly names?: { readonly bos: string; readonly eos: string }
  /** Control tokens at which the tokenizer drops white space of the chat template: what stands before them, and what follows. */
  readonly strips?: { readonly before: ReadonlySet<Token>; readonly after: ReadonlySet<Token> }
}

/** One read: the distribution over labels at the end of a conversation. */
export interface ReadRequest {
  /** Hash of fingerprint, token ids and ask. Same key, same answer. */
  readonly key: string
  /** Canonical chunks of the conversation up to the hole; each is evaluated as one batch. */
  readonly chunks: readonly (readonly Token[])[]
  readonly labels: LabelTree
  /**
   * So many of the tree's last labels are none of the answer's: their raw probabilities are recorded (`ReadAnswer.also`), and they are no part of its
   * distribution or mass.
   */
  readonly also?: number
  /**
   * `sum` and `mean`: labels are whole texts, each of whose tokens counts with its raw probability, all of them multiplied, or their geometric mean.
   * Left out: deciding tokens only, renormalised among the labels (`labels.ts`).
   */
  readonly score?: "sum" | "mean"
  /** What a respondent is expected to answer (`assume`); only the simulated engine looks at it. */
  readonly expected?: Expectation
}

export interface ReadAnswer {
  readonly key: string
  /** One per label, in the request's order; sums to 1. NaN never leaves an engine: such a read is `invalid`. */
  readonly probabilities: readonly number[]
  /** Probability of all labels together, before renormalising. */
  readonly mass: number
  /** Raw probabilities of the labels that are no part of the distribution, as many as the request's `also`; absent where a server does not list one of them. */
  readonly also?: readonly number[]
  /**
   * Of a server that lists only its most probable tokens: the indices of labels that were not among them, each of a raw probability of at most `below`.
   * In `probabilities` they stand as 0, and are never taken for it: readers ask here first.
   */
  readonly censored?: { readonly labels: readonly number[]; readonly below: number }
  /** Set when the engine gave no usable number. */
  readonly invalid?: string
  /** Tokens that the engine evaluated for this read. */
  readonly evaluated: number
}

/** A text that the model is to write at the end of a conversation. */
export interface TextRequest {
  readonly key: string
  readonly chunks: readonly (readonly Token[])[]
  readonly max: number
  readonly until: readonly string[]
  readonly temperature: number
  readonly topP: number
  /** Tells draws apart that share all else; the seed of a sampled text comes from it. */
  readonly draw: string
  /** What a respondent is expected to say (`assume`); only the simulated engine looks at it. */
  readonly expected?: Expectation
}

export interface TextAnswer {
  readonly key: string
  readonly text: string
  readonly tokens: number
  readonly stop: "end" | "until" | "max"
  /** Set when the engine gave no usable number: `text` is then what stood before, and no answer. */
  readonly invalid?: string
  readonly evaluated: number
}

/** Outcomes with their probabilities: for a read the index of a label, for a text the text itself. What is left of 1 is any outcome. */
export type Expectation = readonly { readonly outcome: number | string; readonly probability: number }[]
