/** The vocabulary of a GGUF model: plain text to tokens, and which tokens are control tokens. */
import type { LlamaModel, Token as LlamaToken } from "node-llama-cpp"
import type { Token, Vocabulary } from "./backend.ts"
import type { Alphabet } from "./text/growingText.ts"
import { piecesOf } from "./text/pieces.ts"

export function vocabularyOf(model: LlamaModel): Vocabulary {
  const { bos, eos, shouldPrependBosToken } = model.tokens
  const text = (token: Token): string => model.detokenize([token as LlamaToken], true)
  const control = controlTokens(model, text)
  const addsBlank = model.fileInfo.metadata.tokenizer?.ggml.add_space_prefix
  const spelt = spellings(model, control)
  // A tokenizer that puts a blank before each text would put one into the middle of this one.
  const isCut = spelt.length > 0 && !(model.vocabularyType === "spm" && addsBlank !== false)
  const pattern = new RegExp(spelt.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g")
  return {
    tokenize: (plain) =>
      isCut
        ? cut(plain, pattern).flatMap((part) => model.tokenize(part, false))
        : model.tokenize(plain, false),
    detokenize: text,
    control,
    bos: shouldPrependBosToken ? bos : null,
    names: { bos: bos === null ? "" : text(bos), eos: eos === null ? "" : text(eos) },
    strips: {
      before: new Set([...control.values()].filter((token) => attributesOf(model, token).lstrip)),
      after: new Set([...control.values()].filter((token) => attributesOf(model, token).rstrip)),
    },
  }
}

/** What it takes to write texts. */
export function alphabetOf(model: LlamaModel): Alphabet {
  const spelt = (token: Token): string => model.detokenize([token as LlamaToken], true)
  const entries = model.fileInfo.metadata.tokenizer?.ggml
  return {
    piece: piecesOf(entries ?? { model: "none", tokens: [] }, spelt),
    isEnd: (token) => model.isEogToken(token as LlamaToken),
  }
}

/** Types of `tokenizer.ggml.token_type` in a GGUF file. */
const normal = 1
const userDefined = 4
const byte = 6

const attributesOf = (model: LlamaModel, token: Token) => model.getTokenAttributes(token as LlamaToken)

/**
 * Control tokens by their text, longest first. Some files mark a turn's opening token as an ordinary added token: one that the chat
 * template spells out is taken for what it is used as, but for white space, of which some vocabularies have added tokens.
 */
function controlTokens(model: LlamaModel, text: (token: Token) => string): ReadonlyMap<string, Token> {
  const { tokenizer } = model.fileInfo.metadata
  const template = tokenizer?.chat_template ?? ""
  const types: ArrayLike<number> | undefined = tokenizer?.ggml.token_type
  const found: [string, Token][] = []
  for (const token of model.iterateAllTokens()) {
    const type = types?.[token]
    if (type === normal || type === byte) continue
    const control = attributesOf(model, token).control || model.isEogToken(token)
    const spelt = text(token)
    const isMark = type === userDefined && spelt.trim().length > 1 && template.includes(spelt)
    if (spelt !== "" && (control || isMark)) found.push([spelt, token])
  }
  return new Map(found.sort(([a], [b]) => b.length - a.length))
}

/** Of these control tokens, the texts that the engine makes a token of even in plain text: added tokens that are not marked as control tokens. */
const spellings = (model: LlamaModel, control: ReadonlyMap<string, Token>): readonly string[] =>
  [...control].flatMap(([spelt, token]) => (attributesOf(model, token).control ? [] : [spelt]))

/** The text cut within each spelling, after its first character, so that none is left whole. */
function cut(text: string, spellings: RegExp): readonly string[] {
  const parts: string[] = []
  let from = 0
  for (const { 0: spelt, index } of text.matchAll(spellings)) {
    const at = index + String.fromCodePoint(spelt.codePointAt(0)!).length
    parts.push(text.slice(from, at))
    from = at
  }
  return [...parts, text.slice(from)]
}
