/** What a report of scored records is made from. */
import { sha256 } from "../../compiler/hash.ts"
import type { ModelIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { itemsOf } from "../../compiler/sampled.ts"
import type { FitProgress } from "../measure/fits.ts"
import { measure } from "../measure/measure.ts"
import { groupBy } from "../measure/sides.ts"
import type { ReportInput } from "../report/input.ts"
import { writeItemLines } from "../run/plan.ts"
import { type KeptWarning, warningsIn } from "../run/warnings.ts"
import type { CountedReads } from "./readCount.ts"
import type { Scored } from "./score.ts"

export interface ScoredMaterial {
  /** Portable, with the experiments that were scored. */
  readonly program: Program
  /** The whole spec's meaning. */
  readonly hash: string
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly spec: ReportInput["spec"]
  readonly version: string
  readonly scored: readonly Scored[]
  /** The experiment that alone was chosen of several that have records. */
  readonly experiment?: string
  /** Pools that read other files than the spec names. */
  readonly replaced?: ReportInput["replaced"]
  /** Warnings about their design that the spec does not allow. */
  readonly warnings: readonly KeptWarning[]
}

/** `progress`: of fits; `doing`: is told of each measure before it is taken. */
export function scoredInput(
  material: ScoredMaterial,
  progress?: FitProgress,
  doing?: (what: string) => void,
): ReportInput {
  const { hash, version, spec, scored, experiment, replaced } = material
  const program = completed(material)
  const tables = new Map(scored.map(({ experiment, table }) => [experiment.name, table] as const))
  const readsOf = (which: keyof CountedReads): number =>
    scored.reduce((sum, { facts }) => sum + facts.reads[which], 0)
  return {
    program,
    hash,
    version,
    spec,
    tables,
    results: measure(program, tables, progress, doing),
    prompts: [],
    promptsLost: "Records made elsewhere hold no prompts.",
    models: program.models.map(({ name, sha256 }) => ({
      name,
      fingerprint: "asked by whoever made the records",
      ...(sha256 === undefined ? {} : { sha256 }),
      facts: {},
    })),
    pools: poolFacts(material),
    ...warningsIn(program, material.warnings),
    failed: [],
    floors: [],
    lowMass: [],
    agreement: [],
    reads: { all: readsOf("all"), distinct: readsOf("distinct") },
    ...(experiment === undefined ? {} : { experiment }),
    ...(replaced === undefined ? {} : { replaced }),
    scored: scored.map(({ facts }) => facts),
  }
}

/** The program with what the records turned out to have; a model that no spec declares is known by its name alone. */
function completed({ program, scored }: ScoredMaterial): Program {
  const experiments = scored.map(({ experiment }) => experiment)
  const declared = new Map(program.models.map((model) => [model.name, model]))
  const names = new Set(experiments.flatMap(({ models }) => models))
  return {
    ...program,
    models: [...names].map((name) => declared.get(name) ?? unknownModel(name)),
    experiments,
  }
}

const unknownModel = (name: string): ModelIR => ({
  name,
  engine: "server",
  file: "",
  attributes: {},
  doc: "",
  origin: { declaration: name, file: "", line: 1 },
})

type PoolFacts = ReportInput["pools"][number]

/** A pool as the trials of an experiment have it. */
interface UsedPool {
  readonly experiment: string
  readonly name: string
  readonly sha256: string
  readonly ids: ReadonlySet<string>
}

/** Pools of one name and other content, as of two files that name none, are told apart by whose they are. */
function poolFacts(material: ScoredMaterial): readonly PoolFacts[] {
  const used = material.scored.flatMap((one) =>
    one.experiment.records?.alone === true ? recordedPools(one) : declaredPools(one, material),
  )
  const names = groupBy(used, ({ name }) => name)
  return [...names.values()].flatMap((ofName): readonly PoolFacts[] => {
    const sums = [...groupBy(ofName, ({ sha256 }) => sha256)]
    return sums.map(([sha256, own]): PoolFacts => {
      const [name, whose] = [own[0]?.name ?? "", own.map(({ experiment }) => experiment).join(" and ")]
      return {
        name: sums.length === 1 ? name : `${name} of ${whose}`,
        count: new Set(own.flatMap(({ ids }) => [...ids])).size,
        sha256,
      }
    })
  })
}

/** Of the spec's pools the items that were asked about. */
function declaredPools({ experiment }: Scored, { program, items }: ScoredMaterial): readonly UsedPool[] {
  return itemsOf(experiment, items)
    .filter(({ pool }) => program.pools.some(({ name }) => name === pool))
    .map(({ pool, items: used }) => ({
      experiment: experiment.name,
      name: pool,
      sha256: sha256(writeItemLines(new Map([[pool, items.get(pool) ?? []]]))),
      ids: new Set(used.map(({ id }) => id)),
    }))
}

/** Of other pools the items that the records name; what they are is known by the file alone. */
function recordedPools({ experiment, table, facts }: Scored): readonly UsedPool[] {
  const columns = table.columns()
  const [pool, item] = [columns.get("pool"), columns.get("item")]
  const ids = new Map<string, Set<string>>()
  for (let row = 0; row < table.rows; row++) {
    const name = String(pool?.at(row))
    const own = ids.get(name) ?? new Set()
    ids.set(name, own.add(String(item?.at(row))))
  }
  return [...ids].map(([name, own]) => ({
    experiment: experiment.name,
    name,
    sha256: facts.sha256,
    ids: own,
  }))
}
