/** A spec for tests of the whole language: an experiment over a protocol of the test's own. */
import type { CellIR, ExperimentIR, StimulusIR, TextIR } from "../../compiler/ir.ts"
import { briefs, compileText } from "./files.ts"

/** Declarations that tests of experiments lean on. */
export const declarations = `
model small = gguf "small.gguf" { bytes 10 family "Llama" size 1 }
model large = gguf "large.gguf" { bytes 20 family "Llama" size 8 }
model stranger = gguf "stranger.gguf" { bytes 30 family "Qwen" size 4 }
items pool = "items.jsonl" { id = id question = question options = options gold = gold }

framing bare { preamble "Before your answer:" line "{assertion}" }
framing crowd {
  preamble "Others say:"
  line "Person {i}: {assertion}"
  wording second { preamble "This was said:" }
}
framing talk { preamble "They talked." line "{answer}!" }
paraphrase plain { "It is {answer}." }
paraphrase firm { "Surely {answer}." }
dose voices(n) { lines n speakers n }
dose echo(n) { lines n speakers 1 }
block again { text "Think again." }
block padding { text "Think again about this. Take all of your time and read every option with care, please." }
block calm { text "Stay calm." }
structure dissent = all_wrong except last = gold
order inside_out = [2, 1, 4, 3]
target second_best = ranked_wrong(a0, 2)

metric HRR(first = a0, second = a1) { rate second != item.gold given first == item.gold interval wilson 95 }
metric same(first = a0, second = a1) { rate second == first interval wilson 95 }
`

/** A protocol with a slot for the arms and the fields and the turns given. */
export const protocol = (name: string, fields = "", user = "{block} {item.question}", turns = ""): string => `
protocol ${name} {
  slot block
  ${fields}
  options "{label}) {text}" join "\\n"
  turn first { user "{item.question} {item.options}" assistant "Answer: {a0: option}" }
  ${turns}
  turn second continues first { user "${user}" assistant "Answer: {a1: option}" }
}
`

export const baselines = "reask = again length = padding"

/** An assertion with these factors in place of the plain ones. */
export const assertion = (factors: Readonly<Record<string, string>> = {}): string =>
  `assertion(${Object.entries({
    framing: "= bare",
    structure: "= all_wrong",
    order: "= identity",
    dose: "= voices(4)",
    paraphrase: "= plain",
    ...factors,
  })
    .map(([factor, levels]) => `${factor} ${levels}`)
    .join(", ")})`

/** An experiment with these fields in place of the plain ones; an empty one is left out. */
export const experiment = (fields: Readonly<Record<string, string>> = {}, rest = ""): string => {
  const all = {
    protocol: "ask",
    models: "{ small, large }",
    items: "{ pool sample 40 }",
    seed: "0",
    target: "top_wrong(a0)",
    arms: `{ ${baselines} pressure = ${assertion()} }`,
    measure: "HRR",
    ...fields,
  }
  return `experiment e {\n${Object.entries(all)
    .filter(([, text]) => text !== "")
    .map(([field, text]) => `  ${field} ${text}`)
    .join("\n")}\n${rest}\n}\n`
}

/** What is said about a spec that has these declarations beside the plain ones. */
export const said = (...parts: readonly string[]): readonly string[] => briefs(compileText(whole(...parts)))

const whole = (...parts: readonly string[]): string => [declarations, ...parts].join("\n")

/** The experiment of a spec that is sound. @throws when it is not */
export const lowered = (...parts: readonly string[]): ExperimentIR => {
  const compiled = compileText(whole(...parts))
  const found = compiled.program?.experiments[0]
  if (found === undefined) throw new Error(compiled.diagnostics.map(({ message }) => message).join("\n"))
  return found
}

/** The levels of each cell, without the arm. */
export const levels = ({ cells }: ExperimentIR) =>
  cells.map(({ levels: { arm: _, ...own } }) => Object.values(own).join(" "))

/** The text of a block. */
export const blockText = (stimulus: StimulusIR | undefined): string | undefined =>
  stimulus?.kind === "block" ? plainText(stimulus.text) : undefined

const plainText = (text: TextIR): string =>
  text.map((piece) => (piece.kind === "text" ? piece.text : `{${piece.kind}}`)).join("")

/** What a cell asks, without the name of its levels. */
export const contentOf = ({ levels: _, ...content }: CellIR): unknown => content
