/** Arms crossed into the cells of the grid. */
import type { Arm, Assertion, Experiment, Expression } from "../../grammar/ast.ts"
import type { AssertionIR, BlockIR, CellIR } from "../ir.ts"
import type { Names } from "../resolve.ts"
import { type AssertionFactor, argumentOf, armsOf, type Crossing, crossingsOf, print } from "./columns.ts"
import { doseOf } from "./dose.ts"
import { type WholeFraming, wholeFraming } from "./inherit.ts"
import {
  itemFill,
  type LineField,
  lineFill,
  lowerPlain,
  lowerProvenance,
  lowerText,
  placeholdersOf,
} from "./text.ts"

/** The cells of an experiment without errors, in the order written. */
export const lowerArms = (experiment: Experiment, names: Names): readonly CellIR[] =>
  armsOf(experiment).flatMap((arm) => {
    const { stimulus } = arm
    if (stimulus.kind === "assertion") return lowerAssertion(arm, stimulus, names)
    const block = names.find(stimulus, "block")
    if (block === undefined) return []
    const text = block.declaration.fields.flatMap((field) => lowerText(field.text, block, itemFill))
    const lowered: BlockIR = { kind: "block", text, provenance: lowerProvenance(block) }
    return [{ arm: arm.name.text, levels: { arm: arm.name.text }, stimulus: lowered }]
  })

/** Whether a line of a framing holds this placeholder. */
export const holdsPlace = ({ lines }: WholeFraming, place: LineField): boolean =>
  (lines?.node ?? []).some((line) => placeholdersOf(line).includes(place))

/** Whether a framing's lines hold an assertion, which a paraphrase words. */
export const readsParaphrase = (framing: WholeFraming): boolean => holdsPlace(framing, "assertion")

/** Whether it matters to a structure in which order its lines stand: lines that all assert the same stand alike in every order. */
export const readsOrder = (structure: Expression): boolean => print(structure) === "mixed"

/**
 * The cells of an assertion: its crossings, each with its levels as printed. Where a framing reads no paraphrase, or a structure none of
 * several orders, there is one cell for all of them, in which that factor has no level: one prompt is one observation.
 */
export const cellsOf = (
  assertion: Assertion,
  names: Names,
): readonly { readonly crossing: Crossing; readonly levels: Readonly<Record<string, string>> }[] => {
  const ordered = (argumentOf(assertion, "order")?.levels.length ?? 0) > 1
  const cells = new Map<string, { crossing: Crossing; levels: Record<string, string> }>()
  for (const crossing of crossingsOf(assertion)) {
    const framing = framingOf(crossing, names)
    const structure = crossing.get("structure")
    const unread = new Set<AssertionFactor>()
    if (framing !== undefined && !readsParaphrase(wholeFraming(framing, names))) unread.add("paraphrase")
    if (ordered && structure !== undefined && !readsOrder(structure)) unread.add("order")
    const levels: Record<string, string> = {}
    for (const [factor, level] of crossing) {
      if (!unread.has(factor)) levels[factor] = print(level)
    }
    const key = JSON.stringify(levels)
    if (!cells.has(key)) cells.set(key, { crossing, levels })
  }
  return [...cells.values()]
}

const framingOf = (crossing: Crossing, names: Names) => {
  const level = crossing.get("framing")
  return level?.kind === "name" ? names.find(level, "framing") : undefined
}

const lowerAssertion = (arm: Arm, assertion: Assertion, names: Names): readonly CellIR[] =>
  cellsOf(assertion, names).flatMap(({ crossing, levels }) => {
    const stimulus = lowerCrossing(crossing, names)
    const { text } = arm.name
    return stimulus === undefined ? [] : [{ arm: text, levels: { arm: text, ...levels }, stimulus }]
  })

const lowerCrossing = (crossing: Crossing, names: Names): AssertionIR | undefined => {
  const framing = framingOf(crossing, names)
  const doseLevel = crossing.get("dose")
  const dose = doseLevel === undefined ? undefined : doseOf(doseLevel, names)
  if (framing === undefined || dose === undefined) return undefined
  const whole = wholeFraming(framing, names)
  const wording = crossing.get("paraphrase")
  const paraphrase =
    wording?.kind === "name" && readsParaphrase(whole) ? names.find(wording, "paraphrase") : undefined
  const choice = (factor: "structure" | "order"): string => {
    const level = crossing.get(factor)
    return level?.kind === "name" ? level.text : ""
  }
  const { preamble, lines } = whole
  return {
    kind: "assertion",
    preamble: preamble === undefined ? [] : lowerText(preamble.node, preamble.from, () => undefined),
    lines: (lines?.node ?? []).map((line) => lowerText(line, lines!.from, lineFill)),
    wordings: (paraphrase?.declaration.wordings ?? []).map((text) => lowerText(text, paraphrase!, lineFill)),
    roster: rosterOf(whole, names),
    structure: choice("structure") as AssertionIR["structure"],
    order: choice("order") as AssertionIR["order"],
    dose,
    provenance: [
      ...sourcesOf(whole).flatMap(lowerProvenance),
      ...(paraphrase === undefined ? [] : lowerProvenance(paraphrase)),
    ],
  }
}

/** The speakers of a framing's roster; none where no line names one. */
const rosterOf = (whole: WholeFraming, names: Names): readonly string[] => {
  const { speakers } = whole
  if (speakers === undefined || !holdsPlace(whole, "speaker")) return []
  return names.find(speakers.node, "roster")?.declaration.speakers.map(lowerPlain) ?? []
}

/** The declarations that a framing's texts stand in: an inherited field brings its own source along. */
const sourcesOf = ({ preamble, lines }: WholeFraming) => {
  const sources = [preamble?.from, lines?.from].filter((from) => from !== undefined)
  return sources.filter(
    (from, index) => sources.findIndex((other) => other.declaration === from.declaration) === index,
  )
}
