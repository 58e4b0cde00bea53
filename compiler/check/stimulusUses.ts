/** What an experiment puts into the slots of its protocol: each stimulus with its texts, and where it is named. */
import type { Experiment, Expression, Framing, FramingField, Protocol, Text } from "../../grammar/ast.ts"
import { article } from "../diagnostics/words.ts"
import type { Module } from "../load.ts"
import { argumentOf, armsOf, factorLevels, fieldsOf, print } from "../lower/columns.ts"
import { dosesIn } from "../lower/doseList.ts"
import { ancestry } from "../lower/inherit.ts"
import { type Place, placesIn } from "../lower/place.ts"
import { STEP } from "../lower/placeholders.ts"
import { isRole } from "../lower/slotFills.ts"
import { slotsOf } from "../lower/turns.ts"
import { once, onceForBound } from "../memo.ts"
import { type Bound, type Names, nounFor } from "../resolve.ts"
import { isSlip } from "./placeholders.ts"

export interface StimulusUse {
  /** A block or a text fills its slot by itself; framings, paraphrases and doses together make the assertion that does. */
  readonly kind: "block" | "lines" | "dose"
  readonly slot: string
  /** Where the experiment names it. */
  readonly at: Expression
  /** As a person would name it, at the beginning of a sentence: "The block `x`". */
  readonly called: string
  /** The declaration; none of a text that is written out as a level. */
  readonly bound?: Bound
  /** Its texts, and the file that each stands in. */
  readonly texts: readonly { readonly text: Text; readonly module: Module }[]
  /** How it goes by the steps of a repeated turn: one text or dose for each of so many, a text that says which step it is, or not at all. */
  readonly steps: number | "named" | "none"
}

/** Every stimulus of an experiment. `module` is the experiment's file. Names that stand for nothing were reported. */
export const stimulusUses = (
  experiment: Experiment,
  protocol: Protocol,
  module: Module,
  names: Names,
): readonly StimulusUse[] => {
  const [first] = slotsOf(protocol)
  const arms = first === undefined ? [] : armsOf(experiment)
  return [
    ...arms.flatMap(({ stimulus }) => {
      const slot = first!.text
      if (stimulus.kind === "name") return blockUse(stimulus, slot, module, names)
      const of = (factor: "framing" | "paraphrase" | "dose") => argumentOf(stimulus, factor)?.levels ?? []
      const uses = [
        ...of("framing").flatMap((level) => framingUse(level, slot, names)),
        ...of("paraphrase").flatMap((level) => paraphraseUse(level, slot, names)),
      ]
      // Where lines say which step it is, one dose may do for all.
      const named = uses.some(({ steps }) => steps === "named")
      return [...uses, ...of("dose").flatMap((level) => doseUse(level, slot, named))]
    }),
    ...fieldsOf(experiment, "factor").flatMap((field) => {
      const slot = field.factor.text
      if (isRole(slot, protocol) || field.levels === "models") return []
      return factorLevels(field, experiment).flatMap((level) => blockUse(level, slot, module, names))
    }),
  ]
}

const blockUse = (level: Expression, slot: string, module: Module, names: Names): readonly StimulusUse[] => {
  if (level.kind === "text") {
    const texts = [{ text: level, module }]
    return [{ kind: "block", slot, at: level, called: "This text", texts, steps: stepsIn([level]) }]
  }
  const bound = level.kind === "name" ? names.find(level, "block") : undefined
  if (bound === undefined) return []
  const list = bound.declaration.fields.find((field) => field.field === "texts")
  const texts = bound.declaration.fields.flatMap((field) =>
    field.field === "text" ? [field.text] : field.texts,
  )
  const steps = list === undefined ? stepsIn(texts) : texts.length
  return [
    use(
      level,
      slot,
      bound,
      texts.map((text) => ({ text, module: bound.module })),
      steps,
    ),
  ]
}

const framingUse = (level: Expression, slot: string, names: Names): readonly StimulusUse[] => {
  const bound = level.kind === "name" ? names.find(level, "framing") : undefined
  if (bound === undefined) return []
  const { texts, steps } = saidBy(bound, names)
  return [use(level, slot, bound, texts, steps)]
}

const saidBy = onceForBound((bound: Bound<Framing>, names) => {
  const texts = ancestry(bound, names).chain.flatMap((from: Bound<Framing>) =>
    from.declaration.fields.flatMap(textsOf).map((text) => ({ text, module: from.module })),
  )
  return { texts, steps: stepsIn(texts.map(({ text }) => text)) }
})

const textsOf = (field: FramingField): readonly Text[] => {
  switch (field.field) {
    case "preamble":
    case "closing":
      return [field.text]
    case "lines":
      return field.texts
    case "wording":
      return field.fields.flatMap(textsOf)
    case "speakers":
      return []
  }
}

const paraphraseUse = (level: Expression, slot: string, names: Names): readonly StimulusUse[] => {
  const bound = level.kind === "name" ? names.find(level, "paraphrase") : undefined
  if (bound === undefined) return []
  const texts = bound.declaration.wordings
  return [
    use(
      level,
      slot,
      bound,
      texts.map((text) => ({ text, module: bound.module })),
      stepsIn(texts),
    ),
  ]
}

const doseUse = (level: Expression, slot: string, named: boolean): readonly StimulusUse[] => {
  if (level.kind === "list" ? level.elements.length === 0 : named) return []
  const steps = level.kind === "list" ? dosesIn(level).length : "none"
  return [{ kind: "dose", slot, at: level, called: `The dose \`${print(level)}\``, texts: [], steps }]
}

const use = (
  at: Expression,
  slot: string,
  bound: Bound,
  texts: StimulusUse["texts"],
  steps: StimulusUse["steps"],
): StimulusUse => {
  const noun = article(nounFor(bound.declaration)).replace(/^an? /, "The ")
  const kind = bound.declaration.kind === "block" ? "block" : "lines"
  return { kind, slot, at, called: `${noun} \`${print(at)}\``, bound, texts, steps }
}

/** The places of a stimulus, each once; what seems to be misspelt was reported where it stands. */
export const placesOf = once(({ texts }: StimulusUse): readonly Place[] =>
  texts.flatMap(({ text, module }) => placesIn(text).filter((place) => !isSlip(place, module))),
)

/** Whether a text says which step it is of, or takes an item by the step. */
const stepsIn = (texts: readonly Text[]): "named" | "none" =>
  texts.flatMap(placesIn).some(({ head, index }) => head === STEP || index === STEP) ? "named" : "none"
