/** Warnings about a design that its spec does not allow: they are in the report, whoever makes it again. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { sealed } from "../../runtime/run/sealed.ts"
import { contents } from "./contents.ts"
import { goOn, reported } from "./runs.ts"
import { carryOut, watching } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()

/** Of 4 items, which are few (CFX4006), asked twice without anything in between. */
const spec = (allow = "") => `
model one = gguf "one.gguf"
protocol twice {
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn second continues first {
    user "Sure?"
    assistant "{a1: option}"
  }
}
metric flips(first = a0, second = a1) { rate second != first interval wilson 95 }
experiment study {
  protocol twice
  models { one }
  items { sums }
  seed 0
  target random_wrong
  measure flips
  table main { rows model columns flips average pooled }
  ${allow}
}
`

const REPORTS = ["report.md", "report.html"]
const text = (directory: string, name: string): string =>
  readFileSync(join(directory, name), "utf8").replaceAll("\\", "")

describe("a warning that the spec does not allow", () => {
  it("stands in the report with its code, title and message, and stays there when the report is made from the folder", async () => {
    const directory = join(folder, "open")
    const { report } = await carryOut(directory, spec())
    const few = report.open?.find(({ code }) => code === "CFX4006")
    expect(few).toMatchObject({ experiment: "study", title: "Few items" })
    const before = contents(directory)
    await reported(directory)
    await goOn(directory)
    expect(contents(directory)).toEqual(before)
    for (const name of REPORTS) {
      const said = text(directory, name)
      const place = said.lastIndexOf("Warnings that stand open")
      expect(said.slice(place)).toMatch(/CFX4006(`|<\/code>) Few items\. `sums` brings 4 items/)
    }
  })

  it("is listed with those that are allowed once the spec allows it", async () => {
    const directory = join(folder, "allowed")
    const { report } = await carryOut(directory, spec('allow CFX4006 "a first look"'))
    expect(report.open?.map(({ code }) => code)).not.toContain("CFX4006")
    expect(report.allowed).toMatchObject([{ code: "CFX4006", title: "Few items", reason: "a first look" }])
  })

  it("is missed in so many words where an earlier cfx kept none, whose run is still the same run", async () => {
    const directory = join(folder, "earlier")
    await carryOut(directory, spec())
    const whole = contents(directory)
    const plan = join(directory, "plan.json")
    const { warnings, sum, ...earlier } = JSON.parse(readFileSync(plan, "utf8"))
    expect(warnings).not.toEqual([])
    expect(sum).toBeDefined()
    writeFileSync(plan, sealed("plan.json", earlier))
    expect((await reported(directory)).report.open).toBeUndefined()
    for (const name of REPORTS)
      expect(text(directory, name)).toContain("Which warnings stand open was not kept")
    const { asked, layer } = watching()
    await carryOut(directory, spec(), { layer })
    expect(asked).toEqual({ opened: [], reads: [], texts: [] })
    expect(contents(directory)).toEqual(whole)
  })
})
