/** The SVG around what is drawn: its names for who cannot see it, its ground, and lines of text. */
import { escapeHtml } from "../escape.ts"
import { FAINT, INK, PAGE, styleOf } from "./palette.ts"
import { px } from "./plot.ts"
import { FONT } from "./sizes.ts"
import { brokenText } from "./text.ts"

/** A rectangle of markup; `id` marks what may be given only once in a page. */
export interface Part {
  readonly width: number
  readonly height: number
  readonly markup: string
}

/** The element's own names: a title of one line, and every number in words. */
export interface Names {
  readonly title: string
  readonly desc: string
}

/**
 * The whole SVG element. `id` must be unique in the document that it is put into; it takes the place of `ID` where one element
 * refers to another.
 */
export function framed(part: Part, { title, desc }: Names, id: string): string {
  const { width, height } = part
  const body = part.markup.replaceAll(ID, id)
  const used = new Set([...body.matchAll(/cfx-[fk]-\w+/g)].map(([name]) => name))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="cfx-figure" role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" fill="none" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif" font-size="${FONT}" font-variant-numeric="tabular-nums">`,
    `<title id="${id}-title">${escapeHtml(title)}</title>`,
    `<desc id="${id}-desc">${escapeHtml(desc)}</desc>`,
    styleOf(new Set([...used, "cfx-f-page"])),
    `<rect class="cfx-f-page" fill="${PAGE.light}" width="100%" height="100%"/>`,
    body,
    "</svg>",
    "",
  ].join("\n")
}

/** Stands for the figure's id until it is known: a character that no text of a figure has (`escape.ts`). */
export const ID = "\u0001"

/** The markup of a part, further to the right and down. */
export const moved = (markup: string, x: number, y: number): string =>
  x === 0 && y === 0 ? markup : `<g transform="translate(${px(x)} ${px(y)})">\n${markup}\n</g>`

/** One part under the other. */
export function stacked(parts: readonly Part[], gap = 0): Part {
  let y = 0
  const markup = parts.map((part) => {
    const here = moved(part.markup, 0, y)
    y += part.height + gap
    return here
  })
  return {
    width: Math.max(0, ...parts.map(({ width }) => width)),
    height: Math.max(0, y - gap),
    markup: markup.join("\n"),
  }
}

type Anchor = "start" | "middle" | "end"

interface Words {
  readonly anchor?: Anchor
  readonly faint?: boolean
  readonly bold?: boolean
  readonly size?: number
}

/** A line of text whose base line is at `y`. */
export function words(
  x: number,
  y: number,
  text: string,
  { anchor = "start", faint = false, bold = false, size = FONT }: Words = {},
): string {
  const color = faint ? `class="cfx-f-faint" fill="${FAINT.light}"` : `class="cfx-f-ink" fill="${INK.light}"`
  const weight = bold ? ` font-weight="600"` : ""
  const side = anchor === "start" ? "" : ` text-anchor="${anchor}"`
  const scale = size === FONT ? "" : ` font-size="${size}"`
  return `<text ${color}${weight}${side}${scale} x="${px(x)}" y="${px(y)}">${escapeHtml(text)}</text>`
}

/** Lines of text that fill `width`; none where the text is empty. */
export function paragraph(text: string, width: number, style: Words & { readonly most?: number } = {}): Part {
  const size = style.size ?? FONT
  const lines = text === "" ? [] : brokenText(text, width, size, style.most ?? 4)
  const step = size * 1.35
  return {
    width,
    height: lines.length === 0 ? 0 : lines.length * step + 4,
    markup: lines.map((line, at) => words(0, size + at * step, line, style)).join("\n"),
  }
}
