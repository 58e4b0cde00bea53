/**
 * The columns of a read: `status` (value, invalid, refused or skipped), `why` where it is no value, and the number of its `prompt`; of a text what
 * was written and how it ended, of any other its `answer` and, for options and labels, its index from 0; and where it is read off a distribution,
 * `confidence`, `mass`, `near_tie`, `low_mass` and one probability for each alternative.
 */
import type { HoleIR, ProtocolIR, TurnIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { TrialRecord } from "../record.ts"
import {
  type Column,
  type Columns,
  Counts,
  derived,
  type Filled,
  Numbers,
  type PackedColumn,
  padded,
  Values,
  Written,
} from "./column.ts"
import { labelsText } from "./labelList.ts"
import { leastMassOf } from "./lowMass.ts"
import { NEAR_TIE } from "./nearTie.ts"
import { NumbersOfRead, type PromptNumbers } from "./promptNumbers.ts"
import { roleColumn } from "./table.ts"

/** The probability column of an alternative: an option by its index from 0, an integer and a label by themselves. */
export function probabilityColumn(hole: HoleIR, index: number): string {
  if (hole.type === "label") return `${hole.name}.p.${hole.labels[index]}`
  return `${hole.name}.p${hole.type === "integer" ? hole.low + index : index}`
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

/** What only some runs have of a read, each by the end of its column's name. */
export const besides = ["placebo", "unlisted"] as const

/** What the columns of a read hold, as it is written to disk. */
export interface PackedRead {
  readonly columns: readonly PackedColumn[]
  readonly probabilities: readonly PackedColumn[]
  readonly most: number
  readonly hasPlacebo: boolean
  readonly hasUnlisted: boolean
}

/** The columns of one read while they are filled. */
export class ReadColumns {
  readonly hole: HoleIR
  readonly #protocol: ProtocolIR
  readonly #source: string
  readonly #turn: TurnIR | undefined
  #numbers: NumbersOfRead | undefined
  readonly #status = new Values()
  readonly #why = new Values()
  readonly #prompt = new Counts()
  readonly #text = new Written()
  readonly #tokens = new Counts()
  readonly #stop = new Values()
  readonly #answer = new Values()
  readonly #option = new Counts()
  readonly #mass = new Numbers()
  readonly #probabilities: Numbers[] = []
  readonly #placebo = new Numbers()
  readonly #unlisted = new Values()
  #hasPlacebo = false
  #hasUnlisted = false
  /** Of options, the most that an item had. */
  #most = 0

  /** `numbers`: of the experiment. */
  constructor(hole: HoleIR, protocol: ProtocolIR, numbers: PromptNumbers) {
    this.hole = hole
    this.#protocol = protocol
    this.#source = promptHole(hole, protocol)
    this.#turn = protocol.turns.find(({ name }) => name === hole.turn)
    this.#numbers = new NumbersOfRead(numbers)
  }

  /** For how many alternatives there is a probability: options of the longest item, labels or integers; none where there is no distribution. */
  get alternatives(): number {
    switch (this.hole.type) {
      case "integer":
        return this.hole.high - this.hole.low + 1
      case "label":
        return this.hole.labels.length
      case "option":
        return this.#most
      default:
        return 0
    }
  }

  take(record: TrialRecord, row: number): void {
    const { hole } = this
    const reading = record.readings[hole.name]
    const prompt = record.prompts[this.#source]
    this.#status.push(statusOf(reading))
    this.#why.push(whyOf(reading))
    if (this.#numbers === undefined) throw new Error("internal: a record for a table that was closed")
    this.#prompt.push(prompt === undefined ? null : this.#numbers.next(record, prompt))
    if (hole.type === "text") this.#takeText(reading)
    else this.#takeAnswer(record, reading, row)
  }

  /** Lets go what only new records need. */
  close(): void {
    this.#numbers = undefined
  }

  /** What is kept of it, whatever kind of read it is. */
  get #kept(): readonly Filled[] {
    const written = [this.#text, this.#tokens, this.#stop]
    const answered = [this.#answer, this.#option, this.#mass, this.#placebo, this.#unlisted]
    return [this.#status, this.#why, this.#prompt, ...written, ...answered]
  }

  packed(): PackedRead {
    return {
      columns: this.#kept.map((column) => column.packed()),
      probabilities: this.#probabilities.map((column) => column.packed()),
      most: this.#most,
      hasPlacebo: this.#hasPlacebo,
      hasUnlisted: this.#hasUnlisted,
    }
  }

  /** Takes what `packed` of the same read gave. No record can follow. */
  unpack({ columns, probabilities, most, hasPlacebo, hasUnlisted }: PackedRead): void {
    for (const [at, column] of this.#kept.entries()) column.unpack(columns[at] ?? {})
    for (const [index, column] of probabilities.entries()) this.#probability(index).unpack(column)
    this.#most = most
    this.#hasPlacebo = hasPlacebo
    this.#hasUnlisted = hasUnlisted
    this.close()
  }

  #probability(index: number): Numbers {
    const column = this.#probabilities[index] ?? new Numbers()
    this.#probabilities[index] = column
    return column
  }

  #takeText(reading: Reading | undefined): void {
    const written = reading?.status === "text" || reading?.status === "refused" ? reading : undefined
    this.#text.push(written?.text ?? null)
    this.#tokens.push(written?.tokens ?? null)
    this.#stop.push(reading?.status === "text" ? reading.stop : null)
  }

  #takeAnswer(record: TrialRecord, reading: Reading | undefined, row: number): void {
    const { hole } = this
    const ofOwnOptions =
      (hole.type === "option" && hole.of === undefined) ||
      (hole.type === "extract" && hole.as.type === "option")
    const answered = reading?.status === "value" || reading?.status === "answer" ? reading : undefined
    const own = ofOwnOptions && answered !== undefined ? record.labels[answered.index] : undefined
    this.#answer.push(own ?? answered?.value ?? null)
    this.#option.push(answered?.index ?? null)
    if (hole.type === "extract" || hole.type === "rule") return
    const read = reading?.status === "value" ? reading : undefined
    if (hole.type === "option") {
      const options = hole.of === undefined ? record.labels.length : (read?.probabilities.length ?? 0)
      this.#most = Math.max(this.#most, options)
    }
    this.#mass.push(finite(answered?.mass))
    if (read !== undefined) {
      for (const [index, p] of read.probabilities.entries()) {
        // What a server did not list stands as 0 in a reading, and is none.
        const isListed = read.censored?.labels.includes(index) !== true
        padded(this.#probability(index), row).push(isListed ? finite(p) : null)
      }
      if (finite(read.placebo) !== null) {
        this.#hasPlacebo = true
        padded(this.#placebo, row).push(finite(read.placebo))
      }
      if (read.censored !== undefined) {
        this.#hasUnlisted = true
        const labels = read.censored.labels.map((index) => labelAt(hole, record, index))
        padded(this.#unlisted, row).push(labelsText(labels))
      }
    }
  }

  /**
   * By name, in order. `others`: the columns of the same table before these, `model` and roles among them. `ties`: by the model that is asked, how close
   * two alternatives are in a near tie, where its engine's floor is known.
   *
   * Only some runs have the raw probability of the pushed placebo label, and the labels of which a server listed no probability, as `labelList.ts` writes
   * them. Labels of options are the pool's.
   */
  columns(
    rows: number,
    others: Columns,
    ties: ReadonlyMap<string, number> = new Map(),
  ): ReadonlyMap<string, Column> {
    const { hole } = this
    const columns = new Map<string, Column>()
    const add = (name: string, column: Column) => columns.set(`${hole.name}.${name}`, column)
    add("status", this.#status)
    add("why", this.#why)
    add("prompt", this.#prompt)
    if (hole.type === "text") {
      add("text", this.#text)
      add("tokens", this.#tokens)
      add("stop", this.#stop)
      return columns
    }
    add("answer", this.#answer)
    add("option", this.#option)
    if (hole.type === "extract" || hole.type === "rule") return columns
    const probabilities = Array.from({ length: this.alternatives }, (_, index) =>
      padded(this.#probability(index), rows),
    )
    const has = (row: number): boolean => this.#status.at(row) === "value"
    add(
      "confidence",
      derived(rows, (row) => {
        const chosen = this.#option.at(row)
        return chosen === null ? null : (probabilities[chosen]?.at(row) ?? null)
      }),
    )
    add("mass", this.#mass)
    const asked = askedColumn(this.#turn, this.#protocol, others)
    add(
      "near_tie",
      derived(rows, (row) =>
        has(row) ? leadAt(probabilities, row) < (ties.get(asked(row)) ?? NEAR_TIE) : null,
      ),
    )
    const least = leastMassOf(hole) ?? 0
    add(
      "low_mass",
      derived(rows, (row) => (has(row) ? (this.#mass.at(row) ?? Number.NaN) < least : null)),
    )
    for (const [index, column] of probabilities.entries()) columns.set(probabilityColumn(hole, index), column)
    if (this.#hasPlacebo) add("placebo", padded(this.#placebo, rows))
    if (this.#hasUnlisted) add("unlisted", padded(this.#unlisted, rows))
    return columns
  }
}

/** The model that a turn is asked of, by row: as `askedModelOf` of its record. */
function askedColumn(
  turn: TurnIR | undefined,
  { roles }: ProtocolIR,
  columns: Columns,
): (row: number) => string {
  const by = turn?.by
  const studied = (row: number) => columns.get("model")?.at(row) as string
  if (by === undefined) return studied
  if ("model" in by) return () => by.model
  const role = roles.includes(by.role) ? columns.get(roleColumn(by.role)) : undefined
  return (row) => (role?.at(row) as string | null | undefined) ?? studied(row)
}

/** By how much the most probable alternative is ahead of the next. What a server did not list is less probable than what it did, and stands as 0. */
function leadAt(probabilities: readonly Column[], row: number): number {
  let first = Number.NEGATIVE_INFINITY
  let second = Number.NEGATIVE_INFINITY
  for (const column of probabilities) {
    const p = (column.at(row) as number | null) ?? 0
    if (p > first) [first, second] = [p, first]
    else if (p > second) second = p
  }
  return second === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : first - second
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
