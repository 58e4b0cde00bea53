import { describe, expect, it } from "vitest"
import { at, plain, read, seen } from "./support.ts"

const labelled = { ...plain, labels: at("labels") }

describe("what is wrong with rows", () => {
  it("reports every problem of a file in one pass, each at its cell", () => {
    const text = `- {id: a, question: q, options: [x, y], gold: C}
- {id: a, question: q, options: [x, y], gold: A}
- {id: b, question: q, options: [x, y, x], gold: A}
- {id: c, question: q, options: [x], gold: A}
- {id: d, options: [x, y], gold: A}
- {id: [e], question: 5, options: x, gold: }
- {id: f, question: "", options: [x, [y]], gold: A}
- just a text
- {id: g, question: q, options: [x, y], gold: y}`
    expect(seen("p.yaml", text)).toEqual([
      "gold_not_a_label: C",
      "duplicate_id: a",
      "equal_options: x",
      "too_few_options: [x]",
      "missing_field: {id: d, options: [x, y], gold: A}",
      "wrong_type: [e]",
      "wrong_type: 5",
      "wrong_type: x",
      expect.stringMatching(/^missing_field: /),
      'empty_text: ""',
      "wrong_type: [y]",
      "not_a_row: just a text",
    ])
    expect(read("p.yaml", text).items.map(({ id, gold }) => [id, gold])).toEqual([["g", 1]])
  })
  it("tells what it found and what it takes", () => {
    const text = `{"id": true, "question": null, "options": "x, y", "gold": {"is": "A"}}\n{"id": "b", "question": "q", "options": ["x", "y"], "gold": "A"}`
    expect(read("p.jsonl", text).problems).toMatchObject([
      { kind: "wrong_type", field: "id", expected: "a text or a number", found: "a truth value" },
      { kind: "missing_field", field: "question", column: "question" },
      { kind: "wrong_type", field: "options", expected: "a list of texts", found: "a text" },
      { kind: "wrong_type", field: "gold", expected: "a label", found: "a record" },
    ])
  })
  it("names the first of two equal ids and the places of two equal options", () => {
    const text = `{"id": 1, "question": "q", "options": ["x", "y"], "gold": "A"}\n{"id": "1", "question": "q", "options": ["z", "y", "y"], "gold": "A"}`
    const [duplicate, equal] = read("p.jsonl", text).problems
    expect(duplicate).toMatchObject({ kind: "duplicate_id", id: "1", first: { span: { start: 7, end: 8 } } })
    expect(equal).toMatchObject({ kind: "equal_options", option: "y", first: 2, second: 3 })
  })
  it("checks labels of the file's own", () => {
    const row = (labels: string, gold: string): string =>
      `- {id: 1, question: q, options: [x, y], labels: ${labels}, gold: ${gold}}`
    expect(read("p.yaml", row("[1, 2]", "2"), labelled).items).toMatchObject([
      { labels: ["1", "2"], gold: 1 },
    ])
    expect(seen("p.yaml", row("[1, 1]", "1"), labelled)).toEqual(["duplicate_label: 1"])
    expect(seen("p.yaml", row("[1, 2, 3]", "1"), labelled)).toEqual(["label_count: [1, 2, 3]"])
    expect(seen("p.yaml", row("[1, 2]", "3"), labelled)).toEqual(["gold_not_a_label: 3"])
    expect(seen("p.yaml", row("[1, '']", "1"), labelled)).toEqual(["empty_text: ''"])
  })
  it("takes a gold that is an option's text, but a label before it", () => {
    const row = (gold: string): string => `- {id: 1, question: q, options: [B, C], gold: ${gold}}`
    expect(read("p.yaml", row("C")).items).toMatchObject([{ gold: 1 }])
    expect(read("p.yaml", row("B")).items).toMatchObject([{ gold: 1 }])
  })
  it("needs labels where the letters do not reach", () => {
    const text = JSON.stringify({
      id: 1,
      question: "q",
      options: Array.from({ length: 27 }, (_, n) => `o${n}`),
      gold: "A",
    })
    expect(read("p.jsonl", text).problems).toMatchObject([{ kind: "no_label_left", options: 27 }])
  })
  it("numbers the rows where no column is an id", () => {
    const { id: _, ...fields } = plain
    const text = `- {question: q, options: [x, y], gold: A}\n- {question: q, options: [x, y], gold: B}`
    expect(read("p.yaml", text, fields).items.map(({ id }) => id)).toEqual(["1", "2"])
  })
})

describe("what is wrong with a file", () => {
  it("reports a column that no row has once, with the columns there are", () => {
    const fields = { ...plain, gold: at("answer.key") }
    const text = `{"id": 1, "question": "q", "options": ["x", "y"], "answer": {"label": "A"}}\n{"id": 2, "question": "q", "options": ["x"]}`
    expect(read("p.jsonl", text, fields).problems).toMatchObject([
      {
        kind: "missing_column",
        field: "gold",
        column: "answer.key",
        known: ["id", "question", "options", "answer", "answer.label"],
      },
      { kind: "too_few_options" },
    ])
    expect(read("p.jsonl", text, fields).items).toEqual([])
  })
  it("reports an empty pool in every format", () => {
    const empty = {
      "p.yaml": ["", "# nothing\n", "[]", "---\n"],
      "p.jsonl": ["", "\n\n"],
      "p.csv": ["", "id,question,options,gold\n"],
    }
    for (const [name, texts] of Object.entries(empty)) {
      for (const text of texts) expect(read(name, text).problems).toMatchObject([{ kind: "empty_pool" }])
    }
  })
  it("never throws, whatever the text", () => {
    const bits = [
      "- ",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"',
      "'",
      "\n",
      "&a",
      "*a",
      "|",
      "\t",
      "#",
      "!!x",
      "?",
      "%",
      "\u0000",
      "a",
    ]
    let state = 1
    const next = (): string => {
      state = (state * 48271) % 2147483647
      return bits[state % bits.length] as string
    }
    for (let run = 0; run < 600; run += 1) {
      const text = Array.from({ length: 1 + (run % 25) }, next).join("")
      for (const name of ["p.yaml", "p.jsonl", "p.csv"]) {
        for (const { span } of read(name, text).problems) {
          expect(span.start).toBeGreaterThanOrEqual(0)
          expect(span.end).toBeLessThanOrEqual(text.length + 1)
        }
      }
    }
  })
})
