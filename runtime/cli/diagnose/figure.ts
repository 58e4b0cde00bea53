/** Power over the number of items, as a figure. */
import type { DiagnosedExperiment } from "../../diagnose/diagnose.ts"
import { WANTED } from "../../diagnose/smallest.ts"
import { lineChart } from "../../report/figures/lineChart.ts"
import { estimatorText } from "./words.ts"

/** Of two powers, the difference that no reader sees: a line is as thick. */
const UNSEEN = 0.005

/** Which lines lie on each other, and where: "a and b coincide (at 20 and 40 items)"; a reader sees one line and would take the other for missing. */
export function coinciding(
  series: readonly {
    readonly name: string
    readonly points: readonly { readonly x: number; readonly y: number }[]
  }[],
): string {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b)
  const places = new Map<string, number[]>()
  for (const x of xs) {
    const there = series
      .flatMap(({ name, points }) => points.filter((point) => point.x === x).map(({ y }) => ({ name, y })))
      .sort((a, b) => a.y - b.y)
    const groups: (typeof there)[] = []
    for (const one of there) {
      const group = groups.at(-1)
      if (group !== undefined && one.y - group[0]!.y < UNSEEN) group.push(one)
      else groups.push([one])
    }
    for (const group of groups.filter(({ length }) => length > 1)) {
      const names = series.flatMap(({ name }) => (group.some((one) => one.name === name) ? [name] : []))
      const key = JSON.stringify(names)
      places.set(key, [...(places.get(key) ?? []), x])
    }
  }
  return [...places]
    .map(([names, at]) => {
      const where =
        at.length === xs.length ? "" : ` at ${listed(at.map((x) => x.toLocaleString("en")))} items`
      return `${listed(JSON.parse(names))} coincide${where}.`
    })
    .join(" ")
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** An SVG: a line for each way of taking each contrast; whiskers are two Monte Carlo standard errors. */
export function powerFigure({ experiment, contrasts, simulations, models }: DiagnosedExperiment): string {
  const series = contrasts
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
    }))
  return lineChart({
    title: `Power of ${experiment} by number of items`,
    x: { label: "Items" },
    y: { label: "Power", share: true },
    series,
    marked: [{ y: WANTED, label: `${Math.round(100 * WANTED)}%` }],
    note: `${simulations} simulations of ${models.length} ${models.length === 1 ? "model" : "models"} at each number of items; whiskers are two Monte Carlo standard errors. ${coinciding(series)}`.trim(),
    id: `power-${experiment}`,
  })
}
