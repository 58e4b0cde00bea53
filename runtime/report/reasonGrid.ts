/** Why reads have no value, by arm: refusals, what no rule finds in a text, what an engine could not answer, what had nothing to be asked about. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { NOT_ASKED, skippedWords } from "../measure/skipped.ts"
import { factorColumn, type TrialTable } from "../measure/table.ts"
import { grouped } from "./format.ts"
import { type Grid, withoutEmpty } from "./grid.ts"

/** Reasons of a read and an arm that are printed by themselves; those of fewer trials are put together. */
const PRINTED = 8

interface Group {
  readonly hole: string
  readonly model: string
  readonly arm: string
  /** Trials of this model and arm. */
  trials: number
  /** Trials by status and reason. */
  readonly reasons: Map<string, number>
}

/** Undefined where every read has a value, but for those that a stopped run has not asked. */
export function reasonGrid(experiment: ExperimentIR, table: TrialTable | undefined): Grid | undefined {
  if (table === undefined) return undefined
  const rows = groupsOf(experiment, table).flatMap(rowsOf)
  if (rows.length === 0) return undefined
  return withoutEmpty({
    id: "reasons",
    title: "Why reads have no value",
    caption: "Trials by read, model, arm and reason, of all trials of that model and arm.",
    heads: [
      { text: "read", kind: "name" },
      ...(experiment.models.length > 1 ? [{ text: "model", kind: "name" as const }] : []),
      { text: "arm", kind: "name" },
      { text: "came out", kind: "name" },
      { text: "reason", kind: "words" },
      { text: "trials", kind: "number" },
      { text: "of", kind: "number" },
    ],
    rows: rows.map(({ hole, model, arm, status, why, count, of }) => [
      { text: hole },
      ...(experiment.models.length > 1 ? [{ text: model }] : []),
      { text: arm },
      { text: status },
      { text: why },
      { text: grouped(count), value: count },
      { text: grouped(of), value: of },
    ]),
    notes: [],
  })
}

function groupsOf({ protocol }: ExperimentIR, table: TrialTable): readonly Group[] {
  const columns = table.columns()
  const [model, arm] = [columns.get("model"), columns.get(factorColumn("arm"))]
  const groups = new Map<string, Group>()
  for (const { name } of protocol.holes) {
    const [status, why] = [columns.get(`${name}.status`), columns.get(`${name}.why`)]
    if (status === undefined || why === undefined) continue
    for (let row = 0; row < table.rows; row++) {
      const [of, at] = [String(model?.at(row) ?? ""), String(arm?.at(row) ?? "")]
      const key = `${name}\n${of}\n${at}`
      let group = groups.get(key)
      if (group === undefined) {
        group = { hole: name, model: of, arm: at, trials: 0, reasons: new Map() }
        groups.set(key, group)
      }
      group.trials += 1
      const came = status.at(row)
      if (came === "value") continue
      const reason = reasonOf(String(came), String(why.at(row) ?? ""))
      if (reason === undefined) continue
      group.reasons.set(reason, (group.reasons.get(reason) ?? 0) + 1)
    }
  }
  return [...groups.values()]
}

/** Status and reason, parted by a line break; undefined for what is not asked yet. */
function reasonOf(status: string, why: string): string | undefined {
  if (status !== "skipped") return `${status}\n${why}`
  const words = skippedWords(why)
  return words === NOT_ASKED ? undefined : `${status}\n${words.replace(/^skipped: /, "")}`
}

/** The most frequent first; those that are left are one row for each status. */
function rowsOf({ hole, model, arm, trials, reasons }: Group) {
  const sorted = [...reasons]
    .map(([key, count]) => {
      const [status = "", ...why] = key.split("\n")
      return { status, why: why.join("\n"), count }
    })
    .sort((a, b) => b.count - a.count || (`${a.status}${a.why}` < `${b.status}${b.why}` ? -1 : 1))
  const rest = new Map<string, { reasons: number; count: number }>()
  for (const { status, count } of sorted.slice(PRINTED)) {
    const known = rest.get(status) ?? { reasons: 0, count: 0 }
    rest.set(status, { reasons: known.reasons + 1, count: known.count + count })
  }
  const others = [...rest].map(([status, { reasons, count }]) => ({
    status,
    why: `${grouped(reasons)} other reasons, which trials.csv has`,
    count,
  }))
  return [...sorted.slice(0, PRINTED), ...others].map((one) => ({ hole, model, arm, of: trials, ...one }))
}
