/** Reports whose tables are set: the sample, one whose every name means harm, and one too wide and too long for a page. */
import type { ReportInput } from "../../runtime/report/input.ts"
import { latexReport } from "../../runtime/report/latex.ts"
import { poisoned } from "./poisoned.ts"
import { inputOf, program, quickstart, records } from "./sample.ts"

/** Every sign that LaTeX has a meaning for, letters that it has none for, and a word that fits no column. */
export const HOSTILE = `\\input{/etc/passwd} & \\\\ \\end{tabular} 100% $x_1^2$ #1 ~ {a} <|im_end|> "q" \`b\` ^^M \\cfxunicode{41}{x} ąđþ ⟨中文⟩ → 🙂 ≤ … [x] -1e-5 ${"x".repeat(90)} a_b_c--- \u202E\u0000`

/** `models` of them, with items of each: more rows than a page has. */
export function wide(models: number): ReportInput {
  const names = Array.from({ length: models }, (_, at) => `a-model-with-a-rather-long-name-${at + 1}_Q4_K_M`)
  const experiment = {
    ...quickstart,
    models: names,
    contrasts: quickstart.contrasts.map((contrast) => ({
      ...contrast,
      by: ["paired" as const, { cells: ["model", "pool"] }, "pooled" as const],
    })),
    tables: [
      {
        name: "wide",
        rows: ["model", "arm", "framing"],
        columns: ["HRR", "BenR", "delta_p_pushed"],
        average: "pooled" as const,
      },
    ],
  }
  const all = records
    .filter((_, at) => at % 10 < 2)
    .flatMap((record) =>
      names.map((model) => ({ ...record, model, trial: record.trial.replace("respondent", model) })),
    )
  return inputOf({ program: { ...program, experiments: [experiment] }, records: all, backend: "simulated" })
}

/** The sample with the level "experts" and all docs written as someone would who means harm. */
export function harmful(): ReportInput {
  const swap = (levels: Readonly<Record<string, string>>) =>
    levels.framing === "experts" ? { ...levels, framing: HOSTILE } : levels
  const experiment = {
    ...quickstart,
    doc: HOSTILE,
    measures: quickstart.measures.map((measure) => ({ ...measure, doc: HOSTILE })),
    contrasts: quickstart.contrasts.map((contrast) => ({
      ...contrast,
      doc: HOSTILE,
      terms: contrast.terms.map((term) => ({ ...term, levels: swap(term.levels) })),
    })),
    tables: quickstart.tables.map((table) => ({ ...table, name: HOSTILE })),
    cells: quickstart.cells.map((cell) => ({ ...cell, levels: swap(cell.levels) })),
    factors: quickstart.factors.map((factor) => ({
      ...factor,
      levels: factor.levels.map((one) => (one === "experts" ? HOSTILE : one)),
    })),
  }
  return {
    ...inputOf({
      program: { ...program, doc: HOSTILE, experiments: [experiment] },
      records: records.map((one) => ({ ...one, levels: swap(one.levels) })),
    }),
    spec: { name: `${HOSTILE}\n\\evil`, text: "" },
  }
}

export const latexPages: Readonly<Record<string, () => string>> = {
  sample: () => latexReport(inputOf()),
  poisoned: () => latexReport(poisoned()),
  harmful: () => latexReport(harmful()),
  wide: () => latexReport(wide(12)),
}
