/** What a report is made from, out of what a run directory keeps: a pure function of the plan, the items, the answers and the prompts. */
import { catalogue, isCode } from "../../compiler/diagnostics/catalogue.ts"
import { itemsOf } from "../../compiler/expand.ts"
import { sha256 } from "../../compiler/hash.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { measure } from "../measure/measure.ts"
import type { TrialRecord } from "../record.ts"
import type { FailedReads, ModelFacts, PoolFacts, PromptSample, ReportInput } from "../report/input.ts"
import { agreementOf } from "./agreement.ts"
import type { Answers } from "./answers.ts"
import { failedReads } from "./failedReads.ts"
import { floorsOf } from "./floor.ts"
import { lowMassOf } from "./lowMass.ts"
import { type Plan, writeItemLines } from "./plan.ts"
import type { Found } from "./sealed.ts"

export interface Material {
  readonly plan: Plan
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Text of the spec. */
  readonly text: string
  readonly answers: Answers
  readonly records: readonly TrialRecord[]
  readonly prompts: Found<readonly PromptSample[]>
  readonly version: string
}

export function reportInput(material: Material): ReportInput {
  const { plan, text, records, prompts, version, answers } = material
  const { program } = plan
  return {
    program,
    hash: plan.spec,
    version,
    spec: { name: plan.entry.split("/").at(-1) ?? plan.entry, text },
    records,
    results: measure(program, records),
    ...promptsIn(prompts),
    models: modelFacts(material),
    pools: poolFacts(material),
    allowed: program.experiments.flatMap(({ name, allows }) =>
      allows.map(({ code, reason }) => ({
        experiment: name,
        code,
        title: isCode(code) ? catalogue[code].title : code,
        reason,
      })),
    ),
    failed: failures(program, records),
    floors: floorsOf(plan, records, answers),
    lowMass: lowMassOf(program, records),
    agreement: agreementOf(program, records),
    reads: {
      all: plan.counts.reduce((sum, { reads }) => sum + reads, 0),
      distinct: distinctReads(records, answers),
    },
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
    ...(plan.invented === undefined ? {} : { invented: plan.invented }),
    ...(plan.engine === "simulated" ? { backend: "simulated" } : {}),
  }
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

/** How many reads these records rest on. The ledger may hold more: of a run with another limit, or of other experiments. */
function distinctReads(records: readonly TrialRecord[], { byPrompt }: Answers): number {
  const keys = new Set<string>()
  for (const { prompts } of records) {
    for (const prompt of Object.values(prompts)) {
      const answered = byPrompt.get(prompt)
      if (answered?.kind === "answer") keys.add(answered.answer.key)
    }
  }
  return keys.size
}

function modelFacts({ plan, answers }: Material): readonly ModelFacts[] {
  return plan.program.models.map(({ name, bytes, sha256 }) => ({
    name,
    fingerprint: answers.fingerprints.get(name) ?? "nothing was answered",
    ...(bytes === undefined ? {} : { bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    facts: { engine: plan.engine, mode: plan.mode },
  }))
}

function poolFacts({ plan, items }: Material): readonly PoolFacts[] {
  const cut = plan.limit === undefined ? {} : { limit: plan.limit }
  const used = plan.program.experiments.flatMap((experiment) => itemsOf(experiment, items, cut))
  return plan.program.pools.map(({ name }) => {
    const ids = used.flatMap(({ pool, items }) => (pool === name ? items.map(({ id }) => id) : []))
    return {
      name,
      count: new Set(ids).size,
      sha256: sha256(writeItemLines(new Map([[name, items.get(name) ?? []]]))),
    }
  })
}

function failures(program: Program, records: readonly TrialRecord[]): readonly FailedReads[] {
  const found = new Map<string, FailedReads>()
  for (const { experiment, model, pool, item, hole, why, trials } of failedReads(program, records)) {
    const key = JSON.stringify([experiment, model, hole, why])
    const { count = 0, items = [] } = found.get(key) ?? {}
    found.set(key, { experiment, model, hole, why, count: count + trials, items: [...items, { pool, item }] })
  }
  return [...found.values()]
}
