/** What could stand at an offset: names of the kind that is wanted there, levels, columns, placeholders, words of the language. */
import type { Declaration, DeclarationKind, Experiment, Model } from "../../grammar/ast.ts"
import { parse } from "../../grammar/parse.ts"
import { marks } from "../check/analysis.ts"
import { adjustments, ways } from "../check/contrasts.ts"
import { attributesFor, words as attributeWords } from "../check/models.ts"
import { statistics as summaryStatistics } from "../check/numbers.ts"
import { columnsOf, fieldsOf, outerColumns } from "../lower/columns.ts"
import { readsOf } from "../lower/reads.ts"
import { scores } from "../lower/settings.ts"
import { type Names, nounFor } from "../resolve.ts"
import { declaredFactors } from "../resolveReferences.ts"
import { standardLibraries } from "../standard.ts"
import type { Analysis } from "./analysis.ts"
import { placeholdersAt } from "./placeholders.ts"
import { protocolOf } from "./uses.ts"

export interface Completion {
  readonly label: string
  readonly kind: "name" | "level" | "column" | "placeholder" | "keyword" | "library"
  /** What it is, in a few words. */
  readonly detail: string
  readonly doc?: string
}

/** Words after which a name of one kind stands. */
const wanted: readonly (readonly [before: RegExp, kind: DeclarationKind])[] = [
  [/\bprotocol\s+\w*$/, "protocol"],
  [/\bmodels\s*\{[^}]*$/, "model"],
  [/\bitems\s*\{[^}]*$/, "items"],
  [/\bspeakers\s+\w*$/, "roster"],
  [/\bmeasure\s+(?:\w+\s*=\s*)?\w*$/, "metric"],
  [/\bjudge\s+\w+\s*=\s*\w*$/, "judge"],
  [/\b(?:framing|container)\s+\w+\s+extends\s+\w*$/, "framing"],
  [/\bmetric\s+\w+(?:\([^)]*\))?\s+extends\s+\w*$/, "metric"],
]

