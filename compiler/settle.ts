/** Fills the places of a declared text that the design and the item fill: what stays open is what only a read can give. */
import type {
  AssertedIR,
  AssertionIR,
  CellIR,
  ItemFieldIR,
  Origin,
  PieceIR,
  ProtocolIR,
  StimulusIR,
  TextIR,
} from "./ir.ts"
import type { Item } from "./item.ts"
import { assignments, doseAt } from "./lines.ts"
import { wrongOf } from "./others.ts"
import { shuffledPlaces, streamOf } from "./shown.ts"
import type { Open, Piece, Segment, Template } from "./trial.ts"

/** All that a text is settled with. */
export interface Setting {
  readonly protocol: Pick<ProtocolIR, "slots" | "draws" | "listing" | "answers">
  readonly cell: Pick<CellIR, "stimulus" | "fills" | "seed" | "replicate">
  readonly pool: string
  /** As the trial shows it. */
  readonly item: Item
  /** Other items, by draw. */
  readonly others: Readonly<Record<string, readonly Item[]>>
}

/** Within a stimulus: the step of the repeated turn that it stands in. Within a line of it: what the line asserts. */
interface Place extends Setting {
  readonly step?: number | undefined
  readonly line?: Line
}

interface Line {
  readonly stimulus: AssertionIR
  readonly index: number
  readonly speakers: number
  readonly asserts: AssertedIR
}

const declared = (text: string, origin: Origin): Segment => ({
  kind: "text",
  text,
  from: {
    kind: "declaration",
    declaration: origin.declaration,
    file: origin.file,
    line: origin.line,
  },
})

// A declared text stands in the prompts of every item; one segment serves them all.
const segments = new WeakMap<PieceIR, Segment>()

const segmentOf = (piece: PieceIR & { readonly kind: "text" }): Segment => {
  const known = segments.get(piece)
  if (known !== undefined) return known
  const segment = declared(piece.text, piece.origin)
  segments.set(piece, segment)
  return segment
}

const ofItem = (text: string, field: string, item: Item): Segment => ({
  kind: "text",
  text,
  from: { kind: "item", field, item: item.id },
})

/** A place that the compiler lets through only where something fills it. */
const misplaced = (piece: PieceIR): never => {
  throw new Error(`internal: a ${piece.kind} stands at line ${piece.origin.line} of ${piece.origin.file}`)
}

/** What stands in a slot under a cell. */
export const stimulusIn = (
  slot: string,
  { slots }: Pick<ProtocolIR, "slots">,
  { stimulus, fills }: Pick<CellIR, "stimulus" | "fills">,
): StimulusIR => {
  const filling = slot === slots[0] ? stimulus : fills[slot]
  if (filling === undefined) throw new Error(`internal: nothing fills the slot ${slot}`)
  return filling
}

/** The options as the protocol lists them, in the order of the item. */
const settleListing = ({ listing }: Setting["protocol"], item: Item): readonly Segment[] => {
  const settled: Segment[] = []
  for (const [index, option] of item.options.entries()) {
    if (index > 0) settled.push(declared(listing.join, listing.origin))
    for (const piece of listing.each) {
      if (piece.kind === "text") settled.push(segmentOf(piece))
      else if (piece.kind !== "option") misplaced(piece)
      else {
        const text = piece.field === "label" ? (item.labels[index] ?? "") : option
        settled.push(ofItem(text, "options", item))
      }
    }
  }
  return settled
}

/** `pool`: the one that the item is of. */
const settleField = (
  field: ItemFieldIR,
  item: Item,
  pool: string,
  piece: PieceIR,
  { protocol, cell }: Place,
): readonly Segment[] => {
  if (typeof field === "object") {
    const value = item.columns[field.column]
    return value === undefined ? misplaced(piece) : [ofItem(String(value), field.column, item)]
  }
  const option = (index: number, as: "label" | "text"): readonly Segment[] => [
    ofItem((as === "label" ? item.labels : item.options)[index] ?? misplaced(piece), field, item),
  ]
  switch (field) {
    case "question":
      return [ofItem(item.question, field, item)]
    case "options":
      return settleListing(protocol, item)
    case "gold.label":
      return option(item.gold, "label")
    case "gold.text":
      return option(item.gold, "text")
    case "wrong.label":
      return option(wrongOf(item, pool, cell.seed), "label")
    case "wrong.text":
      return option(wrongOf(item, pool, cell.seed), "text")
  }
}

const settleOther = (piece: PieceIR & { readonly kind: "other" }, place: Place): readonly Segment[] => {
  const index = piece.index === "step" ? (place.step ?? misplaced(piece)) : piece.index
  const item = place.others[piece.draw]?.[index - 1] ?? misplaced(piece)
  const pool = place.protocol.draws.find(({ name }) => name === piece.draw)?.pool ?? place.pool
  return settleField(piece.field, item, pool, piece, place)
}

