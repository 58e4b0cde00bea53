/** What a protocol reads, and when: the holes of its turns, what is found in its texts, and what judges make of them. */
import type { ExtractField, Hole, HoleType, Judge, JudgeField, Protocol } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import { once, onceForBound } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import { categoriesOf, goldOf, isRule } from "./judge.ts"
import { labelText, print } from "./print.ts"
import { answersAlone } from "./recorded.ts"
import { scoreOf } from "./settings.ts"
import { holesIn, type Step, stepsOf } from "./turns.ts"

export interface ReadInfo {
  readonly name: string
  readonly kind: "option" | "label" | "integer" | "text"
  readonly labels?: readonly string[]
  /** The label that counts as the gold answer. */
  readonly gold?: string
  readonly low?: number
  readonly high?: number
  /** The list of a repeated turn that it is part of. */
  readonly list?: string
  /** Whether it reads another item's options. */
  readonly other?: boolean
  /** Whether its options are scored by the average of their tokens, so that none has a raw probability. */
  readonly perToken?: boolean
  /** Whether it gives each answer a probability: what is found in a text does not. */
  readonly hasProbabilities: boolean
  /** The turn that it is read in; for what is worked out from a text, the turn of that text. */
  readonly turn: string
  /** Where its name stands in the protocol. */
  readonly span: Span
}

/** A read and what it comes from. */
export type Read = ReadInfo & { readonly from: HoleRead | ExtractRead | JudgeRead }

export interface HoleRead {
  readonly kind: "hole"
  readonly hole: Hole
  readonly step: Step
}

export interface ExtractRead {
  readonly kind: "extract"
  readonly field: ExtractField
  /** The text that it is found in. */
  readonly text: string
}

export interface JudgeRead {
  readonly kind: "judge"
  readonly field: JudgeField
  /** None where no such judge is declared. */
  readonly judge: Bound<Judge> | undefined
  /** The texts that it is given: names of reads, or what an item has, such as `item.reason`. */
  readonly texts: readonly string[]
}

/** A step of a protocol with its reads, or a read that is made of texts that are there by then. */
export type Move =
  | { readonly kind: "step"; readonly step: Step; readonly reads: readonly Read[] }
  | { readonly kind: "derived"; readonly read: Read }

type Typed = Pick<ReadInfo, "kind" | "labels" | "low" | "high" | "other">

const typed = (type: HoleType): Typed => {
  switch (type.kind) {
    case "option":
      return { kind: "option", ...(type.of === undefined ? {} : { other: true }) }
    case "label":
      return { kind: "label", labels: type.labels.map(labelText) }
    case "integer":
      return { kind: "integer", low: type.low.value, high: type.high.value }
    case "text":
      return { kind: "text" }
  }
}

/** The name of a read in one step of a turn: a name that ends in the turn's variable gets the step's number. */
export const readName = (hole: Hole, step: number | undefined): string =>
  hole.step === undefined || step === undefined ? hole.name.text : `${hole.name.text}${step}`

const holeRead = (hole: Hole, step: Step): Read => ({
  name: readName(hole, step.step),
  ...typed(hole.type),
  ...(hole.step === undefined || step.step === undefined ? {} : { list: hole.name.text }),
  ...(scoreOf(step.turn, hole.name.text) === "mean" ? { perToken: true } : {}),
  hasProbabilities: hole.type.kind !== "text" && !answersAlone.has(hole),
  turn: step.name,
  span: hole.name.span,
  from: { kind: "hole", hole, step },
})

type Derived = ExtractField | JudgeField

const isDerived = (field: Protocol["fields"][number]): field is Derived =>
  field.field === "extract" || field.field === "judge"

/** The texts that an extract or a judge is given, as written: names of reads, and for a judge also what an item has (`item.reason`). */
const textsOf = (field: Derived): readonly string[] =>
  (field.field === "extract" ? [field.from] : field.arguments).map(print)

/** Whether a text that a judge is given is the item's, and no read. */
export const isOfItem = (text: string): boolean => text.startsWith("item.")

