/** Files that are wrong: each mistake has its place, is counted, and nothing is lost in silence. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, test } from "vitest"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { openRecords } from "../../runtime/records/open.ts"
import { UnfinishedMapping } from "../../runtime/records/plannedPlaces.ts"
import { UnfitMapping } from "../../runtime/records/score.ts"
import { recordsJson, recordsParts } from "../../runtime/records/words.ts"
import { temporary } from "../run/temporary.ts"
import { estimateOf, found, HRR, scored, specOf } from "./support.ts"

const folder = temporary()

const alone = (more = ""): string => `${HRR}
experiment scored {
  records {
    item = id
    labels { A, B, C }
    gold = key
    framing = cond { none = "nobody", experts = "expert" }
    a0: option = before
    a1: option = after
    a1.p(A) = pa
    a1.p(B) = pb
    a1.p(C) = pc
    ${more}
  }
  measure HRR
  table main { rows framing columns HRR }
}
`

const header = "id,cond,key,before,after,pa,pb,pc"
const csv = (...rows: readonly string[]): string => [header, ...rows].join("\n")
const sound = ["q1,nobody,A,A,A,0.6,0.3,0.1", "q1,expert,A,A,B,0.1,0.9,0"]

/** A row that is wrong, what is said of it, and what becomes of it. */
const wrong: readonly (readonly [what: string, row: string, said: string, trials: number])[] = [
  [
    "a label that is no option",
    "q2,expert,A,A,E,,,",
    'no_option (invalid): a1 says "E", which is none of A, B, C',
    3,
  ],
  [
    "a level that nobody declared",
    "q2,guru,A,A,B,,,",
    'unknown (stop): "guru" stands for no level of framing (there are nobody, expert)',
    2,
  ],
  ["no item", ",expert,A,A,B,,,", "missing (stop): it has no item (`id`)", 2],
  ["no gold answer", "q2,expert,,A,B,,,", "missing (stop): it has no gold answer", 2],
  [
    "a gold answer that is no option",
    "q2,expert,Z,A,B,,,",
    'unknown (stop): the gold answer "Z" is none of A, B, C',
    2,
  ],
  [
    "a probability that is NaN",
    "q2,expert,A,A,B,nan,0.5,0.5",
    'bad_number (stop): p(A) is "nan", which is no number, a probability of a1',
    2,
  ],
  [
    "a probability below 0",
    "q2,expert,A,A,B,-0.5,0.5,0.5",
    "bad_number (stop): p(A) of a1 is -0.5, and not from 0 to 1",
    2,
  ],
  ["percentages", "q2,expert,A,A,B,1,0.5,0.5", "bad_number (stop): the probabilities of a1 sum to 2", 2],
  [
    "probabilities that are all 0",
    "q2,expert,A,A,B,0,0,0",
    "bad_number (stop): the probabilities of a1 are all 0",
    2,
  ],
  [
    "a trial that was there",
    "q1,expert,A,A,C,,,",
    "duplicate (stop): another row is of the same trial (the same item, model and levels)",
    2,
  ],
  ["too few fields", "q2,expert", "unreadable (stop): this row has 2 fields and the header has 8", 2],
  [
    "a quote in the middle",
    'q2,expert,A,A,B"B,,,',
    "unreadable (stop): a field that holds a quote must stand in quotes, its quotes doubled",
    2,
  ],
  [
    "an answer that is not the most probable",
    "q2,expert,A,A,B,0.9,0.1,0",
    "answer (keep): a1 is not the label with the highest probability: the answer counts",
    3,
  ],
]

describe("a row with", () => {
  test.each(wrong)("%s is told of with its place and counted", async (_, row, said, trials) => {
    const own = await scored(folder, alone(), "wrong.csv", csv(...sound, row))
    expect(found(own)).toContain(`1 ${said}`)
    const finding = own.facts.findings.find(({ what }) => said.endsWith(what))
    expect(finding?.places).toEqual(["wrong.csv:4"])
    expect(own.facts).toMatchObject({ rows: 3, trials })
  })

  test("an empty answer is an invalid read, and one trial more", async () => {
    const own = await scored(folder, alone(), "empty.csv", csv(...sound, "q2,expert,A,A,,,,"))
    expect(found(own)).toEqual([])
    expect(own.table.columns().get("a1.status")?.at(2)).toBe("invalid")
    expect(own.table.columns().get("a1.why")?.at(2)).toBe("the record has no answer")
  })

  test("no level of a factor lacks it, as a baseline does", async () => {
    const own = await scored(folder, alone(), "lacking.csv", csv(...sound, "q1,,A,A,C,,,"))
    expect(found(own)).toEqual([])
    expect(own.experiment.cells.map(({ levels }) => levels.framing)).toEqual([undefined, "none", "experts"])
  })
})

