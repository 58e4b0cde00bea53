/**
 * Colours of figures, each with its twin for a dark page, and how series differ besides: in symbol, dash and hatching. The colours of series keep
 * the hues of Okabe & Ito (2008) and were moved until they stay apart under simulated protanopia, deuteranopia and tritanopia, each against its
 * ground by 3 to 1 (test/report/figures/palette.test.ts measures both).
 */
import type { SymbolType } from "@observablehq/plot"

/** One colour by what it is for: on a light page and in print, and on a dark page. */
interface Themed {
  readonly light: string
  readonly dark: string
}

export const PAGE: Themed = { light: "#ffffff", dark: "#15181c" }
export const INK: Themed = { light: "#1b1f24", dark: "#e6e9ed" }
/** Ticks, n, captions: 4.5 to 1 against the page still. */
export const FAINT: Themed = { light: "#57606a", dark: "#a3abb5" }
export const GRID: Themed = { light: "#d5dae0", dark: "#343b45" }

/** Of series, in the order of their levels. */
export const SHADES: readonly Themed[] = [
  { light: "#2157d7", dark: "#6e8eff" },
  { light: "#b03800", dark: "#ca641f" },
  { light: "#24a57f", dark: "#16ca8d" },
  { light: "#8e5373", dark: "#b5a6ba" },
  { light: "#d67c00", dark: "#ffed54" },
  { light: "#293425", dark: "#eef3eb" },
]

/** Of cells of a matrix from the least to the most, with the ink that is read on each; no two inks are equal, so that each has a class of its own. */
export const HEATS: readonly (Themed & { readonly ink: Themed })[] = [
  ["#f2f6fa", "#1c242d"],
  ["#dce8f3", "#1d3042"],
  ["#c2d8ec", "#1f3d57"],
  ["#a3c5e3", "#214a6d"],
  ["#7fafd8", "#245985"],
  ["#5b9bd0", "#5594cc"],
  ["#2a70ab", "#7cb0e0"],
  ["#15538a", "#a6ccf0"],
  ["#0a3763", "#d5e8fb"],
].map(([light, dark], at) => ({
  light: light!,
  dark: dark!,
  ink: { light: `#${at < 6 ? "0b111" : "fdfdf"}${at}`, dark: at < 5 ? "#f8fafc" : "#0c1218" },
}))

export const SYMBOLS: readonly SymbolType[] = [
  "circle",
  "square",
  "diamond",
  "triangle",
  "star",
  "cross",
  "wye",
]
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 4"]

/** How a series looks. */
export interface Look {
  readonly shade: string
  readonly symbol: SymbolType
  /** Of its line; empty for none. */
  readonly dash: string
  /** Which hatching its bars have; 0 for none. */
  readonly hatch: number
}

/** Of the series number `at`: seven symbols over six colours, 42 series before two are alike. */
export const lookOf = (at: number): Look => ({
  shade: SHADES[at % SHADES.length]!.light,
  symbol: SYMBOLS[at % SYMBOLS.length]!,
  dash: DASHES[at % DASHES.length]!,
  hatch: at % SYMBOLS.length,
})

const NAMED: readonly (readonly [string, Themed])[] = [
  ["page", PAGE],
  ["ink", INK],
  ["faint", FAINT],
  ["grid", GRID],
  ...SHADES.map((shade, at) => [`s${at}`, shade] as const),
  ...HEATS.map((heat, at) => [`h${at}`, heat] as const),
  ...HEATS.map(({ ink }, at) => [`t${at}`, ink] as const),
]

/** The name of each colour, by the light one that figures are drawn with; its classes are `cfx-f-NAME` where it fills, `cfx-k-NAME` where it strokes. */
export const COLOR_NAMES: ReadonlyMap<string, string> = new Map(
  NAMED.map(([name, { light }]) => [light, name]),
)

const rules = (theme: "light" | "dark", used: ReadonlySet<string>) =>
  NAMED.flatMap(([name, themed]) => {
    const rule = (kind: "f" | "k", what: string) =>
      used.has(`cfx-${kind}-${name}`) ? [`.cfx-figure .cfx-${kind}-${name}{${what}:${themed[theme]}}`] : []
    return [...rule("f", "fill"), ...rule("k", "stroke")]
  }).join("")

/**
 * The style sheet of a figure that uses these classes. Colours stand in the elements too, so that what knows no style sheet draws the light figure;
 * a reader's dark theme changes them, paper takes them back.
 */
export function styleOf(used: ReadonlySet<string>): string {
  return [
    "<style>",
    ".cfx-figure{max-width:100%;height:auto}",
    `@media (prefers-color-scheme:dark){${rules("dark", used)}}`,
    `@media print{.cfx-figure{print-color-adjust:exact}${rules("light", used)}}`,
    "</style>",
  ].join("\n")
}