/** What the turns of a protocol read, in order; of what is made of texts, nothing. */
export const holeReads = once((protocol: Protocol): readonly Read[] =>
  stepsOf(protocol).flatMap((step) => holesIn(step.turn).map((hole) => holeRead(hole, step))),
)

/**
 * What happens in a protocol, in order. What is made of a text comes as soon as the text is there, in the order written; of a list of texts
 * each is taken on its own, and what is made of them is a list too.
 */
export const movesOf = onceForBound(({ declaration: protocol }: Bound<Protocol>, names): readonly Move[] => {
  const waiting = protocol.fields.filter(isDerived)
  const lists = listsOf(holeReads(protocol))
  const read = new Set<string>()
  const done = new Set<string>()
  const moves: Move[] = []
  const derive = (turn: string): void => {
    for (const [place, field] of waiting.entries()) {
      for (const { name, texts, list } of instancesOf(field, lists)) {
        const key = `${place} ${name}`
        const isThere = texts.every((text) => read.has(text) || isOfItem(text))
        if (done.has(key) || texts.length === 0 || !isThere) continue
        done.add(key)
        const derived = derivedRead(field, name, texts, turn, names)
        moves.push({ kind: "derived", read: list === undefined ? derived : { ...derived, list } })
      }
    }
  }
  for (const step of stepsOf(protocol)) {
    const reads = holesIn(step.turn).map((hole) => holeRead(hole, step))
    for (const { name } of reads) read.add(name)
    moves.push({ kind: "step", step, reads })
    derive(step.name)
  }
  // Judges alone, of texts that the items hold.
  if (moves.length === 0) derive("")
  return moves
})

interface Instance {
  readonly name: string
  readonly texts: readonly string[]
  readonly list?: string
}

/** Once, or where it is given a list of texts, once for each of them. */
const instancesOf = (
  field: Derived,
  lists: Readonly<Record<string, readonly string[]>>,
): readonly Instance[] => {
  const given = textsOf(field)
  const lengths = given.flatMap((text) => lists[text]?.length ?? [])
  const name = field.name.text
  if (lengths.length === 0) return [{ name, texts: given }]
  return Array.from({ length: Math.min(...lengths) }, (_, index) => ({
    name: `${name}${index + 1}`,
    texts: given.map((text) => lists[text]?.[index] ?? text),
    list: name,
  }))
}

const derivedRead = (
  field: Derived,
  name: string,
  texts: readonly string[],
  turn: string,
  names: Names,
): Read => {
  const place = { name, turn, span: field.name.span }
  if (field.field === "extract") {
    const from = { kind: "extract", field, text: texts[0] ?? field.from.text } as const
    return { ...place, ...typed(field.type), hasProbabilities: false, from }
  }
  const judge = names.find(field.judge, "judge")
  const gold = judge === undefined ? undefined : goldOf(judge.declaration)
  const rule = judge !== undefined && isRule(judge.declaration)
  return {
    ...place,
    kind: "label",
    labels: judge === undefined ? [] : categoriesOf(judge.declaration),
    ...(gold === undefined ? {} : { gold }),
    hasProbabilities: !rule,
    // A model that judges is asked in a turn of its own.
    turn: rule ? turn : name,
    from: { kind: "judge", field, judge, texts },
  }
}

/** Reads in the order in which they are read, each with what it comes from. */
export const sourcedReads = onceForBound((protocol: Bound<Protocol>, names): readonly Read[] =>
  movesOf(protocol, names).flatMap((move) => (move.kind === "step" ? move.reads : [move.read])),
)

/** Reads in the order in which they are read: repeated turns unrolled, extracts and judges included. */
export const readsOf = (protocol: Bound<Protocol>, names: Names): readonly ReadInfo[] =>
  sourcedReads(protocol, names)

/** Reads of repeated turns: `a` -> `a1`, `a2`, ... */
export const listsOf = (reads: readonly ReadInfo[]): Readonly<Record<string, readonly string[]>> => {
  const lists = new Map<string, string[]>()
  for (const { name, list } of reads) {
    if (list === undefined) continue
    const known = lists.get(list) ?? []
    lists.set(list, known)
    if (!known.includes(name)) known.push(name)
  }
  return Object.fromEntries(lists)
}
