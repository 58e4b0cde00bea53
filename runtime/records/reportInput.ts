/** What a report of scored records is made from. */
import { sha256 } from "../../compiler/hash.ts"
import type { ModelIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { itemsOf } from "../../compiler/sampled.ts"
import type { FitProgress } from "../measure/fits.ts"
import { measure } from "../measure/measure.ts"
import type { ReportInput } from "../report/input.ts"
import { writeItemLines } from "../run/plan.ts"
import { type KeptWarning, warningsIn } from "../run/warnings.ts"
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
  /** Warnings about their design that the spec does not allow. */
  readonly warnings: readonly KeptWarning[]
}

/** `progress`: of fits; `doing`: is told of each measure before it is taken. */
export function scoredInput(
  material: ScoredMaterial,
  progress?: FitProgress,
  doing?: (what: string) => void,
): ReportInput {
  const { hash, version, spec, scored } = material
  const program = completed(material)
  const tables = new Map(scored.map(({ experiment, table }) => [experiment.name, table] as const))
  const reads = scored.reduce(
    (sum, { experiment, table }) => sum + table.rows * (experiment.records?.reads.length ?? 0),
    0,
  )
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
    reads: { all: reads, distinct: reads },
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

/** Of pools of the spec the items that were asked about; of others those that the records name, whose identity is that of the records. */
function poolFacts({ program, items, scored }: ScoredMaterial): ReportInput["pools"] {
  const found = new Map<string, ReportInput["pools"][number]>()
  for (const { experiment, table, facts } of scored) {
    if (experiment.records?.alone !== true) {
      for (const { pool, items: used } of itemsOf(experiment, items)) {
        const declared = program.pools.some(({ name }) => name === pool)
        const sum = sha256(writeItemLines(new Map([[pool, items.get(pool) ?? []]])))
        if (declared)
          found.set(pool, { name: pool, count: new Set(used.map(({ id }) => id)).size, sha256: sum })
      }
      continue
    }
    const columns = table.columns()
    const [pool, item] = [columns.get("pool"), columns.get("item")]
    const ids = new Map<string, Set<string>>()
    for (let row = 0; row < table.rows; row++) {
      const name = String(pool?.at(row))
      const own = ids.get(name) ?? new Set()
      ids.set(name, own.add(String(item?.at(row))))
    }
    for (const [name, own] of ids) found.set(name, { name, count: own.size, sha256: facts.sha256 })
  }
  return [...found.values()]
}
