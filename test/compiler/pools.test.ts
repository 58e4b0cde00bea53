import { describe, expect, it } from "vitest"
import type { Compiled } from "../../compiler/compiled.ts"
import { edit } from "./base.ts"
import { asYaml, compileText, briefs as everything, questions } from "./files.ts"

/** What is said about the pools; what a design lacks is no matter here. */
const briefs = (compiled: Compiled): readonly string[] =>
  everything(compiled).filter((brief) => !brief.startsWith("CFX4"))

const withPool = (text: string, ...changes: readonly (readonly [string, string])[]) =>
  withFile("items.yaml", text, ...changes)

const withFile = (name: string, text: string, ...changes: readonly (readonly [string, string])[]) =>
  compileText(edit(["sample 40", ""], ['"items.jsonl"', `"${name}"`], ...changes), {
    "items.yaml": text,
    "items.txt": text,
  })

const sound = asYaml(questions(40))
const mapping = "id = id question = question options = options gold = gold"

describe("the mapping of a pool", () => {
  it("has the fields that each item needs, and columns by other names", () => {
    const found = withPool(sound, [mapping, `${mapping} answer = gold`])
    expect(briefs(found)).toEqual([])
    const items = found.items.get("pool") ?? []
    expect(items.map(({ columns }) => columns.answer)).toEqual(items.map(({ labels, gold }) => labels[gold]))
    expect(briefs(withPool(sound, [mapping, "question = question"]))).toEqual(["CFX3006 pool"])
    expect(briefs(withPool(sound, [mapping, mapping.replace("gold =", "gild =")]))).toEqual(["CFX3005 gild"])
  })

  it("has no column that tables have by themselves", () => {
    expect(briefs(withPool(sound, [mapping, `${mapping} model = gold`]))).toEqual(["CFX3116 model"])
  })

  it("has functions that there are, with their arguments, where they can stand", () => {
    const of = (change: string, from: string) =>
      briefs(withPool(sound, [mapping, mapping.replace(from, change)]))
    expect(of("gold = indx(gold)", "gold = gold")).toEqual(["CFX3102 indx"])
    expect(of("gold = index()", "gold = gold")).toEqual(["CFX3103 index()"])
    expect(of("gold = gold or index(1)", "gold = gold")).toEqual(["CFX3103 index(1)"])
    expect(of('question = before(question, "")', "question = question")).toEqual([
      'CFX3103 before(question, "")',
    ])
    expect(of('question = before(indx(a), "x")', "question = question")).toEqual(["CFX3102 indx"])
    expect(of("question = column(1.5)", "question = question")).toEqual(["CFX3103 column(1.5)"])
    expect(of("question = keys(question)", "question = question")).toEqual(["CFX3104 keys(question)"])
    expect(of("id = first()", "id = id")).toEqual(["CFX3104 first()"])
  })

  it("that takes the first option for gold must put options into another order", () => {
    const first = mapping.replace("gold = gold", "gold = first()")
    expect(briefs(withPool(sound, [mapping, first]))).toEqual(["CFX3117 first()"])
    const shuffled = withPool(sound, [mapping, `${first} shuffle options`])
    expect(briefs(shuffled)).toEqual([])
    const items = shuffled.items.get("pool") ?? []
    expect(items.map(({ options, gold }) => options[gold]?.charAt(0))).toEqual(items.map(() => "a"))
    expect(new Set(items.map(({ gold }) => gold)).size).toBe(3)
  })

  it("names columns that there are", () => {
    const found = withPool(sound, [mapping, mapping.replace("options = options", "options = option")])
    const { diagnostics } = found
    expect(briefs(found)).toEqual(["CFX3008 option"])
    expect(diagnostics[0]?.hint).toBe("Did you mean `options`?")
    expect(diagnostics[0]?.related[0]?.source.name).toBe("items.yaml")
  })
})

