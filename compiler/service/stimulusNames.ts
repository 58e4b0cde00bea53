/** What the names of stimuli stand for: wordings, and in texts the draws of the protocols that these are used in. */
import type { Declaration, Expression, Framing } from "../../grammar/ast.ts"
import { argumentOf, armsOf, factorLevels, fieldsOf } from "../lower/columns.ts"
import { ancestry } from "../lower/inherit.ts"
import type { Bound, Names } from "../resolve.ts"
import { tellText } from "./expressionNames.ts"
import { type Meaning, partsNamed, type Table } from "./meanings.ts"
import { textsIn } from "./nodes.ts"
import type { Used } from "./uses.ts"

/** The wording that a framing knows by this name, in the declaration of the farthest ancestor that has it: a child's stands for its parent's. */
const wordingOf = (framing: Bound<Framing>, text: string, names: Names): readonly Meaning[] =>
  ancestry(framing, names)
    .chain.map((one) => partsNamed(one, ["wording"], text))
    .findLast((found) => found.length > 0) ?? []

export const tellFraming = (framing: Bound<Framing>, table: Table): void => {
  for (const field of framing.declaration.fields)
    if (field.field === "wording") table.tell(field.name, wordingOf(framing, field.name.text, table.names))
}

/** The wordings that assertions of an experiment take, each of all framings that have it. */
export const tellWordings = ({ experiment }: Used, table: Table): void => {
  for (const { stimulus } of armsOf(experiment.declaration)) {
    if (stimulus.kind !== "assertion") continue
    const framings = (argumentOf(stimulus, "framing")?.levels ?? []).flatMap(
      (level) => (level.kind === "name" ? table.names.find(level, "framing") : undefined) ?? [],
    )
    for (const level of argumentOf(stimulus, "wording")?.levels ?? []) {
      if (level.kind !== "name") continue
      for (const framing of framings) table.tell(level, wordingOf(framing, level.text, table.names))
    }
  }
}

/** `{past[1].question}` in a stimulus is what the protocol of an experiment draws that uses it. */
export const tellDraws = ({ experiment, protocol }: Used, table: Table): void => {
  const head = (text: string) => partsNamed(protocol, ["draw"], text)
  const texts = stimuliOf(experiment.declaration, table.names).flatMap(textsIn)
  for (const text of texts) tellText(text, head, table)
}

/** All that an experiment may put into a slot, ancestors of framings included. */
const stimuliOf = (
  experiment: Used["experiment"]["declaration"],
  names: Names,
): readonly (Declaration | Expression)[] => {
  const filling = fieldsOf(experiment, "factor").flatMap((field) => factorLevels(field, experiment))
  return [
    ...filling.filter(({ kind }) => kind === "text"),
    ...[...filling, ...armsOf(experiment).map(({ stimulus }) => stimulus)].flatMap((level) =>
      level.kind === "name" ? (names.find(level, "block")?.declaration ?? []) : [],
    ),
    ...armsOf(experiment).flatMap(({ stimulus }) => {
      if (stimulus.kind !== "assertion") return []
      const levels = stimulus.arguments.flatMap((argument) => argument.levels)
      return levels.flatMap((level): readonly Declaration[] => {
        if (level.kind !== "name") return []
        const framing = names.find(level, "framing")
        if (framing !== undefined) return ancestry(framing, names).chain.map(({ declaration }) => declaration)
        const paraphrase = names.find(level, "paraphrase")
        return paraphrase === undefined ? [] : [paraphrase.declaration]
      })
    }),
  ]
}
