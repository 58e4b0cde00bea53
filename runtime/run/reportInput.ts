/** What a report is made from, out of what a run directory keeps: a pure function of the plan, the items, the answers and the prompts. */
import { itemsOf } from "../../compiler/expand.ts"
import { sha256 } from "../../compiler/hash.ts"
import type { Item } from "../../compiler/item.ts"
import type { FitProgress } from "../measure/fits.ts"
import { measure } from "../measure/measure.ts"
import type { FailedReads, ModelFacts, PoolFacts, PromptSample, ReportInput } from "../report/input.ts"
import type { FailedRead } from "./failedReads.ts"
import type { RunFindings } from "./gathered.ts"
import { type Plan, writeItemLines } from "./plan.ts"
import { cut } from "./records.ts"
import type { Found } from "./sealed.ts"
import { warningsIn } from "./warnings.ts"

export interface Material {
  readonly plan: Plan
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Text of the spec. */
  readonly text: string
  readonly gathered: RunFindings
  readonly prompts: Found<readonly PromptSample[]>
  readonly version: string
  readonly replayed: boolean
}

export function reportInput(material: Material, fitting?: FitProgress): ReportInput {
  const { plan, text, prompts, version, replayed, gathered } = material
  const { tables, floors, lowMass, agreement, distinct, failed } = gathered
  const { program } = plan
  return {
    program,
    hash: plan.spec,
    version,
    spec: { name: plan.entry.split("/").at(-1) ?? plan.entry, text },
    tables,
    results: measure(program, tables, fitting),
    ...promptsIn(prompts),
    models: modelFacts(material),
    pools: poolFacts(material),
    ...warningsIn(program, plan.warnings),
    failed: failures(failed),
    floors,
    lowMass,
    agreement,
    reads: { all: plan.counts.reduce((sum, { reads }) => sum + reads, 0), distinct },
    ...(plan.limit !== undefined && isCut(material) ? { limit: plan.limit } : {}),
    ...(plan.experiment === undefined ? {} : { experiment: plan.experiment }),
    ...(plan.replaced === undefined ? {} : { replaced: plan.replaced }),
    ...(replayed ? { replayed } : {}),
    ...(plan.invented === undefined ? {} : { invented: plan.invented }),
    ...(plan.engine === "simulated" ? { backend: "simulated" } : {}),
  }
}

/** Whether the limit left items out: a pool may have no more. */
function isCut({ plan, items }: Material): boolean {
  const count = (options: { readonly limit?: number }): number =>
    plan.program.experiments
      .flatMap((experiment) => itemsOf(experiment, items, options))
      .reduce((sum, pool) => sum + pool.items.length, 0)
  return count(cut(plan)) < count({})
}

/** The prompts that are kept; where they are not, the report says so. */
function promptsIn(prompts: Material["prompts"]): Pick<ReportInput, "prompts" | "promptsLost"> {
  if ("value" in prompts) return { prompts: prompts.value }
  const { problem } = prompts
  return {
    prompts: [],
    promptsLost: `The prompts were not kept: ${problem}. To have them, run cfx resume on the run's folder.`,
  }
}

function modelFacts({ plan, gathered }: Material): readonly ModelFacts[] {
  return plan.program.models.map(({ name, bytes, sha256 }) => ({
    name,
    fingerprint: gathered.fingerprints.get(name) ?? "nothing was answered",
    ...(bytes === undefined ? {} : { bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    facts: { engine: plan.engine, mode: plan.mode },
  }))
}

function poolFacts({ plan, items }: Material): readonly PoolFacts[] {
  const used = plan.program.experiments.flatMap((experiment) => itemsOf(experiment, items, cut(plan)))
  return plan.program.pools.map(({ name }) => {
    const ids = used.flatMap(({ pool, items }) => (pool === name ? items.map(({ id }) => id) : []))
    return {
      name,
      count: new Set(ids).size,
      sha256: sha256(writeItemLines(new Map([[name, items.get(name) ?? []]]))),
    }
  })
}

function failures(failed: readonly FailedRead[]): readonly FailedReads[] {
  const found = new Map<string, FailedReads & { readonly items: { pool: string; item: string }[] }>()
  for (const { experiment, model, pool, item, hole, why, trials } of failed) {
    const key = JSON.stringify([experiment, model, hole, why])
    const { count = 0, items = [] } = found.get(key) ?? {}
    items.push({ pool, item })
    found.set(key, { experiment, model, hole, why, count: count + trials, items })
  }
  return [...found.values()]
}
