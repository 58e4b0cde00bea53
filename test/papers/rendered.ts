/** What stands in `report.md`: its tables, and what its figures say in words. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface RenderedTable {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const plain = (text: string): string => text.replace(/\\([^\w\s])/g, "$1").trim()

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(plain)

/** The first table below the heading `Table NAME`; undefined where there is none. */
export function tableIn(report: string, name: string): RenderedTable | undefined {
  const lines = report.split("\n")
  const at = lines.findIndex((line) => plain(line) === `### Table ${name}`)
  if (at < 0) return undefined
  const from = lines.findIndex((line, index) => index > at && line.startsWith("|"))
  const until = lines.findIndex((line, index) => index > from && !line.startsWith("|"))
  const [head, , ...rows] = lines.slice(from, until)
  return { heads: cellsOf(head ?? ""), rows: rows.map(cellsOf) }
}

/** The drawing of a figure as it was written, and what stands in the report for those who do not see it. */
export function figureIn(
  directory: string,
  report: string,
  name: string,
): { readonly svg: string; readonly words: string } | undefined {
  const found = [...report.matchAll(/!\[(.*)\]\((figures\/[^)]*)\)/g)].find(([, , path]) =>
    path!.endsWith(`${name}.svg`),
  )
  if (found === undefined || !existsSync(join(directory, found[2]!))) return undefined
  return { svg: readFileSync(join(directory, found[2]!), "utf8"), words: plain(found[1]!) }
}

/** The number that a cell begins with as a fraction of 1, and half a unit of its last digit; undefined where it is "no value". */
export function shownIn(text: string): { readonly value: number; readonly within: number } | undefined {
  const found = /^([+−-]?)(\d[\d,]*(?:\.(\d+))?)( ?(?:%|pp))?/.exec(text)
  if (found === null) return undefined
  const [, sign, digits, decimals = "", unit] = found
  const scale = unit === undefined ? 1 : 100
  const value = Number(digits!.replaceAll(",", "")) / scale
  return {
    value: sign === "" || sign === "+" ? value : -value,
    within: 0.5 / 10 ** decimals.length / scale + 1e-9,
  }
}