/** What could stand at this offset of the analysed file, in no particular order; a client keeps what fits what is typed. */
export const completionsAt = (analysis: Analysis, offset: number): readonly Completion[] => {
  const { module, names } = analysis
  const before = module.source.text.slice(0, offset)
  const line = before.slice(before.lastIndexOf("\n") + 1)
  const imported = /\bimport\s*\{([^}]*)$/.exec(before)
  if (imported !== null) return exportedNames(analysis, offset)
  if (/\bfrom\s+"[^"]*$/.test(line)) return libraries()
  const enclosing = declarationBefore(analysis, offset)
  const bound = enclosing === undefined ? undefined : { declaration: enclosing, module }
  if (/(?:^|[^{])(?:\{\{)*\{[\w.[\]]*$/.test(line) && bound !== undefined && isInText(line)) {
    return placeholdersAt(bound, names)
  }
  if (isInText(line)) return []
  if (enclosing?.kind === "experiment") {
    const levels = levelsAt(before.slice(enclosing.span.start), enclosing, analysis)
    if (levels !== undefined) return levels
    const columns = columnsAt(before.slice(enclosing.span.start), enclosing, names)
    if (columns !== undefined) return columns
  }
  const kind = wanted.find(([pattern]) => pattern.test(before))?.[1]
  if (kind !== undefined) return visible(analysis, kind)
  if (enclosing?.kind === "model" && before.slice(enclosing.span.start).includes("{"))
    return attributesAt(line, enclosing)
  if (enclosing?.kind === "protocol" && /\bscore\s+\w*$/.test(line)) return choices(scores)
  return keywordsAt(before)
}

const choices = (words: readonly string[]): readonly Completion[] =>
  words.map((label) => ({ label, kind: "keyword", detail: "word of the language" }))

/** What may be said of a model, without what is said already; behind an attribute that is one of a few words, these. */
const attributesAt = (line: string, { engine, attributes }: Model): readonly Completion[] => {
  const key = /(\w+)\s+\w*$/.exec(line)?.[1] ?? ""
  if (Object.hasOwn(attributeWords, key)) return choices(attributeWords[key] ?? [])
  const said = attributes.map((attribute) => attribute.key.text)
  return choices(attributesFor(engine.text).filter((name) => !said.includes(name)))
}

/** Whether a line ends within a quoted text that it opens. */
const isInText = (line: string): boolean =>
  (line.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1 ||
  (/^\s*[^"]*\{[\w.[\]]*$/.test(line) && !/[=(,]\s*\{|\b(?:models|items|arms|in)\s*\{/.test(line))

/** The declaration that an offset is in, or that is the last before it: what is being typed may lie outside of its span. */
const declarationBefore = ({ module }: Analysis, offset: number): Declaration | undefined =>
  module.file.declarations.findLast(({ span }) => span.start <= offset)

const described = (declaration: Declaration, from: string): Completion => ({
  label: declaration.name.text,
  kind: "name",
  detail: `${nounFor(declaration)} (${from})`,
  ...(declaration.doc === "" ? {} : { doc: declaration.doc }),
})

/** The names of a kind that the file has, by the name that it knows them by. */
const visible = ({ module }: Analysis, kind: DeclarationKind): readonly Completion[] => [
  ...module.file.declarations
    .filter((one) => one.kind === kind)
    .map((one) => described(one, module.source.name)),
  ...module.file.imports.flatMap((brought) => {
    const library = module.imports.get(brought)
    return brought.names.flatMap(({ name, alias }) => {
      const found = library?.file.declarations.find((one) => one.kind === kind && one.name.text === name.text)
      return found === undefined || library === undefined
        ? []
        : [{ ...described(found, library.source.name), label: (alias ?? name).text }]
    })
  }),
]

/** What the library of the import at an offset declares; where it names none yet, what the standard library does. */
const exportedNames = ({ module, others, modules }: Analysis, offset: number): readonly Completion[] => {
  const brought = module.file.imports.find(({ span }) => span.start <= offset && offset <= span.end)
  const library = brought === undefined ? undefined : module.imports.get(brought)
  const from = library === undefined ? [...modules.filter((one) => one !== module), ...others] : [library]
  return from.flatMap(({ file, source }) => file.declarations.map((one) => described(one, source.name)))
}

const libraries = (): readonly Completion[] =>
  standardLibraries.map((name) => ({ label: `std/${name}`, kind: "library", detail: "standard library" }))

/** Levels, where a factor is given or compared. */
const levelsAt = (
  before: string,
  experiment: Experiment,
  analysis: Analysis,
): readonly Completion[] | undefined => {
  const given = /\b(\w+)\s+in\s*\{[^{}]*$/.exec(before) ?? /\b(\w+)\s*=\s*\w*$/.exec(before)
  const compared =
    /\b(\w+)\s*(?:==|!=)\s*\w*$/.exec(before) ?? /\[(?:[^\]]*,)?\s*(\w+)\s*=\s*\w*$/.exec(before)
  const factor = (compared ?? given)?.[1]
  if (factor === undefined) return undefined
  const levels = levelsOf(factor, experiment, analysis.names).map(
    (label): Completion => ({ label, kind: "level", detail: `level of ${factor}` }),
  )
  if (compared !== null) return levels.length > 0 ? levels : undefined
  const kind = declaredFactors.get(factor)
  if (kind !== undefined) return visible(analysis, kind)
  return isArm(before) ? visible(analysis, "block") : levels.length > 0 ? levels : undefined
}

/** Whether the text ends where an arm's stimulus is written. */
const isArm = (before: string): boolean => /\barms\s*(?:\w+\s*)?\{(?:[^{}]|\{[^{}]*\})*$/.test(before)

const levelsOf = (factor: string, experiment: Experiment, names: Names): readonly string[] => {
  if (factor === "model")
    return fieldsOf(experiment, "models").flatMap(({ models }) => models.map(({ text }) => text))
  if (factor === "pool")
    return fieldsOf(experiment, "items").flatMap(({ pools }) => pools.map(({ pool }) => pool.text))
  return columnsOf(experiment, names).find(({ name }) => name === factor)?.levels ?? []
}

/** What is being written of a text's last analysis. */
const lastField = (before: string): string =>
  before.slice(
    Math.max(
      0,
      ...["contrast ", "summary ", "family ", "figure ", "table ", "model_fit "].map((word) =>
        before.lastIndexOf(word),
      ),
    ),
  )

/** Words after which one of a few others stands. */
const words: readonly (readonly [before: RegExp, words: readonly string[]])[] = [
  [/\bsummary\s+\w+\s*=\s*\w*$/, summaryStatistics],
  [/\bfamily\s+\w+\s*=\s*(?:\w+\s*,\s*)*\w+\s+by\s+\w*$/, adjustments],
  [/\bfigure\s+\w+\s*\{\s*\w*$/, [...marks, "forest"]],
]

/** Columns where rows and axes are named, measures where columns of a table are, and both in a condition. */
const columnsAt = (
  before: string,
  experiment: Experiment,
  names: Names,
): readonly Completion[] | undefined => {
  const columns = [...columnsOf(experiment, names).map(({ name }) => name), ...outerColumns].map(
    (label): Completion => ({ label, kind: "column", detail: "column of the design" }),
  )
  const measures = fieldsOf(experiment, "measure").map(
    ({ name, metric }): Completion => ({ label: (name ?? metric).text, kind: "name", detail: "measure" }),
  )
  const contrasts = fieldsOf(experiment, "contrast").map(
    ({ name }): Completion => ({ label: name.text, kind: "name", detail: "contrast" }),
  )
  const choice = words.find(([pattern]) => pattern.test(before))?.[1]
  if (choice !== undefined) return choices(choice)
  if (/^contrast\b.*\bby\s+(?:.*,\s*)?\w*$/s.test(lastField(before))) return choices(ways)
  if (/\bsummary\s+\w+\s*=\s*\w+\s+\w*$/.test(before) || /\bagainst\s+\w*$/.test(before)) return measures
  if (/\bfamily\s+\w+\s*=\s*(?:\w+\s*,\s*)*\w*$/.test(before)) return contrasts
  if (/\bforest\s+(?:\w+\s*,\s*)*\w*$/.test(before)) return contrasts
  if (/\bexpect\s+\w*$/.test(before)) return [...contrasts, ...measures]
  if (/\brows\s+(?:\w+\s*,\s*)*\w*$/.test(before) || /\b(?:by|color|facet|random|over)\s+\w*$/.test(before))
    return columns
  if (/\bcolumns\s+(?:\w+\s*,\s*)*\w*$/.test(before)) return measures
  if (/\[(?:[^\]]*,)?\s*\w*$/.test(before)) return columns
  if (/\bcontrast\s+\w+\s*=\s*\w*$/.test(before) || /\]\s*-\s*\w*$/.test(before)) return measures
  if (/\b(?:where|when)\s+(?:.*\b(?:and|or|not)\s+)?\w*$/.test(before))
    return [...columns, ...reads(experiment, names)]
  if (/\btarget\s+(?:\w+\()\w*$/.test(before)) return reads(experiment, names)
  return undefined
}

const reads = (experiment: Experiment, names: Names): readonly Completion[] => {
  const protocol = protocolOf(experiment, names)
  return (protocol === undefined ? [] : readsOf(protocol, names)).map(({ name, kind }) => ({
    label: name,
    kind: "name",
    detail: `${kind} read`,
  }))
}

/** The words that the grammar would take here: what it says that it expected where the text ends. */
const keywordsAt = (before: string): readonly Completion[] => {
  const text = before.replace(/[A-Za-z_]\w*$/, "")
  const { problems } = parse({ name: "", text })
  const end = text.trimEnd().length
  const atEnd = problems.filter(({ span }) => span.end >= end)
  const words = atEnd.flatMap((problem) => (problem.kind === "unexpected" ? problem.expected : []))
  const bare = words.map((word) => word.replaceAll("`", "")).filter((word) => /^[a-z_]+$/.test(word))
  const found = bare.length > 0 ? bare : problems.length === 0 ? topWords(text) : []
  return [...new Set(found)].map((label) => ({ label, kind: "keyword", detail: "word of the language" }))
}

/** What opens a declaration: what the grammar expects where a word stands that it does not know. */
const topWords = (text: string): readonly string[] =>
  parse({ name: "", text: `${text}\n_ _` }).problems.flatMap((problem) =>
    problem.kind === "unknown_keyword" ? problem.expected : [],
  )
