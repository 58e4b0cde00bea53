/** Fills the places of a declared text that the design and the item fill: what stays open is what only a read can give. */
import type { AssertionIR, ExperimentIR, Origin, PieceIR, StimulusIR, TextIR } from "./ir.ts"
import type { Item } from "./item.ts"
import type { Open, Piece, Segment, Template } from "./trial.ts"

type ListingIR = ExperimentIR["protocol"]["listing"]
type Asserts = (Open & { readonly kind: "answer" })["asserts"]

/** All that a text is settled with. */
export interface Setting {
  readonly item: Item
  readonly listing: ListingIR
  readonly stimulus: StimulusIR
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

const ofItem = (text: string, field: "question" | "options", item: Item): Segment => ({
  kind: "text",
  text,
  from: { kind: "item", field, item: item.id },
})

/** A place that the compiler lets through only where something fills it. */
const misplaced = (piece: PieceIR): never => {
  throw new Error(`internal: a ${piece.kind} stands at line ${piece.origin.line} of ${piece.origin.file}`)
}

/** The options as the protocol lists them, in the order of the item. */
const settleListing = (listing: ListingIR, item: Item): readonly Segment[] =>
  item.options.flatMap((option, index) => {
    const label = item.labels[index] ?? ""
    const line = listing.each.map((piece): Segment => {
      if (piece.kind === "text") return segmentOf(piece)
      if (piece.kind === "option") return ofItem(piece.field === "label" ? label : option, "options", item)
      return misplaced(piece)
    })
    return index === 0 ? line : [declared(listing.join, listing.origin), ...line]
  })

/** What each line asserts before it is numbered: the structure's assignment, in the order asked for. */
export const assignments = (
  structure: AssertionIR["structure"],
  order: AssertionIR["order"],
  lines: number,
): readonly Asserts[] => {
  const golds = structure === "all_correct" ? lines : structure === "all_wrong" ? 0 : Math.floor(lines / 2)
  const assigned = Array.from(
    { length: lines },
    (_, index): Asserts => (index < lines - golds ? "target" : "gold"),
  )
  switch (order) {
    case "identity":
      return assigned
    case "reversed":
      return assigned.toReversed()
    case "interleaved": {
      // The first half's lines and the second half's take turns.
      const half = Math.ceil(lines / 2)
      return assigned.map(
        (_, index) => assigned[index % 2 === 0 ? index / 2 : half + (index - 1) / 2] as Asserts,
      )
    }
  }
}

interface LineSetting extends Setting {
  readonly stimulus: AssertionIR
  readonly index: number
  readonly asserts: Asserts
}

const settleLine = (text: TextIR, line: LineSetting): Template =>
  text.flatMap((piece) => (piece.kind === "line" ? settlePlace(piece, line) : settlePiece(piece, line)))

const settlePlace = (piece: PieceIR & { readonly kind: "line" }, line: LineSetting): Template => {
  const { stimulus, index, asserts } = line
  const { speakers } = stimulus.dose
  const seat = speakers > 0 ? index % speakers : index
  switch (piece.field) {
    case "answer":
      return [{ kind: "answer", asserts }]
    case "assertion":
      return settleLine(stimulus.wordings[index % stimulus.wordings.length] ?? misplaced(piece), line)
    case "i":
      return [declared(String(seat + 1), piece.origin)]
    case "speaker":
      return [declared(stimulus.roster[seat] ?? misplaced(piece), piece.origin)]
  }
}

/** The preamble and one line for each assertion. A line break belongs to the line that it opens. */
const settleAssertion = (stimulus: AssertionIR, setting: Setting): Template => {
  const settled: Piece[] = [...settle(stimulus.preamble, setting)]
  const asserted = assignments(stimulus.structure, stimulus.order, stimulus.dose.lines)
  for (const [index, asserts] of asserted.entries()) {
    const text = stimulus.lines[index % stimulus.lines.length] ?? []
    const opening = text[0]
    if (opening === undefined) continue
    if (settled.length > 0) settled.push(declared("\n", opening.origin))
    settled.push(...settleLine(text, { ...setting, stimulus, index, asserts }))
  }
  return settled
}

const settlePiece = (piece: PieceIR, setting: Setting): readonly Piece[] => {
  switch (piece.kind) {
    case "text":
      return [segmentOf(piece)]
    case "item":
      return piece.field === "question"
        ? [ofItem(setting.item.question, "question", setting.item)]
        : settleListing(setting.listing, setting.item)
    case "slot":
      return setting.stimulus.kind === "assertion"
        ? settleAssertion(setting.stimulus, setting)
        : settle(setting.stimulus.text, setting)
    case "hole":
      return [{ kind: "hole", hole: piece.hole }]
    case "line":
    case "option":
      return misplaced(piece)
  }
}

/** A declared text with every place filled but for reads and asserted answers. Segments keep where they come from; none is empty. */
export const settle = (text: TextIR, setting: Setting): Template =>
  text
    .flatMap((piece) => settlePiece(piece, setting))
    .filter((piece) => piece.kind !== "text" || piece.text !== "")
