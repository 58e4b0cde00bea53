/** Texts that people code blind, the sheet that goes to them and comes back, and how far codings agree. */
import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { Reading } from "../../compiler/trial.ts"
import { agreements, judgeOf } from "../../runtime/coding/agreement.ts"
import { isFilled, readSheet, SheetError, sheetOf } from "../../runtime/coding/sheet.ts"
import { type CodedText, codedTexts, judgedTexts } from "../../runtime/coding/texts.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { type KeptRun, keptRun } from "../../runtime/run/finished.ts"
import { invalid, reading, trial } from "../measure/sample.ts"
import { carryOut } from "../run/spec.ts"
import { temporary } from "../run/temporary.ts"

const directory = join(temporary(), "run")

const spec = `model respondent = gguf "r.gguf"
model grader = gguf "g.gguf"

protocol explained {
  slot block
  options "{label}. {text}" join "\\n"
  turn ask {
    user "{block} {item.question}\\n{item.options}"
    assistant "{reply: text}"
    read reply { max 30 }
  }
  judge kind = sorted(reply) by grader
}

judge sorted(reply) {
  user "Sort this: {reply}"
  assistant "{verdict: label(social, content)}"
}

block calm { text "Take your time." }
block quick { text "Be quick." }

metric social_share(kind = kind) { rate kind == "social"  interval wilson 95 }

experiment study {
  protocol explained
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  arms { calm = calm  quick = quick }
  measure social_share
}
`

const judged = { experiment: "study", text: "reply", judge: "kind", labels: ["social", "content"] }
let run: KeptRun
let texts: ReadonlyMap<string, CodedText>

beforeAll(async () => {
  await carryOut(directory, spec, { items: 12 })
  run = await Effect.runPromise(keptRun(directory))
  texts = codedTexts(run.records, judged, run.state.plan)
})

const filled = (labelOf: (text: CodedText) => string): string =>
  sheetOf(texts.values()).replace(
    /^(t[0-9a-f]{12}),(.*),\r$/gm,
    (_, code: string, text: string) => `${code},${text},${labelOf(texts.get(code)!)}\r`,
  )

const failureOf = (work: () => unknown): SheetError => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof SheetError) return cause
    throw cause
  }
  throw new Error("nothing failed")
}

describe("texts to code", () => {
  it("are those that a label read of the run judges", () => {
    expect(judgedTexts(run.plan.program)).toEqual([judged])
  })

  it("are the distinct ones of each item, with the judge's label, in an order that says nothing of arms", () => {
    const pairs = [...run.records].map(({ item, readings }) => [item, readings.reply, readings.kind] as const)
    const distinct = new Set(
      pairs.map(([item, reply]) => JSON.stringify([item, reply?.status === "text" && reply.text])),
    )
    expect(texts.size).toBe(distinct.size)
    expect([...texts.keys()]).toEqual([...texts.keys()].sort())
    for (const { item, text, judged: label } of texts.values()) {
      const found = pairs.find(
        ([id, reply]) => id === item && reply?.status === "text" && reply.text === text,
      )
      expect(found?.[2]?.status === "value" && [found[2].value]).toEqual(label)
    }
  })

  it("have every label that the judge gave, one for each prompt it was asked with, and none of an invalid read", () => {
    const text = { status: "text", text: "So.", tokens: 1, stop: "end" } as const
    const kind = (index: number) => ({ ...reading(index), value: judged.labels[index]! })
    const of = (arm: string, said: Reading, prompt: string): TrialRecord => ({
      ...trial(arm, "i1", 0, 0),
      experiment: "study",
      readings: { reply: text, kind: said },
      prompts: { reply: "r", kind: prompt },
    })
    const records = [of("calm", kind(0), "one"), of("quick", kind(1), "two"), of("slow", kind(1), "two")]
    for (const order of [records, records.toReversed()])
      expect([...codedTexts(order, judged, "r").values()]).toMatchObject([{ judged: ["content", "social"] }])
    const failed = [of("calm", invalid, "one"), of("quick", kind(0), "two")]
    expect([...codedTexts(failed, judged, "r").values()]).toMatchObject([{ judged: ["social"] }])
  })

  it("have codes that programs for tables take for no number", () => {
    expect([...texts.keys()].every((code) => /^t[0-9a-f]{12}$/.test(code))).toBe(true)
  })

  it("have other codes in another run", () => {
    const others = codedTexts(run.records, judged, "another")
    expect(others.size).toBe(texts.size)
    expect([...others.keys()].filter((code) => texts.has(code))).toEqual([])
  })
})

