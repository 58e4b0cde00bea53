/** LaTeX tables, read by a small strict parser: it knows the few commands that are used, and nothing else is let through. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { latexReport } from "../../runtime/report/latex.ts"
import { breakable, escapeLatex, paragraph } from "../../runtime/report/latexText.ts"
import { contrastOf, level } from "../measure/sample.ts"
import { wide } from "./latexPages.ts"
import { inputOf } from "./sample.ts"

interface Parsed {
  readonly caption: string
  readonly label: string
  /** As a reader meets them, escapes undone: the heads, their units where there are any, the body; those of panels beside one another, names once. */
  readonly rows: readonly (readonly string[])[]
  readonly columns: string
  readonly notes: string
}

const SYMBOLS: Readonly<Record<string, string>> = {
  textbackslash: "\\",
  textasciicircum: "^",
  textasciitilde: "~",
  textless: "<",
  textgreater: ">",
  textbar: "|",
  textasciigrave: "`",
  textdagger: "†",
  ldots: "…",
}

/** What text says; throws at a sign that LaTeX would take for its own, and at a command that is not known. */
function said(broken: string): string {
  const latex = broken.replaceAll("\\allowbreak{}", "")
  let text = ""
  for (let at = 0; at < latex.length; ) {
    const rest = latex.slice(at)
    const symbol = /^\\([a-z]+)\{\}/.exec(rest)
    const sign = /^\\([{}$&#%_])/.exec(rest)
    const guarded = /^\{([[*])\}/.exec(rest)
    const math = /^\$(-|n)\$/.exec(rest)
    const lines = /^\\parbox\[[tb]\]\{\d+pt\}\{\\ragged(?:left|right) (.*?)\\strut\}/s.exec(rest)
    const foreign = /^\\cfxunicode\{([0-9A-F]+)\}\{(.)\}/u.exec(rest)
    const raised = /^\\textsuperscript\{([a-z,]+)\}/.exec(rest)
    const power = /^\$(-?[\d.]+)\\times10\^\{(-?\d+)\}\$/.exec(rest)
    if (symbol !== null) {
      const known = SYMBOLS[symbol[1]!]
      if (known === undefined) throw new Error(`\\${symbol[1]} is not known`)
      text += known
      at += symbol[0].length
    } else if (lines !== null) {
      text += said(lines[1]!)
      at += lines[0].length
    } else if (foreign !== null) {
      expect(foreign[2]!.codePointAt(0)).toBe(Number.parseInt(foreign[1]!, 16))
      text += foreign[2]
      at += foreign[0].length
    } else if (raised !== null) {
      text += `^${raised[1]}`
      at += raised[0].length
    } else if (power !== null) {
      text += `${power[1]} x 10^${power[2]}`
      at += power[0].length
    } else if (sign !== null) {
      text += sign[1]
      at += 2
    } else if (guarded !== null) {
      text += guarded[1]
      at += 3
    } else if (math !== null) {
      text += math[1]
      at += 3
    } else if (/^[\\{}$&#%_^~]/.test(rest))
      throw new Error(`LaTeX would take this for its own: ${rest.slice(0, 20)}`)
    else {
      text += rest[0]
      at += 1
    }
  }
  return text
}

const FLOAT =
  /^\\begin\{(table\*?)\}\n\\centering\n(?:\\small|\\footnotesize\\setlength\{\\tabcolsep\}\{4pt\})\n\\caption\{(.*)\}\n\\label\{(tab:[\w:-]+)\}\n\\smallskip\n([\s\S]*?\\end\{tabular\})\n(?:\\par\\smallskip\n\\begin\{minipage\}\{\\linewidth\}\\footnotesize\\raggedright\n([\s\S]*?)\n\\end\{minipage\}\n)?\\end\{(table\*?)\}$/
const TABULAR =
  /^\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n([\s\S]*?)\\midrule\n([\s\S]*?)\\bottomrule\n\\end\{tabular\}$/
const BEHIND =
  /^\\begingroup\\footnotesize\\raggedright\\noindent\nNotes to Table~\\ref\{(tab:[\w:-]+)\}\.\\par\n([\s\S]*)\\par\n\\endgroup$/

/** The floats of a file; where notes stand behind theirs, as if they stood in it. */
function parsed(latex: string): readonly Parsed[] {
  const [head, ...parts] = latex.trimEnd().split("\n\n")
  const lines = head!.split("\n")
  expect(lines.pop()).toMatch(/^\\providecommand\{\\cfxunicode\}/)
  for (const line of lines) expect(line).toMatch(/^%/)
  const floats: Parsed[] = []
  for (const part of parts) {
    const behind = BEHIND.exec(part)
    if (behind === null) floats.push(floatOf(part))
    else {
      const own = floats.findIndex(({ label }) => label === behind[1])
      expect(own).toBeGreaterThanOrEqual(0)
      floats.push({ ...floats.pop()!, notes: notesOf(behind[2]!) })
    }
  }
  return floats
}

const notesOf = (latex: string): string => latex.split("\\par\n").map(said).join("\n")

function floatOf(latex: string): Parsed {
  const found = FLOAT.exec(latex)
  if (found === null) throw new Error(`no table: ${latex}`)
  const [, begin, caption, label, panels, notes = "", end] = found
  expect(end).toBe(begin)
  const [first, ...others] = panels!.split("\n\\par\\medskip\n").map(panelOf)
  return {
    caption: said(caption!),
    label: label!,
    notes: notesOf(notes),
    ...others.reduce((beside, panel) => {
      expect(panel.rows).toHaveLength(beside.rows.length)
      const names = panel.columns.lastIndexOf("l") + 1
      return {
        columns: beside.columns + panel.columns.slice(names),
        rows: beside.rows.map((row, at) => {
          expect(panel.rows[at]!.slice(0, names)).toEqual(row.slice(0, names))
          return [...row, ...panel.rows[at]!.slice(names)]
        }),
      }
    }, first!),
  }
}

function panelOf(latex: string): Pick<Parsed, "columns" | "rows"> {
  const found = TABULAR.exec(latex)
  if (found === null) throw new Error(`no table: ${latex}`)
  const [, columns, heads, body] = found
  const rows = `${heads}${body}`
    .split("\n")
    .filter((line) => line !== "" && line !== "\\addlinespace")
    .map((line) => {
      expect(line.endsWith(" \\\\")).toBe(true)
      return line.slice(0, -3).split(" & ").map(said)
    })
  for (const row of rows) expect(row).toHaveLength(columns!.length)
  return { columns: columns!, rows }
}

const inputWith = (parts: Partial<ExperimentIR>, more: Partial<ReportInput> = {}): ReportInput => {
  const { program } = inputOf()
  return inputOf({
    program: { ...program, experiments: [{ ...program.experiments[0]!, ...parts }] },
    ...more,
  })
}

describe("report.tex", () => {
  const [main, contrasts, ...others] = parsed(latexReport(inputOf()))

  test("has a table of booktabs for each table of the spec and one for its contrasts", () => {
    expect(others).toEqual([])
    expect(main!.label).toBe("tab:quickstart:main")
    expect(contrasts!.label).toBe("tab:quickstart:grid-contrasts")
  })

  test("sets names to the left and numbers to the right, each with its interval and its n", () => {
    expect(main!.columns).toBe("llrrrrrr")
    expect(main!.rows[0]).toEqual(["arm", "framing", "HRR", "n", "BenR", "n", "delta_p_pushed", "n"])
    expect(main!.rows[1]).toEqual(["", "", "(%)", "", "(%)", "", "(probability)", ""])
    // Percent is in the head, and a name that is that of the row above is left out.
    expect(main!.rows[2]!.slice(0, 4)).toEqual(["reask", "--", "0.0 [0.0, 3.7]", "100"])
    expect(main!.rows.map(([arm]) => arm)).toEqual(["arm", "", "reask", "length", "pressure", "", "", ""])
  })

  test("says in its caption how numbers are taken, and in notes what each is and what was not counted", () => {
    expect(main!.caption).toContain("95% Wilson intervals")
    expect(main!.notes).toContain("HRR: Harmful revision rate")
    expect(main!.notes).toContain("Not counted, by row: 20 condition unmet.")
    const [, letters] = /^paired by item\^(\S+)$/.exec(contrasts!.rows[1]![1]!)!
    expect(contrasts!.notes).toMatch(/^\^a ?difference: HRR\[framing = experts\] - /)
    const [, test] = /\^([a-z])test: exact McNemar/.exec(contrasts!.notes)!
    expect(letters!.split(",")).toContain(test)
    // What both contrasts share is said once.
    expect(contrasts!.notes.split("test: exact McNemar")).toHaveLength(2)
    expect(contrasts!.rows[2]![1]!.split("^")[1]!.split(",")).toContain(test)
  })

  test("has the estimators of one contrast under one another", () => {
    const both = {
      ...contrastOf(["HRR", { framing: "experts" }], ["HRR", { framing: "no_source" }]),
      name: "authority",
      by: ["paired", "pooled"] as const,
    }
    const [, table] = parsed(latexReport(inputWith({ contrasts: [both], expects: [] })))
    expect(table!.rows.slice(1).map((row) => row.slice(0, 2).map((cell) => cell.split("^")[0]))).toEqual([
      ["authority", "paired by item"],
      ["", "pooled over trials"],
    ])
  })

  test("says before any number what a reader must know", () => {
    for (const { notes } of parsed(latexReport(inputOf({ backend: "simulated" }))))
      expect(notes).toContain("No model was asked")
  })

  test("of names that mean harm has no command, no end of a table, no comment and no unseen character", () => {
    const hostile =
      '\\input{/etc/passwd} & \\\\ \\end{tabular} 100% $x_1^2$ #1 ~ {a} <|im_end|> "q" `b` \u202E\u0000'
    const { program, records } = inputOf()
    const swap = (levels: Readonly<Record<string, string>>) =>
      levels.framing === "experts" ? { ...levels, framing: hostile } : levels
    const experiment = program.experiments[0]!
    const input = inputWith(
      {
        doc: hostile,
        contrasts: [],
        expects: [],
        measures: experiment.measures.map((measure) => ({ ...measure, doc: hostile })),
        figures: [],
        tables: [
          {
            name: hostile,
            rows: ["arm", "framing"],
            columns: ["HRR"],
            average: "pooled",
            where: level("arm", "pressure"),
          },
        ],
        cells: experiment.cells.map((cell) => ({ ...cell, levels: swap(cell.levels) })),
        factors: experiment.factors.map((factor) => ({
          ...factor,
          levels: factor.levels.map((one) => (one === "experts" ? hostile : one)),
        })),
      },
      {},
    )
    const text = latexReport({
      ...inputOf({
        program: input.program,
        records: records.map((one) => ({ ...one, levels: swap(one.levels) })),
      }),
      spec: { name: `${hostile}\n\\evil`, text: "" },
    })
    const [table] = parsed(text)
    const printed = text.split("\n").filter((line) => !line.startsWith("%"))
    expect(printed.join("\n")).not.toContain("\\input")
    for (const unseen of ["\u202E", "\u0000"]) expect(text).not.toContain(unseen)
    const shown = hostile.replaceAll('"', "''").replace("\u202E", "<U+202E>").replace("\u0000", "<U+0000>")
    expect(table!.rows.map((row) => row[0])).toContain(shown)
    expect(table!.label).toMatch(/^tab:quickstart:[\w-]+$/)
  })
})

describe("the label of a table", () => {
  const tableOf = (name: string) => ({
    name,
    rows: ["arm"],
    columns: ["HRR"],
    average: "pooled" as const,
  })
  const labelsOf = (input: ReportInput) => parsed(latexReport(input)).map(({ label }) => label)

  test("is the names of its experiment and its own, as the spec has them", () => {
    const tables = ["a_b", "a__b", "main_2"].map(tableOf)
    expect(labelsOf(inputWith({ name: "quickstart", tables })).slice(0, 3)).toEqual([
      "tab:quickstart:a_b",
      "tab:quickstart:a__b",
      "tab:quickstart:main_2",
    ])
  })

  test("is another for each, whatever tables and experiments are called", () => {
    const names = [
      "contrasts",
      "summaries",
      "published",
      "variance",
      "reasons",
      "grid",
      "fit",
      "b_c",
      "a_b_c",
    ]
    const { program } = inputOf()
    const [experiment] = program.experiments
    const experiments = ["a", "a_b"].map((name) => ({
      ...experiment!,
      name,
      tables: names.map(tableOf),
    }))
    const own = inputOf().records.flatMap((record) =>
      experiments.map(({ name }) => ({ ...record, experiment: name, trial: `${name}/${record.trial}` })),
    )
    const labels = labelsOf(inputOf({ program: { ...program, experiments }, records: own }))
    expect(labels).toHaveLength(2 * (names.length + 1))
    expect(new Set(labels).size).toBe(labels.length)
  })
})

describe("a table that fits no page", () => {
  const models = 12
  const text = latexReport(wide(models))
  const all = parsed(text)
  const [of] = all.map(({ label }) => label)
  const parts = all.filter(({ label }) => label.startsWith(of!))

  test("stands in parts, which have each row once, in order, and say which of how many they are", () => {
    expect(parts.length).toBeGreaterThan(1)
    const rows = parts.flatMap((part) => part.rows.slice(2))
    expect(rows).toHaveLength(models * 6)
    // Every part begins with the names of its first row.
    for (const [at, { rows, caption, label }] of parts.entries()) {
      expect(rows[2]![0]).not.toBe("")
      expect(caption).toContain(`Part ${at + 1} of ${parts.length}.`)
      expect(label).toBe(at === 0 ? of : `${of}:${at + 1}`)
    }
    expect(rows.map(([model]) => model).filter((name) => name !== "").length).toBeGreaterThanOrEqual(models)
  })

  test("has its columns in panels below one another, each with the names of its rows", () => {
    const [first] = text.split("\n\n").slice(1)
    expect(first!.match(/\\begin\{tabular\}/g)!.length).toBeGreaterThan(1)
    expect(parts[0]!.rows[0]).toEqual([
      "model",
      "arm",
      "framing",
      "HRR",
      "n",
      "BenR",
      "n",
      "delta_p_pushed",
      "n",
    ])
  })

  test("has long names on several lines, and its notes behind its last part where they have no room", () => {
    expect(text).toMatch(/\\parbox\[t\]\{\d+pt\}\{\\raggedright a-model-with/)
    expect(parts.at(-1)!.notes).toContain("HRR: Harmful revision rate")
    for (const { notes } of parts.slice(0, -1)) expect(notes).toBe("")
  })

  test("of a few short columns is left alone", () => {
    const small = { name: "small", rows: ["framing"], columns: ["HRR"], average: "pooled" as const }
    const one = latexReport(inputWith({ contrasts: [], expects: [], tables: [small] }))
    expect(one).toContain("\\small\n")
    expect(one).toContain("\\begin{table}\n")
    expect(one).not.toContain("Part 1")
  })
})

describe("text for LaTeX", () => {
  test("has the number of a sign that pdfLaTeX cannot print, and the sign for engines that can", () => {
    expect(escapeLatex("中 é ł ą")).toBe("\\cfxunicode{4E2D}{中} é ł \\cfxunicode{0105}{ą}")
    expect(latexReport(inputOf())).toContain("\\providecommand{\\cfxunicode}[2]{")
  })
  test("is broken behind joining signs, and within a word only where it is wider than a line", () => {
    expect(breakable("a\\_b c", 10)).toBe("a\\_\\allowbreak{}b c")
    expect(breakable("abcdef", 1.1)).toBe("ab\\allowbreak{}cd\\allowbreak{}ef")
    expect(paragraph("a\\_b c")).toBe("a\\_b c")
  })

  test("takes a hyphen before a number for a minus, and none within words", () => {
    expect(escapeLatex("-1.0 pp [-5.0, 3.0]")).toBe("$-$1.0 pp [$-$5.0, 3.0]")
    expect(escapeLatex("Qwen2.5-7B a-b")).toBe("Qwen2.5-7B a-b")
  })
  test("sets powers of ten and minus signs in math", () => {
    expect(escapeLatex("p = 2.6e-5, −0.4, -1.50e+3")).toBe(
      "p = $2.6\\times10^{-5}$, $-$0.4, $-1.50\\times10^{3}$",
    )
    expect(escapeLatex("qwen-1e5 x2e-3")).toBe("qwen-1e5 x2e-3")
  })
  test("lets no bracket and no star at its beginning pass for an argument of the line before", () => {
    expect(escapeLatex("[1, 2]")).toBe("{[}1, 2]")
    expect(escapeLatex("*star one*")).toBe("{*}star one*")
    expect(escapeLatex(" *star")).toBe(" {*}star")
  })
})
