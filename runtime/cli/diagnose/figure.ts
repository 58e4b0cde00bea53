/** Power over the number of items, as a figure. */
import type { DiagnosedExperiment } from "../../diagnose/diagnose.ts"
import { WANTED } from "../../diagnose/smallest.ts"
import { lineChart } from "../../report/figures/lineChart.ts"
import { estimatorText } from "./words.ts"

/** An SVG: a line for each way of taking each contrast; whiskers are two Monte Carlo standard errors. */
export function powerFigure({ experiment, contrasts, simulations, models }: DiagnosedExperiment): string {
  return lineChart({
    title: `Power of ${experiment} by number of items`,
    x: { label: "Items" },
    y: { label: "Power", share: true },
    series: contrasts
      .filter(({ summary }) => summary.decides !== "nothing")
      .map(({ contrast, by, sizes }) => ({
        name: `${contrast} by ${estimatorText(by)}`,
        points: sizes.flatMap(({ items, summary: { power } }) =>
          power === undefined
            ? []
            : {
                x: items,
                y: power.value,
                low: Math.max(0, power.value - 2 * power.error),
                high: Math.min(1, power.value + 2 * power.error),
              },
        ),
      })),
    marked: [{ y: WANTED, label: `${Math.round(100 * WANTED)}%` }],
    note: `${simulations} simulations of ${models.length} ${models.length === 1 ? "model" : "models"} at each number of items; whiskers are two Monte Carlo standard errors.`,
    id: `power-${experiment}`,
  })
}
