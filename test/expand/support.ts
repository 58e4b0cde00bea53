/** A program in the compiler's terms, made by hand: the two-read protocol and the stimuli of the standard library. */
import type {
  AssertionIR,
  BlockIR,
  CellIR,
  ExperimentIR,
  HoleIR,
  HoleTypeIR,
  ModelIR,
  Origin,
  PieceIR,
  ProtocolIR,
  StimulusIR,
  TargetIR,
  TextIR,
  TurnIR,
} from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Closed, Reading, Template, Trial } from "../../compiler/trial.ts"

const places: Readonly<Record<string, (origin: Origin) => PieceIR>> = {
  "item.question": (origin) => ({ kind: "item", field: "question", origin }),
  "item.options": (origin) => ({ kind: "item", field: "options", origin }),
  "item.gold.label": (origin) => ({ kind: "item", field: "gold.label", origin }),
  "item.gold.text": (origin) => ({ kind: "item", field: "gold.text", origin }),
  label: (origin) => ({ kind: "option", field: "label", origin }),
  text: (origin) => ({ kind: "option", field: "text", origin }),
  assertion: (origin) => ({ kind: "line", field: "assertion", origin }),
  answer: (origin) => ({ kind: "line", field: "answer", origin }),
  "answer.label": (origin) => ({ kind: "line", field: "answer.label", origin }),
  "answer.text": (origin) => ({ kind: "line", field: "answer.text", origin }),
  "target.label": (origin) => ({ kind: "push", of: "target", field: "label", origin }),
  "target.text": (origin) => ({ kind: "push", of: "target", field: "text", origin }),
  "pushed.label": (origin) => ({ kind: "push", of: "pushed", field: "label", origin }),
  t: (origin) => ({ kind: "step", origin }),
  i: (origin) => ({ kind: "line", field: "i", origin }),
  speaker: (origin) => ({ kind: "line", field: "speaker", origin }),
  block: (origin) => ({ kind: "slot", slot: "block", origin }),
}

/** `$persona` is the slot `persona`, `$block[2]` its second step, `past[1].question` a field of another item. */
const indexed = (name: string, origin: Origin): PieceIR | undefined => {
  const slot = /^\$([a-z_]+)(?:\[(\d+)\])?$/.exec(name)
  if (slot !== null) {
    const step = slot[2] === undefined ? {} : { step: Number(slot[2]) }
    return { kind: "slot", slot: slot[1] as string, ...step, origin }
  }
  const other = /^([a-z]+)\[(\d+|t)\]\.([a-z.]+)$/.exec(name)
  if (other === null) return undefined
  return {
    kind: "other",
    draw: other[1] as string,
    index: other[2] === "t" ? "step" : Number(other[2]),
    field: other[3] as "question",
    origin,
  }
}

/** A text with its places in angle brackets: `<i>`, `<item.question>`, `<block>`; a name of a hole with a colon: `<:a0>`. */
export const text = (written: string, declaration = "spec", line = 1): TextIR => {
  const origin = { declaration, file: "test.cfx", line }
  return written
    .split(/(<:?(?!label>","c)[$a-z][a-z._0-9[\]]*>)/)
    .filter((part) => part !== "")
    .map((part): PieceIR => {
      const name = /^<(:?)(.+)>$/.exec(part)
      if (name?.[1] === ":") return { kind: "hole", hole: name[2] as string, origin }
      const piece = places[name?.[2] ?? ""]?.(origin) ?? indexed(name?.[2] ?? "", origin)
      return piece ?? { kind: "text", text: part, origin }
    })
}

const question =
  "You are answering a multiple-choice question.\nQuestion:\n<item.question>\nOptions:\n<item.options>\n" +
  'Respond ONLY with JSON: {"judgment":"<label>","confidence":<1-10>}.'

