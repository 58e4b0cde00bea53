/** What two specs do differently. */
import { canonicalJson, meaningHash, withoutCommentary } from "../../compiler/hash.ts"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { type Entities, experimentEntities, programEntities } from "./entities.ts"
import { comparePrompts, labeller, type PromptComparison, type Side } from "./prompts.ts"
import { listingText, type TemplatePlace, templatesOf } from "./templates.ts"

export interface SpecComparison {
  /** Whether the two mean the same, ask about the same items and find the same in records. */
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
  /** Whether it has prompts at all: records of another harness have none. */
  readonly asks: boolean
  /** Cells of arms, factors and levels that both have, which only one of them has. */
  readonly cells: { readonly before: readonly string[]; readonly now: readonly string[] }
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
  const experiments = pairs.map(([old, one]) => compareExperiments(before, old, now, one))
  const isOfRecords = ({ changes }: ExperimentComparison): boolean =>
    changes.some(({ kind }) => kind === "records")
  return {
    same:
      meaningHash(before.program) === meaningHash(now.program) &&
      items.length === 0 &&
      !experiments.some(isOfRecords),
    changes: [
      ...changesOf(programEntities(before.program), programEntities(now.program)),
      ...gone.map(({ name, cells }) => ({ kind: "experiment", name, before: `${cells.length} cells` })),
      ...fresh.map(({ name, cells }) => ({ kind: "experiment", name, now: `${cells.length} cells` })),
    ],
    items,
    experiments,
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
  const [was, is] = [experimentEntities(old), experimentEntities(fresh)]
  const labelOf = labeller(old)
  const shown = new Set(prompts.differences.flatMap(({ cells }) => cells))
  const stimuli = new Map(fresh.cells.map((cell) => [canonicalJson(cell.levels), stimulusText(cell)]))
  const elsewhere = old.cells.filter((cell) => {
    const other = stimuli.get(canonicalJson(cell.levels))
    return other !== undefined && other !== stimulusText(cell) && !shown.has(labelOf(cell))
  })
  return {
    name: old.name,
    ...(old.name === fresh.name ? {} : { renamed: fresh.name }),
    changes: [...changesOf(was, is), ...orderChanges(was, is), ...templateChanges(old, fresh, prompts)],
    prompts,
    asks: old.protocol.turns.length + fresh.protocol.turns.length > 0,
    cells: { before: cellsOnlyOf(old, fresh), now: cellsOnlyOf(fresh, old) },
    elsewhere: elsewhere.map(labelOf),
  }
}

/** Labels of cells that the other experiment could have and has not. What it lacks an arm, a factor or a level for is told as that. */
function cellsOnlyOf(one: ExperimentIR, other: ExperimentIR): readonly string[] {
  const known = new Map(other.factors.map(({ name, levels }) => [name, new Set(levels)]))
  if (known.size !== one.factors.length) return []
  const cells = new Set(other.cells.map(({ levels }) => canonicalJson(levels)))
  return one.cells
    .filter(
      ({ levels }) =>
        !cells.has(canonicalJson(levels)) &&
        Object.entries(levels).every(([factor, level]) => known.get(factor)?.has(level)),
    )
    .map(labeller(one))
}

/** Kinds whose parts both have, in another order: that of a report, of reads and of items. Of levels and arms their factor says it. */
function orderChanges(
  before: Readonly<Record<string, Entities>>,
  now: Readonly<Record<string, Entities>>,
): readonly Change[] {
  return Object.keys(before).flatMap((kind): readonly Change[] => {
    if (kind === "arm" || kind === "setting" || kind === "records") return []
    const [old, fresh] = [before, now].map((entities) => [...(entities[kind]?.keys() ?? [])])
    const isSameSet = old!.length === fresh!.length && old!.every((name) => fresh!.includes(name))
    return isSameSet && old!.some((name, at) => fresh![at] !== name)
      ? [{ kind: "order of", name: kind, before: old!.join(", "), now: fresh!.join(", ") }]
      : []
  })
}

/** Texts of the protocol that differ, and of which no prompt that is compared shows it. */
function templateChanges(
  old: ExperimentIR,
  fresh: ExperimentIR,
  { differences }: PromptComparison,
): readonly Change[] {
  const others = templatesOf(fresh)
  const texts = templatesOf(old).flatMap(({ turn, part, text: before }): readonly Change[] => {
    const isHere = (one: TemplatePlace) => one.turn === turn && one.part === part
    const now = others.find(isHere)?.text
    return now === undefined || now === before || differences.some(isHere)
      ? []
      : [{ kind: "text", name: `${turn}, ${part}`, before, now }]
  })
  const [before, now] = [listingText(old), listingText(fresh)]
  return before === now || differences.length > 0
    ? texts
    : [...texts, { kind: "text", name: "list of options", before, now }]
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
