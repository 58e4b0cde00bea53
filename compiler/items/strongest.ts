/** Items whose columns are texts that a finished run wrote: of each item's candidates the one that moved most, or all of them. */
import { evaluate } from "../evaluate.ts"
import type { ExprIR, MeasureIR, PoolSourceIR } from "../ir.ts"
import type { Item } from "../item.ts"
import type { RunFolder } from "./runFolder.ts"
import { type RunState, type RunTrial, readTrials } from "./runTrials.ts"

export type RunSource = Extract<PoolSourceIR, { readonly kind: "run" }>

export interface RunItems {
  readonly items: readonly Item[]
  /** Items of the run for which nothing was written. */
  readonly lost: number
  /** Items of the run. */
  readonly all: number
  readonly state: RunState
}

/** A stimulus: texts of the kept reads, and how often the measure was true of its trials, by model. */
interface Candidate {
  readonly texts: readonly string[]
  /** The item that it was first written for: where each model has its own, their columns differ. */
  readonly item: Item
  readonly seen: Set<string>
  readonly tallies: Map<string, { held: number; all: number }>
}

interface Written {
  readonly pool: string
  readonly item: Item
  readonly candidates: Map<string, Candidate>
}

/**
 * The items of a run with a stimulus each. Ranked by `by`, each studied model gets an item of its own where its own trials do not count, else
 * there is one for all. The highest rate wins, of equal rates the stimulus that was written first; one without a rate comes last. Without `by` each
 * stimulus makes an item. Trials that share their prompts are one observation.
 */
export const itemsOfRun = (
  run: RunFolder,
  source: RunSource,
  by: MeasureIR | undefined,
  studied: readonly string[],
): RunItems => {
  const written = new Map<string, Written>()
  const state = readTrials(run, source.experiment, (trial) => note(written, trial, source.keep, by))
  const pools = new Set([...written.values()].map(({ pool }) => pool))
  const withText = [...written.values()].filter(({ candidates }) => candidates.size > 0)
  return {
    items: withText.flatMap((one) => {
      const id = pools.size > 1 ? `${one.pool}:${one.item.id}` : one.item.id
      return itemsFrom(id, [...one.candidates.values()], source, by, studied)
    }),
    lost: written.size - withText.length,
    all: written.size,
    state,
  }
}

const note = (
  written: Map<string, Written>,
  trial: RunTrial,
  keep: readonly string[],
  by: MeasureIR | undefined,
): void => {
  const { pool, item, model, facts } = trial
  const key = JSON.stringify([pool, item.id])
  const known = written.get(key) ?? { pool, item, candidates: new Map<string, Candidate>() }
  written.set(key, known)
  const texts = keep.flatMap((read) => trial.text(read) ?? [])
  if (texts.length < keep.length) return
  const name = JSON.stringify(texts)
  const candidate = known.candidates.get(name) ?? { texts, item, seen: new Set(), tallies: new Map() }
  known.candidates.set(name, candidate)
  if (by === undefined) return
  const observation = JSON.stringify([model, readsOf(by).map((read) => trial.prompt(read) ?? null)])
  if (candidate.seen.has(observation)) return
  const judged = { ...facts, invalidIsWrong: by.invalid === "wrong" }
  if (by.given !== undefined && evaluate(by.given, judged) !== true) return
  const value = evaluate(by.value, judged)
  if (typeof value !== "boolean") return
  candidate.seen.add(observation)
  const tally = candidate.tallies.get(model) ?? { held: 0, all: 0 }
  tally.all += 1
  if (value) tally.held += 1
  candidate.tallies.set(model, tally)
}

const itemsFrom = (
  id: string,
  candidates: readonly Candidate[],
  { keep, exceptStudied }: RunSource,
  by: MeasureIR | undefined,
  studied: readonly string[],
): readonly Item[] => {
  const withTexts = ({ texts, item: { only: _, ...item } }: Candidate): Item => ({
    ...item,
    id,
    columns: {
      ...item.columns,
      ...Object.fromEntries(keep.map((read, index) => [read, texts[index] ?? ""])),
    },
  })
  if (by === undefined)
    return candidates.map((one, index) => ({ ...withTexts(one), id: `${id}/${index + 1}` }))
  if (!exceptStudied) return [withTexts(strongest(candidates, undefined))]
  return studied.map((only) => ({ ...withTexts(strongest(candidates, only)), only }))
}

const strongest = (candidates: readonly Candidate[], except: string | undefined): Candidate =>
  candidates.reduce((best, one) => (rateOf(one, except) > rateOf(best, except) ? one : best))

/** From 0 to 1; below all rates where no trial counts. */
const rateOf = ({ tallies }: Candidate, except: string | undefined): number => {
  let held = 0
  let all = 0
  for (const [model, tally] of tallies) {
    if (model === except) continue
    held += tally.held
    all += tally.all
  }
  return all === 0 ? -1 : held / all
}

const remembered = new WeakMap<MeasureIR, readonly string[]>()

/** The reads that a measure looks at. */
const readsOf = (measure: MeasureIR): readonly string[] => {
  const known = remembered.get(measure)
  if (known !== undefined) return known
  const found = new Set<string>()
  for (const one of [measure.value, measure.other, measure.given]) if (one !== undefined) collect(one, found)
  const reads = [...found]
  remembered.set(measure, reads)
  return reads
}

const collect = (expression: ExprIR, found: Set<string>): void => {
  if ("hole" in expression) found.add(expression.hole)
  if (expression.kind === "sequence") for (const hole of expression.holes) found.add(hole)
  if (expression.kind === "p" || expression.kind === "raw") collect(expression.option, found)
  if (expression.kind === "among") collect(expression.value, found)
  if (expression.kind === "unary") collect(expression.operand, found)
  if (expression.kind !== "binary") return
  collect(expression.left, found)
  collect(expression.right, found)
}