const settleLineField = (piece: PieceIR & { readonly kind: "line" }, place: Place): Template => {
  const { line, protocol } = place
  if (line === undefined) return misplaced(piece)
  const { stimulus, index, speakers, asserts } = line
  const seat = speakers > 0 ? index % speakers : index
  const answer = (as: "label" | "text"): readonly Open[] => [{ kind: "answer", asserts, as }]
  switch (piece.field) {
    case "answer":
      return answer(protocol.answers)
    case "answer.label":
      return answer("label")
    case "answer.text":
      return answer("text")
    case "assertion":
      return settleText(stimulus.wordings[index % stimulus.wordings.length] ?? misplaced(piece), place)
    case "i":
      return [declared(String(seat + 1), piece.origin)]
    case "speaker":
      return [declared(stimulus.roster[seat] ?? misplaced(piece), piece.origin)]
  }
}

/** What each line of an assertion comes to, top to bottom. */
const settleLines = (stimulus: AssertionIR, place: Place): readonly Template[] => {
  const { lines: count, speakers } = doseAt(stimulus, place.step)
  const { seed, replicate } = place.cell
  const key = { seed, replicate, pool: place.pool, item: place.item.id }
  const shuffle = (lines: number) => shuffledPlaces(lines, streamOf("order", key))
  return assignments(stimulus.structure, stimulus.order, count, shuffle).map((asserts, index) =>
    settleText(stimulus.lines[index % stimulus.lines.length] ?? [], {
      ...place,
      line: { stimulus, index, speakers, asserts },
    }),
  )
}

/** The preamble, one line for each assertion, and the closing. A line break belongs to the line that it opens. */
const settleAssertion = (stimulus: AssertionIR, place: Place): Template => {
  const settled: Piece[] = [...settleText(stimulus.preamble, place)]
  const add = (text: TextIR, line: Template): void => {
    const opening = text[0]
    if (opening === undefined) return
    if (settled.length > 0) settled.push(declared("\n", opening.origin))
    settled.push(...line)
  }
  for (const [index, line] of settleLines(stimulus, place).entries()) {
    add(stimulus.lines[index % stimulus.lines.length] ?? [], line)
  }
  add(stimulus.closing, settleText(stimulus.closing, place))
  return settled
}

const settleStimulus = (stimulus: StimulusIR, place: Place): Template => {
  if (stimulus.kind === "assertion") return settleAssertion(stimulus, place)
  const { text, steps } = stimulus
  if (steps === undefined) return settleText(text, place)
  const own = place.step === undefined ? undefined : steps[place.step - 1]
  if (own === undefined) throw new Error(`internal: a block has no text for step ${place.step}`)
  return settleText(own, place)
}

const settlePiece = (piece: PieceIR, place: Place): readonly Piece[] => {
  switch (piece.kind) {
    case "text":
      return [segmentOf(piece)]
    case "item":
      return settleField(piece.field, place.item, place.pool, piece, place)
    case "other":
      return settleOther(piece, place)
    case "slot":
      return settleStimulus(stimulusIn(piece.slot, place.protocol, place.cell), {
        ...place,
        step: piece.step,
      })
    case "hole":
      return [{ kind: "hole", hole: piece.hole }]
    case "push":
      return [{ kind: "answer", asserts: piece.of, as: piece.field }]
    case "step":
      return [declared(String(place.step ?? misplaced(piece)), piece.origin)]
    case "line":
      return settleLineField(piece, place)
    case "option":
      return misplaced(piece)
  }
}

/** Most pieces are characters, and most of the time of making trials is spent here: no list is made for a piece that is one already. */
const settleText = (text: TextIR, place: Place): Template => {
  const settled: Piece[] = []
  for (const piece of text) {
    if (piece.kind === "text") settled.push(segmentOf(piece))
    else for (const one of settlePiece(piece, place)) settled.push(one)
  }
  return settled
}

const isThere = (piece: Piece): boolean => piece.kind !== "text" || piece.text !== ""

/** A declared text with every place filled but for reads and asserted answers. Segments keep where they come from; none is empty. */
export const settle = (text: TextIR, setting: Setting): Template => settleText(text, setting).filter(isThere)

/** The lines of the arm's assertion, one template each; of a repeated turn's, those of its first step. None for a block. */
export const linesOf = (setting: Setting): readonly Template[] => {
  const { stimulus } = setting.cell
  // What lines say by the step, they say where there are steps alone: elsewhere nothing looks at the number.
  return stimulus.kind === "block"
    ? []
    : settleLines(stimulus, { ...setting, step: 1 }).map((line) => line.filter(isThere))
}