describe("columns of a CSV file", () => {
  const csv = (rows: number): string =>
    [
      "Question text,A,B,C,Answer",
      ...Array.from({ length: rows }, (_, n) => `Q${n}?,x${n},y${n},z${n},C`),
    ].join("\n")
  const mapped = (columns: string, text = csv(40)) =>
    compileText(edit(["sample 40", ""], ['"items.jsonl"', '"items.csv"'], [mapping, columns]), {
      "items.csv": text,
    })

  it("may be named in quotation marks, and hold an option each", () => {
    const found = mapped('question = "Question text" options = A, B, "C" gold = Answer')
    expect(briefs(found)).toEqual([])
    expect(found.program?.pools[0]?.fields).toEqual({
      question: [{ kind: "path", path: ["Question text"] }],
      options: { each: ["A", "B", "C"].map((name) => [{ kind: "path", path: [name] }]) },
      gold: [{ kind: "path", path: ["Answer"] }],
      columns: {},
    })
    expect(found.items.get("pool")?.[0]).toMatchObject({ options: ["x0", "y0", "z0"], gold: 2 })
  })

  it("are named where one of them is empty", () => {
    const text = `${csv(40)}\nLast?,x,"",z,C`
    const { diagnostics } = mapped('question = "Question text" options = A, B, C gold = Answer', text)
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "One of the options of this item is empty: there is nothing under `B`.",
    ])
    expect(
      withPool(`${sound}\n- {id: last, question: q, options: [a, ""], gold: A}`).diagnostics,
    ).toMatchObject([{ message: "One of the options of this item is empty." }])
    expect(
      withPool(`${sound}\n- {id: last, question: "", options: [a, b], gold: A}`).diagnostics,
    ).toMatchObject([{ message: "The question of this item is empty." }])
  })

  it("are looked for each", () => {
    const wrong = 'question = "Question" options = A, D gold = Answer'
    expect(briefs(mapped(wrong))).toEqual(['CFX3008 "Question"', "CFX3008 D"])
  })

  it("can be several for options alone, each once, each with a plain name", () => {
    expect(briefs(mapped('question = "Question text", A options = A, B gold = Answer'))).toEqual([
      "CFX3021 A",
    ])
    expect(briefs(mapped('question = "Question text" options = A, A gold = Answer'))[0]).toBe("CFX2003 A")
    expect(briefs(mapped('question = "{x}" options = A, B gold = Answer'))).toEqual(["CFX2105 {x}"])
    expect(briefs(mapped('question = "" options = A, B gold = Answer'))).toEqual(['CFX2116 ""'])
  })

  it("that hold all options in one text say how to write a list", () => {
    const found = mapped('question = "Question text" options = A gold = Answer')
    expect(found.diagnostics.map(({ code, hint }) => `${code} ${hint}`)).toEqual([
      'CFX3010 Write a list such as `["3", "4"]`, in a cell of a CSV file as JSON (there `"[""3"", ""4""]"`), or name a column for each option: `options = A, B, C, D`.',
    ])
  })
})

describe("a mistake that most rows make", () => {
  const rows = (golds: readonly string[]) =>
    golds.map((gold, n) => `- { id: ${n}, question: "Q?", options: [x, y], gold: ${gold} }`).join("\n")

  it("is told once, with its count", () => {
    const found = withPool(rows([...Array.from({ length: 39 }, () => "1"), "A"]))
    expect(found.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        "CFX3011",
        "The gold answer `1` is not a label of this item, which has `A` and `B`. So it is with 39 of the 40 rows; this is the first.",
        expect.stringMatching(
          /^The gold answer is one of the labels, or the text of an option. An index is neither/,
        ),
      ],
    ])
  })

  it("is told row by row where it is not the rule", () => {
    const golds = Array.from({ length: 40 }, (_, n) => (n < 20 ? "1" : "A"))
    expect(withPool(rows(golds)).diagnostics).toHaveLength(20)
    expect(withPool(rows(["1", "1", "1", "A"])).diagnostics).toHaveLength(3)
  })
})

