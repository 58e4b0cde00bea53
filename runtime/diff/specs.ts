/** What two specs do differently. */
import { canonicalJson, meaningHash, withoutCommentary } from "../../compiler/hash.ts"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { type Entities, experimentEntities, programEntities } from "./entities.ts"
import { comparePrompts, labelOf, type PromptComparison, type Side } from "./prompts.ts"

export interface SpecComparison {
  /** Whether the two mean the same and ask about the same items. */
  readonly same: boolean
  readonly changes: readonly Change[]
  readonly items: readonly ItemChange[]
  readonly experiments: readonly ExperimentComparison[]
}

/** A part that only one side has, or that the two have in other words. */
export interface Change {
  /** `measure`, `contrast`, `factor`, ... */
  readonly kind: string
  readonly name: string
  readonly before?: string
  readonly now?: string
}

/** Items of a pool that both have, by id. */
export interface ItemChange {
  readonly pool: string
  readonly before: number
  readonly now: number
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

export interface ExperimentComparison {
  readonly name: string
  /** The name in the other spec, where that is another. */
  readonly renamed?: string
  readonly changes: readonly Change[]
  readonly prompts: PromptComparison
  /** Cells whose texts differ, though not on the item on which prompts are compared. */
  readonly elsewhere: readonly string[]
}

export function compareSpecs(before: Side, now: Side): SpecComparison {
  const pairs = pairsOf(before.program.experiments, now.program.experiments)
  const only = (experiments: readonly ExperimentIR[], others: readonly ExperimentIR[]) =>
    experiments.filter((one) => !others.includes(one))
  const gone = only(
    before.program.experiments,
    pairs.map(([old]) => old),
  )
  const fresh = only(
    now.program.experiments,
    pairs.map(([, one]) => one),
  )
  const items = itemChanges(before.items, now.items)
  return {
    same: meaningHash(before.program) === meaningHash(now.program) && items.length === 0,
    changes: [
      ...changesOf(programEntities(before.program), programEntities(now.program)),
      ...gone.map(({ name, cells }) => ({ kind: "experiment", name, before: `${cells.length} cells` })),
      ...fresh.map(({ name, cells }) => ({ kind: "experiment", name, now: `${cells.length} cells` })),
    ],
    items,
    experiments: pairs.map(([old, one]) => compareExperiments(before, old, now, one)),
  }
}

/** Experiments of one name; where each side has but one, those two whatever their names. */
function pairsOf(
  before: readonly ExperimentIR[],
  now: readonly ExperimentIR[],
): readonly (readonly [ExperimentIR, ExperimentIR])[] {
  const [old] = before
  const [one] = now
  if (before.length === 1 && now.length === 1 && old !== undefined && one !== undefined) return [[old, one]]
  return before.flatMap((experiment) => {
    const twin = now.find(({ name }) => name === experiment.name)
    return twin === undefined ? [] : [[experiment, twin] as const]
  })
}

function compareExperiments(
  before: Side,
  old: ExperimentIR,
  now: Side,
  fresh: ExperimentIR,
): ExperimentComparison {
  const prompts = comparePrompts(before, old, now, fresh)
  const shown = new Set(prompts.differences.flatMap(({ cells }) => cells))
  const stimuli = new Map(fresh.cells.map((cell) => [canonicalJson(cell.levels), stimulusText(cell)]))
  const elsewhere = old.cells.filter((cell) => {
    const other = stimuli.get(canonicalJson(cell.levels))
    return other !== undefined && other !== stimulusText(cell) && !shown.has(labelOf(cell, old))
  })
  return {
    name: old.name,
    ...(old.name === fresh.name ? {} : { renamed: fresh.name }),
    changes: changesOf(experimentEntities(old), experimentEntities(fresh)),
    prompts,
    elsewhere: elsewhere.map((cell) => labelOf(cell, old)),
  }
}

const stimulusText = ({ stimulus, fills, roles }: ExperimentIR["cells"][number]): string =>
  canonicalJson([
    withoutCommentary(stimulus),
    Object.entries(fills).map(([slot, fill]) => [slot, withoutCommentary(fill)]),
    roles,
  ])

function changesOf(
  before: Readonly<Record<string, Entities>>,
  now: Readonly<Record<string, Entities>>,
): readonly Change[] {
  return Object.keys(before).flatMap((kind) => {
    const old = before[kind] ?? new Map<string, string>()
    const fresh = now[kind] ?? new Map<string, string>()
    return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name): readonly Change[] => {
      const was = old.get(name)
      const is = fresh.get(name)
      if (was === is) return []
      return [
        {
          kind,
          name,
          ...(was === undefined ? {} : { before: was }),
          ...(is === undefined ? {} : { now: is }),
        },
      ]
    })
  })
}

function itemChanges(
  before: ReadonlyMap<string, readonly Item[]>,
  now: ReadonlyMap<string, readonly Item[]>,
): readonly ItemChange[] {
  return [...before].flatMap(([pool, all]): readonly ItemChange[] => {
    const others = now.get(pool)
    if (others === undefined) return []
    const old = contentById(all)
    const fresh = contentById(others)
    const change = {
      pool,
      before: all.length,
      now: others.length,
      added: [...fresh.keys()].filter((id) => !old.has(id)),
      removed: [...old.keys()].filter((id) => !fresh.has(id)),
      changed: [...old].flatMap(([id, content]) => (fresh.has(id) && fresh.get(id) !== content ? [id] : [])),
    }
    return change.added.length + change.removed.length + change.changed.length === 0 ? [] : [change]
  })
}

const contentById = (items: readonly Item[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const item of items) found.set(item.id, `${found.get(item.id) ?? ""}${canonicalJson(item)}`)
  return found
}
