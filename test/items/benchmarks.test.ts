/** The declarations of `specs/data` on invented files in the shapes of the benchmarks: those of their authors and those of the hub. */
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { diskFiles } from "../../runtime/disk/files.ts"

const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "")
const files = diskFiles({ here: root, stdlib: `${root}/stdlib` })

/** A pool of `specs/data`, read from a file or folder of `shapes`, or not at hand. */
const pool = (spec: string, name: string, shape?: string) => {
  const given = shape === undefined ? {} : { items: { [name]: `${root}/test/items/shapes/${shape}` } }
  const { items, absent, diagnostics } = compile(`${root}/specs/data/${spec}.cfx`, files, given)
  return {
    items: items.get(name) ?? [],
    absent: absent.get(name),
    errors: diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message),
    notes: diagnostics
      .filter(({ severity }) => severity === "note")
      .map(({ code, message }) => `${code} ${message}`),
  }
}

describe.each([
  ["mmlu", "mmlu"],
  ["arc", "arc"],
  ["truthfulqa", "truthfulqa"],
  ["mmlu_pro", "mmlu_pro"],
  ["bbh", "bbh_geometric"],
  ["bbh", "bbh_logical"],
  ["bbh", "bbh_temporal"],
  ["bbh", "bbh_tracking"],
])("%s.cfx", (spec, name) => {
  it(`declares ${name}, whose data are not at hand`, () => {
    const { absent, errors, items } = pool(spec, name)
    expect([errors, items]).toEqual([[], []])
    expect(absent?.why).toMatch(/^its data are on a hub \(hf:\/\/datasets\/[^ ]+@unlocked#[^ ]+\)$/)
  })
})

describe("MMLU", () => {
  it("is a folder of tables without headers, a subject each", () => {
    const { items, errors, notes } = pool("mmlu", "mmlu", "mmlu")
    expect(errors).toEqual([])
    expect(items.map(({ id, gold, columns }) => [id, gold, columns.subject])).toEqual([
      ["botany_test:1", 1, "botany"],
      ["botany_test:2", 1, "botany"],
      ["carpentry_test:1", 1, "carpentry"],
      ["carpentry_test:2", 3, "carpentry"],
      ["carpentry_test:3", 0, "carpentry"],
      ["cooking_test:1", 0, "cooking"],
    ])
    expect(items[0]?.options).toEqual(["petiole", "frond", "root", "bark, inner"])
    expect(items[1]?.question).toBe('What grows, "slowly", on stones?')
    expect(notes).toEqual([
      "CFX3100 `mmlu` is published data and is taken as it is: of its 6 items 1 has two options of the same text. The first is `carpentry_test:2`.",
      "CFX3101 `mmlu` is declared with 14042 rows, and the data at hand have 6.",
      "CFX3101 `mmlu` is declared with 57 values of `subject`, and the data at hand have 3.",
    ])
  })
  it("has choices in a list and the answer's index on the hub", () => {
    const { items, errors } = pool("mmlu", "mmlu", "hub/mmlu.jsonl")
    expect(errors).toEqual([])
    expect(items).toMatchObject([
      {
        id: "1",
        options: ["petiole", "frond", "root", "bark, inner"],
        gold: 1,
        columns: { subject: "botany" },
      },
      { id: "2", gold: 0, columns: { subject: "cooking" } },
    ])
  })
})

describe("ARC", () => {
  it("has its choices within the question, three to five of them, with labels of their own", () => {
    const { items, errors } = pool("arc", "arc", "arc.jsonl")
    expect(errors).toEqual([])
    expect(items.map(({ id, labels, gold }) => `${id} ${labels.join("")} ${gold}`)).toEqual([
      "Toy_1 ABCD 0",
      "Toy_2 1234 2",
      "Toy_3 ABC 0",
      "Toy_4 ABCDE 4",
    ])
  })
  it("is the same on the hub, where the question is a text", () => {
    expect(pool("arc", "arc", "hub/arc.jsonl").items).toEqual(
      pool("arc", "arc", "arc.jsonl").items.slice(0, 2),
    )
  })
})

describe("TruthfulQA", () => {
  it("has the options as keys, whose order is drawn by question", () => {
    const { items, errors, notes } = pool("truthfulqa", "truthfulqa", "truthfulqa.json")
    expect(errors).toEqual([])
    expect(items.map(({ options, gold }) => options[gold])).toEqual([
      "Nothing in particular happens",
      "B",
      "Toy ducks do not sleep",
    ])
    expect(items.map(({ options }) => options.length)).toEqual([4, 2, 3])
    expect(items.map(({ gold }) => gold)).not.toEqual([0, 0, 0])
    expect(notes[0]).toContain("1 has an empty option, which is left out")
  })
  it("has them in lists on the hub", () => {
    const [item] = pool("truthfulqa", "truthfulqa", "hub/truthfulqa.jsonl").items
    expect(item?.options).toHaveLength(4)
    expect(item?.options[item.gold]).toBe("Nothing in particular happens")
  })
})

describe("BIG-Bench Hard", () => {
  it("lists the options in the text, in a file with a canary or without", () => {
    const { items, errors } = pool("bbh", "bbh_logical", "bbh.json")
    expect(errors).toEqual([])
    expect(items).toMatchObject([
      {
        question: "Ann has a hat, Ben has a cup. They exchange them. Ben has a",
        options: ["hat", "cup"],
        labels: ["A", "B"],
        gold: 0,
      },
      { options: ["The lamp is left of the door", "The (red) chair is", "The rug"], gold: 2 },
    ])
    expect(pool("bbh", "bbh_logical", "hub/bbh.jsonl").items).toEqual(items.slice(0, 1))
  })
})

describe("MMLU-Pro", () => {
  it("has up to ten options and a letter", () => {
    const { items, errors } = pool("mmlu_pro", "mmlu_pro", "mmlu_pro.jsonl")
    expect(errors).toEqual([])
    expect(items.map(({ id, gold, columns, labels }) => [id, gold, columns.category, labels.length])).toEqual(
      [
        ["70", 4, "toys", 10],
        ["71", 1, "garden", 3],
      ],
    )
  })
})