describe("the rows of a pool", () => {
  it("are told apart by their place in the item file, all of them, beside what is wrong with the spec", () => {
    const rows = [
      '- { id: a, question: "Q?", options: [x, y], gold: A }',
      '- { id: a, question: "R?", options: [x, y], gold: C }',
      '- { id: b, question: "", options: [x, x], gold: A }',
      "- { id: c, options: [x, y], gold: A }",
    ].join("\n")
    const found = withPool(rows, ["voices(4)", "voices(0)"])
    expect(found.program).toBeUndefined()
    const codes = found.diagnostics.map(({ code, source, span }) => {
      return `${code} ${source.name}:${source.text.slice(0, span.start).split("\n").length}`
    })
    expect(codes).toEqual([
      "CFX2208 main.cfx:43",
      "CFX3012 items.yaml:2",
      "CFX3011 items.yaml:2",
      "CFX3018 items.yaml:3",
      "CFX3013 items.yaml:3",
      "CFX3009 items.yaml:4",
    ])
  })

  it("must be there", () => {
    expect(briefs(withPool("[]"))).toEqual(['CFX3004 "items.yaml"'])
    expect(briefs(withFile("others.yaml", sound))).toEqual(['CFX3001 "others.yaml"'])
    expect(briefs(withFile("items.txt", sound))).toEqual(['CFX3002 "items.txt"'])
  })
})

describe("a replaced file", () => {
  it("of a pool is read with the pool's own mapping", () => {
    const spec = edit(["sample 40", ""])
    const compiled = compileText(
      spec,
      { "mine.yaml": asYaml(questions(33)) },
      { items: { pool: "/spec/mine.yaml" } },
    )
    expect(briefs(compiled)).toEqual([])
    expect(compiled.items.get("pool")).toHaveLength(33)
    expect(compiled.program?.pools[0]?.source).toEqual({ kind: "files", files: ["/spec/mine.yaml"] })
  })

  it("of a pool that is not there is laid to the option, and not to the spec's own path", () => {
    const compiledWith = (file: string) =>
      compileText(edit(), { "none.txt": "x", "none.yaml": "[]" }, { items: { pool: `/spec/${file}` } })
    const [missing] = compiledWith("nope.csv").diagnostics
    expect(missing).toMatchObject({ code: "CFX3001", label: "read from `nope.csv` instead" })
    expect(missing?.hint).toBe(
      "The path is that of `--items pool=FILE`, seen from where the command is called.",
    )
    expect(briefs(compiledWith("nope.csv"))).toEqual(["CFX3001 pool"])
    expect(briefs(compiledWith("none.txt"))).toEqual(["CFX3002 pool"])
    expect(briefs(compiledWith("none.yaml"))).toEqual(["CFX3004 pool"])
  })

  it("of a model makes its declared size and sum void", () => {
    const compiled = compileText(edit(), {}, { models: { m: "/else/other.gguf" } })
    expect(compiled.program?.models[0]).toMatchObject({
      name: "m",
      file: "/else/other.gguf",
      attributes: { size: 0.1 },
    })
    expect(compiled.program?.models[0]).not.toHaveProperty("bytes")
  })

  it("of a model on a server is a model in a file, so that a spec of servers runs on files", () => {
    const served = 'model m = server "https://models.example/v1" { name "big" concurrency 2 size 7 }\n'
    const spec = edit().replace(/model m = [^}]*}\n/, served)
    expect(compileText(spec).program?.models[0]).toMatchObject({ engine: "server" })
    const compiled = compileText(spec, {}, { models: { m: "/else/other.gguf" } })
    expect(compiled.program?.models[0]).toMatchObject({
      engine: "gguf",
      file: "/else/other.gguf",
      attributes: { size: 7 },
    })
    expect(compiled.program?.models[0]).not.toHaveProperty("served")
  })
})

