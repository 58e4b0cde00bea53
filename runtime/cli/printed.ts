import { latexReport } from "../report/latex.ts"
import { terminalReport } from "../report/terminal.ts"
import type { Pieces } from "../report/write.ts"
import type { RunOutcome } from "../run/run.ts"
import type { Terminal } from "./terminal.ts"

/** Forms in which a report can be printed; all but `text` and `latex` are files of the run directory too. */
export const FORMATS = ["text", "html", "md", "json", "csv", "latex"] as const

const fileOf = { html: "report.html", md: "report.md", json: "results.json", csv: "trials.csv" } as const

/** The report of a run in one of its forms, in pieces to be printed one after another. */
export async function printed(
  { report }: Pick<RunOutcome, "report">,
  format: (typeof FORMATS)[number],
  { color, columns }: Pick<Terminal, "color" | "columns">,
): Promise<Pieces> {
  if (format === "latex") return [latexReport(report)]
  if (format === "text") return [terminalReport(report, { color: color.out, columns })]
  const { reportFiles } = await import("../report/write.ts")
  return reportFiles(report)[fileOf[format]]!
}