describe("a declared policy", () => {
  const rows = csv(
    ...sound,
    "q1,expert,A,A,A,,,",
    "q2,nobody,A,A,E,,,",
    "q2,expert,A,A,B,9,0,0",
    "q3,guru,A,A,A,,,",
  )

  test("says of rows of one trial which counts", async () => {
    const rest = "on unknown leave_out on bad_number invalid"
    const first = await scored(folder, alone(`${rest} on duplicate first`), "first.csv", rows)
    const last = await scored(folder, alone(`${rest} on duplicate last`), "last.csv", rows)
    expect(estimateOf(first, "HRR", { framing: "experts" })).toBe(1)
    expect(estimateOf(last, "HRR", { framing: "experts" })).toBe(0)
    expect(last.facts.findings.find(({ problem }) => problem === "duplicate")).toMatchObject({
      policy: "last",
      count: 1,
      places: ["last.csv:3"],
    })
  })

  test("leaves rows out, and counts them in the report and in results.json", async () => {
    const text = alone(
      "on duplicate first on unknown leave_out on bad_number leave_out on no_option leave_out",
    )
    const own = await scored(folder, text, "left.csv", rows)
    expect(own.facts.trials).toBe(2)
    const [line] = recordsJson([own.facts])
    expect(JSON.parse(line ?? "")).toMatchObject({
      kind: "records",
      rows: 6,
      trials: 2,
      findings: [
        { problem: "duplicate", policy: "first", count: 1, places: ["left.csv:4"] },
        { problem: "no_option", policy: "leave_out", count: 1, places: ["left.csv:5"] },
        { problem: "bad_number", policy: "leave_out", count: 1, places: ["left.csv:6"] },
        { problem: "unknown", policy: "leave_out", count: 1, places: ["left.csv:7"] },
      ],
    })
    const words = recordsParts([own.facts]).flatMap((part) => part.words)
    expect(words.join("\n")).toContain(
      "stands for no level of framing (there are nobody, expert) (left.csv:7): left out, as the spec says.",
    )
  })
})

test("cells that are not balanced are named, with what they lack", async () => {
  const own = await scored(
    folder,
    alone(),
    "unbalanced.csv",
    csv(...sound, "q2,nobody,A,A,A,,,", "q3,nobody,A,A,A,,,"),
  )
  expect(own.facts.missing).toEqual({
    count: 2,
    of: 6,
    cells: [
      { model: "records", pool: "records", levels: { arm: "all", framing: "experts" }, missing: 2, of: 3 },
    ],
  })
})

test("a byte order mark, CRLF, quoted line breaks and blank lines are no matter", async () => {
  const text = `\uFEFF${header}\r\n\r\n"q""1\r\n",nobody,A,A,A,,,\r\nq2,nobody,A,A,D,,,`
  const own = await scored(folder, alone(), "marked.csv", text)
  expect(own.facts.trials).toBe(2)
  // The line on which the row starts, though a row before it takes two.
  expect(own.facts.findings[0]?.places).toEqual(["marked.csv:5"])
  expect(own.table.columns().get("item")?.at(0)).toBe('q"1\r\n')
})

test("NaN that Python wrote into JSON is a number that is none, and what is no JSON has its line", async () => {
  const text = alone("on bad_number invalid on missing leave_out").replace(
    /a1\.p[\s\S]*?a1\.p\(C\) = pc/,
    "a1.p = probs",
  )
  const lines = [
    '{"id": 1, "key": "A", "before": "A", "after": "B", "cond": "nobody", "probs": {"A": NaN, "B": 0.5}}',
    '{"id": 2, "key": "A"',
    "[1]",
    '{"id": 3, "key": "A", "before": "A", "after": "A", "cond": "nobody", "probs": [1, 2]}',
    '{"id": 4, "key": "A", "before": "A", "after": "A", "cond": "nobody", "probs": null}',
  ]
  const own = await scored(folder, text, "nan.jsonl", lines.join("\n"))
  expect(own.facts.findings.map(({ problem, places, what }) => `${places} ${problem}: ${what}`)).toEqual([
    'nan.jsonl:1 bad_number: p(A) is "NaN", which is no number, a probability of a1',
    expect.stringMatching(/^nan\.jsonl:2 unreadable: it is not JSON: /),
    "nan.jsonl:3 unreadable: it is no record",
    "nan.jsonl:4 bad_number: a list of 2 stands where there are 3 labels, a probability of a1",
  ])
  expect(own.facts).toMatchObject({ rows: 5, trials: 3 })
})

