/** LaTeX tables, read by a small strict parser: it knows the few commands that are used, and nothing else is let through. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { escapeLatex, latexReport } from "../../runtime/report/latex.ts"
import { contrastOf, level } from "../measure/sample.ts"
import { inputOf } from "./sample.ts"

interface Parsed {
  readonly caption: string
  readonly label: string
  /** As a reader meets them: escapes undone. */
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
function said(latex: string): string {
  let text = ""
  for (let at = 0; at < latex.length; ) {
    const rest = latex.slice(at)
    const symbol = /^\\([a-z]+)\{\}/.exec(rest)
    const sign = /^\\([{}$&#%_])/.exec(rest)
    const bracket = /^\{\[\}/.exec(rest)
    const math = /^\$(-|n)\$/.exec(rest)
    const raised = /^\\textsuperscript\{([a-z,]+)\}/.exec(rest)
    const power = /^\$(-?[\d.]+)\\times10\^\{(-?\d+)\}\$/.exec(rest)
    if (symbol !== null) {
      const known = SYMBOLS[symbol[1]!]
      if (known === undefined) throw new Error(`\\${symbol[1]} is not known`)
      text += known
      at += symbol[0].length
    } else if (raised !== null) {
      text += `^${raised[1]}`
      at += raised[0].length
    } else if (power !== null) {
      text += `${power[1]} x 10^${power[2]}`
      at += power[0].length
    } else if (sign !== null) {
      text += sign[1]
      at += 2
    } else if (bracket !== null) {
      text += "["
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

const TABLE =
  /^\\begin\{(table\*?)\}\n\\centering\n(?:\\small|\\footnotesize\\setlength\{\\tabcolsep\}\{4pt\})\n\\caption\{(.*)\}\n\\label\{(tab:[A-Za-z0-9-]+)\}\n\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n([\s\S]*?)\\bottomrule\n\\end\{tabular\}\n(?:\\par\\smallskip\n\\begin\{minipage\}\{\\linewidth\}\\footnotesize\n([\s\S]*?)\n\\end\{minipage\}\n)?\\end\{(table\*?)\}$/

function parsed(latex: string): readonly Parsed[] {
  const [head, ...tables] = latex.trimEnd().split("\n\n")
  for (const line of head!.split("\n")) expect(line).toMatch(/^%/)
  return tables.map((table) => {
    const found = TABLE.exec(table)
    if (found === null) throw new Error(`no table: ${table}`)
    const [, begin, caption, label, columns, body, notes = "", end] = found
    expect(end).toBe(begin)
    const lines = body!.split("\n").filter((line) => line !== "")
    expect(lines[1]).toBe("\\midrule")
    const rows = lines
      .filter((line) => line !== "\\midrule" && line !== "\\addlinespace")
      .map((line) => {
        expect(line.endsWith(" \\\\")).toBe(true)
        return line.slice(0, -3).split(" & ").map(said)
      })
    for (const row of rows) expect(row).toHaveLength(columns!.length)
    return {
      caption: said(caption!),
      label: label!,
      columns: columns!,
      rows,
      notes: notes.split("\\par\n").map(said).join("\n"),
    }
  })
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
    expect(main!.label).toBe("tab:quickstart-main")
    expect(contrasts!.label).toBe("tab:quickstart-contrasts")
  })

  test("sets names to the left and numbers to the right, each with its interval and its n", () => {
    expect(main!.columns).toBe("llrrrrrr")
    expect(main!.rows[0]).toEqual([
      "arm",
      "framing",
      "HRR (%)",
      "n",
      "BenR (%)",
      "n",
      "delta_p_pushed (probability)",
      "n",
    ])
    // Percent is in the head, and a name that is that of the row above is left out.
    expect(main!.rows[1]!.slice(0, 4)).toEqual(["reask", "--", "0.0 [0.0, 3.7]", "100"])
    expect(main!.rows.map(([arm]) => arm)).toEqual(["arm", "reask", "length", "pressure", "", "", ""])
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
    expect(table!.label).toMatch(/^tab:quickstart-[A-Za-z0-9-]+$/)
  })
})

describe("text for LaTeX", () => {
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
  test("lets no bracket at its beginning pass for an argument of the line before", () => {
    expect(escapeLatex("[1, 2]")).toBe("{[}1, 2]")
  })
})
