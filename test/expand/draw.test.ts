import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type StreamKey, sample, spell, stream } from "../../compiler/draw.ts"

const words = (key: StreamKey, count = 20): readonly number[] => {
  const { next } = stream(key)
  return Array.from({ length: count }, next)
}

const anyText = fc.string({ unit: "binary", maxLength: 6 })
const anyKey: fc.Arbitrary<StreamKey> = fc.record(
  {
    seed: fc.integer(),
    declaration: anyText,
    item: anyText,
    replicate: fc.nat(3),
    factors: fc.dictionary(anyText, anyText, { maxKeys: 2 }),
  },
  { requiredKeys: ["seed", "declaration"] },
)

describe("a stream", () => {
  it("is the same wherever and whenever it is drawn", () => {
    // Made with Python: sha256 of `seed3:"0"declaration14:"target kinds"item8:"kind-1"#0` and `...#1`, in big-endian words.
    expect(words({ seed: 0, declaration: "target kinds", item: "kind-1" }, 10)).toEqual([
      3217043716, 961328538, 1930340785, 1237202869, 2175886363, 2139704161, 3691126896, 2721887026,
      2650216165, 2109883859,
    ])
  })
  it("depends on each part of its key", () => {
    const key = { seed: 0, declaration: "d", item: "i", replicate: 0, factors: { framing: "people" } }
    const others: StreamKey[] = [
      { ...key, seed: 1 },
      { ...key, declaration: "e" },
      { ...key, item: "j" },
      { ...key, replicate: 1 },
      { ...key, factors: { framing: "experts" } },
      { ...key, factors: { container: "people" } },
      { seed: 0, declaration: "d", item: "i", replicate: 0 },
      { seed: 0, declaration: "d", item: "i" },
      { seed: 0, declaration: "d" },
    ]
    const all = [key, ...others].map((one) => JSON.stringify(words(one)))
    expect(new Set(all).size).toBe(all.length)
  })
  it("has a spelling of its own for every key, whatever its parts hold", () => {
    const plain = ({ factors, ...key }: StreamKey): unknown => [key, Object.entries(factors ?? {}).sort()]
    fc.assert(
      fc.property(anyKey, anyKey, (a, b) => {
        expect(spell(a) === spell(b)).toBe(JSON.stringify(plain(a)) === JSON.stringify(plain(b)))
      }),
    )
    expect(spell({ seed: 1, declaration: "2a" })).not.toBe(spell({ seed: 12, declaration: "a" }))
    expect(spell({ seed: 0, declaration: "\ud800" })).not.toBe(spell({ seed: 0, declaration: "\ud801" }))
  })
  it("does not depend on the order in which factors are named", () => {
    const one = { seed: 0, declaration: "d", factors: { a: "1", b: "2" } }
    expect(words(one)).toEqual(words({ ...one, factors: { b: "2", a: "1" } }))
  })
  it("draws integers below a bound, all of them equally often", () => {
    const { below } = stream({ seed: 3, declaration: "dice" })
    const counts = [0, 0, 0, 0, 0, 0]
    for (let throws = 0; throws < 60_000; throws += 1) counts[below(6)]! += 1
    const expected = 10_000
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 99.9 % quantile with 5 degrees of freedom.
    expect(chiSquare).toBeLessThan(20.5)
  })
})

describe("a sample of a pool", () => {
  const key = { seed: 0, declaration: "sample kinds" }
  const ids = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `item-${index}`)
  const draw = (members: readonly string[], size: number, seed = 0): readonly string[] =>
    sample(members, size, (id) => id, { ...key, seed })

  it("has the size asked for, no member twice, and keeps the order of the file", () => {
    const drawn = draw(ids(200), 50)
    expect(drawn).toHaveLength(50)
    expect(drawn).toEqual(ids(200).filter((id) => drawn.includes(id)))
    expect(draw(ids(10), 10)).toEqual(ids(10))
    expect(draw(ids(10), 20)).toEqual(ids(10))
  })
  it("does not depend on the order of the file", () => {
    const turned = draw(ids(100).toReversed(), 20)
    expect(turned.toReversed()).toEqual(draw(ids(100), 20))
  })
  it("changes by at most one member when an item is added", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyText, { minLength: 2, maxLength: 30 }),
        fc.nat(20),
        fc.integer(),
        (all, size, seed) => {
          const [added, ...before] = all as [string, ...string[]]
          const old = new Set(draw(before, size, seed))
          const now = draw([...before, added], size, seed)
          const fresh = now.filter((id) => !old.has(id))
          expect(fresh.every((id) => id === added)).toBe(true)
        },
      ),
    )
  })
  it("holds every smaller sample of the same key", () => {
    const large = draw(ids(100), 40)
    for (const id of draw(ids(100), 10)) expect(large).toContain(id)
  })
  it("takes each item equally often over seeds", () => {
    const times = new Map<string, number>()
    for (let seed = 0; seed < 2000; seed += 1) {
      for (const id of draw(ids(10), 3, seed)) times.set(id, (times.get(id) ?? 0) + 1)
    }
    // 600 expected, standard deviation 20.5.
    for (const count of times.values()) expect(Math.abs(count - 600)).toBeLessThan(90)
    expect(times.size).toBe(10)
  })
})
