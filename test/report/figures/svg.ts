/** Reads a figure back: where its elements stand, in pixels of the whole figure. */
import { parseHTML } from "linkedom"
import { widthOf } from "../../../runtime/report/figures/text.ts"

interface Node {
  readonly localName: string
  readonly textContent: string
  readonly parentNode: Node | null
  readonly children: Iterable<Node>
  readonly getAttribute: (name: string) => string | null
  readonly querySelectorAll: (selector: string) => Iterable<Node>
}

export interface Words {
  readonly text: string
  /** Its anchor. */
  readonly x: number
  readonly y: number
  readonly left: number
  readonly right: number
  readonly size: number
  readonly turned: boolean
}

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly fill: string
  readonly title: string
}

export interface Dot {
  readonly x: number
  readonly y: number
  readonly fill: string
  readonly stroke: string
  readonly symbol: string
  readonly title: string
}

export interface Line {
  readonly x1: number
  readonly x2: number
  readonly y1: number
  readonly y2: number
  readonly stroke: string
}

export interface Read {
  readonly width: number
  readonly height: number
  readonly words: readonly Words[]
  readonly boxes: readonly Box[]
  readonly dots: readonly Dot[]
  readonly lines: readonly Line[]
  /** Corners of lines of series, by stroke. */
  readonly paths: readonly {
    readonly points: readonly (readonly [number, number])[]
    readonly stroke: string
    readonly dash: string
  }[]
}

export function readSvg(svg: string): Read {
  const { document } = parseHTML(`<html><body>${svg}</body></html>`) as unknown as { document: Node }
  const [root] = document.querySelectorAll("svg")
  const all = (selector: string) =>
    [...root!.querySelectorAll(selector)].filter((one) => !within(one, "defs"))
  const number = (node: Node, name: string) => Number(node.getAttribute(name) ?? 0)
  return {
    width: number(root!, "width"),
    height: number(root!, "height"),
    words: all("text").flatMap(wordsOf),
    boxes: all("rect")
      .filter((node) => node.getAttribute("width") !== "100%")
      .map((node) => {
        const [x, y] = placeOf(node)
        const [left, top] = [x + number(node, "x"), y + number(node, "y")]
        return {
          left,
          top,
          right: left + number(node, "width"),
          bottom: top + number(node, "height"),
          fill: inherited(node, "fill"),
          title: titleIn(node),
        }
      }),
    dots: [
      ...all("circle").map((node) => {
        const [x, y] = placeOf(node)
        return { ...looks(node), x: x + number(node, "cx"), y: y + number(node, "cy"), symbol: "circle" }
      }),
      ...all("path")
        .filter((node) => node.getAttribute("transform") !== null)
        .map((node) => {
          const [x, y] = placeOf(node)
          return { ...looks(node), x, y, symbol: node.getAttribute("d")! }
        }),
    ],
    lines: all("line").map((node) => {
      const [x, y] = placeOf(node)
      return {
        x1: x + number(node, "x1"),
        x2: x + number(node, "x2"),
        y1: y + number(node, "y1"),
        y2: y + number(node, "y2"),
        stroke: inherited(node, "stroke"),
      }
    }),
    paths: all("path")
      .filter((node) => node.getAttribute("transform") === null && inherited(node, "fill") === "none")
      .map((node) => {
        const [x, y] = placeOf(node)
        const numbers = node
          .getAttribute("d")!
          .match(/-?[\d.]+/g)!
          .map(Number)
        const points = Array.from(
          { length: Math.floor(numbers.length / 2) },
          (_, at) => [x + numbers[2 * at]!, y + numbers[2 * at + 1]!] as const,
        )
        return { points, stroke: inherited(node, "stroke"), dash: inherited(node, "stroke-dasharray") }
      }),
  }
}

const looks = (node: Node) => ({
  fill: inherited(node, "fill"),
  stroke: inherited(node, "stroke"),
  title: titleIn(node),
})

const titleIn = (node: Node): string =>
  [...node.children].find(({ localName }) => localName === "title")?.textContent ?? ""

function within(node: Node, name: string): boolean {
  for (let one: Node | null = node; one !== null; one = one.parentNode)
    if (one.localName === name) return true
  return false
}

function inherited(node: Node, name: string): string {
  for (let one: Node | null = node; one?.getAttribute !== undefined && one !== null; one = one.parentNode) {
    const value = one.getAttribute(name)
    if (value !== null) return value
  }
  return ""
}

/** The sum of all shifts from the root down to an element. */
function placeOf(node: Node): readonly [number, number] {
  let [x, y] = [0, 0]
  for (let one: Node | null = node; one?.getAttribute !== undefined && one !== null; one = one.parentNode) {
    const shift = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(one.getAttribute("transform") ?? "")
    if (shift !== null) {
      x += Number(shift[1])
      y += Number(shift[2])
    }
  }
  return [x, y]
}

function wordsOf(node: Node): readonly Words[] {
  // The words of who points at it are no text of the figure.
  const text = node.textContent.slice(0, node.textContent.length - titleIn(node).length)
  const [dx, dy] = placeOf(node)
  const own = (name: string) => {
    const value = node.getAttribute(name)
    return value === null || value.endsWith("em") ? 0 : Number(value)
  }
  const size = Number(inherited(node, "font-size"))
  const anchor = inherited(node, "text-anchor") || "start"
  const x = dx + own("x")
  const wide = widthOf(text, size)
  const left = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2
  const turned = inherited(node, "transform").includes("rotate")
  return [{ text, x, y: dy + own("y"), left, right: left + wide, size, turned }]
}

/**
 * A number by its pixel, from labels of an axis: the straight line through the first and the last of them. `value` reads a label; labels
 * that it cannot read are none of the axis.
 */
export function axisFrom(
  words: readonly Words[],
  along: "x" | "y",
  value: (label: string) => number = (label) =>
    Number(label.replace("−", "-").replace("+", "").replace("%", "")) / (label.endsWith("%") ? 100 : 1),
): (pixel: number) => number {
  const ticks = words
    .map((word) => ({ at: word[along], is: value(word.text) }))
    .filter(({ is }) => Number.isFinite(is))
    .sort((a, b) => a.is - b.is)
  const [first, last] = [ticks[0]!, ticks.at(-1)!]
  if (first.at === last.at) throw new Error("an axis needs two labels")
  return (pixel) => first.is + ((pixel - first.at) / (last.at - first.at)) * (last.is - first.is)
}

/** Throws where the text is no well-formed XML: what an SVG in a file must be. */
export function wellFormed(xml: string): void {
  const open: string[] = []
  let at = 0
  for (const tag of xml.matchAll(/<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    const between = xml.slice(at, tag.index)
    if (/<|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i.test(between))
      throw new Error(`markup in a text: ${between}`)
    if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i.test(tag[3]!))
      throw new Error(`a bare & in ${tag[0]}`)
    const names = [...tag[3]!.matchAll(/([\w:-]+)="/g)].map(([, name]) => name)
    if (new Set(names).size !== names.length) throw new Error(`an attribute twice in ${tag[0]}`)
    at = tag.index + tag[0].length
    if (tag[1] === "/") {
      if (open.pop() !== tag[2]) throw new Error(`</${tag[2]}> closes nothing`)
    } else if (tag[4] !== "/") open.push(tag[2]!)
  }
  if (open.length > 0 || xml.slice(at).trim() !== "") throw new Error(`${open.join(", ")} is not closed`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML does not allow.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml))
    throw new Error("a character that XML does not allow")
}
