/**
 * The semantic hash of a declaration: sha256 of what it means, as an import pins it and `cfx.lock` keeps it. It is taken on the syntax tree with
 * inheritance applied and every name replaced by the hash of what it stands for. Layout, comments, docs, citations, the declaration's own name, how a
 * character is escaped and the order of fields of different kinds leave it as it is; a character of a stimulus changes it, in whatever file that stands.
 */
import type {
  Declaration,
  DeclarationKind,
  Framing,
  Import,
  Metric,
  MetricField,
  Model,
  Name,
  NumberLiteral,
  Text,
} from "../grammar/ast.ts"
import { canonicalJson, sha256 } from "./hash.ts"
import { type Module, plainText } from "./load.ts"
import { wholeFraming, wholeMetric, wordingsOf } from "./lower/inherit.ts"
import type { Bound, Names } from "./resolve.ts"
import { referencesOf } from "./resolveReferences.ts"

/** Part of every hash: to be raised when equal declarations come to be hashed in another way. */
const VERSION = 1

/** 64 hexadecimal digits. A name that stands for nothing goes by itself: that it does, is reported elsewhere. */
export const meaningOf = (bound: Bound, names: Names): string => meaningsOf(names).of(bound).hash

/**
 * What an import brings: one hash over the meanings of its names, by the names under which the library declares them; neither their order nor
 * their aliases matter. None where the library or one of the names cannot be had, or leans on a name that stands for nothing.
 */
export const importMeaning = (declaration: Import, module: Module, names: Names): string | undefined => {
  const library = module.imports.get(declaration)
  if (library === undefined || library.tears.length > 0) return undefined
  const brought: Record<string, string> = {}
  for (const { name } of declaration.names) {
    const found = library.file.declarations.find((other) => other.name.text === name.text)
    if (found === undefined) return undefined
    const { hash, whole } = meaningsOf(names).of({ declaration: found, module: library })
    if (!whole) return undefined
    brought[name.text] = hash
  }
  return sha256(canonicalJson({ version: VERSION, brought }))
}

interface Meaning {
  readonly hash: string
  /** Whether every name that the declaration leans on stands for something. */
  readonly whole: boolean
}

interface Meanings {
  readonly of: (bound: Bound) => Meaning
}

/** A declaration is hashed once for each compilation, however many lean on it. */
const kept = new WeakMap<Names, Meanings>()

const meaningsOf = (names: Names): Meanings => {
  const known = kept.get(names)
  if (known !== undefined) return known
  const made = meanings(names)
  kept.set(names, made)
  return made
}

const meanings = (names: Names): Meanings => {
  const done = new Map<Declaration, Meaning>()
  const open = new Set<Declaration>()

  const of = (bound: Bound): Meaning => {
    const { declaration } = bound
    const known = done.get(declaration)
    if (known !== undefined) return known
    // A circle is an error of its own, and has no meaning.
    if (open.has(declaration)) return { hash: sha256("circle"), whole: false }
    open.add(declaration)
    let whole = true
    const encode = encoder(names, (name, kind) => {
      const referred = names.find(name, kind)
      const meaning = referred && of(referred)
      whole &&= meaning?.whole ?? false
      // What an experiment names is also the level or the column under which its results stand.
      if (meaning === undefined || declaration.kind === "experiment")
        return { name: name.text, meaning: meaning?.hash }
      return { meaning: meaning.hash }
    })
    const hash = sha256(
      canonicalJson({ version: VERSION, kind: declaration.kind, ...contentOf(bound, names, encode) }),
    )
    open.delete(declaration)
    const meaning = { hash, whole }
    done.set(declaration, meaning)
    return meaning
  }

  return { of }
}

type Encode = (node: unknown, within: Bound) => unknown

/** What of a declaration has meaning. */
const contentOf = (bound: Bound, names: Names, encode: Encode): Readonly<Record<string, unknown>> => {
  const { declaration, module } = bound
  switch (declaration.kind) {
    case "framing":
      return framing({ declaration, module }, names, encode)
    case "metric":
      return metric({ declaration, module }, names, encode)
    case "model":
      return model({ declaration, module }, encode)
    case "experiment": {
      // `allow CFX4003 "reason"` and `tolerate 0.02` change nothing that is asked or measured.
      const fields = declaration.fields.filter(({ field }) => field !== "allow" && field !== "tolerate")
      return { fields: encode(fields, bound) }
    }
    default: {
      const { name: _name, kind: _kind, ...content } = declaration
      return encode(content, bound) as Readonly<Record<string, unknown>>
    }
  }
}

/** A framing in each of its wordings, as an arm would be given it. */
const framing = (bound: Bound<Framing>, names: Names, encode: Encode) => {
  const whole = (wording?: string) =>
    Object.fromEntries(
      Object.entries(wholeFraming(bound, names, wording)).map(([field, part]) => [
        field,
        encode(part.node, part.from),
      ]),
    )
  return {
    base: whole(),
    wordings: Object.fromEntries(
      wordingsOf(bound, names).map((wording) => [wording, whole(wording)] as const),
    ),
  }
}

/** A metric with what it inherits, and with the policy that holds where it states none. */
const metric = (bound: Bound<Metric>, names: Names, encode: Encode) => {
  const { parameters, ...fields } = wholeMetric(bound, names)
  const policy = fields.invalid?.node.policy.text ?? "exclude"
  const parts = Object.entries(fields).filter(([field]) => field !== "invalid") as [
    string,
    { node: MetricField; from: Bound<Metric> },
  ][]
  return {
    parameters: Object.fromEntries(
      parameters.map(({ node, from }) => [node.name.text, encode(node.default, from)]),
    ),
    fields: Object.fromEntries(parts.map(([field, { node, from }]) => [field, encode(node, from)])),
    invalid: policy,
  }
}

