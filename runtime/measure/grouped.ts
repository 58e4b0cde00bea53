/** An experiment's trials by unit, with the number of each one's item: made once for all measures. */
import { Pairs } from "../compact/pairs.ts"
import { codesOf, columnOf, type Trials } from "./outcome.ts"
import { type Unit, unitKey } from "./units.ts"

export interface Grouped {
  /** Rows of a unit, in ascending order. */
  readonly of: (unit: Unit) => Uint32Array
  /** Of each row the rank of its item among all, by pool and identity. */
  readonly items: Int32Array
  readonly itemCount: number
  /** Of each row whether a condition holds, 1 or 0. `condition`: an Arquero function, as text. */
  readonly where: (condition: string) => Uint8Array
}

const known = new WeakMap<Trials, Grouped>()

export function groupedBy(trials: Trials): Grouped {
  const before = known.get(trials)
  if (before !== undefined) return before
  const made = group(trials)
  known.set(trials, made)
  return made
}

const NONE = new Uint32Array()

function group(trials: Trials): Grouped {
  const { rows, table } = trials
  const codes = codesOf(trials.units)
  const units = new Map<string, number>()
  const sizes = new Uint32Array(codes.reduce((most, code) => Math.max(most, code), -1) + 1)
  for (let row = 0; row < rows; row++) {
    const code = codes[row]!
    if (sizes[code] === 0) units.set(trials.units.at(row) as string, code)
    sizes[code]! += 1
  }
  const groups = Array.from(sizes, (size) => new Uint32Array(size))
  sizes.fill(0)
  for (let row = 0; row < rows; row++) {
    const code = codes[row]!
    groups[code]![sizes[code]!++] = row
  }
  // A design has many more views than conditions on reads: the table is gone through once for each condition.
  const conditions = new Map<string, Uint8Array>()
  // A unit stands in many views.
  const asked = new WeakMap<Unit, Uint32Array>()
  return {
    of: (unit) => {
      const before = asked.get(unit)
      if (before !== undefined) return before
      const found = groups[units.get(unitKey(unit)) ?? -1] ?? NONE
      asked.set(unit, found)
      return found
    },
    ...itemRanks(trials),
    where: (condition) => {
      const before = conditions.get(condition)
      if (before !== undefined) return before
      const kept = new Uint8Array(rows)
      table.filter(condition).scan((row) => {
        kept[row!] = 1
      })
      conditions.set(condition, kept)
      return kept
    },
  }
}

function itemRanks(trials: Trials): Pick<Grouped, "items" | "itemCount"> {
  const [pool, item] = [columnOf(trials, "pool"), columnOf(trials, "item")]
  const [pools, items] = [codesOf(pool), codesOf(item)]
  const pairs = new Pairs()
  const keys: string[] = []
  const codes = new Int32Array(trials.rows)
  for (let row = 0; row < trials.rows; row++) {
    const code = pairs.add(pools[row]!, items[row]!)
    if (code === keys.length) keys.push(JSON.stringify([pool.at(row), item.at(row)]))
    codes[row] = code
  }
  const sorted = [...keys.keys()].sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1))
  const ranks = new Int32Array(keys.length)
  for (const [rank, code] of sorted.entries()) ranks[code] = rank
  for (let row = 0; row < codes.length; row++) codes[row] = ranks[codes[row]!]!
  return { items: codes, itemCount: keys.length }
}
