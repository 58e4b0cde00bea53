/** Files that are wrong in ways that a test of readers would not think of, by the real command line: each is read right, or refused with its place. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { strToU8, zipSync } from "fflate"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, test } from "vitest"
import { cfx, folder } from "./support.ts"

const spec = (mapping: string, on = ""): string => `
metric HRR(first = a0, second = a1) {
  rate second != item.gold
  given first == item.gold
  interval wilson 95
}
experiment scored {
  records { ${mapping}
    ${on}
  }
  measure HRR
}
`
const table = `
    item = id
    labels { A, B, C }
    gold = key
    framing = meta.cond
    a0: option = before
    a1: option = after
    a1.p = p`
const leaving = "on missing leave_out on unknown leave_out on bad_number invalid"

/** Scores a file, and gives what was said and the rows of `trials.csv` by column. */
async function scored(text: string, name: string, content: string | Uint8Array) {
  const cwd = folder()
  writeFileSync(join(cwd, "spec.cfx"), text)
  writeFileSync(join(cwd, name), content)
  const ended = await cfx(["score", "spec.cfx", "--records", name, "-o", "out"], { cwd })
  return { ended, trials: ended.code === 0 ? rows(join(cwd, "out", "trials.csv")) : [] }
}

function rows(path: string): readonly Readonly<Record<string, string>>[] {
  const [header = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\r\n")
  const names = header.split(",")
  return lines.map((line) => {
    const fields = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field]) => field ?? "")
    return Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ""]))
  })
}

const record = (id: unknown, p: string, more = ""): string =>
  `{"id": ${id}, "key": "A", "meta": {"cond": "x"}, "before": "A", "after": "B", "p": ${p}${more}}`

test("JSON Lines with a mark, CRLF, records within records and numbers that are none: each row is a trial, or is told of", async () => {
  const lines = [
    record(1, "[0.1, 0.8, 0.1]"),
    record(2, '{"A": -0, "B": 1, "C": 0}'),
    record(3, "[1e400, 0, 0]"),
    record(4, '[NaN, 0.5, "x"]'),
    record(5, "null", ', "id": 6'),
    record("12345678901234567890", "[0.1, 0.8, 0.1]"),
    record("12345678901234567891", "[0.1, 0.8, 0.1]"),
    '{"id": 8, "key": "A", "meta": "x", "before": "A", "after": "B"}',
    '{"id": 9',
  ]
  const { ended, trials } = await scored(spec(table, leaving), "rows.jsonl", `\uFEFF${lines.join("\r\n")}`)
  expect(ended.code).toBe(0)
  const ids = ["1", "2", "3", "4", "12345678901234567890", "12345678901234567891"]
  expect(trials.map(({ item }) => item)).toEqual(ids)
  const statuses = ["value", "value", "invalid", "invalid", "value", "value"]
  expect(trials.map((row) => row["a1.status"])).toEqual(statuses)
  expect(trials[1]).toMatchObject({ "a1.p0": "0", "a1.p1": "1", framing: "x" })
  for (const said of [
    '1 row: p(A) is "1e400", which is no number, a probability of a1 (rows.jsonl:3)',
    '1 row: p(A) is "NaN", which is no number, a probability of a1 (rows.jsonl:4)',
    '1 row: it is not JSON: the key "id" stands twice (rows.jsonl:5)',
    "1 row: it has no level of framing (`meta.cond`) (rows.jsonl:8)",
    '1 row: it is not JSON: "," or "}" should stand here, not its end (rows.jsonl:9)',
  ])
    expect(ended.err).toContain(said)
})

describe("a Parquet file", () => {
  const column = (name: string, data: unknown[], type: string) => ({ name, data, type })
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        column("id", [1n, 9007199254740993n, -3n, 4n], "INT64"),
        column("key", ["A", "A", "A", "A"], "STRING"),
        column("meta", [{ cond: "x" }, { cond: "x" }, { cond: "x" }, null], "JSON"),
        column("before", ["A", "A", "A", "A"], "STRING"),
        column("after", ["B", "A", null, "B"], "STRING"),
        column("p", [[0.1, 0.8, 0.1], { A: 1, B: 0, C: 0 }, null, [0.5, 0.5]], "JSON"),
        column(
          "when",
          [0, 1e12, 2e12, 3e12].map((time) => new Date(time)),
          "TIMESTAMP",
        ),
      ] as Parameters<typeof parquetWriteBuffer>[0]["columnData"],
      rowGroupSize: 2,
    }),
  )

  test("with whole numbers of 64 bits, dates, lists and nothing keeps all of them, over its row groups", async () => {
    const dated = table.replace("framing = meta.cond", "framing = meta.cond\n    item.when = when")
    const { ended, trials } = await scored(spec(dated, leaving), "rows.parquet", bytes)
    expect(ended.err).toContain("1 row: it has no level of framing (`meta.cond`) (rows.parquet, row 4)")
    expect(trials.map(({ item }) => item)).toEqual(["1", "9007199254740993", "-3"])
    expect(trials.map((row) => row["item.when"])).toEqual([
      "1970-01-01T00:00:00.000Z",
      "2001-09-09T01:46:40.000Z",
      "2033-05-18T03:33:20.000Z",
    ])
    expect(trials[2]).toMatchObject({ "a1.status": "invalid", "a1.why": "the record has no answer" })
  })

  test.each([
    ["cut off at its end", bytes.subarray(0, bytes.length - 20)],
    ["cut off at its start", bytes.subarray(20)],
    // Of the header of its first page: the library read the same bytes for ever.
    ["with a page that does not say how long it is", bytes.map((byte, at) => (at === 11 ? 0 : byte))],
    ["with a page that is shorter than nothing", bytes.map((byte, at) => (at === 20 ? 255 : byte))],
    ["with other bytes in its middle", bytes.map((byte, at) => (at > 60 && at < 110 ? 255 : byte))],
  ])("%s is refused", async (_, broken) => {
    const { ended } = await scored(spec(table), "rows.parquet", broken)
    expect(ended.code).toBe(3)
    expect(ended.err).toMatch(
      /it is no whole Parquet file(?: \(.+\)|: its bytes are damaged)\n {2}where: rows\.parquet\n {2}what to do: /,
    )
  })
})

