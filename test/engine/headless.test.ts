/** Chat templates that open no assistant turn: what the assistant says follows the line break that closes the user's. */
import { expect, test } from "vitest"
import type { TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { conversationOf } from "./support.ts"

const simulated = simulatedModel({ name: "bytes", path: "unused" })

const merged: Readonly<Record<string, number>> = { " A": 300, " B": 301 }

/** Byte tokens, but for a letter that merges with the blank before it. */
const model: TokenModel = {
  ...simulated,
  chatTemplate:
    "{% for message in messages %}{{ '<|im_start|>' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}",
  vocabulary: {
    ...simulated.vocabulary,
    tokenize: (text) =>
      text.split(/( [AB])/).flatMap((part) => merged[part] ?? [...Buffer.from(part, "utf8")]),
  },
}

const ask = { kind: "option", labels: ["A", "B"], follow: "" } as const

test("a label that merges with the text before it leaves all of the prompt's other tokens", () => {
  for (const turns of [
    [["Which?", "Answer: "]],
    [
      ["Which?", "Answer: A"],
      ["Sure?", "Answer: "],
    ],
  ] as const) {
    const prepared = prepare(model, conversationOf(turns), ask)
    if ("problem" in prepared) throw new Error(prepared.problem)
    const { chunks } = prepared.request
    // The blank is read as part of the label.
    expect(chunks.flat()).toHaveLength(prepared.tokens - 1)
    expect(chunks.flat().slice(-7)).toEqual([...Buffer.from("Answer:")])
  }
})