describe("a target that goes by the items", () => {
  const rows = (...shapes: readonly (readonly [options: number, gold: string])[]) =>
    shapes
      .map(([options, gold], index) => {
        const texts = Array.from({ length: options }, (_, option) => `o${option}`)
        return `- { id: q${index}, question: "Q?", options: [${texts.join(", ")}], gold: ${gold} }`
      })
      .join("\n")
  const few = 'allow CFX4006 "a test"'
  const of = (target: string, text: string, ...changes: readonly (readonly [string, string])[]) => {
    const found = withPool(text, ["target top_wrong(a0)", `target ${target} ${few}`], ...changes)
    return found.diagnostics
      .filter(({ code }) => !code.startsWith("CFX4"))
      .map(({ code, message }) => `${code} ${message}`)
  }

  it("must be in some item", () => {
    expect(of("option(9)", rows([4, "A"], [4, "B"]))).toEqual([
      "CFX2217 No item of `pool` can be asked about `option(9)`: 2 of 2 have fewer options.",
    ])
    expect(of("option(2)", rows([4, "B"], [1 + 1, "B"]))).toEqual([
      "CFX2217 No item of `pool` can be asked about `option(2)`: in 2 of 2 it is the gold answer.",
    ])
    expect(of("option(3)", rows([4, "C"], [2, "B"]))).toEqual([
      "CFX2217 No item of `pool` can be asked about `option(3)`: 1 of 2 have fewer options, and in 1 of 2 it is the gold answer.",
    ])
  })

  it("is noted where some items lack it, or have it as gold", () => {
    expect(of("option(3)", rows([4, "A"], [4, "C"], [2, "A"]))).toEqual([
      "CFX2218 Not every one of the 3 items of `pool` has `option(3)` as a wrong option: 1 of 3 have fewer options, and in 1 of 3 it is the gold answer.",
    ])
  })

  it("may be gold in every item where an arm asserts what is right", () => {
    const structures = [
      "structure in { all_wrong, mixed }",
      "structure in { all_wrong, all_correct }",
    ] as const
    expect(of("option(2)", rows([4, "B"], [4, "B"]), structures).map((line) => line.slice(0, 7))).toEqual([
      "CFX2218",
    ])
  })

  it("may be a label that no option has, where the labels go on", () => {
    const named = "- { id: a, question: Q, options: { yes: x, no: y }, gold: yes }"
    expect(of("placebo_label", named)).toEqual([
      "CFX2217 No item of `pool` can be asked about `placebo_label`: 1 of 1 have no letter or number that follows their labels.",
    ])
    expect(of("placebo_label", rows([4, "A"]))).toEqual([])
  })

  it("is not looked for where every item has it, or in a file with mistakes", () => {
    expect(of("option(1)", rows([4, "B"], [2, "B"]))).toEqual([])
    expect(of("option(9)", rows([4, "B"], [4, "Z"])).map((line) => line.slice(0, 7))).toEqual(["CFX3011"])
  })
})

describe("a file with mistakes", () => {
  it("is not counted against a sample", () => {
    const spec = edit(["options = options", "options = choices"])
    expect(briefs(compileText(spec))).toEqual(["CFX3008 choices"])
    expect(briefs(compileText(edit(["sample 40", "sample 41"])))).toEqual(["CFX3017 41"])
  })
})

