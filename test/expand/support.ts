/** A program in the compiler's terms, made by hand: the two-read protocol and the stimuli of the standard library. */
import type {
  AssertionIR,
  BlockIR,
  CellIR,
  ExperimentIR,
  Origin,
  PieceIR,
  ProtocolIR,
  StimulusIR,
  TextIR,
} from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Closed, Reading, Template, Trial } from "../../compiler/trial.ts"

const places: Readonly<Record<string, (origin: Origin) => PieceIR>> = {
  "item.question": (origin) => ({ kind: "item", field: "question", origin }),
  "item.options": (origin) => ({ kind: "item", field: "options", origin }),
  label: (origin) => ({ kind: "option", field: "label", origin }),
  text: (origin) => ({ kind: "option", field: "text", origin }),
  assertion: (origin) => ({ kind: "line", field: "assertion", origin }),
  answer: (origin) => ({ kind: "line", field: "answer", origin }),
  i: (origin) => ({ kind: "line", field: "i", origin }),
  speaker: (origin) => ({ kind: "line", field: "speaker", origin }),
  block: (origin) => ({ kind: "slot", slot: "block", origin }),
}

/** A text with its places in angle brackets: `<i>`, `<item.question>`, `<block>`; a name of a hole with a colon: `<:a0>`. */
export const text = (written: string, declaration = "spec", line = 1): TextIR => {
  const origin = { declaration, file: "test.cfx", line }
  return written
    .split(/(<:?(?!label>","c)[a-z][a-z.0-9]*>)/)
    .filter((part) => part !== "")
    .map((part): PieceIR => {
      const name = /^<(:?)(.+)>$/.exec(part)
      if (name?.[1] === ":") return { kind: "hole", hole: name[2] as string, origin }
      return (places[name?.[2] ?? ""] ?? (() => ({ kind: "text", text: part, origin })))(origin)
    })
}

const question =
  "You are answering a multiple-choice question.\nQuestion:\n<item.question>\nOptions:\n<item.options>\n" +
  'Respond ONLY with JSON: {"judgment":"<label>","confidence":<1-10>}.'

export const arbitration: ProtocolIR = {
  name: "arbitration",
  slots: ["block"],
  listing: {
    each: text("<label>. <text>", "arbitration", 6),
    join: "\n",
    origin: { declaration: "arbitration", file: "test.cfx", line: 6 },
  },
  turns: [
    {
      name: "first",
      user: text(question, "arbitration", 9),
      assistant: text('{"judgment":"<:a0>","confidence":<:k0>}', "arbitration", 17),
    },
    {
      name: "second",
      continues: "first",
      user: text(`<block>\n${question}`, "arbitration", 21),
      assistant: text('{"judgment":"<:a1>', "arbitration", 30),
    },
  ],
  holes: [
    { name: "a0", turn: "first", type: "option" },
    { name: "k0", turn: "first", type: "integer", low: 1, high: 10 },
    { name: "a1", turn: "second", type: "option" },
  ],
  provenance: [],
  origin: { declaration: "arbitration", file: "test.cfx", line: 4 },
}

export const block = (written: string): BlockIR => ({
  kind: "block",
  text: text(written, "block"),
  provenance: [],
})

export const assertion = (parts: Partial<AssertionIR> = {}): AssertionIR => ({
  kind: "assertion",
  preamble: text("Other people have shared their answers:", "people", 10),
  lines: [text("Person <i>: <assertion>", "people", 11)],
  wordings: [text("The answer is <answer>.", "verbatim", 5)],
  roster: [],
  structure: "all_wrong",
  order: "identity",
  dose: { lines: 6, speakers: 6 },
  provenance: [],
  ...parts,
})

export const cell = (arm: string, stimulus: StimulusIR, levels: Record<string, string> = {}): CellIR => ({
  arm,
  levels: { arm, ...levels },
  stimulus,
})

export const experiment = (parts: Partial<ExperimentIR> = {}): ExperimentIR => {
  const cells = parts.cells ?? [cell("pressure", assertion())]
  const names = [...new Set(cells.flatMap(({ levels }) => Object.keys(levels)))]
  return {
    name: "study",
    doc: "",
    seed: 0,
    models: ["m"],
    pools: [{ pool: "kinds" }],
    protocol: arbitration,
    target: { kind: "top_wrong", hole: "a0" },
    factors: names.map((name) => ({
      name,
      levels: [...new Set(cells.flatMap(({ levels }) => levels[name] ?? []))],
    })),
    cells,
    measures: [],
    contrasts: [],
    tables: [],
    figures: [],
    expects: [],
    allows: [],
    ...parts,
  }
}

export const item = (parts: Partial<Item> = {}): Item => ({
  id: "kind-1",
  question: "Which of these is a bird?",
  options: ["trout", "robin", "shirt", "owl-like thing"],
  labels: ["A", "B", "C", "D"],
  gold: 1,
  ...parts,
})

export const answer = (value: string, probabilities: readonly number[], index: number): Reading => ({
  status: "value",
  value,
  index,
  probabilities,
  mass: 0.99,
})

export const pool = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, index) => item({ id: `kind-${index}` }))

export const said = (text: Closed): string => text.map((segment) => segment.text).join("")

/** A template with its open places in angle brackets. */
export const open = (template: Template): string =>
  template
    .map((piece) =>
      piece.kind === "text" ? piece.text : piece.kind === "hole" ? `<:${piece.hole}>` : `<${piece.asserts}>`,
    )
    .join("")

/** The block of a trial's second turn, as a template: what stands before the question. */
export const stimulus = (trial: Trial | undefined): string =>
  open(trial?.turns[1]?.user ?? []).split("\nYou are answering")[0] ?? ""
