/**
 * Observable Plot without a browser, for one part of a figure. It was chosen over Vega-Lite 6.4 (which draws the same marks as well): it draws at
 * once where Vega's view is asynchronous, a figure takes 10 ms against 100, the bundle grows by 1.1 MB against 1.7 MB, its SVG is a third as long
 * and says what each mark is, and its options are the marks themselves, so that a position can be tested against its number. Both give the
 * same bytes twice and are free to pass on (ISC against BSD). linkedom is the document that it draws into.
 *
 * What Plot writes is changed in four ways: colours get classes that a theme can change, numbers are rounded to hundredths of a pixel (a figure is
 * the same bytes wherever logarithms differ in their last bit), texts are made visible, and its own style sheet goes, since figures bring theirs. Markers, clips and
 * gradients are not to be used: Plot counts their ids up, and two figures of a page would share them.
 */
import * as Plot from "@observablehq/plot"
import { parseHTML } from "linkedom"
import { visible } from "../escape.ts"
import { COLOR_NAMES } from "./palette.ts"

/** What is used of a document's nodes. */
interface Drawn {
  readonly children: Iterable<Drawn>
  readonly childNodes: Iterable<{ readonly nodeType: number; data: string }>
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  readonly outerHTML: string
  readonly localName: string
  readonly setAttribute: (name: string, value: string) => void
  readonly getAttribute: (name: string) => string | null
  readonly removeAttribute: (name: string) => void
}

let page: unknown

/** The elements that Plot draws, as markup for an SVG of this `width` and `height`. */
export function plotted(options: Plot.PlotOptions): string {
  page ??= parseHTML("<html></html>").document
  const svg = Plot.plot({ ...options, document: page as never }) as unknown as Drawn
  if (svg.localName !== "svg")
    throw new Error("a part of a figure is one plot, without legends of Plot's own")
  const marks = [...svg.children].flatMap((child) => (child.localName === "style" ? [] : [markup(child)]))
  // What Plot's own root says to all of its marks.
  return `<g text-anchor="middle">\n${marks.join("\n")}\n</g>`
}

function markup(element: Drawn): string {
  dress(element)
  return element.outerHTML
}

const TEXT = 3

function dress(element: Drawn): void {
  const classes: string[] = []
  for (const { name, value } of [...element.attributes]) {
    // Names of Plot's layers are no words for a reader: the figure's own description is.
    if (name === "aria-label" || name === "aria-description") element.removeAttribute(name)
    else if (name === "fill" || name === "stroke") {
      const known = COLOR_NAMES.get(value)
      if (known !== undefined) classes.push(`cfx-${name === "fill" ? "f" : "k"}-${known}`)
    } else if (/\d\.\d{3}/.test(value)) element.setAttribute(name, rounded(value))
  }
  if (classes.length > 0) element.setAttribute("class", classes.join(" "))
  for (const node of element.childNodes) if (node.nodeType === TEXT) node.data = visible(node.data)
  for (const child of element.children) dress(child)
}

function rounded(value: string): string {
  return value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, (number) => px(Number(number)))
}

/** Hundredths of a pixel, without a negative zero. */
export const px = (value: number): string => String(Number(value.toFixed(2)) + 0)
