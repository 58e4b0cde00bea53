/** Where records made elsewhere have what a trial is made of: each line of the mapping under what stands left of its `=`. */
import { posix } from "node:path"
import type { RecordedReadIR, RecordsIR } from "../../compiler/ir.ts"
import { columnText } from "./columns.ts"

type Lines = readonly (readonly [name: string, text: string])[]

/** By what cfx calls it; the file goes by its name, as its folder is this machine's. Nothing where an experiment says nothing of records. */
export function recordsLines(records: RecordsIR | undefined): Lines {
  if (records === undefined) return []
  const { file, format, alone, columns, labels, items, attributes, reads, policies } = records
  return [
    ["alone", alone ? "there is nothing besides" : "of a design that can be run"],
    ...(file === undefined ? [] : [["file", posix.basename(file)] as const]),
    ...(format === undefined ? [] : [["format", format] as const]),
    ...Object.entries(columns).map(
      ([name, column]) => [name, `${columnText(column)}${levelsText(records.levels[name])}`] as const,
    ),
    ...(labels === undefined ? [] : [["labels", labelsText(labels)] as const]),
    ...named("item", items),
    ...named("model", attributes),
    ...reads.flatMap(readLines),
    ...Object.entries(policies).map(([problem, policy]) => [`on ${problem}`, policy] as const),
  ]
}

const named = (of: string, columns: RecordsIR["items"]): Lines =>
  Object.entries(columns).map(([name, column]) => [`${of}.${name}`, columnText(column)])

const labelsText = (labels: NonNullable<RecordsIR["labels"]>): string =>
  "all" in labels ? `{ ${labels.all.map(quoted).join(", ")} }` : columnText(labels.list)

/** ` { experts = "expert panel" or "experts" }`; nothing where the file's own values are the levels. */
function levelsText(levels: Readonly<Record<string, string>> | undefined): string {
  if (levels === undefined) return ""
  const values = new Map<string, string[]>()
  for (const [value, level] of Object.entries(levels))
    values.set(level, [...(values.get(level) ?? []), quoted(value)])
  return ` { ${[...values].map(([level, all]) => `${level} = ${all.join(" or ")}`).join(", ")} }`
}

const quoted = (text: string): string => JSON.stringify(text)

function readLines({ hole, answer, probabilities, ...parts }: RecordedReadIR): Lines {
  const shares =
    probabilities === undefined
      ? []
      : "by" in probabilities
        ? Object.entries(probabilities.by).map(([label, column]) => [`p(${label})`, column] as const)
        : [["p", probabilities.list] as const]
  return [
    ...(answer === undefined ? [] : [[hole, columnText(answer)] as const]),
    ...[...shares, ...Object.entries(parts)].map(
      ([part, column]) => [`${hole}.${part}`, columnText(column)] as const,
    ),
  ]
}
