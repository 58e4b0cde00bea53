/** The names of a declaration that must be declared in its file or imported, and those that it only mentions. */
import type {
  Assertion,
  Declaration,
  DeclarationKind,
  Experiment,
  Expression,
  FramingField,
  Name,
  Protocol,
} from "../grammar/ast.ts"
import { expressionsIn, expressionsOf } from "./lower/expressions.ts"
import { NONE, STUDIED } from "./lower/slotFills.ts"
import { builtInOrders, builtInStructures } from "./lower/structure.ts"
import { isTargetWord, targetWords } from "./lower/target.ts"
import { rolesOf } from "./lower/turns.ts"

/** A name that stands for a declaration, and what kind of declaration must stand there. */
export interface Reference {
  readonly name: Name
  readonly kind: DeclarationKind
}

/** The declaration that a name of the file stands for, where there is one. */
export type Lookup = (name: string) => Declaration | undefined

/** Factors of an assertion whose levels are declarations. */
export const declaredFactors: ReadonlyMap<string, DeclarationKind> = new Map([
  ["framing", "framing"],
  ["structure", "structure"],
  ["order", "order"],
  ["dose", "dose"],
  ["paraphrase", "paraphrase"],
])

/** Measures of contrasts, tables and figures are the experiment's own, and reads the protocol's: neither is a reference. */
export const referencesOf = (declaration: Declaration, lookup: Lookup): readonly Reference[] => [
  ...ownReferences(declaration, lookup),
  ...expressionsOf(declaration).flatMap(lexiconsIn),
]

const ownReferences = (declaration: Declaration, lookup: Lookup): readonly Reference[] => {
  switch (declaration.kind) {
    case "framing":
      return [...optional(declaration.parent, "framing"), ...declaration.fields.flatMap(rostersIn)]
    case "metric":
      return optional(declaration.parent, "metric")
    case "items":
      return declaration.fields.flatMap((field) =>
        field.field === "one" ? [{ name: field.metric, kind: "metric" as const }] : [],
      )
    case "structure":
      return levelReferences("structure", declaration.value)
    case "order":
      return levelReferences("order", declaration.value)
    case "target":
      return targetReferences(declaration.value)
    case "protocol":
      return protocolReferences(declaration)
    case "experiment":
      return experimentReferences(declaration, lookup)
    case "model":
    case "roster":
    case "paraphrase":
    case "dose":
    case "block":
    case "judge":
    case "lexicon":
      return []
    default:
      return declaration satisfies never
  }
}

const rostersIn = (field: FramingField): readonly Reference[] => {
  if (field.field === "speakers") return [{ name: field.roster, kind: "roster" }]
  return field.field === "wording" ? field.fields.flatMap(rostersIn) : []
}

const protocolReferences = (protocol: Protocol): readonly Reference[] => {
  const roles = rolesOf(protocol).map(({ text }) => text)
  const asked = (by: Name | undefined): readonly Reference[] =>
    by === undefined || roles.includes(by.text) ? [] : [{ name: by, kind: "model" }]
  return [
    ...protocol.turns.flatMap(({ by }) => asked(by)),
    ...protocol.fields.flatMap((field): readonly Reference[] =>
      field.field === "judge" ? [{ name: field.judge, kind: "judge" }, ...asked(field.by)] : [],
    ),
  ]
}

const experimentReferences = (experiment: Experiment, lookup: Lookup): readonly Reference[] =>
  experiment.fields.flatMap((field): readonly Reference[] => {
    switch (field.field) {
      case "protocol":
        return [{ name: field.protocol, kind: "protocol" }]
      case "models":
        return field.models.map((name) => ({ name, kind: "model" }))
      case "items":
        return field.pools.map(({ pool }) => ({ name: pool, kind: "items" }))
      case "measure":
        return [{ name: field.metric, kind: "metric" }]
      case "target":
        return field.levels.flatMap(targetReferences)
      case "factor": {
        const kind = filledBy(field.factor.text, experiment, lookup)
        return kind === undefined || field.levels === "models"
          ? []
          : field.levels.flatMap((level): readonly Reference[] =>
              level.kind === "name" && level.text !== (kind === "model" ? STUDIED : NONE)
                ? [{ name: level, kind }]
                : [],
            )
      }
      case "arms":
        return field.arms.flatMap(({ stimulus }): readonly Reference[] => {
          if (stimulus.kind === "assertion") return assertionReferences(stimulus)
          return [{ name: stimulus, kind: "block" }]
        })
      default:
        return []
    }
  })

