/** A figure as SVG: no script, no font of its own, nothing loaded; the same bytes each time. */
import { barsPart } from "./bars.ts"
import { distributionPart } from "./distribution.ts"
import { forestPart } from "./forest.ts"
import { framed, type Part, paragraph, stacked } from "./frame.ts"
import { padded } from "./lineChart.ts"
import { linesFigure } from "./lines.ts"
import { matrixPart } from "./matrix.ts"
import { heading } from "./panels.ts"
import { WIDTH } from "./sizes.ts"
import { type FigureView, hasNumbers } from "./view.ts"
import { describe, titleOf, whyEmpty } from "./words.ts"

/** The whole SVG element; `id` must be unique in the document that it is put into. */
export function figureSvg(figure: FigureView, id: string): string {
  const names = { title: titleOf(figure), desc: describe(figure) }
  return framed(padded(partOf(figure)), names, id)
}

function partOf(figure: FigureView): Part {
  if (!hasNumbers(figure)) {
    const name = figure.mark === "forest" ? figure.name : figure.measure.name
    return stacked([heading(name), paragraph(whyEmpty(figure), WIDTH, { most: 12 })])
  }
  if (figure.mark === "forest") return forestPart(figure)
  if (figure.mark === "distribution") return distributionPart(figure)
  if (figure.mark === "matrix") return matrixPart(figure)
  return figure.mark === "line" ? linesFigure(figure) : barsPart(figure)
}
