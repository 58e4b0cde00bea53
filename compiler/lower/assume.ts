import type { AssumeEntry, Experiment } from "../../grammar/ast.ts"
import type { AssumeIR } from "../ir.ts"
import { fieldsOf } from "./columns.ts"

/** Entries of `assume` that are shares of all trials. */
export const assumedShares = ["accuracy", "refusal"] as const

/** The entry of `assume` that holds standard deviations of random intercepts, in logits, by column. */
export const SPREAD = "spread"

/** What an experiment expects; none where it says nothing. Of an entry that stands twice, the last counts: the checks let none through. */
export const lowerAssume = (experiment: Experiment): AssumeIR | undefined => {
  const fields = fieldsOf(experiment, "assume")
  if (fields.length === 0) return undefined
  const entries = fields.flatMap((field) => field.entries)
  const share = (name: (typeof assumedShares)[number]): Partial<AssumeIR> => {
    const value = entries.find((entry) => entry.name.text === name)?.value
    return value !== undefined && "kind" in value ? { [name]: value.value } : {}
  }
  const groups = entries.flatMap(({ name, value }) => ("kind" in value ? [] : [[name.text, value] as const]))
  return {
    ...share("accuracy"),
    ...share("refusal"),
    measures: Object.fromEntries(
      groups.flatMap(([name, inner]) => (name === SPREAD ? [] : [[name, numbersOf(inner)]])),
    ),
    spread: numbersOf(groups.flatMap(([name, inner]) => (name === SPREAD ? inner : []))),
  }
}

const numbersOf = (entries: readonly AssumeEntry[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    entries.flatMap(({ name, value }) => ("kind" in value ? [[name.text, value.value]] : [])),
  )
