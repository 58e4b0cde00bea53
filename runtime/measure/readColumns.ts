/**
 * The columns of a read: `status` (value, invalid, refused or skipped), `why` where it is no value, and the number of its `prompt`; of a text what
 * was written and how it ended, of any other its `answer` and, for options and labels, its index from 0; and where it is read off a distribution,
 * `confidence`, `mass`, `near_tie`, `low_mass` and one probability for each alternative.
 */
import type { HoleIR, ProtocolIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { TrialRecord } from "../record.ts"
import { askedModelOf } from "./askedModel.ts"
import { leastMassOf } from "./lowMass.ts"
import { isNearTie } from "./nearTie.ts"
import type { Cell } from "./table.ts"

/** The probability column of an alternative: an option by its index from 0, an integer and a label by themselves. */
export function probabilityColumn(hole: HoleIR, index: number): string {
  if (hole.type === "label") return `${hole.name}.p.${hole.labels[index]}`
  return `${hole.name}.p${hole.type === "integer" ? hole.low + index : index}`
}

/** How many alternatives a read has a probability for: options of the longest item, labels or integers; none where it has no distribution. */
export function alternatives(hole: HoleIR, records: readonly TrialRecord[]): number {
  switch (hole.type) {
    case "integer":
      return hole.high - hole.low + 1
    case "label":
      return hole.labels.length
    case "option":
      if (hole.of === undefined)
        return records.reduce((most, record) => Math.max(most, record.labels.length), 0)
      return records.reduce((most, { readings }) => {
        const reading = readings[hole.name]
        return reading?.status === "value" ? Math.max(most, reading.probabilities.length) : most
      }, 0)
    case "text":
    case "extract":
    case "rule":
      return 0
  }
}

type Status = "value" | "invalid" | "refused" | "skipped"

/** How a read came out: a text that was written and an answer that was found are values too. */
export function statusOf(reading: Reading | undefined): Status {
  if (reading === undefined) return "skipped"
  switch (reading.status) {
    case "answer":
    case "text":
      return "value"
    default:
      return reading.status
  }
}

/** `ties`: by the model that is asked, how close two alternatives are in a near tie, where its engine's floor is known. */
export function addReads(
  columns: Map<string, readonly Cell[]>,
  hole: HoleIR,
  records: readonly TrialRecord[],
  protocol: ProtocolIR,
  ties: ReadonlyMap<string, number> = new Map(),
): void {
  const readings = records.map((record) => record.readings[hole.name])
  const add = (name: string, value: (reading: Reading | undefined, at: number) => Cell) =>
    columns.set(`${hole.name}.${name}`, readings.map(value))
  add("status", (reading) => statusOf(reading))
  add("why", (reading) => whyOf(reading))
  columns.set(`${hole.name}.prompt`, promptNumbers(hole, records, protocol))
  if (hole.type === "text") {
    const written = (reading: Reading | undefined) =>
      reading?.status === "text" || reading?.status === "refused" ? reading : undefined
    add("text", (reading) => written(reading)?.text ?? null)
    add("tokens", (reading) => written(reading)?.tokens ?? null)
    add("stop", (reading) => (reading?.status === "text" ? reading.stop : null))
    return
  }
  const ofOwnOptions =
    (hole.type === "option" && hole.of === undefined) ||
    (hole.type === "extract" && hole.as.type === "option")
  const answered = (reading: Reading | undefined) =>
    reading?.status === "value" || reading?.status === "answer" ? reading : undefined
  add("answer", (reading, at) => {
    const answer = answered(reading)
    if (answer === undefined) return null
    return ofOwnOptions ? (records[at]!.labels[answer.index] ?? answer.value) : answer.value
  })
  add("option", (reading) => answered(reading)?.index ?? null)
  if (hole.type === "extract" || hole.type === "rule") return
  const read =
    (value: (reading: Extract<Reading, { status: "value" }>, at: number) => Cell) =>
    (reading: Reading | undefined, at: number) =>
      reading?.status === "value" ? value(reading, at) : null
  const turn = protocol.turns.find(({ name }) => name === hole.turn)
  add(
    "confidence",
    read((reading) => finite(reading.probabilities[reading.index])),
  )
  add(
    "mass",
    read((reading) => finite(reading.mass)),
  )
  add(
    "near_tie",
    read((reading, at) => isNearTie(reading.probabilities, ties.get(askedModelOf(records[at]!, turn)))),
  )
  const least = leastMassOf(hole)
  add(
    "low_mass",
    read((reading) => least !== undefined && reading.mass < least),
  )
  for (let index = 0; index < alternatives(hole, records); index++) {
    columns.set(
      probabilityColumn(hole, index),
      // What a server did not list stands as 0 in a reading, and is none.
      readings.map(
        read(({ probabilities, censored }) =>
          censored?.labels.includes(index) === true ? null : finite(probabilities[index]),
        ),
      ),
    )
  }
}

/** What only some runs have of a read, each by the end of its column's name. */
export const besides = ["placebo", "unlisted"] as const

/**
 * The raw probability of the pushed placebo label, and the labels of which a server listed no probability, parted by blanks. Labels of options are the
 * pool's.
 */
export function besidesOf(
  hole: HoleIR,
  records: readonly TrialRecord[],
): Readonly<Record<(typeof besides)[number], readonly Cell[]>> {
  const readings = records.map(({ readings }) => readings[hole.name])
  return {
    placebo: readings.map((reading) => (reading?.status === "value" ? finite(reading.placebo) : null)),
    unlisted: readings.map((reading, at) => {
      if (reading?.status !== "value" || reading.censored === undefined) return null
      return reading.censored.labels.map((index) => labelAt(hole, records[at]!, index)).join(" ")
    }),
  }
}

/** Of another item only the place of an option is known. */
function labelAt(hole: HoleIR, { labels }: TrialRecord, index: number): string {
  if (hole.type === "integer") return String(hole.low + index)
  if (hole.type === "label") return hole.labels[index] ?? ""
  const isOwn = hole.type === "option" && hole.of === undefined
  return (isOwn ? labels[index] : undefined) ?? `option ${index + 1}`
}

/** The read whose prompt decides this one: its own, or for what is found in a text, that of the text. */
export function promptHole(hole: HoleIR, protocol: ProtocolIR): string {
  if (hole.type !== "extract" && hole.type !== "rule") return hole.name
  const source = protocol.holes.find(({ name }) => name === hole.from)
  return source === undefined ? hole.from : promptHole(source, protocol)
}

/** Which prompt of its model and item each trial read, counted from 1 in the order of the records; null where none was put together. */
function promptNumbers(hole: HoleIR, records: readonly TrialRecord[], protocol: ProtocolIR): readonly Cell[] {
  const source = promptHole(hole, protocol)
  const items = new Map<string, Map<string, number>>()
  return records.map(({ model, pool, item, prompts }) => {
    const prompt = prompts[source]
    if (prompt === undefined) return null
    const key = JSON.stringify([model, pool, item])
    const numbers = items.get(key) ?? new Map<string, number>()
    items.set(key, numbers)
    const number = numbers.get(prompt) ?? numbers.size + 1
    numbers.set(prompt, number)
    return number
  })
}

function whyOf(reading: Reading | undefined): string | null {
  if (reading === undefined) return "this trial's protocol has no such read"
  switch (reading.status) {
    case "refused":
      return `it says ${JSON.stringify(reading.marker)}`
    case "invalid":
    case "skipped":
      return reading.why
    default:
      return null
  }
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
