/** Panels of one figure beside and below each other, under one key. */
import { moved, type Part, paragraph, stacked, words } from "./frame.ts"
import { WIDTH } from "./sizes.ts"

const GAP = 20

/** As many panels to a row as have their least width, three at most; each under its level's name. */
export function panelGrid(
  panels: readonly string[],
  least: number,
  draw: (panel: string, width: number) => Part,
): Part {
  const fit = Math.floor((WIDTH + GAP) / (least + GAP))
  // Rows as even as they can be: four panels are two and two.
  const most = Math.max(1, Math.min(3, fit, panels.length))
  const rows = Math.ceil(panels.length / most)
  const columns = Math.ceil(panels.length / rows)
  const width = (WIDTH - (columns - 1) * GAP) / columns
  const drawn = panels.map((panel) =>
    stacked([paragraph(panel, width, { bold: true, most: 2 }), draw(panel, width)]),
  )
  const lines = Array.from({ length: rows }, (_, row): Part => {
    const own = drawn.slice(row * columns, (row + 1) * columns)
    return {
      width: WIDTH,
      height: Math.max(...own.map(({ height }) => height)),
      markup: own.map(({ markup }, at) => moved(markup, at * (width + GAP), 0)).join("\n"),
    }
  })
  return stacked(lines, GAP)
}

/** A heading over a figure's plot: what its axis of numbers is. */
export const heading = (text: string): Part => ({
  width: WIDTH,
  height: 24,
  markup: words(0, 13, text, { bold: true }),
})
