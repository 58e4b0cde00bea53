/** Bars and dots with their intervals, one group for each level: upright where all names and numbers have room, else lying, a row for each. */

import { type Part, stacked } from "./frame.ts"
import { hatchings, legend } from "./key.ts"
import { lyingPanel } from "./lyingBars.ts"
import { measuredAxis } from "./measuredAxis.ts"
import { heading, panelGrid } from "./panels.ts"
import { WIDTH } from "./sizes.ts"
import { leastWidth, standing } from "./standingBars.ts"
import type { Mark, MeasuredFigure } from "./view.ts"

export function barsPart(figure: MeasuredFigure): Part {
  const axis = measuredAxis(figure)
  const panel = (marks: readonly Mark[], width: number) =>
    standing(figure, marks, axis, width) ?? lyingPanel(figure, marks, axis, width)
  const least = leastWidth(figure, axis)
  return stacked([
    {
      ...heading(figure.measure.name),
      markup: [
        figure.mark === "bar" ? hatchings(figure.colors.length) : "",
        heading(figure.measure.name).markup,
      ].join(""),
    },
    ...(figure.colors.length === 0
      ? []
      : [legend(figure.colors, figure.mark === "bar" ? "bar" : "dot", WIDTH)]),
    figure.panels.length === 0
      ? panel(figure.marks, WIDTH)
      : panelGrid(figure.panels, least, (name, width) =>
          panel(
            figure.marks.filter((mark) => mark.panel === name),
            width,
          ),
        ),
  ])
}
