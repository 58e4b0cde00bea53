/** Which rows share a read. */
import { sha256 } from "../../compiler/hash.ts"
import type { ProtocolIR, RecordsIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { promptHole } from "../measure/readColumns.ts"
import { type MappedRow, valueIn } from "./values.ts"

/**
 * By read, what rows have in common that share it: where no column says it nothing, so that every trial is an observation of its own. Each is a sum,
 * as prompts of runs are.
 */
export function promptsOf(
  row: MappedRow,
  { reads }: RecordsIR,
  protocol: ProtocolIR,
  readings: Readonly<Record<string, Reading>>,
  trial: string,
): Readonly<Record<string, string>> {
  const prompts: Record<string, string> = {}
  for (const { hole: name, prompt } of reads) {
    const hole = protocol.holes.find((one) => one.name === name)
    const source = hole === undefined ? name : promptHole(hole, protocol)
    const value = prompt === undefined ? undefined : valueIn(row, prompt)
    if (value?.kind === "text") prompts[source] = promptName("shared", value.text)
    else if (isRead(readings[name])) prompts[source] ??= promptName("own", trial)
  }
  return prompts
}

/** What was skipped was put to nobody. */
const isRead = (reading: Reading | undefined): boolean =>
  reading !== undefined && reading.status !== "skipped"

const promptName = (kind: "shared" | "own", what: string): string => sha256(`${kind} ${what}`)
