/** What the arms put before a model. */
import type { Framing, Name } from "../../grammar/ast.ts"
import type { AssertionIR, StimulusIR } from "../ir.ts"
import { onceFor } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import { emptyBlock, lowerBlock } from "./block.ts"
import type { AssertionFactor, Crossing } from "./columns.ts"
import { doseListOf } from "./doseList.ts"
import { framingOf, holdsPlace, type Point, readsParaphrase, wholeOf } from "./grid.ts"
import type { WholeFraming } from "./inherit.ts"
import { lineFill, stimulusFill } from "./placeholders.ts"
import { print } from "./print.ts"
import { lowerOrder, lowerStructure } from "./structure.ts"
import { lowerPlain, lowerProvenance, lowerText } from "./text.ts"

/** The stimulus of an arm in one of its cells; none where something of it is not declared. Without arms nothing is said. */
export const lowerStimulus = ({ arm, crossing }: Point, names: Names): StimulusIR | undefined => {
  if (arm === undefined) return emptyBlock
  if (arm.stimulus.kind === "name") return lowerNamed(arm.stimulus, names)
  const framing = crossing && framingOf(crossing, names)
  if (crossing === undefined || framing === undefined) return undefined
  const known = assertionsOf(framing.declaration, names)
  const key = [...crossing].map(([factor, level]) => `${factor} ${print(level)}`).join("\n")
  const lowered = known.get(key) ?? lowerCrossing(framing, crossing, names)
  if (lowered !== undefined) known.set(key, lowered)
  return lowered
}

/** Experiments of one spec often have cells in common, which then share their stimuli; a name stands for one thing in all of a file. */
const assertionsOf = onceFor((_: Framing) => new Map<string, AssertionIR>())

const lowerNamed = (name: Name, names: Names): StimulusIR | undefined => {
  const block = names.find(name, "block")
  return block === undefined ? undefined : lowerBlock(block)
}

const lowerCrossing = (
  framing: Bound<Framing>,
  crossing: Crossing,
  names: Names,
): AssertionIR | undefined => {
  const level = <T>(
    factor: AssertionFactor,
    lower: (level: NonNullable<ReturnType<Crossing["get"]>>) => T,
  ) => {
    const written = crossing.get(factor)
    return written === undefined ? undefined : lower(written)
  }
  const doses = level("dose", (one) => doseListOf(one, names))
  const structure = level("structure", (one) => lowerStructure(one, names))
  const order = level("order", (one) => lowerOrder(one, names))
  const [dose] = doses ?? []
  if (dose === undefined || structure === undefined || order === undefined) return undefined
  const whole = wholeOf(framing, crossing, names)
  const wording = crossing.get("paraphrase")
  const paraphrase =
    wording?.kind === "name" && readsParaphrase(whole) ? names.find(wording, "paraphrase") : undefined
  const { preamble, lines, closing } = whole
  return {
    kind: "assertion",
    preamble: preamble === undefined ? [] : lowerText(preamble.node, preamble.from, stimulusFill),
    lines: (lines?.node ?? []).map((line) => lowerText(line, lines!.from, lineFill)),
    closing: closing === undefined ? [] : lowerText(closing.node, closing.from, stimulusFill),
    wordings: (paraphrase?.declaration.wordings ?? []).map((text) => lowerText(text, paraphrase!, lineFill)),
    roster: rosterOf(whole, names),
    structure,
    order,
    dose,
    ...(crossing.get("dose")?.kind === "list" && doses !== undefined ? { doses } : {}),
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
const sourcesOf = ({ preamble, lines, closing }: WholeFraming) => {
  const sources = [preamble, lines, closing].flatMap((part) => part?.from ?? [])
  return sources.filter(
    (from, index) => sources.findIndex((other) => other.declaration === from.declaration) === index,
  )
}
