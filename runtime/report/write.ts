/** The report's files: a pure function of what was found, so that they can be rebuilt from the ledger alone. */
import { figureSvg } from "./figures/figure.ts"
import { htmlReport } from "./html.ts"
import type { ReportInput } from "./input.ts"
import { markdownReport } from "./markdown.ts"
import { resultsJson } from "./resultsJson.ts"
import { figureFile, summaries } from "./summary.ts"
import { trialsCsv } from "./trialsCsv.ts"

/** A file in pieces, one after another, as often as they are asked for. */
export type Pieces = Iterable<string>

/** By file name, `/` between folders: `results.json trials.csv report.html report.md figures/NAME.svg`. */
export function reportFiles(input: ReportInput): Readonly<Record<string, Pieces>> {
  const figures = summaries(input).flatMap(({ experiment, figures }) =>
    figures.map(
      (figure) => [figureFile(input, experiment.name, figure.name), [figureSvg(figure, "figure")]] as const,
    ),
  )
  return {
    "results.json": [resultsJson(input.results, input)],
    "trials.csv": trialsCsv(input.program, input.tables, input.floors),
    "report.html": [htmlReport(input)],
    "report.md": [markdownReport(input)],
    ...Object.fromEntries(figures),
  }
}
