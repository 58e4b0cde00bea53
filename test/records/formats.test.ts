/** One and the same set of answers in every format that is read, and what each format has of its own. */
import { zipSync } from "fflate"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, test } from "vitest"
import { temporary } from "../run/temporary.ts"
import { estimateOf, found, HRR, resultsOf, scored } from "./support.ts"

const folder = temporary()

const METRICS = `${HRR}metric moved(first = a0, second = a1) {
  mean second.p(item.gold) - first.p(item.gold)
  interval bootstrap 95
}
metric accuracy(read = a0) {
  rate read == item.gold
  interval wilson 95
}
metric sure(read = a0) {
  mean read.confidence
  interval bootstrap 95
}
metric massive(read = a0) {
  mean read.mass
  interval bootstrap 95
}
`

const spec = (entries: string, measures: readonly string[]): string => `${METRICS}
experiment scored {
  records {
${entries}
  }
${measures.map((name) => `  measure ${name}`).join("\n")}
  table main { rows ${entries.includes("framing") ? "framing" : "pool"} columns ${measures.join(", ")} }
}
`

/** id, condition, key, before, after, p(A) and p(B) before, p(A) and p(B) after. */
const answers = [
  ["q1", "nobody", "A", "A", "A", 0.75, 0.25, 0.5, 0.5],
  ["q2", "nobody", "B", "B", "A", 0.25, 0.75, 1, 0],
  ["q3", "nobody", "A", "B", "B", 0.25, 0.75, 0.25, 0.75],
  ["q1", "expert", "A", "A", "B", 0.75, 0.25, 0.25, 0.75],
  ["q2", "expert", "B", "B", "A", 0.25, 0.75, 0.5, 0.5],
  ["q3", "expert", "A", "B", "A", 0.25, 0.75, 0.75, 0.25],
] as const
const names = ["id", "condition", "key", "before", "after", "pa0", "pb0", "pa1", "pb1"]
const objects = answers.map((row) => Object.fromEntries(row.map((value, at) => [names[at] ?? "", value])))

const table = spec(
  `    item = id
    gold = key
    framing = condition { none = "nobody", experts = "expert" }
    a0: option = before
    a0.p(A) = pa0
    a0.p(B) = pb0
    a1: option = after
    a1.p(A) = pa1
    a1.p(B) = pb1`,
  ["HRR", "moved"],
)

const asCsv = [names.join(","), ...answers.map((row) => row.join(","))].join("\n")

const asParquet = new Uint8Array(
  parquetWriteBuffer({
    columnData: names.map((name) => ({
      name,
      data: objects.map((row) => row[name] as string | number),
      type: typeof objects[0]?.[name] === "number" ? "DOUBLE" : "STRING",
    })),
    rowGroupSize: 2,
  }),
)

describe.each([
  ["csv", "answers.csv", asCsv],
  [
    "csv with CRLF, quotes and a byte order mark",
    "marked.csv",
    `\uFEFF${asCsv.replaceAll("nobody", '"nobody"').replaceAll("\n", "\r\n")}\r\n`,
  ],
  ["jsonl", "answers.jsonl", objects.map((row) => JSON.stringify(row)).join("\n")],
  ["json", "answers.json", JSON.stringify(objects, null, 2)],
  ["parquet", "answers.parquet", asParquet],
] as const)("%s", (_, name, content) => {
  test("gives the rates and means that the answers have", async () => {
    const own = await scored(folder, table, name, content)
    expect(found(own)).toEqual([])
    expect(own.facts).toMatchObject({ rows: 6, trials: 6, missing: { count: 0, of: 6 } })
    // By hand: of q1 and q2, which are right at first, q2 moves without a source and both move with one.
    expect(estimateOf(own, "HRR", { framing: "none" })).toBe(0.5)
    expect(estimateOf(own, "HRR", { framing: "experts" })).toBe(1)
    expect(estimateOf(own, "moved", { framing: "none" })).toBeCloseTo((-0.25 - 0.75 + 0) / 3, 12)
    expect(estimateOf(own, "moved", { framing: "experts" })).toBeCloseTo((-0.5 - 0.25 + 0.5) / 3, 12)
  })
})