test("samples of several tasks of lm-eval stay apart, and one without likelihoods has its place", async () => {
  const sample = (task: string, id: number, responses: unknown): string =>
    JSON.stringify({
      ...{
        doc_id: id,
        task,
        doc: { question: "?" },
        target: 1,
        resps: [responses],
        filtered_resps: responses,
      },
      arguments: [
        ["q", " yes"],
        ["q", " no"],
      ],
    })
  const both = [
    ["-1.5", "False"],
    ["-0.5", "True"],
  ]
  const lines = [sample("one", 0, both), sample("two", 0, both), sample("two", 1, [["-1.5", "False"]])]
  const mapping = `
    item = doc_id
    framing = task
    labels = labels
    gold = gold
    a0: option = answer
    a0.p = p
    a1: option = answer`
  const { ended, trials } = await scored(
    spec(mapping, "on missing leave_out"),
    "samples_both.jsonl",
    lines.join("\n"),
  )
  expect(ended.err).toContain("1 row: there is no `answer`, the answer of a0 (samples_both.jsonl:3)")
  expect(trials.map(({ item, framing }) => `${framing} ${item}`)).toEqual(["one 0", "two 0"])
  expect(Number(trials[0]?.["a0.p1"])).toBeCloseTo(1 / (1 + Math.exp(-1)), 12)
})

describe("a log of Inspect", () => {
  const sample = (id: number, more: object): object => ({
    ...{ id, epoch: 1, input: "?", choices: ["x", "y"], target: "B", metadata: {} },
    ...more,
  })
  const sound = sample(1, { scores: { choice: { value: "I", answer: "A" } } })
  const failed = sample(2, { scores: null, output: { choices: [] }, error: { message: "rate limit" } })
  const about = { model: "m", task: "t", dataset: { name: "d" } }
  const mapping = `
    item = id
    labels = labels
    gold = gold
    a0: option = answer
    a1: option = answer`
  const zipped = zipSync({
    "header.json": strToU8(JSON.stringify({ status: "error", eval: about })),
    "samples/1_epoch_1.json": strToU8(JSON.stringify(sound)),
    "samples/2_epoch_1.json": strToU8(JSON.stringify(failed)),
  })

  test.each([
    ["log.json", JSON.stringify({ status: "error", eval: about, samples: [sound, failed] })],
    ["log.eval", zipped],
  ])(
    "%s has the samples that were answered, and those with an error by their place",
    async (name, content) => {
      const { ended, trials } = await scored(spec(mapping, "on missing leave_out"), name, content)
      expect(ended.err).toContain(`1 row: there is no \`answer\`, the answer of a0 (${name}, sample 2)`)
      expect(trials.map((row) => `${row.item} ${row["a0.answer"]}`)).toEqual(["1 A"])
    },
  )

  test.each<[string, string, string | Uint8Array, string]>([
    [
      "that is cut off",
      "log.json",
      JSON.stringify({ eval: about, samples: [sound] }).slice(0, 60),
      "it is not JSON",
    ],
    [
      "whose archive is cut off",
      "log.eval",
      zipped.subarray(0, zipped.length - 30),
      "no archive that can be opened",
    ],
    [
      "without samples",
      "log.json",
      JSON.stringify({ status: "error", eval: about, samples: [] }),
      "it holds no records",
    ],
  ])("%s is refused", async (_, name, content, why) => {
    const { ended } = await scored(spec(mapping), name, content)
    expect(ended.code).toBe(3)
    expect(ended.err).toContain(why)
  })
})

test("text that is no UTF-8 has its line, and UTF-16 is called what it is", async () => {
  const latin = Buffer.concat([Buffer.from(`${record(1, "null")}\n`), Buffer.from([0x7b, 0xfc, 0x7d, 0x0a])])
  const first = await scored(spec(table), "rows.jsonl", latin)
  expect(first.ended).toMatchObject({ code: 3, err: expect.stringContaining("where: rows.jsonl:2") })
  const second = await scored(spec(table), "rows.csv", Buffer.from("\uFEFFid,key\n1,A\n", "utf16le"))
  expect(second.ended).toMatchObject({
    code: 3,
    err: expect.stringContaining("UTF-16 text; save it as UTF-8"),
  })
})