const assertionReferences = ({ arguments: given }: Assertion): readonly Reference[] =>
  given.flatMap(({ factor, levels }) => {
    const kind = declaredFactors.get(factor.text)
    return kind === undefined ? [] : levels.flatMap((level) => levelReferences(kind, level))
  })

/** What kind of declaration a `factor` field's levels are: what fills a slot, or who plays a role. None where the protocol is not known. */
const filledBy = (factor: string, experiment: Experiment, lookup: Lookup): "block" | "model" | undefined => {
  const protocols = experiment.fields.flatMap((field) => {
    const found = field.field === "protocol" ? lookup(field.protocol.text) : undefined
    return found?.kind === "protocol" ? [found] : []
  })
  const [protocol] = protocols
  if (protocol === undefined) return undefined
  return rolesOf(protocol).some(({ text }) => text === factor) ? "model" : "block"
}

/** Words of the language that can stand where a declaration of this kind is named. */
export const wordsFor = (kind: DeclarationKind): readonly string[] => {
  if (kind === "structure") return builtInStructures
  if (kind === "order") return builtInOrders
  return kind === "target" ? targetWords : []
}

/** The declarations that a level names: of `[distinct(1), distinct(2)]` two. Words of the language are none. */
const levelReferences = (kind: DeclarationKind, level: Expression): readonly Reference[] => {
  if (level.kind === "list")
    return kind === "dose" ? level.elements.flatMap((one) => levelReferences(kind, one)) : []
  const head = headOf(level)
  return head === undefined || wordsFor(kind).includes(head.text) ? [] : [{ name: head, kind }]
}

const targetReferences = (target: Expression): readonly Reference[] =>
  target.kind === "name" && !isTargetWord(target.text) ? [{ name: target, kind: "target" }] : []

const counters = ["count", "density"]

/** `count(hedges, reply)`: the lexicons whose terms an expression counts. */
const lexiconsIn = (expression: Expression): readonly Reference[] =>
  expressionsIn(expression).flatMap((one): readonly Reference[] => {
    if (one.kind !== "call" || one.callee.kind !== "name" || !counters.includes(one.callee.text)) return []
    const [lexicon] = one.arguments
    return lexicon?.kind === "name" ? [{ name: lexicon, kind: "lexicon" }] : []
  })

/** Names that an experiment or a metric uses in other ways: whoever only mentions an import has not left it unused. */
export const mentionsOf = (declaration: Declaration): readonly string[] => {
  if (declaration.kind === "items") {
    return declaration.fields.flatMap((field) =>
      field.field === "experiment" ? [field.experiment.text] : [],
    )
  }
  if (declaration.kind === "protocol") {
    return declaration.fields.flatMap((field) => (field.field === "draw" ? (field.pool?.text ?? []) : []))
  }
  if (declaration.kind !== "experiment") return []
  return declaration.fields.flatMap((field) => {
    switch (field.field) {
      case "contrast":
        return measuresIn(field.value)
      case "summary":
        return [field.measure, ...(field.against === undefined ? [] : [field.against])].flatMap(measuresIn)
      case "expect":
        return field.claim.kind === "published" ? measuresIn(field.claim.measure) : []
      case "table":
        return field.columns.map(({ text }) => text)
      case "figure":
        return [field.measure.text]
      case "model_fit":
        return [field.metric.text]
      case "assume":
        return field.entries.map(({ name }) => name.text)
      case "factor":
        // Where the protocol is not known, neither is what kind of declaration its levels are.
        return field.levels === "models" ? [] : field.levels.flatMap((level) => headOf(level)?.text ?? [])
      default:
        return []
    }
  })
}

const measuresIn = (value: Expression): readonly string[] =>
  expressionsIn(value).flatMap((one) => {
    if (one.kind === "restriction") return [one.measure.text]
    return one.kind === "name" ? [one.text] : []
  })

/** The name that a level goes by: of `people` itself, of `distinct(6)` the part before the arguments. */
export const headOf = (level: Expression): Name | undefined => {
  if (level.kind === "name") return level
  return level.kind === "call" && level.callee.kind === "name" ? level.callee : undefined
}

const optional = (name: Name | undefined, kind: DeclarationKind): readonly Reference[] =>
  name === undefined ? [] : [{ name, kind }]