describe("samples of lm-eval", () => {
  /** As `lm_eval --log_samples` writes them, `arguments` as a list of pairs (until 0.4.2) or a record (after it). */
  const sample = (
    id: number,
    target: unknown,
    logs: readonly number[],
    choices: readonly string[],
    listed: boolean,
  ) => ({
    doc_id: id,
    doc: { question: `What is ${id}?`, choices },
    target,
    arguments: listed
      ? choices.map((choice) => [`What is ${id}?`, ` ${choice}`])
      : Object.fromEntries(
          choices.map((choice, at) => [`gen_args_${at}`, { arg_0: `What is ${id}?`, arg_1: ` ${choice}` }]),
        ),
    resps: logs.map((log) => [[String(log), "False"]]),
    filtered_resps: logs.map((log) => [String(log), "False"]),
    filter: "none",
    metrics: ["acc"],
    acc: 1,
  })
  const lines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n")

  const multiple = spec(
    "    item = doc_id\n    labels = labels\n    gold = gold\n    a0: option = answer\n    a0.p = p\n    a0.mass = mass",
    ["accuracy", "sure", "massive"],
  )

  test("of multiple choice have labels, the gold answer, probabilities and their mass", async () => {
    const ln = Math.log
    const own = await scored(
      folder,
      multiple,
      "samples_arc_2024.jsonl",
      lines([
        sample(0, 1, [ln(0.1), ln(0.3)], ["A", "B"], true),
        sample(1, "the sun", [ln(0.2), ln(0.2), ln(0.1)], ["the moon", "the earth", "the sun"], false),
      ]),
    )
    expect(own.facts.format).toBe("lm_eval")
    expect(found(own)).toEqual([])
    expect(estimateOf(own, "accuracy")).toBe(0.5)
    expect(estimateOf(own, "sure")).toBeCloseTo((0.75 + 0.4) / 2, 12)
    expect(estimateOf(own, "massive")).toBeCloseTo((0.4 + 0.5) / 2, 12)
    const columns = own.table.columns()
    expect([columns.get("gold")?.at(0), columns.get("gold")?.at(1)]).toEqual(["B", "C"])
    expect([columns.get("a0.answer")?.at(0), columns.get("a0.answer")?.at(1)]).toEqual(["B", "A"])
  })

  const freely = spec("    item = doc_id\n    pool = filter\n    gold = gold\n    a0: option = answer", [
    "accuracy",
  ])

  test("of generated texts have what the filter left and the target", async () => {
    const written = (id: number, target: string, text: string) => ({
      doc_id: id,
      doc: {},
      target,
      arguments: [["Q", { until: ["\n"] }]],
      resps: [[`So it is ${text}.`]],
      filtered_resps: [text],
      filter: "strict-match",
    })
    const own = await scored(
      folder,
      freely,
      "samples_gsm8k.jsonl",
      lines([written(0, "42", "42"), written(1, "7", "8"), written(2, "7", "7")]),
    )
    expect(found(own)).toEqual([])
    expect(estimateOf(own, "accuracy")).toBeCloseTo(2 / 3, 12)
    // Of several right answers none is the gold one, whether they are a list or Python's text of one.
    for (const targets of [["7", "seven"], "['7', 'seven']"]) {
      const rows = [written(0, "42", "42"), { ...written(1, "7", "seven"), target: targets }]
      const several = await scored(folder, freely, "samples_triviaqa.jsonl", lines(rows))
      expect(found(several)).toEqual(["1 missing (stop): it has no gold answer"])
    }
    const lists = [written(0, "['42']", "42"), written(1, '["it\'s 7"]', "it's 7")]
    const alone = await scored(folder, freely, "samples_alone.jsonl", lines(lists))
    expect(estimateOf(alone, "accuracy")).toBe(1)
    // A list that the model wrote is its text, and a log-likelihood is no answer.
    const others = [written(0, "42", "[42]"), { ...written(1, "7", ""), filtered_resps: [["-1.5", "True"]] }]
    const odd = await scored(folder, freely, "samples_odd.jsonl", lines(others))
    expect(odd.table.columns().get("a0.answer")?.at(0)).toBe("[42]")
    expect(odd.table.columns().get("a0.why")?.at(1)).toBe("the record has no answer")
  })

  describe("whose right answer is told by a place or by a text", () => {
    const accuracy = spec(
      "    item = doc_id\n    labels = labels\n    gold = gold\n    a0: option = answer\n    a0.p = p\n    on missing leave_out",
      ["accuracy"],
    )
    const labelled = (text: string, parts: object, logs: readonly number[]) => ({
      ...sample(0, text, logs, text.split(" "), true),
      ...parts,
    })
    /** What a sample's gold answer is, and which labels it has; nothing where it has none. */
    const goldOf = async (row: object) => {
      const own = await scored(folder, accuracy, "samples_t.jsonl", lines([row]))
      const columns = own.table.columns()
      const at = (name: string) => (own.table.rows === 0 ? undefined : columns.get(name)?.at(0))
      return { gold: at("gold"), answer: at("a0.answer"), found: found(own) }
    }
    const none = { gold: undefined, found: ["1 missing (leave_out): it has no gold answer"] }

    test("a JSON number is a place, whatever the choices are", async () => {
      const row = labelled("1 2 3 4", { target: 1 }, [-5, -1, -4, -6])
      expect(await goldOf(row)).toMatchObject({ gold: "2", answer: "2" })
    })

    test("a text of digits is a place or a choice, as the sample's accuracy has it", async () => {
      const row = (target: string, acc: unknown) => labelled("1 2 3 4", { target, acc }, [-5, -1, -4, -6])
      expect(await goldOf(row("1", 1))).toMatchObject({ gold: "2" })
      expect(await goldOf(row("2", "1.0"))).toMatchObject({ gold: "2" })
      // The place is that of the answer, which was wrong: it was the choice.
      expect(await goldOf(row("1", 0))).toMatchObject({ gold: "1" })
      // Neither is the answer: either may be right.
      expect(await goldOf(row("3", 0))).toMatchObject(none)
      expect(await goldOf(row("1", undefined))).toMatchObject(none)
      expect(await goldOf(labelled("0 1 2", { target: "2" }, [-1, -2, -3]))).toMatchObject({ gold: "2" })
      expect(await goldOf(labelled("red blue", { target: "1" }, [-1, -2]))).toMatchObject({ gold: "B" })
      expect(await goldOf(labelled("7 9", { target: "9" }, [-1, -2]))).toMatchObject({ gold: "9" })
    })

    test("of one continuation behind several contexts, the sample's accuracy says which was right", async () => {
      const row = (acc: number, logs: readonly number[]) => ({
        ...sample(0, "was small.", logs, [], false),
        arguments: Object.fromEntries(
          logs.map((_, at) => [`gen_args_${at}`, { arg_0: `It fits, as ${at}`, arg_1: " was small." }]),
        ),
        acc,
      })
      expect(await goldOf(row(1, [-5, -7]))).toMatchObject({ gold: "A", answer: "A" })
      expect(await goldOf(row(1, [-8, -6]))).toMatchObject({ gold: "B", answer: "B" })
      expect(await goldOf(row(0, [-8, -6]))).toMatchObject({ gold: "A", answer: "B" })
      expect(await goldOf(row(0, [-8, -6, -9]))).toMatchObject(none)
      // Likelihoods under several contexts sum to no mass of one.
      const { table } = await scored(folder, multiple, "samples_w.jsonl", lines([row(1, [-5, -7])]))
      expect(table.columns().get("a0.mass")?.at(0)).toBe(null)
    })

    test("a text that two choices have is of neither alone", async () => {
      const row = (acc: unknown) => labelled("fig plum fig", { target: "fig", acc }, [-3, -2, -1])
      expect(await goldOf(row(1))).toMatchObject({ gold: "C", answer: "C" })
      expect(await goldOf(row(0))).toMatchObject({ gold: "A", answer: "C" })
      expect(await goldOf(row(undefined))).toMatchObject(none)
    })

    test("several right answers are no one gold answer, and a list of one is", async () => {
      const row = (target: unknown) => labelled("red blue green", { target }, [-3, -2, -1])
      for (const target of [[0, 2], "[0, 2]"]) expect(await goldOf(row(target))).toMatchObject(none)
      for (const target of [[2], "[2]"]) expect(await goldOf(row(target))).toMatchObject({ gold: "C" })
    })
  })

  test("of choices that are asked again without a context are of those choices, once each", async () => {
    const ln = Math.log
    const again = (id: number, target: number, logs: readonly number[], contexts: readonly string[]) => ({
      ...sample(id, target, logs, [], true),
      arguments: contexts.map((context, at) => [context, at % 2 === 0 ? " red" : " blue"]),
      metrics: ["acc", "acc_mutual_info"],
    })
    const content = lines([
      again(0, 0, [0.3, 0.1, 0.8, 0.2].map(ln), ["Q", "Q", "", ""]),
      again(1, 1, [0.1, 0.1, 0.9, 0.1].map(ln), ["Q", "Q", "", ""]),
    ])
    const own = await scored(folder, multiple, "samples_mutual.jsonl", content)
    expect(found(own)).toEqual([])
    expect(estimateOf(own, "accuracy")).toBe(0.5)
    expect(estimateOf(own, "sure")).toBeCloseTo((0.75 + 0.5) / 2, 12)
    expect(estimateOf(own, "massive")).toBeCloseTo((0.4 + 0.2) / 2, 12)
    // Choices that nothing stands before are choices all the same.
    const bare = await scored(
      folder,
      multiple,
      "samples_bare.jsonl",
      lines([again(0, 2, [0.1, 0.2, 0.4, 0.1].map(ln), ["", "", "", ""])]),
    )
    expect(bare.table.columns().get("gold")?.at(0)).toBe("C")
  })

  test("are known by their columns, whatever the file is called, and not where the spec says jsonl", async () => {
    const content = lines([sample(0, 1, [-1, -2], ["A", "B"], true)])
    expect((await scored(folder, multiple, "first.jsonl", content)).facts.format).toBe("lm_eval")
    await expect(
      scored(folder, multiple.replace("records {", "records {\n    format jsonl"), "first.jsonl", content),
    ).rejects.toThrow(/no row has the column `labels`/)
  })
})

