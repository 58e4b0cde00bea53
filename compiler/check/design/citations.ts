/** Stimuli of a replication that do not say where their words are from. */
import type { Block, Declaration, Framing, Name, Paraphrase } from "../../../grammar/ast.ts"
import { argumentOf, armsOf, fieldsOf } from "../../lower/columns.ts"
import { ancestry } from "../../lower/inherit.ts"
import { onceForBound } from "../../memo.ts"
import type { Bound } from "../../resolve.ts"
import type { Check, Review } from "./review.ts"

/** "Hu & Qu (2026)", "Doe and Roe, 2020", "Weng et al.": who, and mostly when. A word before a year is no author by itself. */
const NAME = String.raw`\p{Lu}[\p{L}'-]+`
const YEAR = String.raw`(?:19|20)\d\d\b`
const PAPER = new RegExp(
  [
    String.raw`\b${NAME}(?: (?:&|and) ${NAME})? \(${YEAR}\)`,
    String.raw`\b${NAME} (?:&|and) ${NAME},? ${YEAR}`,
    String.raw`\b${NAME} et al\b\.?(?:,? \(?${YEAR}\)?)?`,
  ].join("|"),
  "u",
)

const paperIn = (text: string): string | undefined => PAPER.exec(text)?.[0]

export const checkCitations: Check = (review) => {
  const { declaration, scene, program, experiment } = review
  const stimuli = stimuliOf(review)
  const paper =
    paperIn(experiment.doc) ??
    paperIn(program.doc) ??
    stimuli.find(({ own, paper }) => own && paper !== undefined)?.paper
  if (paper === undefined) return
  const uncited = stimuli.filter(({ cited }) => !cited)
  const [first] = uncited
  if (first === undefined) return
  const names = [...new Set(uncited.map(({ at }) => at.text))]
  scene.say("CFX4019", { paper, stimuli: names }, first.at ?? declaration.name)
}

interface Stimulus {
  readonly at: Name
  /** Whether it, or what it extends, says where its words are from. */
  readonly cited: boolean
  /** Whether it is declared in the spec itself: that a library names the papers that it is from says nothing about the spec. */
  readonly own: boolean
  /** The first paper that its notes name. */
  readonly paper: string | undefined
}

/** The declared stimuli that an experiment shows, where they are first named. */
const stimuliOf = ({ declaration, names, scene }: Review): readonly Stimulus[] => {
  const named = [
    ...armsOf(declaration).flatMap(
      ({ stimulus }): readonly (readonly [Name, "block" | "framing" | "paraphrase"])[] =>
        stimulus.kind === "name"
          ? [[stimulus, "block"]]
          : (["framing", "paraphrase"] as const).flatMap((kind) =>
              (argumentOf(stimulus, kind)?.levels ?? []).flatMap((level) =>
                level.kind === "name" ? [[level, kind] as const] : [],
              ),
            ),
    ),
    ...fieldsOf(declaration, "factor").flatMap(({ levels }) =>
      levels === "models"
        ? []
        : levels.flatMap((level) => (level.kind === "name" ? [[level, "block"] as const] : [])),
    ),
  ]
  const met = new Set<Declaration>()
  return named.flatMap(([at, kind]) => {
    const bound = names.find(at, kind)
    if (bound === undefined || met.has(bound.declaration)) return []
    met.add(bound.declaration)
    return [{ at, own: bound.module === scene.module, ...citedBy(bound, names) }]
  })
}

const citedBy = onceForBound(({ declaration, module }: Bound<Block | Framing | Paraphrase>, names) => {
  const parts =
    declaration.kind === "framing"
      ? ancestry({ declaration, module }, names).chain.map((part) => part.declaration)
      : [declaration]
  const provenance = parts.flatMap((part) => part.provenance)
  const [paper] = provenance.flatMap(({ note }) =>
    note.parts.flatMap((part) => (part.kind === "chars" ? (paperIn(part.text) ?? []) : [])),
  )
  return { cited: provenance.length > 0, paper }
})
