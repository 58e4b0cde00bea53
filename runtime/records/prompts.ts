/** Which rows share a read. */
import { hash } from "node:crypto"
import type { ProtocolIR, RecordsIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { promptHole } from "../measure/readColumns.ts"
import { type MappedRow, valueIn } from "./values.ts"

/** Hexadecimal digits of a sum, and of a number of 32 bits. */
const DIGITS = 64
const WORD = 8

/**
 * By read, what rows have in common that share it: a sum of what a column says, as prompts of runs are. Where none says it, every trial is an observation of
 * its own, and has a number that looks like a sum; its first digits are mixed, as a table of sums goes by them.
 */
export class Prompts {
  readonly #reads: readonly {
    readonly hole: string
    readonly source: string
    readonly prompt: RecordsIR["reads"][number]["prompt"]
  }[]
  #rows = 0
  /** Rows with the same prompt stand together, mostly. */
  #last = ""
  #lastSum = hash("sha256", "shared ")

  constructor(protocol: ProtocolIR, { reads }: RecordsIR) {
    this.#reads = reads.map(({ hole: name, prompt }) => {
      const hole = protocol.holes.find((one) => one.name === name)
      return { hole: name, source: hole === undefined ? name : promptHole(hole, protocol), prompt }
    })
  }

  /** Of a row that is asked about again, what no other trial shares is a new one. */
  of(row: MappedRow, readings: Readonly<Record<string, Reading>>): Readonly<Record<string, string>> {
    const prompts: Record<string, string> = {}
    let own: string | undefined
    for (const { hole, source, prompt } of this.#reads) {
      const value = prompt === undefined ? undefined : valueIn(row, prompt)
      if (value?.kind === "text") prompts[source] = this.#shared(value.text)
      else if (isRead(readings[hole])) {
        own ??= this.#own()
        prompts[source] ??= own
      }
    }
    return prompts
  }

  #shared(text: string): string {
    if (text === this.#last) return this.#lastSum
    this.#last = text
    this.#lastSum = hash("sha256", `shared ${text}`)
    return this.#lastSum
  }

  #own(): string {
    this.#rows += 1
    const mixed = Math.imul(this.#rows, 0x9e3779b1) >>> 0
    const number = this.#rows.toString(16).padStart(DIGITS / 2 - WORD, "0")
    return `${mixed.toString(16).padStart(WORD, "0")}${number}`.padEnd(DIGITS, "0")
  }
}

/** Whether a prompt is one that no other trial has. */
export const isOwnPrompt = (prompt: string): boolean => prompt.endsWith(OWN)

const OWN = "0".repeat(DIGITS / 2)

/** What was skipped was put to nobody. */
const isRead = (reading: Reading | undefined): boolean =>
  reading !== undefined && reading.status !== "skipped"
