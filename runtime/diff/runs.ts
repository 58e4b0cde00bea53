/** Two runs compared: what they are, which of their reads came out otherwise, and which numbers. */
import type { Result } from "../measure/result.ts"
import type { KeptRun } from "../run/finished.ts"
import { compareReads, type ReadsCompared } from "./reads.ts"
import { compareResults, type ResultsCompared } from "./results.ts"

/** Something that may be the reason of what differs. */
export interface SetupDifference {
  readonly what: string
  readonly first: string
  readonly second: string
}

export interface RunComparison extends ReadsCompared {
  /** Whether every read and every number is the same. */
  readonly same: boolean
  readonly setup: readonly SetupDifference[]
  readonly results: ResultsCompared
}

export interface RunSide {
  readonly run: KeptRun
  readonly results: readonly Result[]
}

export function compareRuns(first: RunSide, second: RunSide): RunComparison {
  const floors = new Map<string, number>()
  for (const { run } of [first, second]) {
    for (const { model, floor } of run.gathered().floors)
      floors.set(model, Math.max(floor, floors.get(model) ?? 0))
  }
  const reads = compareReads(first.run.records, second.run.records, (model) => floors.get(model) ?? 0)
  const results = compareResults(first.results, second.results)
  const { trials } = reads
  const same =
    trials.first + trials.second === 0 &&
    reads.reads.every(({ compared, same }) => compared === same) &&
    results.differing.length + results.only.first + results.only.second === 0
  return { same, setup: setupOf(first.run, second.run), ...reads, results }
}

function setupOf(first: KeptRun, second: KeptRun): readonly SetupDifference[] {
  const models = [...new Set([first, second].flatMap(({ state }) => Object.keys(state.models)))]
  const facts = ({ plan, state }: KeptRun): readonly (readonly [what: string, value: string])[] => [
    ["the spec's meaning", plan.spec.slice(0, 12)],
    ["the items", plan.sums.items.slice(0, 12)],
    ["the limit of items", String(plan.limit ?? "none")],
    ["the engine", plan.engine],
    ["the mode", plan.mode],
    ["the version of cfx", state.cfx],
    ["the state", state.state],
    ...models.map((name) => [`model ${name}`, state.models[name]?.fingerprint ?? "none"] as const),
  ]
  const others = facts(second)
  return facts(first).flatMap(([what, value], at) => {
    const other = others[at]?.[1] ?? "none"
    return value === other ? [] : [{ what, first: value, second: other }]
  })
}