test("NaN that Python wrote for nothing is no level, no item and no answer, and a text that says so is one", async () => {
  const row = (id: unknown, cond: unknown) =>
    `{"id": ${id}, "key": "A", "before": "A", "after": "B", "cond": ${cond}}`
  const lines = [row('"q1"', '"nobody"'), row('"q2"', "NaN"), row("NaN", '"nobody"'), row('"q3"', '"NaN"')]
  const probabilities = /a1\.p[\s\S]*?a1\.p\(C\) = pc/
  const own = await scored(
    folder,
    alone("on missing leave_out").replace(probabilities, ""),
    "none.jsonl",
    lines.join("\n"),
  )
  const column = (name: string) =>
    Array.from({ length: own.table.rows }, (_, row) => own.table.columns().get(name)?.at(row))
  expect(column("item")).toEqual(["q1", "q2"])
  expect(own.facts.findings.map(({ problem, places, what }) => `${places} ${problem}: ${what}`)).toEqual([
    "none.jsonl:3 missing: it has no item (`id`)",
    'none.jsonl:4 unknown: "NaN" stands for no level of framing (there are nobody, expert)',
  ])
  expect(column("framing")).toEqual(["none", null])
})

describe("a file that cannot be read is the environment's failure", () => {
  const parquet = new Uint8Array(
    parquetWriteBuffer({ columnData: [{ name: "id", data: ["a", "b"], type: "STRING" }] }),
  )
  test.each([
    ["an empty file", "empty.csv", "", "it is empty"],
    ["a header alone", "header.csv", header, "it holds no records"],
    ["a header with one name twice", "twice.csv", "id,id\n1,2\n", 'in its header two columns are named "id"'],
    [
      "bytes that are no text",
      "bytes.csv",
      new Uint8Array([0x69, 0x64, 0x0a, 0xff, 0xfe]),
      "it is not UTF-8 text",
    ],
    [
      "a Parquet file that was cut off",
      "cut.parquet",
      parquet.subarray(0, parquet.length - 9),
      "it is no whole Parquet file",
    ],
    [
      "a Parquet file without its middle",
      "holed.parquet",
      new Uint8Array([...parquet.subarray(0, 8), ...parquet.subarray(-60)]),
      "it is no whole Parquet file",
    ],
    [
      "an archive that is none",
      "log.eval",
      "PK\u0003\u0004 and no more",
      "it is no archive that can be opened",
    ],
    ["JSON that ends too soon", "log.json", '{"eval": {', "it is not JSON"],
    ["JSON that is no list", "one.json", '{"a": 1}', "it is neither a list of records nor a log"],
    ["a name without a format", "answers.dat", "id\n1\n", "the ending of its name says no format"],
  ])("%s", async (_, name, content, why) => {
    writeFileSync(join(folder, name), content)
    const failure = await openRecords(join(folder, name), name, undefined).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(EnvironmentFailure)
    expect((failure as EnvironmentFailure).what).toContain(why)
    expect((failure as EnvironmentFailure).where).toContain(name)
  })

  test("a pipe or a device, before anything is read of it", async () => {
    await expect(openRecords("/dev/null", "/dev/null", undefined)).rejects.toMatchObject({
      what: "the records cannot be read: it is a pipe or device; records are read more than once: save them to a file",
    })
  })

  test("a file that is not there", async () => {
    await expect(openRecords(join(folder, "nowhere.csv"), "nowhere.csv", undefined)).rejects.toMatchObject({
      what: "the records cannot be read: no such file",
    })
  })
})

describe("a mapping that does not fit", () => {
  test("names each column that no row has, and what was meant", async () => {
    const text = csv(...sound)
      .replace("before", "befor")
      .replace("cond", "c")
    const failure = await scored(folder, alone(), "columns.csv", text).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnfitMapping)
    expect((failure as UnfitMapping).lines).toEqual([
      "columns.csv: no row has the column `cond`, to which framing of experiment scored is mapped; its columns are id, c, key, befor, after, pa, pb, pc",
      "columns.csv: no row has the column `before`, to which a0 of experiment scored is mapped; did you mean `befor`?",
    ])
  })
})

