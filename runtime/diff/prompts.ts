/** Which prompts of two experiments differ: each arm's on one item, with every place that waits for an answer spelt out. */
import { expander, itemsOf } from "../../compiler/expand.ts"
import type { CellIR, ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Template, Trial } from "../../compiler/trial.ts"
import { namingColumns } from "../measure/units.ts"
import { type ChangedLine, changedLines, wordDiff } from "./words.ts"

/** One side of a comparison. */
export interface Side {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
}

export interface PromptDifference {
  /** `pressure, framing people`: the cells whose prompts differ in just this way, by their levels. */
  readonly cells: readonly string[]
  /** Of all cells that both experiments have. */
  readonly everywhere: boolean
  readonly turn: string
  readonly part: "system" | "user" | "assistant"
  readonly lines: readonly ChangedLine[]
}

export interface PromptComparison {
  /** The item on which prompts are compared; none where the two have none in common. */
  readonly item?: { readonly pool: string; readonly id: string }
  readonly differences: readonly PromptDifference[]
}

/** Cells are matched by the factors that both experiments have. */
export function comparePrompts(
  before: Side,
  old: ExperimentIR,
  now: Side,
  fresh: ExperimentIR,
): PromptComparison {
  const place = commonItem(before, old, now, fresh)
  if (place === undefined) return { differences: [] }
  const { pool, id } = place
  const factors = old.factors
    .map(({ name }) => name)
    .filter((name) => fresh.factors.some((one) => one.name === name))
  const one = trialsByCell(before, old, factors, place)
  const other = trialsByCell(now, fresh, factors, place)
  const found = new Map<
    string,
    { cells: string[]; difference: Omit<PromptDifference, "cells" | "everywhere"> }
  >()
  let matched = 0
  for (const [key, { trial, label }] of one) {
    const twin = other.get(key)
    if (twin === undefined) continue
    matched++
    for (const difference of differencesOf(trial, twin.trial)) {
      const same = JSON.stringify(difference)
      const known = found.get(same)
      if (known === undefined) found.set(same, { cells: [label], difference })
      else known.cells.push(label)
    }
  }
  return {
    item: { pool, id },
    differences: [...found.values()].map(({ cells, difference }) => ({
      cells,
      everywhere: cells.length === matched,
      ...difference,
    })),
  }
}

/** The first item of the first pool that both ask about. */
function commonItem(before: Side, old: ExperimentIR, now: Side, fresh: ExperimentIR) {
  const others = new Map(
    itemsOf(fresh, now.items).map(({ pool, items }) => [pool, new Set(items.map(({ id }) => id))]),
  )
  for (const { pool, items } of itemsOf(old, before.items)) {
    const id = items.find((item) => others.get(pool)?.has(item.id))?.id
    if (id !== undefined) return { pool, id }
  }
  return undefined
}

/** The trial of each cell for the first studied model that is asked about the item. */
function trialsByCell(
  { program, items }: Side,
  experiment: ExperimentIR,
  factors: readonly string[],
  { pool, id }: { readonly pool: string; readonly id: string },
): ReadonlyMap<string, { readonly trial: Trial; readonly label: string }> {
  const make = expander(experiment, items, { models: program.models })
  const labelOf = labeller(experiment)
  const found = new Map<string, { trial: Trial; label: string }>()
  const own = (items.get(pool) ?? []).filter((item) => item.id === id)
  for (const model of experiment.models) {
    for (const item of own) {
      if (item.only !== undefined && item.only !== model) continue
      for (const trial of make({ model, pool, item })) {
        const key = JSON.stringify(factors.map((factor) => trial.cell.levels[factor] ?? null))
        if (!found.has(key)) found.set(key, { trial, label: labelOf(trial.cell) })
      }
    }
  }
  return found
}

/** Names cells of an experiment: by the arm, and the levels that tell its cells apart. */
export function labeller(experiment: ExperimentIR): (cell: CellIR) => string {
  const factors = namingColumns(experiment).filter((name) => name !== "arm")
  return ({ arm, levels }) => {
    const own = factors.flatMap((name) => (levels[name] === undefined ? [] : [`${name} ${levels[name]}`]))
    return [arm, ...own].join(", ")
  }
}

type Difference = Omit<PromptDifference, "cells" | "everywhere">

function differencesOf(one: Trial, other: Trial): readonly Difference[] {
  const names = [...new Set([...one.turns, ...other.turns].map(({ name }) => name))]
  return names.flatMap((name) => {
    const old = one.turns.find((turn) => turn.name === name)
    const fresh = other.turns.find((turn) => turn.name === name)
    return (["system", "user", "assistant"] as const).flatMap((part): readonly Difference[] => {
      const before = textOf(old?.[part] ?? [])
      const now = textOf(fresh?.[part] ?? [])
      return before === now ? [] : [{ turn: name, part, lines: changedLines(wordDiff(before, now)) }]
    })
  })
}

/** A template as text: what waits for an answer stands in braces. */
export const textOf = (template: Template): string =>
  template
    .map((piece) => {
      if (piece.kind === "text") return piece.text
      return piece.kind === "hole" ? `{${piece.hole}}` : `{${piece.asserts}.${piece.as}}`
    })
    .join("")
