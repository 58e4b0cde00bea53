/** The vocabulary of a GGUF model: plain text to tokens, and which tokens are control tokens. */
import type { LlamaModel, Token as LlamaToken } from "node-llama-cpp"
import type { Token, Vocabulary } from "./backend.ts"
import type { Alphabet } from "./growingText.ts"
import { piecesOf } from "./pieces.ts"

export function vocabularyOf(model: LlamaModel): Vocabulary {
  const { bos, eos, shouldPrependBosToken } = model.tokens
  const text = (token: Token): string => model.detokenize([token as LlamaToken], true)
  return {
    tokenize: (plain) => model.tokenize(plain, false),
    detokenize: text,
    control: controlTokens(model, text),
    bos: shouldPrependBosToken ? bos : null,
    names: { bos: bos === null ? "" : text(bos), eos: eos === null ? "" : text(eos) },
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

/**
 * Control tokens by their text, longest first. Some files mark a turn's opening token as an ordinary added token: one that the chat
 * template spells out is taken for what it is used as.
 */
function controlTokens(model: LlamaModel, text: (token: Token) => string): ReadonlyMap<string, Token> {
  const { tokenizer } = model.fileInfo.metadata
  const template = tokenizer?.chat_template ?? ""
  const types: ArrayLike<number> | undefined = tokenizer?.ggml.token_type
  const found: [string, Token][] = []
  for (const token of model.iterateAllTokens()) {
    const type = types?.[token]
    if (type === normal || type === byte) continue
    const control = model.getTokenAttributes(token).control || model.isEogToken(token)
    const spelt = text(token)
    if (spelt !== "" && (control || (type === userDefined && spelt.length > 1 && template.includes(spelt))))
      found.push([spelt, token])
  }
  return new Map(found.sort(([a], [b]) => b.length - a.length))
}