describe("a sheet", () => {
  it("holds code, text and a place for the label, and neither arm nor model", () => {
    const sheet = sheetOf(texts.values())
    expect(sheet.split("\r\n")[0]).toBe("code,text,label")
    expect(sheet).not.toMatch(/calm|quick|respondent|social|content/)
    expect(sheetOf(texts.values(), 3).trimEnd().split("\r\n")).toHaveLength(4)
  })

  it("holds no formula: a text that looks like one stands behind an apostrophe, and comes back with it or without", () => {
    const formula = { code: "t0123456789ab", pool: "p", item: "i", text: "=1+1", judged: [] }
    const known = new Map([[formula.code, formula]])
    const sheet = sheetOf([formula])
    expect(sheet.split("\r\n")[1]).toBe("t0123456789ab,'=1+1,")
    for (const said of ["'=1+1", "=1+1"]) {
      const back = `code,text,label\r\n${formula.code},${said},social\r\n`
      expect(readSheet("codes.csv", back, known, ["social"]).labels.get(formula.code)).toBe("social")
    }
  })

  it("comes back with its labels, as tables are saved by other programs", () => {
    const sheet = filled(() => " social ")
    for (const saved of [sheet, `\uFEFF${sheet}`, sheet.replaceAll("\r\n", "\n")]) {
      const { labels, empty } = readSheet("codes.csv", saved, texts, judged.labels)
      expect([labels.size, empty]).toEqual([texts.size, 0])
      expect(new Set(labels.values())).toEqual(new Set(["social"]))
    }
    expect(
      readSheet(
        "codes.csv",
        filled(() => "SOCIAL"),
        texts,
        judged.labels,
      ).labels.size,
    ).toBe(texts.size)
    const sparse = filled(({ code }) => (code < "t8" ? "content" : ""))
    const { labels, empty } = readSheet("codes.csv", sparse, texts, judged.labels)
    expect(labels.size + empty).toBe(texts.size)
    expect(empty).toBeGreaterThan(0)
  })

  it("of an earlier version, whose codes have no letter in front, comes back too", () => {
    const earlier = filled(() => "social").replace(/^t/gm, "")
    expect(earlier).not.toMatch(/^t[0-9a-f]{12},/m)
    const { labels } = readSheet("codes.csv", earlier, texts, judged.labels)
    expect(labels.size).toBe(texts.size)
  })

  it.each([
    [
      "label",
      (sheet: string) => sheet.replace(/,social\r/, ",sociable\r"),
      /"sociable" is none of the labels social, content/,
    ],
    [
      "code",
      (sheet: string) => sheet.replace(/^t[0-9a-f]{12}/m, "t0123456789ab"),
      /no text with the code "t0123456789ab"/,
    ],
    ["text", (sheet: string) => sheet.replace(/^(t[0-9a-f]{12}),/m, "$1,more "), /is not the run's/],
    [
      "header",
      (sheet: string) => sheet.replace("code,text,label", "a,b,c"),
      /does not name the columns code, text, label/,
    ],
    ["row", (sheet: string) => `${sheet}${sheet.split("\r\n")[1]}\r\n`, /stands twice/],
    ["quote", (sheet: string) => `${sheet}"abc`, /no CSV file/],
  ])("with a wrong %s is refused at its line", (_, spoil, what) => {
    const failure = failureOf(() =>
      readSheet("codes.csv", spoil(filled(() => "social")), texts, judged.labels),
    )
    expect(failure.message).toMatch(what)
    expect(failure.where).toMatch(/^codes\.csv:\d+$/)
  })
})

describe("a sheet that is there already", () => {
  it("is written over only where nobody has filled anything in", () => {
    expect(isFilled(sheetOf(texts.values()))).toBe(false)
    expect(isFilled(filled(({ code }) => (code < "t2" ? "social" : "")))).toBe(
      [...texts.keys()].some((code) => code < "t2"),
    )
    expect(isFilled(filled(() => "social"))).toBe(true)
    expect(isFilled("something else,entirely\n")).toBe(true)
    expect(isFilled("")).toBe(true)
  })
})

describe("agreement", () => {
  const of = (labels: Readonly<Record<string, string>>, by = "a") => ({
    by,
    labels: new Map(Object.entries(labels).map(([code, label]) => [code, [label]])),
  })
  const text = (code: string, item: string): [string, CodedText] => [
    code,
    { code, pool: "p", item, text: code, judged: [] },
  ]

  it("is Cohen's kappa over the texts that both coded", () => {
    // 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: the example of many textbooks, kappa 0.4.
    const counts = [
      ["yes", "yes", 20],
      ["yes", "no", 5],
      ["no", "yes", 10],
      ["no", "no", 15],
    ] as const
    const rows = counts.flatMap(([a, b, count]) => Array.from({ length: count }, () => [a, b] as const))
    const codes = new Map(rows.map((_, at) => text(`t${at}`, `i${at}`)))
    const left = { by: "a", labels: new Map(rows.map(([a], at) => [`t${at}`, [a]])) }
    const right = {
      by: "b",
      labels: new Map([...rows.map(([, b], at) => [`t${at}`, [b]] as const), ["x", ["yes"]] as const]),
    }
    const [found] = agreements([left, right], codes, ["yes", "no"], 0)
    expect(found).toMatchObject({ left: "a", right: "b", n: 50, agreed: 35, level: 95 })
    expect(found?.kappa).toBeCloseTo(0.4, 12)
    expect(found!.low!).toBeLessThan(0.4)
    expect(found!.high!).toBeGreaterThan(0.4)
    expect(found?.pairs).toContainEqual({ left: "no", right: "yes", count: 10 })
  })

  it("is of each two codings, the judge's among them", () => {
    const judge = judgeOf("kind", texts.values())
    const same = { by: "one.csv", labels: judge.labels }
    const other = { by: "two.csv", labels: new Map([...judge.labels].map(([code]) => [code, ["social"]])) }
    const found = agreements([judge, same, other], texts, judged.labels, 0)
    expect(found.map(({ left, right }) => `${left} ${right}`)).toEqual([
      "kind one.csv",
      "kind two.csv",
      "one.csv two.csv",
    ])
    expect(found[0]).toMatchObject({ n: texts.size, agreed: texts.size, kappa: 1 })
    expect(found[1]?.kappa).toBe(0)
  })

  it("counts each of the labels that a judge gave one text as its share, in whatever order they came", () => {
    const codes = new Map([text("a", "1"), text("b", "2"), text("c", "3")])
    const person = of({ a: "yes", b: "no", c: "no" }, "person")
    for (const a of [
      ["yes", "no"],
      ["no", "yes"],
    ]) {
      const judge = { by: "judge", labels: new Map([...of({ b: "no", c: "yes" }).labels, ["a", a] as const]) }
      const [found] = agreements([judge, person], codes, ["yes", "no"], 0)
      expect(found).toMatchObject({ n: 3, several: 1, agreed: 1.5 })
      expect(found?.pairs).toEqual([
        { left: "yes", right: "yes", count: 0.5 },
        { left: "yes", right: "no", count: 1 },
        { left: "no", right: "yes", count: 0.5 },
        { left: "no", right: "no", count: 1 },
      ])
      // p_o = 1/2, p_e = (1.5 * 1 + 1.5 * 2) / 9 = 1/2.
      expect(found?.kappa).toBeCloseTo(0, 12)
    }
  })

  it("has no number where there is nothing to agree on, or only one label", () => {
    const codes = new Map([text("a", "1"), text("b", "2")])
    expect(agreements([of({ a: "x" }), of({ b: "x" }, "b")], codes, ["x"], 0)[0]).toMatchObject({
      n: 0,
      pairs: [],
    })
    const [certain] = agreements([of({ a: "x", b: "x" }), of({ a: "x", b: "x" }, "b")], codes, ["x"], 0)
    expect(certain).toMatchObject({ n: 2, agreed: 2 })
    expect(certain).not.toHaveProperty("kappa")
    expect(certain).not.toHaveProperty("low")
  })
})
