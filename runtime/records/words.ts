/** What a report says of records made elsewhere: what they were, what was wrong with them, and what is missing of the design. */
import { counted, grouped } from "../report/format.ts"
import type { ScoredFacts } from "./facts.ts"

/** What a reader must know before any number. */
export function scoredNotices(records: readonly ScoredFacts[] = []): readonly string[] {
  return records.map(({ file, rows, trials, experiment }) => {
    const of = records.length > 1 ? `${experiment}: scored` : "Scored"
    const came =
      rows === trials
        ? `${counted(rows, "record")}, each a trial`
        : `${counted(rows, "record")} came to ${counted(trials, "trial")}`
    return `${of} from records made elsewhere (${file}); cfx asked no model. ${came}.`
  })
}

/** Each finding in a line: "3 rows: `a1` says "E", which is none of A, B, C (answers.csv:12, answers.csv:40, ...): the read counts as invalid". */
export const findingLines = ({ findings }: Pick<ScoredFacts, "findings">): readonly string[] =>
  findings.map(({ what, count, places, policy }) => {
    const at = places.join(", ")
    return `${counted(count, "row")}: ${what} (${at}${count > places.length ? ", ..." : ""}): ${became(policy)}`
  })

const became = (policy: ScoredFacts["findings"][number]["policy"]): string => {
  switch (policy) {
    case "stop":
      return "nothing can be scored"
    case "leave_out":
      return "left out, as the spec says"
    case "invalid":
      return "the read counts as invalid"
    case "first":
      return "left out: the first row of a trial counts, as the spec says"
    case "last":
      return "left out: the last row of a trial counts, as the spec says"
    case "keep":
      return "noted, and kept"
    default:
      return policy satisfies never
  }
}

/** Cells that are named; the rest is counted. */
const NAMED = 12

/** What of the design has no row. */
export function missingLines({ missing }: Pick<ScoredFacts, "missing">): readonly string[] {
  const { count, of, cells } = missing
  if (count === 0) return []
  const lines = cells.slice(0, NAMED).map(({ model, pool, levels, missing: lacks, of: all }) => {
    const where = Object.entries(levels).map(([factor, level]) => `${factor} = ${level}`)
    return `${grouped(lacks)} of ${grouped(all)} items of ${[`model ${model}`, `pool ${pool}`, ...where].join(", ")}`
  })
  const rest = cells.length > NAMED ? [`and more in ${counted(cells.length - NAMED, "further cell")}`] : []
  return [
    `The cells are not balanced: ${grouped(count)} of ${counted(of, "trial")} have no record.`,
    ...lines,
    ...rest,
  ]
}

/** Each level that the spec names and no trial has, in a line. */
export const unseenLines = ({ unseen }: Pick<ScoredFacts, "unseen">): readonly string[] =>
  unseen.map(({ factor, level, by, near }) => {
    const meant = near === undefined ? "" : `; did you mean \`${near}\`?`
    return `No record has ${factor} = ${level}, which ${by.join(", ")} ${by.length === 1 ? "names" : "name"}${meant}`
  })

export interface RecordsPart {
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly words: readonly string[]
  readonly failed: readonly string[]
}

/** A section of the report. */
export function recordsParts(records: readonly ScoredFacts[] = []): readonly RecordsPart[] {
  if (records.length === 0) return []
  const prefix = ({ experiment }: ScoredFacts): string => (records.length > 1 ? `${experiment}: ` : "")
  return [
    {
      id: "records",
      title: "The records",
      lead: "They were made elsewhere: what stands in them is taken as it is, and what cannot be is counted here.",
      words: records.flatMap((one) => [
        `${prefix(one)}${one.file} (${one.format}, sha256 ${one.sha256}): ${counted(one.rows, "record")}, ${counted(one.trials, "trial")}.`,
        ...findingLines(one).map((line) => `${prefix(one)}${line}.`),
        ...missingLines(one).map((line) => `${prefix(one)}${line}`),
        ...unseenLines(one).map((line) => `${prefix(one)}${line}`),
      ]),
      failed: [],
    },
  ]
}

/** Lines of `results.json`, one for each experiment. */
export const recordsJson = (records: readonly ScoredFacts[] = []): readonly string[] =>
  records.map(({ experiment, file, format, sha256, rows, trials, findings, missing, unseen }) =>
    JSON.stringify({
      kind: "records",
      experiment,
      file,
      format,
      sha256,
      rows,
      trials,
      findings,
      missing,
      unseen,
    }),
  )