describe("the files of a pool", () => {
  const one = questions(20)
  const two = questions(40).split("\n").slice(20).join("\n")
  const of = (source: string, files: Readonly<Record<string, string>>) =>
    compileText(edit(["sample 40", ""], ['"items.jsonl"', source]), files)

  it("can be several, and a folder", () => {
    const files = { "d/a.jsonl": one, "d/b.jsonl": two, "d/notes.txt": "x" }
    for (const source of ['"d"', '"d/a.jsonl", "d/b.jsonl"']) {
      const found = of(source, files)
      expect(briefs(found), source).toEqual([])
      expect(found.items.get("pool"), source).toHaveLength(40)
    }
  })

  it("are each named where they are missing or cannot be read", () => {
    expect(briefs(of('"d/a.jsonl", "d/c.jsonl"', { "d/a.jsonl": one }))).toEqual(['CFX3001 "d/c.jsonl"'])
    expect(briefs(of('"d"', { "d/notes.txt": "x" }))).toEqual(['CFX3105 "d"'])
    expect(briefs(of('"a.jsonl", "b.txt"', { "a.jsonl": one, "b.txt": "" }))).toEqual(['CFX3002 "b.txt"'])
    expect(briefs(of('"a.jsonl", "a.jsonl"', { "a.jsonl": one }))[0]).toBe('CFX2003 "a.jsonl"')
  })

  it("as JSON say where their rows are", () => {
    const rows = `{"data": {"rows": [${questions(40).replaceAll("\n", ",")}]}}`
    const json = (records: string) =>
      compileText(
        edit(["sample 40", ""], ['"items.jsonl"', '"q.json"'], [mapping, `${records} ${mapping}`]),
        {
          "q.json": rows,
        },
      )
    expect(briefs(json("records data.rows"))).toEqual([])
    expect(briefs(json("records data.row"))).toEqual(["CFX3106 data.row"])
    expect(json("records data.row").diagnostics[0]?.hint).toBe("Did you mean `data.rows`?")
    expect(json("").diagnostics).toMatchObject([
      { code: "CFX3106", hint: "Say where the list stands: `records data.rows`." },
    ])
  })
})

describe("data on a hub", () => {
  const address = "hf://datasets/someone/questions@unlocked#default/test"
  const of = (written: string, fields = "size 400 choices 3", options = {}) =>
    compileText(edit(['"items.jsonl"', `"${written}"`], [mapping, `${mapping} ${fields}`]), {}, options)

  it("are not at hand, which is no mistake", () => {
    const found = of(address)
    expect(briefs(found)).toEqual([])
    expect(found.items.has("pool")).toBe(false)
    expect(found.absent.get("pool")?.why).toContain(address)
    expect(found.program?.pools[0]).toMatchObject({
      source: { kind: "hub", address },
      published: { size: 400, choices: 3 },
    })
  })

  it("are read from a file that stands in for them, by the same mapping", () => {
    const found = of(address, "size 40 choices 3", { items: { pool: "/spec/items.jsonl" } })
    expect(briefs(found)).toEqual([])
    expect(found.items.get("pool")).toHaveLength(40)
    expect(found.absent.size).toBe(0)
    const other = of(address, "size 400", { items: { pool: "/spec/items.jsonl" } })
    expect(briefs(other)).toEqual(["CFX3101 size 400"])
  })

  it("have an address in full", () => {
    for (const broken of [
      "hf://models/a/b@c#d/e",
      "hf://datasets/a@unlocked#d/e",
      "hf://datasets/a/b#d/e",
      "hf://datasets/a/b@#d/e",
      "hf://datasets/a/b@c",
      "hf://datasets/a/b@c#d",
    ])
      expect(briefs(of(broken)), broken).toEqual([`CFX3115 "${broken}"`])
    expect(briefs(compileText(edit(['"items.jsonl"', `"${address}", "b.csv"`])))).toEqual([
      `CFX3115 "${address}"`,
    ])
    expect(briefs(of("https://example.org/a.csv"))).toEqual(['CFX2014 "https://example.org/a.csv"'])
  })

  it("are counted in whole numbers, strata by a column of the items", () => {
    expect(briefs(of(address, "size 0"))).toEqual(["CFX3108 0"])
    expect(briefs(of(address, "choices 1"))).toEqual(["CFX3108 1"])
    expect(briefs(of(address, "subject = s strata subject 2.5"))).toEqual(["CFX3108 2.5"])
    expect(briefs(of(address, "subject = s strata subjects 2"))).toEqual(["CFX3109 subjects"])
    expect(briefs(of(address, "subject = s strata subject 2 strata subject 3"))).toEqual([
      "CFX2009 strata subject 3",
    ])
  })
})

