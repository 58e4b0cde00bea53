/** Keys of reads: what makes two reads the same read. */
import { createHash, hash } from "node:crypto"
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { Closed } from "../../compiler/trial.ts"
import type { Token } from "../backend/backend.ts"

/**
 * The key of a read: sha256 (hex) of the engine's fingerprint, the token ids in their chunks, and what is asked. The same key has
 * the same answer, so it is asked once.
 */
export function readKey(fingerprint: string, chunks: readonly (readonly Token[])[], ask: Ask): string {
  const hash = createHash("sha256")
  hash.update(`${part(fingerprint)}${askText(ask)}${chunks.map((chunk) => chunk.length).join(",")};`)
  const tokens = new Int32Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    // `from` would take the numbers one by one from an iterator.
    tokens.set(chunk, at)
    at += chunk.length
  }
  hash.update(tokens)
  return hash.digest("hex")
}

/** The identity of a prompt and its ask before any tokenizer has seen it: sha256 (hex). Origins of characters are not part of it. */
export function promptId(fingerprint: string, conversation: Conversation, ask: Ask): string {
  const texts = [
    conversation.system === undefined ? "-" : `+${part(textOf(conversation.system))}`,
    ...conversation.turns.flatMap(({ user, assistant }) => [part(textOf(user)), part(textOf(assistant))]),
  ]
  return hash("sha256", `${part(fingerprint)}${askText(ask)}${texts.join("")}`, "hex")
}

/** The characters of a closed text. */
export function textOf(text: Closed): string {
  return text.length === 1 ? text[0]!.text : text.map((segment) => segment.text).join("")
}

function askText(ask: Ask): string {
  switch (ask.kind) {
    case "option":
    case "label":
      return `${ask.kind}${ask.labels.length}:${ask.labels.map(part).join("")}${part(ask.follow)}${besides(ask)}`
    case "integer":
      return `integer${ask.low}..${ask.high}${part(ask.follow)}`
    case "text": {
      const { max, temperature, topP, until, draw } = ask
      return `text${max};${temperature};${topP};${until.length}:${until.map(part).join("")}${part(draw)}`
    }
  }
}

/** Nothing where nothing is asked besides, so that such reads have the keys that they have always had. */
function besides({ also = [], score }: Ask & { readonly kind: "option" | "label" }): string {
  const raw = also.length === 0 ? "" : `also${also.length}:${also.map(part).join("")}`
  return score === undefined ? raw : `${raw}score ${part(score)}`
}

/** Length-prefixed, so that no two lists of parts are written alike. */
const part = (text: string): string => `${text.length}:${text};`
