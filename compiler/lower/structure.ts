/** What the lines of an assertion assert, and in which order: words of the language, declarations, or written out at the use. */
import type { Expression } from "../../grammar/ast.ts"
import type { AssertedIR, OrderIR, StructureIR } from "../ir.ts"
import type { Names } from "../resolve.ts"

/** Words of the language that say the whole of a structure. */
export const builtInStructures = ["all_wrong", "all_correct", "mixed"] as const

/** Words of the language that say the whole of an order. */
export const builtInOrders = ["identity", "reversed", "interleaved", "shuffled"] as const

/** What may be written for a line: `wrong` is the option that is pushed, `other` another wrong one. */
export const assertedWords = { wrong: "target", gold: "gold", other: "other" } as const satisfies Record<
  string,
  AssertedIR
>

export const assertedOf = (word: string): AssertedIR | undefined =>
  Object.hasOwn(assertedWords, word) ? assertedWords[word as keyof typeof assertedWords] : undefined

/** The place that `except` speaks of: from 1, and -1 for the last; none where that is no place. */
export const exceptPlace = (place: Extract<Expression, { kind: "except" }>["place"]): number | undefined => {
  if (place.kind === "number")
    return Number.isSafeInteger(place.value) && place.value >= 1 ? place.value : undefined
  if (place.text === "first") return 1
  return place.text === "last" ? -1 : undefined
}

const among = <W extends string>(words: readonly W[], word: string): W | undefined =>
  words.find((one) => one === word)

/** What a structure comes to; none where it is not one. Declarations are followed to what they say; a circle of them comes to nothing. */
export const lowerStructure = (
  expression: Expression,
  names: Names,
  met: ReadonlySet<Expression> = new Set(),
): StructureIR | undefined => {
  switch (expression.kind) {
    case "name": {
      const word = among(builtInStructures, expression.text)
      if (word !== undefined) return word
      const value = names.find(expression, "structure")?.declaration.value
      if (value === undefined || met.has(value)) return undefined
      return lowerStructure(value, names, new Set([...met, value]))
    }
    case "list": {
      const lines = expression.elements.map((one) => (one.kind === "name" ? assertedOf(one.text) : undefined))
      return lines.length === 0 || lines.includes(undefined)
        ? undefined
        : { kind: "list", lines: lines as readonly AssertedIR[] }
    }
    case "except": {
      const { structure, as } = expression
      const place = exceptPlace(expression.place)
      const rest =
        structure.text === "all_wrong" ? "target" : structure.text === "all_correct" ? "gold" : undefined
      if (place === undefined || rest === undefined) return undefined
      const usual: AssertedIR = rest === "gold" ? "target" : "gold"
      const one = as === undefined ? usual : assertedOf(as.text)
      return one === undefined ? undefined : { kind: "except", rest, place, as: one }
    }
    default:
      return undefined
  }
}

/** What an order comes to; none where it is not one: `[3, 1, 2]` is one when each place from 1 stands in it once. */
export const lowerOrder = (
  expression: Expression,
  names: Names,
  met: ReadonlySet<Expression> = new Set(),
): OrderIR | undefined => {
  switch (expression.kind) {
    case "name": {
      const word = among(builtInOrders, expression.text)
      if (word !== undefined) return word
      const value = names.find(expression, "order")?.declaration.value
      if (value === undefined || met.has(value)) return undefined
      return lowerOrder(value, names, new Set([...met, value]))
    }
    case "list": {
      const places = expression.elements.map((one) => (one.kind === "number" ? one.value : 0))
      const sorted = [...places].sort((a, b) => a - b)
      return places.length > 0 && sorted.every((place, index) => place === index + 1)
        ? { kind: "permutation", places }
        : undefined
    }
    default:
      return undefined
  }
}

/** The number of lines that a structure or an order is made for; none where any will do. */
export const linesOf = (value: StructureIR | OrderIR): number | undefined => {
  if (typeof value === "string") return undefined
  if (value.kind === "list") return value.lines.length
  return value.kind === "permutation" ? value.places.length : undefined
}
