/** Pools out of a finished run: of each item's stimuli the strongest over the models but the studied one. */
import { describe, expect, it } from "vitest"
import { sha256 } from "../../compiler/hash.ts"
import type { ExperimentIR, ExprIR, HoleIR, MeasureIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { openRun } from "../../compiler/items/runFolder.ts"
import { NOT_ASKED, readTrials } from "../../compiler/items/runTrials.ts"
import { itemsOfRun, type RunSource } from "../../compiler/items/strongest.ts"
import type { Reading, Target } from "../../compiler/trial.ts"
import { NOT_ASKED as SKIPPED } from "../../runtime/measure/skipped.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { sealed } from "../../runtime/run/sealed.ts"
import { csvOf } from "../measure/tables.ts"

const holes = [
  { name: "reason", turn: "argue", type: "text", max: 9, until: [], temperature: 0, topP: 1, refusal: [] },
  { name: "a0", turn: "first", type: "option" },
  { name: "a1", turn: "second", type: "option" },
  { name: "k", turn: "second", type: "integer", low: 3, high: 5 },
  { name: "v", turn: "judge", type: "label", labels: ["same", "other", "neither"], gold: "same" },
  { name: "w", turn: "judge", type: "label", labels: ["other", "neither", "same"] },
] satisfies readonly HoleIR[]

const experiment = {
  name: "argued",
  factors: [{ name: "arm", levels: ["all"] }],
  protocol: { holes, lists: {}, roles: ["source"], turns: [] },
  measures: [],
  contrasts: [],
  fits: [],
  summaries: [],
  families: [],
  forests: [],
  published: [],
  tables: [],
  figures: [],
} as unknown as ExperimentIR

const program = {
  version: 1,
  models: ["m", "n", "o"].map((name) => ({ name, attributes: { size: 7 } })),
  pools: [],
  experiments: [experiment],
  doc: "",
} as unknown as Program

const item = (id: string): Item => ({
  id,
  question: `${id}?`,
  options: ["x", "y"],
  labels: ["A", "B"],
  gold: 0,
  columns: { subject: "birds" },
})

const option = (index: number): Reading => ({
  status: "value",
  value: index === 0 ? "A" : "B",
  index,
  probabilities: index === 0 ? [0.75, 0.25] : [0.25, 0.75],
  mass: 0.5,
})

const text = (said: string): Reading => ({ status: "text", text: said, tokens: 3, stop: "end" })

interface Given {
  readonly model: string
  readonly item?: string
  readonly reason?: Reading
  readonly a0?: Reading
  readonly a1?: Reading
  readonly v?: Reading
  readonly w?: Reading
  readonly target?: Target
  readonly prompt?: string
}

let counted = 0
const record = ({
  model,
  item = "q1",
  reason = text("Because."),
  a0 = option(0),
  a1 = option(0),
  v = { status: "answer", value: "same", index: 0 },
  w = { status: "answer", value: "same", index: 2 },
  target = { kind: "option", index: 1 },
  prompt,
}: Given): TrialRecord => {
  counted += 1
  return {
    trial: `argued/${model}/quiz/${item}/${counted}`,
    experiment: "argued",
    model,
    pool: "quiz",
    item,
    levels: { arm: "all" },
    labels: ["A", "B"],
    shown: ["A", "B"],
    gold: 0,
    columns: { subject: "birds" },
    attributes: { size: 7 },
    roles: { source: "o" },
    target,
    pushed: target,
    readings: {
      reason,
      a0,
      a1,
      k: { status: "value", value: "4", index: 1, probabilities: [0.25, 0.5, 0.25], mass: 0.5 },
      v,
      w,
    },
    prompts: {
      reason: "r",
      a0: "first",
      a1: prompt ?? `second ${counted}`,
      k: `k ${counted}`,
      v: `v ${counted}`,
      w: `w ${counted}`,
    },
  }
}

const items = [item("q1"), item("q2")]
const linesOf = (items: readonly Item[]): string =>
  items.map((one) => `${JSON.stringify({ pool: "quiz", ...one })}\n`).join("")

const folder = (
  records: readonly TrialRecord[],
  lines = linesOf(items),
): Readonly<Record<string, string>> => ({
  "/run/plan.json": sealed("plan.json", { format: 1, program, sums: { items: sha256(lines) } }),
  "/run/items.jsonl": lines,
  "/run/trials.csv": csvOf(program, records),
})

const opened = (files: Readonly<Record<string, string>>) =>
  openRun("/run", {
    read: (path) => (files[path] === undefined ? { problem: "no such file" } : { text: files[path] }),
    list: () => ({ problem: "no such folder" }),
    packaged: () => ({ problem: "no packages" }),
    stdlib: "/std",
    show: (path) => path.slice(1),
  })

const run = (records: readonly TrialRecord[], of: readonly Item[] = items) => {
  const found = opened(folder(records, linesOf(of)))
  if (!("run" in found)) throw new Error(JSON.stringify(found))
  return found.run
}

const equal = (left: ExprIR, right: ExprIR, operator: "==" | "!=" = "=="): ExprIR => ({
  kind: "binary",
  operator,
  left,
  right,
})
const answer = (hole: string): ExprIR => ({ kind: "answer", hole })

const flips = {
  name: "flips",
  statistic: "rate",
  value: equal(answer("a1"), { kind: "gold" }, "!="),
  given: equal(answer("a0"), { kind: "gold" }),
  invalid: "exclude",
} as unknown as MeasureIR

const source: RunSource = {
  kind: "run",
  folder: "/run",
  experiment: "argued",
  keep: ["reason"],
  exceptStudied: true,
}

const chosen = (
  records: readonly TrialRecord[],
  studied: readonly string[],
  by: MeasureIR | undefined = flips,
) =>
  itemsOfRun(run(records), source, by, studied).items.map(
    ({ id, only, columns }) => `${id}${only === undefined ? "" : ` ${only}`}: ${columns.reason}`,
  )

describe("a run's folder", () => {
  it("is read back as the runtime writes it", () => {
    const given = [
      record({ model: "m", reason: text('He said: "no",\nand left') }),
      record({ model: "n", reason: { status: "refused", text: "I won't", tokens: 2, marker: "won't" } }),
      record({
        model: "n",
        item: "q2",
        a1: { status: "invalid", why: "no label" },
        a0: { status: "skipped", why: "closed" },
      }),
    ]
    const facts: unknown[] = []
    const state = readTrials(run(given), "argued", (trial) => {
      facts.push([
        trial.model,
        trial.item.id,
        trial.text("reason"),
        trial.facts.role("source"),
        trial.facts.attribute("size"),
      ])
      const at = facts.length - 1
      for (const [name, reading] of Object.entries(given[at]?.readings ?? {})) {
        const found = trial.facts.reading(name)
        if (reading.status === "refused") expect(found).toMatchObject({ status: "refused", text: "I won't" })
        // Where there is no option the table has no number: the index of an integer follows from its value.
        else if (name === "k")
          expect(found).toMatchObject({ status: "value", value: "4", probabilities: [0.25, 0.5, 0.25] })
        else expect(found, name).toEqual(reading)
      }
      expect(trial.facts.target?.()).toEqual({ kind: "option", index: 1 })
      expect(trial.facts.level("arm")).toBe("all")
    })
    expect(state).toBe("finished")
    expect(facts).toEqual([
      ["m", "q1", 'He said: "no",\nand left', "o", 7],
      ["n", "q1", undefined, "o", 7],
      ["n", "q2", "Because.", "o", 7],
    ])
  })
  it("that is not there, or holds a run that is not done, is absent", () => {
    expect(opened({})).toEqual({ absent: "there is no run in run" })
    const { "/run/trials.csv": _, ...rest } = folder([record({ model: "m" })])
    expect(opened(rest)).toEqual({ absent: "the run in run has not come to its end" })
  })
  it("that was edited is a problem", () => {
    const whole = folder([record({ model: "m" })])
    const edited = (name: string, from: string, to: string) =>
      opened({ ...whole, [`/run/${name}`]: (whole[`/run/${name}`] ?? "").replace(from, to) })
    expect(edited("plan.json", "argued", "argues")).toHaveProperty("problem")
    expect(edited("plan.json", "{", "[")).toHaveProperty("problem")
    expect(edited("items.jsonl", "q2?", "q3?")).toHaveProperty("problem")
    expect(edited("trials.csv", "argued", "argued")).toHaveProperty("run")
  })
  it("with a read that was not asked is not done", () => {
    expect(NOT_ASKED).toBe(SKIPPED)
    const stopped = record({ model: "m", a1: { status: "skipped", why: NOT_ASKED } })
    expect(readTrials(run([record({ model: "m" }), stopped]), "argued", () => undefined)).toBe("unfinished")
  })
})

describe("a table of trials that lost something", () => {
  const whole = run([record({ model: "m" }), record({ model: "n" })])
  const state = (changed: Partial<typeof whole>) =>
    readTrials({ ...whole, ...changed }, "argued", () => undefined)
  it("within a row, or by whole rows, is damaged", () => {
    expect(state({})).toBe("finished")
    expect(state({ rows: 2 })).toBe("finished")
    expect(state({ trials: whole.trials.slice(0, whole.trials.lastIndexOf(",")) })).toBe("damaged")
    expect(state({ rows: 3 })).toBe("damaged")
  })
})

describe("the strongest stimulus of an item", () => {
  const soft = text("Perhaps.")
  const hard = text("Surely.")

  it("is the one that flipped most, over all models but the studied one", () => {
    const records = [
      record({ model: "m", reason: soft, a1: option(1) }),
      record({ model: "n", reason: soft, a1: option(0) }),
      record({ model: "m", reason: hard, a1: option(0) }),
      record({ model: "n", reason: hard, a1: option(1) }),
    ]
    expect(chosen(records, ["m", "n"])).toEqual(["q1 m: Surely.", "q1 n: Perhaps."])
  })
  it("is that of all models for one that had no part in the run", () => {
    const records = [
      record({ model: "m", reason: soft }),
      record({ model: "m", reason: hard, a1: option(1) }),
    ]
    expect(chosen(records, ["new"])).toEqual(["q1 new: Surely."])
  })
  it("is the first of equal ones, and of ones without a trial that counts", () => {
    const wrong = option(1)
    expect(
      chosen([record({ model: "m", reason: soft }), record({ model: "m", reason: hard })], ["n"]),
    ).toEqual(["q1 n: Perhaps."])
    const lost = [
      record({ model: "m", reason: hard, a0: wrong }),
      record({ model: "m", reason: soft, a0: wrong }),
    ]
    expect(chosen(lost, ["n"])).toEqual(["q1 n: Surely."])
    expect(chosen([...lost, record({ model: "m", reason: soft })], ["n"])).toEqual(["q1 n: Perhaps."])
  })
  it("goes by a rate, not by a number", () => {
    const records = [
      ...[1, 1, 0, 0].map((to) => record({ model: "m", reason: soft, a1: option(to) })),
      record({ model: "m", reason: hard, a1: option(1) }),
    ]
    expect(chosen(records, ["n"])).toEqual(["q1 n: Surely."])
  })
  it("counts trials that share their prompts once", () => {
    const records = [
      ...[1, 1, 1].map((to) => record({ model: "m", reason: soft, a1: option(to), prompt: "same" })),
      record({ model: "m", reason: soft, a1: option(0) }),
      ...[1, 1, 0].map((to) => record({ model: "m", reason: hard, a1: option(to) })),
    ]
    expect(chosen(records, ["n"])).toEqual(["q1 n: Surely."])
  })
  it("leaves invalid reads out, or takes them as wrong", () => {
    const invalid: Reading = { status: "invalid", why: "no label" }
    const records = [
      record({ model: "m", reason: soft, a1: invalid }),
      record({ model: "m", reason: hard, a1: option(1) }),
      record({ model: "m", reason: hard, a1: option(0) }),
    ]
    expect(chosen(records, ["n"])).toEqual(["q1 n: Surely."])
    expect(chosen(records, ["n"], { ...flips, invalid: "wrong" })).toEqual(["q1 n: Perhaps."])
  })
  it("compares labels by what they say, as the run's own measures do", () => {
    const says = (value: string, index: number): Reading => ({ status: "answer", value, index })
    const changed: MeasureIR = {
      ...flips,
      given: undefined,
      value: {
        kind: "binary",
        operator: ">",
        left: { kind: "sequence", of: "changes", holes: ["v", "w"] },
        right: { kind: "number", value: 0 },
      },
    } as unknown as MeasureIR
    const records = [
      record({ model: "m", reason: soft, v: says("other", 1), w: says("other", 0) }),
      // Neither label counts as the gold answer, and they differ.
      record({ model: "m", reason: hard, v: says("other", 1), w: says("neither", 1) }),
    ]
    expect(chosen(records, ["n"], changed)).toEqual(["q1 n: Surely."])
  })
  it("takes an invalid read for no other invalid one, and for no placebo", () => {
    const invalid: Reading = { status: "invalid", why: "no label" }
    const placebo: Target = { kind: "placebo", label: "C" }
    const wrongly = (value: ExprIR) =>
      chosen(
        [
          record({ model: "m", reason: soft, a0: option(0), a1: option(1), target: placebo }),
          record({ model: "m", reason: hard, a0: invalid, a1: invalid, target: placebo }),
        ],
        ["n"],
        { ...flips, given: undefined, value, invalid: "wrong" } as unknown as MeasureIR,
      )
    // Neither is true of any trial: of equal ones the first.
    expect(wrongly(equal(answer("a1"), { kind: "pushed" }))).toEqual(["q1 n: Perhaps."])
    expect(wrongly(equal(answer("a1"), answer("a0")))).toEqual(["q1 n: Perhaps."])
    expect(wrongly({ kind: "state", hole: "a1", state: "invalid" })).toEqual(["q1 n: Surely."])
  })
  it("is for all models where the studied one counts too", () => {
    const records = [
      record({ model: "m", reason: soft }),
      record({ model: "m", reason: hard, a1: option(1) }),
    ]
    const { items } = itemsOfRun(run(records), { ...source, exceptStudied: false }, flips, ["m", "n"])
    expect(items).toEqual([{ ...item("q1"), columns: { subject: "birds", reason: "Surely." } }])
  })
})

describe("a pool out of a run", () => {
  it("has each stimulus as an item where none is chosen", () => {
    const records = [
      record({ model: "m", reason: text("One.") }),
      record({ model: "n", reason: text("Two.") }),
    ]
    expect(
      itemsOfRun(run(records), source, undefined, []).items.map(({ id, columns }) => [id, columns.reason]),
    ).toEqual([
      ["q1/1", "One."],
      ["q1/2", "Two."],
    ])
  })
  it("lacks items for which nothing was written, and counts them", () => {
    const refused: Reading = { status: "refused", text: "No.", tokens: 1, marker: "No" }
    const records = [record({ model: "m" }), record({ model: "m", item: "q2", reason: refused })]
    expect(itemsOfRun(run(records), source, flips, ["n"])).toMatchObject({
      lost: 1,
      all: 2,
      items: [{ id: "q1" }],
    })
  })
  it("of a run whose models had items of their own goes by what each model was shown", () => {
    const own = ["m", "n"].map(
      (only): Item => ({ ...item("q1"), only, columns: { argument: `shown to ${only}` } }),
    )
    const whole = run(
      [
        record({ model: "m", reason: text("Perhaps.") }),
        record({ model: "n", reason: text("Surely."), a1: option(1) }),
      ],
      own,
    )
    const seen: unknown[] = []
    readTrials(whole, "argued", ({ model, item, facts }) => {
      seen.push([model, item.only, item.columns.argument, facts.item?.columns.argument])
    })
    expect(seen).toEqual([
      ["m", "m", "shown to m", "shown to m"],
      ["n", "n", "shown to n", "shown to n"],
    ])
    const made = (more: Partial<RunSource>, by?: MeasureIR) =>
      itemsOfRun(whole, { ...source, ...more }, by, ["m", "n"]).items
    const { only: _, ...bare } = own[0] as Item
    const perhaps = { ...bare, columns: { argument: "shown to m", reason: "Perhaps." } }
    const surely = { ...bare, columns: { argument: "shown to n", reason: "Surely." } }
    expect(made({ exceptStudied: false }, flips)).toEqual([surely])
    expect(made({})).toEqual([
      { ...perhaps, id: "q1/1" },
      { ...surely, id: "q1/2" },
    ])
    expect(made({ exceptStudied: true }, flips)).toEqual([
      { ...surely, only: "m" },
      { ...perhaps, only: "n" },
    ])
  })
})
