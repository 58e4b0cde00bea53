import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { mcnemarExact } from "../../runtime/statistics/binomial.ts"
import { normalQuantile } from "../../runtime/statistics/normal.ts"
import { newcombePaired, wilson } from "../../runtime/statistics/proportion.ts"

describe("the normal quantile", () => {
  // Wichura (1988), AS 241: the values that the paper gives to check an implementation by.
  test.each([
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167814],
    [1e-20, -9.26234008979841],
  ])("of %d is %d", (p, z) => {
    expect(Math.abs(normalQuantile(p) / z - 1)).toBeLessThan(1e-14)
  })

  // The critical values that every table prints; ten digits from Abramowitz & Stegun (1964), table 26.5.
  test.each([
    [0.9, 1.2815515655],
    [0.95, 1.6448536269],
    [0.975, 1.9599639845],
    [0.99, 2.326347874],
    [0.995, 2.5758293035],
    [0.9995, 3.2905267314],
  ])("of %d is %d", (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 9)
  })

  test("is odd about one half, grows, and has no value outside (0, 1)", () => {
    const p = fc.double({ min: 1e-9, max: 0.5, noNaN: true })
    fc.assert(
      fc.property(p, p, (a, b) => {
        expect(normalQuantile(1 - a)).toBeCloseTo(-normalQuantile(a), 6)
        if (a * (1 + 1e-9) < b) expect(normalQuantile(a)).toBeLessThan(normalQuantile(b))
      }),
    )
    for (const outside of [0, 1, -1, Number.NaN]) expect(() => normalQuantile(outside)).toThrow(RangeError)
  })
})

describe("Wilson's interval", () => {
  // Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3 (score without continuity correction).
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %d out of %d is %d to %d", (k, n, low, high) => {
    const interval = wilson(k, n, 95)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  test("lies within 0 and 1, holds the share, mirrors under exchange of true and false, and widens with the level", () => {
    const counts = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const { low, high } = wilson(k, n, 95)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(k / n)
        expect(high).toBeGreaterThanOrEqual(k / n)
        expect(1 - wilson(n - k, n, 95).high).toBeCloseTo(low, 12)
        const wider = wilson(k, n, 99)
        expect(wider.high - wider.low).toBeGreaterThan(high - low)
      }),
    )
  })

  test("solves the score equation (p - share)^2 = z^2 p (1 - p) / n at both ends", () => {
    const z = normalQuantile(0.975)
    for (const [k, n] of [
      [81, 263],
      [3, 7],
      [499, 500],
    ] as const) {
      for (const p of Object.values(wilson(k, n, 95))) {
        expect((p - k / n) ** 2).toBeCloseTo((z * z * p * (1 - p)) / n, 12)
      }
    }
  })
})

describe("Newcombe's interval for paired proportions", () => {
  // Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 10: the paper's examples, as the tests of the R package propint quote them;
  // a transcription of the formula into Python gives the same digits.
  test.each([
    [36, 12, 2, 0, 0.0569, 0.3404],
    [18, 12, 2, 18, 0.0562, 0.329],
    [53, 0, 0, 1, -0.0729, 0.0729],
    [0, 30, 0, 0, 0.8395, 1],
  ])("of the pairs %d, %d, %d, %d is %d to %d", (both, left, right, neither, low, high) => {
    const interval = newcombePaired({ both, left, right, neither }, 95)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  test("has a width even where no pair differs or every pair does", () => {
    const none = newcombePaired({ both: 0, left: 0, right: 0, neither: 8 }, 95)
    expect(none.low).toBeLessThan(-0.3)
    expect(none.high).toBe(-none.low)
    const every = newcombePaired({ both: 0, left: 6, right: 0, neither: 0 }, 95)
    expect(every.low).toBeLessThan(0.5)
    expect(every.high).toBe(1)
  })

  test("lies within -1 and 1, holds the difference, and mirrors under exchange of the sides", () => {
    const count = fc.integer({ min: 0, max: 400 })
    fc.assert(
      fc.property(count, count, count, count, (both, left, right, neither) => {
        const n = both + left + right + neither
        fc.pre(n > 0)
        const { low, high } = newcombePaired({ both, left, right, neither }, 95)
        const difference = (left - right) / n
        expect(low).toBeGreaterThanOrEqual(-1)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(difference + 1e-12)
        expect(high).toBeGreaterThanOrEqual(difference - 1e-12)
        const mirrored = newcombePaired({ both, left: right, right: left, neither }, 95)
        expect(mirrored.low).toBeCloseTo(-high, 12)
      }),
    )
  })
})

describe("McNemar's exact test", () => {
  test("of 2 against 9 is 0.06543: the example of the R package exact2x2 (Fay 2010, R Journal 2(1))", () => {
    expect(mcnemarExact(2, 9)).toBeCloseTo(0.06543, 5)
    expect(mcnemarExact(9, 2)).toBe(mcnemarExact(2, 9))
  })

  test("of 59 against 121 is 4.434e-6: the example in the documentation of statsmodels", () => {
    expect(mcnemarExact(121, 59)).toBeCloseTo(4.434e-6, 8)
  })

  test("of 86 against 150 is 3.716e-5: the approval ratings of Agresti (1990), p. 350, by scipy.stats.binomtest", () => {
    expect(mcnemarExact(86, 150) / 3.7159361395713866e-5).toBeCloseTo(1, 10)
  })

  test("of equal counts, or of none, is 1", () => {
    expect(mcnemarExact(0, 0)).toBe(1)
    expect(mcnemarExact(7, 7)).toBe(1)
  })

  test("equals the sum of binomial terms, written out", () => {
    const binomial = (n: number, k: number): number => (k === 0 ? 1 : (binomial(n, k - 1) * (n - k + 1)) / k)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 25 }), (b, c) => {
        let tail = 0
        for (let i = 0; i <= Math.min(b, c); i++) tail += binomial(b + c, i) / 2 ** (b + c)
        expect(mcnemarExact(b, c)).toBeCloseTo(Math.min(1, 2 * tail), 12)
      }),
    )
  })

  test("does not overflow: 40,000 against 41,000, by scipy.stats.binomtest", () => {
    expect(mcnemarExact(40_000, 41_000) / 0.0004478218231375636).toBeCloseTo(1, 8)
  })
})
