/** Of which trial a row is, by the names that it has: item, model, pool and levels. */
import type { RecordsIR } from "../../compiler/ir.ts"
import { printColumn } from "../../compiler/items/column.ts"
import type { Say } from "./reading.ts"
import { type MappedRow, valueIn } from "./values.ts"

export interface Names {
  readonly item: string
  /** Undefined where no column says it. */
  readonly model?: string
  readonly pool?: string
  /** Level by mapped factor; one that the row lacks is absent. */
  readonly levels: Readonly<Record<string, string>>
}

/** What a row is none of the trials without; undefined where something of it is wrong, which was told. */
export function namesIn(
  row: MappedRow,
  records: RecordsIR,
  factors: readonly string[],
  say: Say,
): Names | undefined {
  const need = (what: string): string | undefined => {
    const column = records.columns[what]
    if (column === undefined) return undefined
    const value = valueIn(row, column)
    if (value.kind === "text") return value.text
    say(
      "missing",
      value.kind === "unfit" ? `the ${what}: ${value.why}` : `it has no ${what} (\`${printColumn(column)}\`)`,
    )
    return undefined
  }
  const item = need("item")
  if (item === undefined) return undefined
  const outer: { model?: string; pool?: string } = {}
  for (const name of ["model", "pool"] as const) {
    if (records.columns[name] === undefined) continue
    const found = need(name)
    const level = found === undefined ? undefined : levelFor(name, found, records, say)
    if (level === undefined) return undefined
    outer[name] = level
  }
  const levels: Record<string, string> = {}
  for (const factor of factors) {
    const column = records.columns[factor]
    if (column === undefined) continue
    const value = valueIn(row, column)
    if (value.kind === "empty") continue
    if (value.kind !== "text") {
      const why =
        value.kind === "unfit" ? `: ${value.why}` : value.kind === "absent" ? ` (\`${value.column}\`)` : ""
      say("missing", `it has no level of ${factor}${why}`)
      return undefined
    }
    const level = levelFor(factor, value.text, records, say)
    if (level === undefined) return undefined
    levels[factor] = level
  }
  return { item, ...outer, levels }
}

/** What a value of the file stands for. */
function levelFor(factor: string, value: string, { levels }: RecordsIR, say: Say): string | undefined {
  const declared = levels[factor]
  if (declared === undefined) return value
  const level = Object.hasOwn(declared, value) ? declared[value] : undefined
  if (level !== undefined) return level
  const known = Object.keys(declared).slice(0, 12).join(", ")
  say("unknown", `${JSON.stringify(value)} stands for no level of ${factor} (there are ${known})`)
  return undefined
}
