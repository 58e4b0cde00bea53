/** CFX403x: what only a model's tokenizer can tell, and so only `cfx plan`. */
import { allow, quote } from "../words.ts"
import { warning } from "./entry.ts"

interface Side {
  readonly levels: string
  readonly tokens: number
}

export const plan = {
  CFX4030: warning<{
    contrast: string
    model: string
    item: string
    words: number
    left: Side
    right: Side
  }>("Pair of different length in tokens", {
    message: (p) =>
      `The two sides of ${quote(p.contrast)} have ${p.words} words each on item ${p.item}, but ${quote(p.left.levels)} takes ${p.left.tokens} tokens of ${quote(p.model)} and ${quote(p.right.levels)} takes ${p.right.tokens}: the difference may be the length's.`,
    label: (p) => `${p.left.tokens} and ${p.right.tokens} tokens`,
    hint: () => `Choose words of equally many tokens (\`cfx show --tokens\` shows them). ${allow("CFX4030")}`,
  }),
}
