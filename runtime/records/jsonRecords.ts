/**
 * Records of JSON as `parseJson` reads them (compiler/items/json.ts, its twin), one a line, without building what no mapping looks at. Lines have the
 * same keys in the same order, mostly, so that keys that were met are compared in their place, and only new ones are cut out and looked up. What this
 * reader does not take, it leaves to its twin, which says what is wrong with it.
 */
import { type Cell, deepest } from "../../compiler/items/cell.ts"
import type { Field } from "./rows.ts"

/** What was met in a place of a record: keys, each with what was met behind it, and within its value. */
interface Met {
  readonly keys: MetKey[]
  /** So many different keys that it is no use to know them. */
  isMany: boolean
}

interface MetKey {
  readonly key: string
  /** With its quotes. */
  readonly written: string
  /** Where its value is put; -1 for nowhere. */
  readonly slot: number
  readonly next: Met
  readonly within: Met
}

/** Keys that are known in one place. */
const KEYS = 16

/** Keys that are known in all. */
const ALL = 4000

const nothing = (): Met => ({ keys: [], isMany: false })

const NOWHERE = { start: 0, end: 0 }
const TRUE: Cell = { kind: "scalar", value: true, text: "true", span: NOWHERE }
const FALSE: Cell = { kind: "scalar", value: false, text: "false", span: NOWHERE }
const NULL: Cell = { kind: "scalar", value: null, text: "null", span: NOWHERE }