export const arbitration: ProtocolIR = {
  name: "arbitration",
  slots: ["block"],
  roles: [],
  draws: [],
  answers: "label",
  lists: {},
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
  closing: [],
  wordings: [text("The answer is <answer>.", "verbatim", 5)],
  roster: [],
  structure: "all_wrong",
  order: "identity",
  dose: { lines: 6, speakers: 6 },
  provenance: [],
  ...parts,
})

export const topWrong: TargetIR = { kind: "ranked_wrong", hole: "a0", rank: 1 }

export const cell = (
  arm: string,
  stimulus: StimulusIR,
  levels: Record<string, string> = {},
  parts: Partial<CellIR> = {},
): CellIR => ({
  arm,
  levels: { arm, ...levels },
  stimulus,
  fills: {},
  roles: {},
  seed: 0,
  target: topWrong,
  options: { kind: "identity" },
  replicate: 1,
  ...parts,
})

/** A turn as a test writes it. */
export const turn = (name: string, user: string, assistant: string, parts: Partial<TurnIR> = {}): TurnIR => ({
  name,
  user: text(user),
  assistant: text(assistant),
  ...parts,
})

/** A protocol of these turns; a hole whose type is not given reads an option. */
export const protocolOf = (
  turns: readonly TurnIR[],
  types: Readonly<Record<string, HoleTypeIR>> = {},
  parts: Partial<ProtocolIR> = {},
): ProtocolIR => {
  const written = turns.flatMap(({ name, assistant }) =>
    assistant.flatMap((piece) => (piece.kind === "hole" ? [{ hole: piece.hole, turn: name }] : [])),
  )
  const read = written.map(
    ({ hole, turn }) => ({ type: "option", ...types[hole], name: hole, turn }) as HoleIR,
  )
  const found = Object.entries(types).flatMap(([name, type]) =>
    written.some(({ hole }) => hole === name)
      ? []
      : [
          {
            ...type,
            name,
            turn: written.find(({ hole }) => "from" in type && hole === type.from)?.turn,
          } as HoleIR,
        ],
  )
  return { ...arbitration, turns, holes: [...read, ...found], ...parts }
}

export const textHole = (parts: Partial<HoleIR & { type: "text" }> = {}) => ({
  type: "text" as const,
  max: 100,
  until: [],
  temperature: 0,
  topP: 1,
  refusal: [],
  ...parts,
})

/** An experiment; `target` and `seed` are those of all its cells. */
export const experiment = ({
  target,
  ...parts
}: Partial<ExperimentIR> & { readonly target?: TargetIR } = {}): ExperimentIR => {
  const cells = (parts.cells ?? [cell("pressure", assertion())]).map((one) => ({
    ...one,
    ...(target === undefined ? {} : { target }),
    ...(parts.seed === undefined ? {} : { seed: parts.seed }),
  }))
  const names = [...new Set(cells.flatMap(({ levels }) => Object.keys(levels)))]
  return {
    name: "study",
    doc: "",
    seed: 0,
    models: ["m"],
    pools: [{ pool: "kinds" }],
    protocol: arbitration,
    summaries: [],
    families: [],
    forests: [],
    published: [],
    factors: names.map((name) => ({
      name,
      levels: [...new Set(cells.flatMap(({ levels }) => levels[name] ?? []))],
    })),
    independent: false,
    measures: [],
    contrasts: [],
    fits: [],
    tables: [],
    figures: [],
    expects: [],
    allows: [],
    ...parts,
    cells,
  }
}

export const model = (name: string, attributes: ModelIR["attributes"]): ModelIR => ({
  name,
  engine: "gguf",
  file: `${name}.gguf`,
  attributes,
  doc: "",
  origin: { declaration: name, file: "test.cfx", line: 1 },
})

export const item = (parts: Partial<Item> = {}): Item => ({
  id: "kind-1",
  question: "Which of these is a bird?",
  options: ["trout", "robin", "shirt", "owl-like thing"],
  labels: ["A", "B", "C", "D"],
  gold: 1,
  columns: {},
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