describe("logs of Inspect", () => {
  const about = { eval: { model: "openai/gpt", task: "arc", dataset: { name: "arc-easy" } } }
  const sample = (id: number, epoch: number, target: unknown, answer: string) => ({
    id,
    epoch,
    input: "Which?",
    choices: ["one", "two", "three"],
    target,
    scores: { choice: { value: answer === target ? "C" : "I", answer } },
    output: { completion: `ANSWER: ${answer}` },
    metadata: { subject: id % 2 === 0 ? "even" : "odd" },
  })
  const samples = [
    sample(1, 1, "A", "A"),
    sample(1, 2, "A", "B"),
    sample(2, 1, ["C"], "C"),
    sample(2, 2, "C", "C"),
  ]
  const logged = spec(
    `    item = id
    item.subject = metadata.subject
    model = model { gpt = "openai/gpt" }
    pool = dataset
    labels = labels
    gold = gold
    replicate = epoch
    a0: option = answer`,
    ["accuracy"],
  ).replace("rows pool", "rows subject")

  const bySubject = async (name: string, content: string | Uint8Array) => {
    const own = await scored(folder, logged, name, content)
    expect(own.facts.format).toBe("inspect")
    expect(found(own)).toEqual([])
    expect(own.experiment.models).toEqual(["gpt"])
    expect(own.experiment.pools).toEqual([{ pool: "arc-easy" }])
    expect(own.facts.trials).toBe(4)
    return resultsOf(own).flatMap(({ by, estimate }) =>
      by.subject === undefined ? [] : [[by.subject, estimate]],
    )
  }

  test("of JSON have a row for each sample, and their model and data beside it", async () => {
    const log = JSON.stringify({ version: 2, status: "success", ...about, samples })
    expect(await bySubject("log.json", log)).toEqual([
      ["even", 1],
      ["odd", 0.5],
    ])
  })

  test("in an archive are the same", async () => {
    const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
    const archive = zipSync({
      "header.json": bytes({ version: 2, ...about }),
      ...Object.fromEntries(samples.map((one) => [`samples/${one.id}_epoch_${one.epoch}.json`, bytes(one)])),
      "summaries.json": bytes([]),
    })
    expect(await bySubject("log.eval", archive)).toEqual([
      ["even", 1],
      ["odd", 0.5],
    ])
  })

  test("as data frames of samples are tables", async () => {
    const frame = ["id,epoch,target,score_choice,metadata_answer", "1,1,A,C,A", "2,1,B,I,A"].join("\n")
    const own = await scored(
      folder,
      spec(
        "    format inspect\n    item = id\n    gold = target\n    labels { A, B }\n    a0: option = metadata_answer",
        ["accuracy"],
      ),
      "samples.csv",
      frame,
    )
    expect(own.facts.format).toBe("inspect")
    expect(estimateOf(own, "accuracy")).toBe(0.5)
  })
})