/** Where a file is opened, whose key a server is shown, how fast and how much it is asked: no part of what a model is. */
const handling = new Set([
  ...["gpu", "layers"],
  ...["key", "concurrency", "rate", "retries", "timeout", "max_calls", "max_tokens"],
])

/** A model is its sum where it declares one, wherever its file lies. */
const model = (bound: Bound<Model>, encode: Encode) => {
  const { engine, file, attributes } = bound.declaration
  const said = attributes.filter(({ key }) => !handling.has(key.text))
  const sum = said.find(({ key }) => key.text === "sha256")?.value
  const digits = sum?.kind === "text" ? plainText(sum) : undefined
  if (digits === undefined)
    return {
      engine: engine.text,
      file: encode(file, bound),
      attributes: encode(said, bound),
    }
  const rest = said.filter(({ key }) => key.text !== "sha256" && key.text !== "bytes")
  return { engine: engine.text, sha256: digits.toLowerCase(), attributes: encode(rest, bound) }
}

/** What says where a thing stands, explains or cites it. */
const commentary = new Set(["span", "doc", "provenance", "triple"])

/** A node of the tree as plain JSON of what it means; `refer` says what stands for a name of a declaration. */
const encoder = (names: Names, refer: (name: Name, kind: DeclarationKind) => unknown): Encode => {
  const references = new Map<Declaration, ReadonlyMap<Name, DeclarationKind>>()
  const referencesIn = ({ declaration, module }: Bound) => {
    const known =
      references.get(declaration) ??
      new Map(referencesOf(declaration, names.lookup(module)).map(({ name, kind }) => [name, kind]))
    references.set(declaration, known)
    return known
  }
  const encode = (node: unknown, within: Bound, bySpelling = false): unknown => {
    if (Array.isArray(node)) return ordered(node).map((one) => encode(one, within, bySpelling))
    if (typeof node !== "object" || node === null) return node
    if (isName(node)) {
      const kind = referencesIn(within).get(node)
      return kind === undefined ? { name: node.text } : refer(node, kind)
    }
    if (isText(node)) return { text: joined(node).map((part) => encode(part, within)) }
    if (isNumber(node)) return { kind: node.kind, value: node.value, ...(bySpelling ? spellingOf(node) : {}) }
    const entries = Object.entries(node).filter(([key]) => !commentary.has(key))
    return Object.fromEntries(
      entries.map(([key, value]) => [key, encode(value, within, goesBySpelling(key, node, within))]),
    )
  }
  return encode
}

/** Keys of an experiment's nodes under which levels stand, and what records have for them. */
const levelKeys = new Set(["levels", "level", "values", "label"])

/**
 * Whether numbers under a key of a node go by their characters: labels, which a model is asked for, and in an experiment levels, which stand in texts
 * and in records, and what is compared with them. Elsewhere `0.50` is 0.5.
 */
const goesBySpelling = (key: string, node: object, { declaration }: Bound): boolean => {
  if (key === "labels") return true
  if (declaration.kind !== "experiment") return false
  if (levelKeys.has(key)) return !("field" in node && node.field === "seed")
  const isEquality = "operator" in node && (node.operator === "==" || node.operator === "!=")
  return isEquality && (key === "left" || key === "right")
}

/** Of a number that would be printed otherwise than it is spelt. */
const spellingOf = ({ value, written }: NumberLiteral) => (written === String(value) ? {} : { written })

const isNumber = (node: object): node is NumberLiteral => "kind" in node && node.kind === "number"

const isName = (node: object): node is Name => "kind" in node && node.kind === "name"

/** The type of a hole for text goes by the same word, and has no parts. */
const isText = (node: object): node is Text => "kind" in node && node.kind === "text" && "parts" in node

/** The parts of a text with neighbouring characters as one, so that how they were escaped does not show. */
const joined = ({ parts }: Text): readonly unknown[] => {
  const whole: unknown[] = []
  let characters = ""
  for (const part of parts) {
    if (part.kind === "chars") {
      characters += part.text
      continue
    }
    if (characters !== "") whole.push(characters)
    characters = ""
    whole.push(part)
  }
  if (characters !== "") whole.push(characters)
  return whole
}

/**
 * Fields of different kinds may stand in any order, as may what goes by a name: attributes, settings, arguments. Fields of one kind keep theirs, and
 * so do what is read from texts: it is read in the order written.
 */
const ordered = (nodes: readonly unknown[]): readonly unknown[] => {
  const keys = nodes.map(orderKey)
  if (keys.some((key) => key === undefined)) return nodes
  return nodes
    .map((node, index) => ({ node, key: keys[index]! }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ node }) => node)
}

/** What a node goes by among its neighbours; none where its place among them has meaning. */
const orderKey = (node: unknown): string | undefined => {
  if (typeof node !== "object" || node === null) return undefined
  const { field, setting, key, kind, target, column, parameter, factor, level, name, value } =
    node as Readonly<Record<string, unknown>>
  if (field === "extract" || field === "judge") return "derived"
  if (typeof field === "string") return `${field} ${textOf(target) ?? textOf(column) ?? ""}`
  if (typeof setting === "string") return setting
  if (kind !== undefined) return undefined
  if (level !== undefined) return textOf(factor)
  return textOf(key) ?? textOf(parameter) ?? (value === undefined ? undefined : textOf(name))
}

const textOf = (node: unknown): string | undefined => {
  const text = (node as { readonly text?: unknown } | undefined)?.text
  return typeof text === "string" ? text : undefined
}
