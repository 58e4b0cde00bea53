import { describe, expect, test } from "vitest"
import {
  COLOR_NAMES,
  FAINT,
  HEATS,
  INK,
  lookOf,
  PAGE,
  SHADES,
  styleOf,
} from "../../../runtime/report/figures/palette.ts"
import { contrast } from "../contrast.ts"
import { differenceBetween, SIGHTS, seenBy } from "./vision.ts"

const themes = ["light", "dark"] as const

describe.each(themes)("on a %s page", (theme) => {
  test("series stand out from the ground by 3 to 1 (WCAG 2.2, 1.4.11)", () => {
    for (const shade of SHADES)
      expect(contrast(shade[theme], PAGE[theme]), shade[theme]).toBeGreaterThanOrEqual(3)
  })

  test("text stands out from the ground by 4.5 to 1 (WCAG 2.2, 1.4.3)", () => {
    for (const text of [INK, FAINT]) expect(contrast(text[theme], PAGE[theme])).toBeGreaterThanOrEqual(4.5)
  })

  test("numbers in cells stand out from every shade by 4.5 to 1", () => {
    for (const heat of HEATS)
      expect(contrast(heat.ink[theme], heat[theme]), heat[theme]).toBeGreaterThanOrEqual(4.5)
  })

  test("shades of cells go one way in lightness, so that more is always darker, or always lighter", () => {
    const steps = HEATS.map((heat) => contrast(heat[theme], PAGE[theme]))
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(new Set(steps).size).toBe(HEATS.length)
  })

  test.each(Object.keys(SIGHTS) as (keyof typeof SIGHTS)[])(
    "any two series differ as %s sees them, by ten just noticeable differences",
    (sight) => {
      for (const [at, one] of SHADES.entries()) {
        for (const other of SHADES.slice(at + 1)) {
          const apart = differenceBetween(seenBy(sight, one[theme]), seenBy(sight, other[theme]))
          expect(apart, `${one[theme]} and ${other[theme]}`).toBeGreaterThan(10)
        }
      }
    },
  )
})

describe("what is measured with", () => {
  test("is CIEDE2000: pairs 1, 7, 17 and 25 of Sharma, Wu & Dalal 2005, table 1", () => {
    const of = (a: readonly number[], b: readonly number[]) => differenceBetween(a as never, b as never)
    expect(of([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4)
    expect(of([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4)
    expect(of([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4)
    expect(of([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(1.2644, 4)
  })
  test("is a sight to which red and green of one lightness are nearly one", () => {
    const plain = differenceBetween(
      seenBy("full colour vision", "#c04040"),
      seenBy("full colour vision", "#707020"),
    )
    const deutan = differenceBetween(seenBy("deuteranopia", "#c04040"), seenBy("deuteranopia", "#707020"))
    expect(deutan).toBeLessThan(plain / 3)
  })
})

describe("series", () => {
  test("differ in more than colour: no two of 42 have the same colour and symbol, and neighbours differ in dash and hatching", () => {
    const looks = Array.from({ length: 42 }, (_, at) => lookOf(at))
    expect(new Set(looks.map(({ shade, symbol }) => `${shade} ${symbol}`)).size).toBe(42)
    for (const [at, look] of looks.slice(1).entries()) {
      expect(look.dash).not.toBe(looks[at]!.dash)
      expect(look.hatch).not.toBe(looks[at]!.hatch)
    }
  })
})

describe("the style sheet", () => {
  test("turns every colour that a figure uses for a dark page, and back for paper", () => {
    const used = new Set([...COLOR_NAMES.values()].flatMap((name) => [`cfx-f-${name}`, `cfx-k-${name}`]))
    const style = styleOf(used)
    const [dark, paper] = style.split("@media print")
    for (const name of used) {
      expect(dark).toContain(`.${name}{`)
      expect(paper).toContain(`.${name}{`)
    }
    expect(dark).toContain(`.cfx-f-page{fill:${PAGE.dark}}`)
    expect(paper).toContain(`.cfx-f-page{fill:#ffffff}`)
  })
  test("has no rule for what a figure does not use, and none that reaches beyond figures", () => {
    const style = styleOf(new Set(["cfx-f-ink"]))
    expect(style).not.toContain("cfx-k-")
    const selectors = [...style.matchAll(/(?<=^|[{}\n])([^{}@\n<]+)\{/g)].map(([, selector]) => selector!)
    expect(selectors.length).toBeGreaterThan(2)
    for (const selector of selectors) expect(selector).toMatch(/^\.cfx-figure/)
  })
})
