/** Reads of which a server listed no probability for some labels: what it listed then adds up to 1 without them. */
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { nodesOf } from "../../compiler/looks.ts"
import type { Tables, TrialTable } from "../measure/table.ts"
import { counted, grouped } from "./format.ts"
import type { ReportInput } from "./input.ts"

/** Reads of an experiment with labels that were not listed, by trial, of all that have a value. */
interface Unlisted {
  readonly hole: string
  readonly count: number
  readonly of: number
}

const known = new WeakMap<TrialTable, readonly Unlisted[]>()

function unlistedIn(table: TrialTable): readonly Unlisted[] {
  const before = known.get(table)
  if (before !== undefined) return before
  const columns = table.columns()
  const found = table.experiment.protocol.holes.flatMap(({ name }) => {
    const [status, labels] = [columns.get(`${name}.status`), columns.get(`${name}.unlisted`)]
    if (status === undefined || labels === undefined) return []
    let [count, of] = [0, 0]
    for (let row = 0; row < table.rows; row++) {
      if (status.at(row) === "value") of += 1
      if (labels.at(row) !== null) count += 1
    }
    return count === 0 ? [] : [{ hole: name, count, of }]
  })
  known.set(table, found)
  return found
}

/** "a1: in 34 of 240 reads the server did not list every label". */
export const unlistedWords = ({
  program,
  tables,
}: Pick<ReportInput, "program" | "tables">): readonly string[] =>
  program.experiments.flatMap(({ name }, _, { length }) => {
    const table = tables.get(name)
    return (table === undefined ? [] : unlistedIn(table)).map(
      ({ hole, count, of }) =>
        `${length > 1 ? `${name}: ` : ""}${hole}: in ${grouped(count)} of ${counted(of, "read")} the server did not list every label.`,
    )
  })

/** Why a measure's number is not quite what it says: it rests on probabilities that are upper bounds. */
export function boundedBy(measure: MeasureIR, experiment: ExperimentIR, tables: Tables): string | undefined {
  const table = tables.get(experiment.name)
  const bounded = table === undefined ? [] : unlistedIn(table).map(({ hole }) => hole)
  if (bounded.length === 0) return undefined
  const own = bounded.filter((hole) => restsOnProbabilities(measure, hole))
  if (own.length === 0) return undefined
  return `${measure.name} rests on probabilities of ${own.join(" and ")}, of which the server did not list every label: those that it listed, and confidence, are upper bounds`
}

function restsOnProbabilities({ value, other, given, weight }: MeasureIR, hole: string): boolean {
  const parts = [value, other, given, weight].flatMap((one) => (one === undefined ? [] : nodesOf(one)))
  return parts.some(
    (part) =>
      (part.kind === "p" || part.kind === "confidence" || part.kind === "recalibrated") && part.hole === hole,
  )
}
