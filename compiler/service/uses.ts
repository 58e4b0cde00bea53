/** Experiments with what they ask, and the columns of their designs: they decide what names of libraries stand for. */
import type { Experiment, Expression, Protocol } from "../../grammar/ast.ts"
import type { Module } from "../load.ts"
import {
  armsOf,
  assertionFactors,
  factorLevels,
  fieldsOf,
  modelsOf,
  outerColumns,
  poolsOf,
} from "../lower/columns.ts"
import { listsOf, readsOf } from "../lower/reads.ts"
import { isRecordsAlone, recordedLevels, recordedProtocol } from "../lower/recorded.ts"
import { designFields } from "../lower/scope.ts"
import { rolesOf, slotsOf } from "../lower/turns.ts"
import type { Bound, Names } from "../resolve.ts"
import { type Meaning, partMeaning, partsNamed } from "./meanings.ts"
import { partsOf } from "./parts.ts"

/** An experiment, and the protocol that it follows: none where none is known, and where records are all there is. */
export interface Used {
  readonly experiment: Bound<Experiment>
  readonly protocol: Bound<Protocol> | undefined
  /** The read, or the list of reads, of this name. */
  readonly read: (text: string) => readonly Meaning[]
}

export const usesIn = (modules: readonly Module[], names: Names): readonly Used[] =>
  modules.flatMap((module) =>
    module.file.declarations.flatMap((declaration) =>
      declaration.kind === "experiment" ? [useOf({ declaration, module }, names)] : [],
    ),
  )

const useOf = (experiment: Bound<Experiment>, names: Names): Used => {
  const protocol = protocolOf(experiment.declaration, names)
  const read = protocol === undefined ? recordedReads(experiment, names) : readsNamed(protocol, names)
  return { experiment, protocol, read }
}

export const protocolOf = (experiment: Experiment, names: Names): Bound<Protocol> | undefined =>
  fieldsOf(experiment, "protocol")
    .map((field) => names.find(field.protocol, "protocol"))
    .find((found) => found !== undefined)

/** Reads by name: `a1`, and the list `a` of a repeated turn, are what `{a[t]: option}` reads. */
export const readsNamed = (protocol: Bound<Protocol>, names: Names) => {
  const parts = partsOf(protocol.declaration).filter(({ what }) => what === "read")
  const reads = readsOf(protocol, names)
  return (text: string): readonly Meaning[] =>
    reads
      .filter(({ name, list }) => name === text || list === text)
      .flatMap(({ span }) => parts.filter(({ name }) => name.span.start === span.start))
      .map(({ name }) => partMeaning("read", name, protocol))
}

/** Reads of records alone. A list of them has no name of its own: it stands for them all. */
const recordedReads = (experiment: Bound<Experiment>, names: Names) => {
  const declaration = recordedProtocol(experiment.declaration)
  const lists =
    declaration === undefined ? {} : listsOf(readsOf({ declaration, module: experiment.module }, names))
  return (text: string): readonly Meaning[] =>
    [text, ...(Object.hasOwn(lists, text) ? lists[text]! : [])].flatMap((one) =>
      partsNamed(experiment, ["read"], one),
    )
}

/** Columns that any design may have: words of the language. */
const words: readonly string[] = ["arm", ...assertionFactors, ...designFields, ...outerColumns]

export interface Column {
  /** None of a word of the language. */
  readonly meanings: readonly Meaning[]
  /** As written where the column gets them. */
  readonly levels: readonly Expression[]
  readonly isModel: boolean
}

/** The column of this name in the design of an experiment, or in any design of a protocol that no experiment follows; none where there is no such column. */
export const columnNamed = (
  text: string,
  protocol: Bound<Protocol> | undefined,
  experiments: readonly Bound<Experiment>[],
): Column | undefined => {
  const has = (names: readonly { readonly text: string }[]) => names.some((name) => name.text === text)
  const isRole = protocol !== undefined && has(rolesOf(protocol.declaration))
  const isSlot = protocol !== undefined && has(slotsOf(protocol.declaration))
  const factors = experiments.flatMap((experiment) => partsNamed(experiment, ["factor"], text))
  if (!words.includes(text) && !isRole && !isSlot && factors.length === 0) return undefined
  return {
    meanings: [...partsNamed(protocol, ["role", "slot"], text), ...factors],
    levels: experiments.flatMap(({ declaration }) => levelsOf(declaration, text)),
    isModel: isRole || text === "model",
  }
}

const levelsOf = (experiment: Experiment, column: string): readonly Expression[] => {
  const recorded = isRecordsAlone(experiment) ? recordedLevels(experiment, column) : undefined
  if (recorded !== undefined) return recorded
  switch (column) {
    case "arm":
      return armsOf(experiment).map(({ name }) => name)
    case "model":
      return modelsOf(experiment)
    case "pool":
      return poolsOf(experiment).map(({ pool }) => pool)
    case "seed":
    case "target":
    case "options":
      return fieldsOf(experiment, column).flatMap(({ levels }) => levels)
    default:
      return [
        ...armsOf(experiment).flatMap(({ stimulus }) =>
          stimulus.kind === "assertion"
            ? stimulus.arguments.flatMap(({ factor, levels }) => (factor.text === column ? levels : []))
            : [],
        ),
        ...fieldsOf(experiment, "factor").flatMap((field) =>
          field.factor.text === column ? factorLevels(field, experiment) : [],
        ),
      ]
  }
}

/** Every level of every column of a design. */
export const levelsIn = (experiment: Experiment): readonly Expression[] => {
  const factors = fieldsOf(experiment, "factor").map(({ factor }) => factor.text)
  return [...new Set([...words, ...factors])].flatMap((column) => levelsOf(experiment, column))
}