describe("records of a design that could be run", () => {
  const pool = [
    '{"id": "q1", "question": "One?", "options": ["yes", "no"], "gold": "A"}',
    '{"id": "q2", "question": "Two?", "options": ["yes", "no"], "gold": "B"}',
  ].join("\n")
  const planned = (records: string, models = "m"): string => `${HRR}
import { plain_reask, length_control } from "std/baselines"
import { arbitration } from "std/protocols"
${models
  .split(", ")
  .map((name) => `model ${name} = gguf "${name}.gguf"`)
  .join("\n")}
items pool = "pool.jsonl" {
  id = id
  question = question
  options = options
  gold = gold
}
experiment asked {
  protocol arbitration
  models { ${models} }
  items { pool }
  seed 0
  arms {
    reask = plain_reask
    length = length_control
  }
  records {
    ${records}
  }
  measure HRR
  table main { rows arm columns HRR }
}
`
  const mapping = "item = id arm = arm gold = key a0 = before a1 = after"
  const of = (text: string) => specOf(text, { "pool.jsonl": pool })

  test("have options and gold answers by the item's id: labels and texts of options are understood", async () => {
    const text = "id,arm,key,before,after\nq1,reask,A,A,no\nq2,reask,A,B,b\nq1,length,A,yes,A\n"
    const own = await scored(folder, of(planned(mapping)), "asked.csv", text)
    expect(estimateOf(own, "HRR", { arm: "reask" })).toBe(0.5)
    expect(found(own)).toEqual(["1 gold (keep): the record's gold answer is not the pool's, which counts"])
    expect(own.facts.missing).toEqual({
      count: 1,
      of: 4,
      cells: [{ model: "m", pool: "pool", levels: { arm: "length" }, missing: 1, of: 2 }],
    })
  })

  test("have rows beyond the plan counted", async () => {
    const text = "id,arm,key,before,after\nq1,reask,A,A,A\nq9,reask,A,A,A\nq1,pressure,A,A,A\n"
    const own = await scored(folder, of(planned(mapping)), "beyond.csv", text)
    expect(found(own)).toEqual([
      "1 unknown (stop): its item is none of those that the design asks about",
      "1 unknown (stop): no cell of the design has arm = pressure",
    ])
  })

  test("that do not say of which cell or model a row is are refused", async () => {
    const rows = "id,key,before,after\nq1,A,A,A\n"
    const short = mapping.replace("arm = arm", "")
    await expect(scored(folder, of(planned(short)), "cells.csv", rows)).rejects.toThrow(UnfinishedMapping)
    await expect(
      scored(folder, of(planned(mapping, "m, n")), "models.csv", "id,arm,key,before,after\nq1,reask,A,A,A\n"),
    ).rejects.toThrow(/map `model`/)
  })
})

test("what stands in a file is data: names that a program could trip over, and formulas, stay texts", async () => {
  const rows = csv("__proto__,nobody,A,A,B,,,", "constructor,expert,A,A,A,,,", '"=cmd|x",nobody,A,A,A,,,')
  const own = await scored(folder, alone(), "proto.csv", rows)
  expect(own.facts.trials).toBe(3)
  const item = own.table.columns().get("item")
  expect([0, 1, 2].map((row) => item?.at(row))).toEqual(["__proto__", "constructor", "=cmd|x"])
})

test("a quote that is never closed says how many lines it takes with it", async () => {
  const text = csv(...sound, '"q2,nobody,A,A,A,,,', ...sound, ...sound)
  const own = await scored(folder, alone("on missing leave_out"), "open.csv", text)
  expect(own.facts.findings.map(({ problem, what, places }) => `${places} ${problem}: ${what}`)).toEqual([
    "open.csv:4 unreadable: this quote is not closed, and what stands in it takes 5 lines, which are one row to CSV",
  ])
})

describe("samples of lm-eval", () => {
  const spec = `${HRR}
experiment scored {
  records {
    item = doc_id
    labels = labels
    gold = gold
    a0: option = answer
    a0.p = p
    a1: option = answer
    on missing leave_out
  }
  measure HRR
}
`
  const sample = (id: number, responses: object): string =>
    JSON.stringify({
      doc_id: id,
      doc: {},
      target: "0",
      arguments: [
        ["x", " A"],
        ["x", " B"],
      ],
      ...responses,
    })
  const sound = {
    filtered_resps: [
      ["-1.0", false],
      ["-2.0", false],
    ],
  }

  test.each<[string, object]>([
    ["no responses", {}],
    ["null for them", { resps: null, filtered_resps: null }],
    ["none in their list", { resps: [], filtered_resps: [] }],
    ["one of two", { filtered_resps: [["-1.0", false]] }],
    [
      "a likelihood that is no number",
      {
        filtered_resps: [
          ["nan", false],
          ["-2.0", false],
        ],
      },
    ],
  ])("with %s lack the answer and nothing else, the first row too", async (_, responses) => {
    const text = [sample(0, responses), sample(1, sound)].join("\n")
    const own = await scored(folder, spec, "samples_task.jsonl", text)
    expect(own.facts.format).toBe("lm_eval")
    expect(own.facts.findings).toEqual([
      expect.objectContaining({
        problem: "missing",
        what: "there is no `answer`, the answer of a0",
        places: ["samples_task.jsonl:1"],
      }),
      expect.objectContaining({ what: "there is no `answer`, the answer of a1" }),
    ])
    expect(own.facts.trials).toBe(1)
  })
})