/** Stands for a value that is whole, and that nobody asked for. */
const PASSED = NULL

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids in a text
const plain = /[^"\\\u0000-\u001f]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
/** Python writes these where JSON has no word for them. */
const notJson = /-?(?:NaN|Infinity)\b/y

const [QUOTE, COLON, COMMA, BACKSLASH] = [34, 58, 44, 92]
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [91, 93, 123, 125]

export class JsonRecords {
  readonly #slots: ReadonlyMap<string, number>
  readonly #met = nothing()
  #known = 0
  #text = ""
  #at = 0
  #end = 0

  /** `slots`: by the name of a key of the record itself, where its value is put. */
  constructor(slots: ReadonlyMap<string, number>) {
    this.#slots = slots
  }

  /** Puts what is asked for into `fields`; false where this is no record, or one that is left to the twin. */
  read(text: string, start: number, end: number, fields: Field[]): boolean {
    this.#text = text
    this.#at = start
    this.#end = end
    if (this.#skip() !== OPEN_RECORD) return false
    return this.#record(this.#met, undefined, fields, 0) && this.#skip() === undefined
  }

  /** The code of the character that is next; none at the end. */
  #skip(): number | undefined {
    for (; this.#at < this.#end; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code
    }
    return undefined
  }

  /** A record from its brace on, into `entries`, or of the outermost into `fields`, or nowhere. */
  #record(
    met: Met,
    entries: Map<string, Cell> | undefined,
    fields: Field[] | undefined,
    depth: number,
  ): boolean {
    const start = this.#at
    if (depth > deepest) return false
    this.#at += 1
    if (this.#skip() === CLOSE_RECORD) {
      this.#at += 1
      return true
    }
    for (let place = met; ; ) {
      if (this.#skip() !== QUOTE) return false
      const found = this.#metKey(place)
      if (found === undefined) {
        // Keys that are new here: what was taken of the record is taken again.
        this.#at = start
        entries?.clear()
        return this.#newRecord(met, entries, fields, depth)
      }
      if (!this.#colon()) return false
      const { slot } = found
      const value = this.#value(entries !== undefined || slot >= 0, found.within, depth + 1)
      if (value === undefined) return false
      if (entries !== undefined) entries.set(found.key, value)
      else if (fields !== undefined && slot >= 0) fields[slot] = value
      const code = this.#skip()
      this.#at += 1
      if (code === CLOSE_RECORD) return true
      if (code !== COMMA) return false
      place = found.next
    }
  }

  /** The same where keys are not known: no key may stand twice. Its keys are known from then on. */
  #newRecord(
    met: Met,
    entries: Map<string, Cell> | undefined,
    fields: Field[] | undefined,
    depth: number,
  ): boolean {
    this.#at += 1
    const keys = new Set<string>()
    for (;;) {
      if (this.#skip() !== QUOTE) return false
      const from = this.#at + 1
      const key = this.#string(true)
      // A key with an escape in it is another text than what stands here.
      if (key?.kind !== "scalar" || keys.has(key.text) || key.text.length !== this.#at - 1 - from)
        return false
      keys.add(key.text)
      if (!this.#colon()) return false
      const slot = fields === undefined ? -1 : (this.#slots.get(key.text) ?? -1)
      const value = this.#value(entries !== undefined || slot >= 0, undefined, depth + 1)
      if (value === undefined) return false
      if (entries !== undefined) entries.set(key.text, value)
      else if (fields !== undefined && slot >= 0) fields[slot] = value
      const code = this.#skip()
      this.#at += 1
      if (code === CLOSE_RECORD) break
      if (code !== COMMA) return false
    }
    this.#meet(met, keys, fields !== undefined)
    return true
  }

  #meet(met: Met, keys: ReadonlySet<string>, isOuter: boolean): void {
    let place = met
    for (const key of keys) {
      let found = place.keys.find((one) => one.key === key)
      if (found === undefined) {
        if (place.keys.length >= KEYS || this.#known >= ALL) {
          place.isMany = true
          return
        }
        this.#known += 1
        const own = Buffer.from(key).toString()
        const slot = isOuter ? (this.#slots.get(key) ?? -1) : -1
        found = { key: own, written: `"${own}"`, slot, next: nothing(), within: nothing() }
        place.keys.push(found)
      }
      place = found.next
    }
  }

  #metKey({ keys }: Met): MetKey | undefined {
    for (let at = 0; at < keys.length; at++) {
      const one = keys[at] as MetKey
      if (this.#text.startsWith(one.written, this.#at)) {
        this.#at += one.written.length
        return one
      }
    }
    return undefined
  }

  #colon(): boolean {
    if (this.#skip() !== COLON) return false
    this.#at += 1
    return true
  }

  /** A value, built or only gone through; undefined where it is none. */
  #value(isBuilt: boolean, met: Met | undefined, depth: number): Cell | undefined {
    if (depth > deepest) return undefined
    switch (this.#skip()) {
      case QUOTE:
        return this.#string(isBuilt)
      case OPEN_RECORD: {
        const entries = isBuilt ? new Map<string, Cell>() : undefined
        const isWhole =
          met === undefined || met.isMany
            ? this.#anyRecord(entries, depth)
            : this.#record(met, entries, undefined, depth)
        if (!isWhole) return undefined
        return entries === undefined ? PASSED : { kind: "map", entries, span: NOWHERE }
      }
      case OPEN_LIST:
        return this.#list(isBuilt, met, depth)
      case undefined:
        return undefined
      default:
        return this.#word(isBuilt)
    }
  }

  /** A record of which nothing is remembered. */
  #anyRecord(entries: Map<string, Cell> | undefined, depth: number): boolean {
    this.#at += 1
    if (this.#skip() === CLOSE_RECORD) {
      this.#at += 1
      return true
    }
    this.#at -= 1
    return this.#newRecord({ keys: [], isMany: true }, entries, undefined, depth)
  }

  #list(isBuilt: boolean, met: Met | undefined, depth: number): Cell | undefined {
    this.#at += 1
    const items: Cell[] = []
    if (this.#skip() === CLOSE_LIST) {
      this.#at += 1
      return isBuilt ? { kind: "list", items, span: NOWHERE } : PASSED
    }
    for (;;) {
      const item = this.#value(isBuilt, met, depth + 1)
      if (item === undefined) return undefined
      if (isBuilt) items.push(item)
      const code = this.#skip()
      this.#at += 1
      if (code === CLOSE_LIST) return isBuilt ? { kind: "list", items, span: NOWHERE } : PASSED
      if (code !== COMMA) return undefined
    }
  }

  #string(isBuilt: boolean): Cell | undefined {
    const text = this.#text
    const start = this.#at
    let isPlain = true
    for (plain.lastIndex = start + 1; ; plain.lastIndex = escaped.lastIndex) {
      plain.test(text)
      const at = plain.lastIndex
      if (at >= this.#end) return undefined
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        break
      }
      if (code !== BACKSLASH) return undefined
      isPlain = false
      escaped.lastIndex = at
      if (!escaped.test(text)) return undefined
    }
    if (!isBuilt) return PASSED
    const value = isPlain
      ? text.slice(start + 1, this.#at - 1)
      : (JSON.parse(text.slice(start, this.#at)) as string)
    return { kind: "scalar", value, text: value, span: NOWHERE }
  }

  /** A number, a truth value or nothing. */
  #word(isBuilt: boolean): Cell | undefined {
    const text = this.#text
    const start = this.#at
    number.lastIndex = start
    if (number.test(text)) {
      if (number.lastIndex > this.#end) return undefined
      this.#at = number.lastIndex
      if (!isBuilt) return PASSED
      const digits = text.slice(start, this.#at)
      return { kind: "scalar", value: Number(digits), text: digits, span: NOWHERE }
    }
    for (const word of [NULL, TRUE, FALSE]) {
      if (word.kind === "scalar" && text.startsWith(word.text, start)) {
        this.#at += word.text.length
        return word
      }
    }
    notJson.lastIndex = start
    if (!notJson.test(text)) return undefined
    this.#at = notJson.lastIndex
    const word = text.slice(start, this.#at)
    return { kind: "scalar", value: Number(word), text: word, span: NOWHERE }
  }
}