describe("what an experiment takes of a pool", () => {
  const rows = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({ q: `Q${n}`, o: ["x", "y", "z"], g: "B", s: n < 30 ? "birds" : "bees", y: 1990 + n }),
  ).join("\n")
  const few = 'allow CFX4006 "a test"'
  const of = (use: string, fields = "") =>
    briefs(
      compileText(
        edit(
          ["pool sample 40 }", `pool ${use} } ${few}`],
          ['"items.jsonl"', '"r.jsonl"'],
          [mapping, `question = q options = o gold = g subject = s year = y ${fields}`],
        ),
        { "r.jsonl": rows },
      ),
    )

  it("can go by a column", () => {
    expect(of('sample 10 per subject where subject != "wasps"')).toEqual([])
    expect(of("sample 10 where year > 2000")).toEqual([])
  })
  it("is no more than there is, in all and of each value", () => {
    expect(of('sample 31 where subject == "birds"')).toEqual(["CFX3017 31"])
    expect(of("sample 11 per subject")).toEqual(["CFX3122 11"])
    expect(of('sample 11 per subject where subject == "birds"')).toEqual([])
  })
  it("names columns of the items", () => {
    expect(of("sample 10 per topic")).toEqual(["CFX3109 topic"])
    expect(of('where topic == "birds"').map((line) => line.slice(-5))).toEqual(["topic"])
  })
  it("compares columns with what they hold", () => {
    expect(of("where subject == 3")).toEqual(["CFX3123 subject == 3"])
    expect(of('where year == "1990"')).toEqual(['CFX3123 year == "1990"'])
    expect(of("", "where subject > 3")).toEqual(["CFX3123 subject > 3"])
  })
  it("is something", () => {
    expect(of('where subject == "wasps"')).toEqual(['CFX3120 subject == "wasps"'])
    expect(of("", 'where subject == "wasps"')).toContain('CFX3120 subject == "wasps"')
  })
})

describe("a pool out of a finished run", () => {
  const of = (fields: string, files: Readonly<Record<string, string>> = {}) =>
    compileText(
      edit([
        'items pool = "items.jsonl" { id = id question = question options = options gold = gold }',
        `items pool = run "runs/a" { ${fields} }`,
      ]),
      files,
    )
  const rank = "one per item by max HRR over model except model"

  it("that is not there is not at hand", () => {
    const found = of(`experiment argued keep reason ${rank} size 400`)
    expect(briefs(found)).toEqual([])
    expect(found.absent.get("pool")?.why).toBe("there is no run in runs/a")
    expect(found.program?.pools[0]?.source).toMatchObject({
      kind: "run",
      folder: "/spec/runs/a",
      experiment: "argued",
      keep: ["reason"],
      exceptStudied: true,
      by: { name: "HRR", statistic: "rate" },
    })
  })
  it("says of which experiment, and what is kept", () => {
    expect(briefs(of("keep reason size 40"))).toEqual(["CFX2010 pool"])
    expect(briefs(of("experiment argued size 40"))).toEqual(["CFX2010 pool"])
    expect(briefs(of("experiment argued keep reason, reason size 40"))).toEqual(["CFX2003 reason"])
  })
  it("has no mapping, as a file has nothing of a run", () => {
    expect(briefs(of("experiment argued keep reason size 40 question = q"))).toEqual(["CFX3107 question"])
    expect(briefs(withPool(sound, [mapping, `${mapping} keep reason`]))).toEqual(["CFX3107 keep reason"])
  })
  it("is ranked by a rate that there is", () => {
    const by = (metric: string) => of(`experiment argued keep reason size 40 ${rank.replace("HRR", metric)}`)
    expect(briefs(by("shift"))).toEqual(["CFX3110 shift"])
    expect(briefs(by("HRL"))).toEqual(["CFX2001 HRL"])
  })
  it("is not a run where the folder holds something else", () => {
    const found = of(`experiment argued keep reason ${rank}`, { "runs/a/plan.json": "{}" })
    expect(briefs(found)).toEqual(['CFX3111 run "runs/a"'])
  })
})