test("a list of probabilities, a record of them and what a table spells are all read", async () => {
  const entries =
    "    item = id\n    labels { A, B }\n    gold = key\n    a0: option = best\n    a0.p = probs"
  const rows = [
    { id: 1, key: "A", best: "A", probs: [0.5, 0.25] },
    { id: 2, key: "A", best: "B", probs: { B: 0.6, A: 0.2 } },
  ]
  const own = await scored(
    folder,
    spec(entries, ["sure", "massive"]),
    "lists.jsonl",
    rows.map((row) => JSON.stringify(row)).join("\n"),
  )
  expect(estimateOf(own, "sure")).toBeCloseTo((2 / 3 + 0.75) / 2, 12)
  expect(estimateOf(own, "massive")).toBeCloseTo((0.75 + 0.8) / 2, 12)
  const spelt = await scored(
    folder,
    spec(entries, ["sure"]),
    "spelt.csv",
    'id,key,best,probs\n1,A,A,"[0.5, 0.25]"\n',
  )
  expect(estimateOf(spelt, "sure")).toBeCloseTo(2 / 3, 12)
})

test("answers a1, a2, ... of one kind are a list, as those of a repeated turn", async () => {
  const steps = `
metric turn(first = a0, steps = a) {
  mean first_change(first, steps)
  interval bootstrap 95
}
metric flips(first = a0, steps = a) {
  mean changes(first, steps)
  interval bootstrap 95
}
experiment stepped {
  records {
    item = id
    labels { A, B }
    a0 = t0
    a1 = t1
    a2 = t2
    a3 = t3
  }
  measure turn
  measure flips
}
`
  const own = await scored(folder, steps, "steps.csv", "id,t0,t1,t2,t3\n1,A,A,B,A\n2,A,B,B,B\n3,A,A,A,A\n")
  expect(estimateOf(own, "turn")).toBe(1.5)
  expect(estimateOf(own, "flips")).toBe(1)
})
