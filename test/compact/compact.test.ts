import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Codes, doubles } from "../../runtime/compact/grown.ts"
import { Ids } from "../../runtime/compact/ids.ts"
import { Marks } from "../../runtime/compact/marks.ts"
import { pack, unpack } from "../../runtime/compact/packing.ts"
import { Pairs } from "../../runtime/compact/pairs.ts"
import { Texts } from "../../runtime/compact/texts.ts"

const sum = (text: string): string => createHash("sha256").update(text).digest("hex")

describe("ids", () => {
  it("number sums and any other text as a map does, and give each back", () => {
    const some = fc.oneof(
      fc.nat(400).map((n) => sum(String(n))),
      fc.nat(400).map((n) => sum(String(n)).toUpperCase()),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(some, { maxLength: 600 }), fc.array(some), (added, asked) => {
        const [ids, halves, twin] = [new Ids(), new Ids(16), new Map<string, number>()]
        for (const id of added) {
          const number = twin.get(id) ?? twin.size
          twin.set(id, number)
          expect(ids.add(id)).toBe(number)
          expect(halves.add(id)).toBe(number)
        }
        expect([...ids]).toEqual([...twin.keys()])
        expect(ids.size).toBe(twin.size)
        for (const id of [...added, ...asked]) {
          expect(ids.of(id)).toBe(twin.get(id) ?? -1)
          expect(halves.of(id)).toBe(twin.get(id) ?? -1)
        }
      }),
      { numRuns: 30 },
    )
  })

  it("tell sums apart that differ in one digit, wherever it is", () => {
    const ids = new Ids()
    const one = sum("one")
    const others = Array.from({ length: 64 }, (_, at) => {
      const digit = one[at] === "0" ? "1" : "0"
      return `${one.slice(0, at)}${digit}${one.slice(at + 1)}`
    })
    for (const [number, id] of [one, ...others].entries()) expect(ids.add(id)).toBe(number)
    expect([...ids]).toEqual([one, ...others])
  })
})

describe("pairs", () => {
  it("are numbered as a map numbers them", () => {
    const number = fc.oneof(fc.nat(5), fc.nat(2 ** 30))
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 500 }), (added) => {
        const [pairs, twin] = [new Pairs(), new Map<string, number>()]
        for (const [left, right] of added) {
          const key = `${left} ${right}`
          const known = twin.get(key) ?? twin.size
          twin.set(key, known)
          expect(pairs.add(left, right)).toBe(known)
        }
        expect(pairs.size).toBe(twin.size)
      }),
    )
  })
})

describe("numbers that grow", () => {
  it("keep codes of any width, and doubles to the last bit", () => {
    const codes = Array.from({ length: 20_000 }, (_, at) => (at % 5000 === 4999 ? 70_000 + at : at % 300))
    const [kept, precise] = [new Codes(), doubles()]
    for (const code of codes) {
      kept.push(code)
      precise.push(1 / (code + 1))
    }
    expect(codes.map((_, at) => kept.at(at))).toEqual(codes)
    expect(codes.map((_, at) => precise.at(at))).toEqual(codes.map((code) => 1 / (code + 1)))
  })

  it("mark what a set holds, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000)), (numbers) => {
        const marks = new Marks()
        for (const number of numbers) marks.add(number)
        expect([...marks]).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        expect(marks.size).toBe(new Set(numbers).size)
      }),
    )
  })
})

describe("texts", () => {
  it("are given back, short or longer than a piece", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (all) => {
        const texts = new Texts()
        const given = [...all, "long ".repeat(30_000), ...all]
        expect(given.map((text) => texts.push(text))).toEqual(given.map((_, at) => at))
        expect(given.map((_, at) => texts.at(at))).toEqual(given)
      }),
      { numRuns: 20 },
    )
  })
})

describe("packing", () => {
  const bytesOf = (value: unknown): Uint8Array => Buffer.concat([...pack(value)])
  const array = fc.oneof(
    fc.uint8Array(),
    fc.uint16Array(),
    fc.uint32Array(),
    fc.int32Array(),
    fc.float64Array({ noNaN: true }),
  )
  const primitive = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      primitive,
      array,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        tie("value"),
        { maxKeys: 4, noNullPrototype: true },
      ),
      fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 }).map((entries) => new Map(entries)),
    ),
  }))

  it("gives back what it was given, wherever the bytes begin", () => {
    fc.assert(
      fc.property(value, fc.nat(16), (given, before) => {
        const bytes = bytesOf(given)
        const moved = new Uint8Array(before + bytes.length)
        moved.set(bytes, before)
        expect(unpack(moved.subarray(before))).toEqual(given)
      }),
      { numRuns: 200 },
    )
  })

  it("refuses what it would not give back", () => {
    expect(() => bytesOf({ since: new Set([1]) })).toThrow("a Set is to be packed")
  })

  it("copies no array", () => {
    const bytes = new Uint8Array(bytesOf({ numbers: new Float64Array(1000) }))
    const { numbers } = unpack(bytes) as { readonly numbers: Float64Array }
    expect(numbers.buffer).toBe(bytes.buffer)
  })

  it("goes on with numbers, codes and texts where those that were packed ended", () => {
    const [numbers, codes, texts] = [doubles(), new Codes(), new Texts()]
    for (let at = 0; at < 5000; at++) {
      numbers.push(at / 7)
      codes.push(at)
      texts.push(`é ${at}`)
    }
    const packed = unpack(bytesOf([numbers.packed(), codes.packed(), texts.packed()])) as [
      ReturnType<typeof numbers.packed>,
      ReturnType<Codes["packed"]>,
      ReturnType<Texts["packed"]>,
    ]
    const again = [doubles(), new Codes(), new Texts()] as const
    again[0].unpack(packed[0])
    again[1].unpack(packed[1])
    again[2].unpack(packed[2])
    again[0].push(-1)
    again[1].push(70_000)
    again[2].push("last")
    expect([again[0].length, again[1].length, again[2].length]).toEqual([5001, 5001, 5001])
    for (const at of [0, 4095, 4096, 4999])
      expect([again[0].at(at), again[1].at(at), again[2].at(at)]).toEqual([at / 7, at, `é ${at}`])
    expect([again[0].at(5000), again[1].at(5000), again[2].at(5000)]).toEqual([-1, 70_000, "last"])
  })
})
