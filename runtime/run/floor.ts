/** What the audits of a run come to: how far each model's engine agrees with itself, and which reads are too close to call. */
import type { ExperimentIR, HoleIR, ModelIR, TurnIR } from "../../compiler/ir.ts"
import type { ReadAnswer } from "../backend/backend.ts"
import { Marks } from "../compact/marks.ts"
import { askedModelOf } from "../measure/askedModel.ts"
import { isNearTie, NEAR_TIE } from "../measure/nearTie.ts"
import { isWritten } from "../read/reading.ts"
import type { TrialRecord } from "../record.ts"
import type { DifferingRead, EngineFloor } from "../report/input.ts"
import type { Again, Answers } from "./answers.ts"
import { isAsked } from "./asked.ts"
import { AuditSample } from "./audit.ts"
import type { Gathering } from "./gather.ts"
import type { Plan } from "./plan.ts"

/**
 * By how much a probability may differ in fast mode: more than kernels round in other batches, which is up to 0.0005 in F16, 0.005 in BF16 and 0.06 where
 * weights are quantised (SmolLM2 in Q4_1: 0.053 in 40 reads).
 */
const TOLERATED = 0.1

/** A read of a record that its model answered. */
interface Taken {
  readonly record: TrialRecord
  readonly hole: HoleIR
  readonly prompt: string
}

/** What is known of one model while the records are gone through. */
interface Seen {
  readonly sample: AuditSample<Taken>
  /** Of all distinct reads, by number. */
  readonly reads: Marks
}

/** By model, in the program's order; of those that were audited. The sample is that of `execute.ts`: it hangs on what was read alone. */
export function floorsOf(
  { program, engine, mode }: Pick<Plan, "program" | "engine" | "mode">,
  answers: Answers,
): Gathering<readonly EngineFloor[]> {
  const seen = new Map<string, Seen>()
  const asked = new Map(program.experiments.map((experiment) => [experiment.name, askedIn(experiment)]))
  const take = (record: TrialRecord): void => {
    for (const { hole, turn } of asked.get(record.experiment) ?? []) {
      const [reading, prompt] = [record.readings[hole.name], record.prompts[hole.name]]
      if (reading === undefined || prompt === undefined) continue
      const model = askedModelOf(record, turn)
      const { sample, reads } = seen.get(model) ?? { sample: new AuditSample<Taken>(), reads: new Marks() }
      seen.set(model, { sample, reads })
      sample.offer(hole, reading, prompt, () => ({ record, hole, prompt }))
      const read = answers.readOf(prompt)
      if (read >= 0) reads.add(read)
    }
  }
  return {
    // Nothing is looked for where nothing was taken again.
    take: answers.audits.size === 0 ? () => {} : take,
    found: () =>
      program.models.flatMap((model) => {
        const own = seen.get(model.name)
        return own === undefined ? [] : floorOf(model, own, answers, toleranceOf(model, engine, mode))
      }),
  }
}

/** A server may say something else each time: nothing is asked of it. */
const toleranceOf = (model: ModelIR, engine: Plan["engine"], mode: Plan["mode"]): number | undefined => {
  if (model.engine === "server" && engine !== "simulated") return undefined
  return mode === "exact" ? 0 : TOLERATED
}

function floorOf(
  { name }: ModelIR,
  { sample, reads }: Seen,
  { byPrompt, readAt, audits }: Answers,
  tolerance: number | undefined,
): readonly EngineFloor[] {
  const counts = { cold: 0, repeated: 0, texts: 0 }
  const differing: DifferingRead[] = []
  let flips = 0
  const audited = new Set<string>()
  for (const { record, hole, prompt } of [...sample.reads, ...sample.texts]) {
    const answered = byPrompt.get(prompt)
    if (answered?.kind !== "answer" || audited.has(answered.answer.key)) continue
    const { answer } = answered
    audited.add(answer.key)
    for (const occasion of ["cold", "repeated"] as const) {
      const again = audits.get(answer.key)?.[occasion]
      if (again === undefined) continue
      counts[isWritten(answer) ? "texts" : occasion] += 1
      const found = isWritten(answer)
        ? comparedTexts(answer.text, again, tolerance)
        : comparedReads(answer, again, record, hole, tolerance)
      if (found === undefined) continue
      const { flipped, ...difference } = found
      if (flipped) flips += 1
      const { experiment, pool, item } = record
      differing.push({ experiment, pool, item, hole: hole.name, occasion, ...difference })
    }
  }
  if (audited.size === 0 || counts.cold + counts.repeated + counts.texts === 0) return []
  const floor = differing.reduce((most, { difference = 0 }) => Math.max(most, difference), 0)
  const below = floor > 0 ? floor : NEAR_TIE
  const nearTies = { count: 0, of: 0, below }
  for (const read of reads) {
    const answer = readAt(read)
    if (isWritten(answer) || answer.invalid !== undefined) continue
    nearTies.of += 1
    if (isNearTie(answer.probabilities, below)) nearTies.count += 1
  }
  return [
    {
      model: name,
      ...counts,
      floor,
      flips,
      nearTies,
      ...(tolerance === undefined ? {} : { tolerance }),
      differing,
    },
  ]
}

type Compared = Pick<DifferingRead, "of" | "first" | "again" | "difference" | "beyond"> & {
  readonly flipped: boolean
}

/** A text is no number, and in fast mode nobody says that it is the same again. */
function comparedTexts(first: string, again: Again, tolerance: number | undefined): Compared | undefined {
  const said = "text" in again ? again.text : ""
  if (said === first) return undefined
  return {
    of: "the text",
    first: JSON.stringify(first),
    again: JSON.stringify(said),
    beyond: tolerance === 0,
    flipped: true,
  }
}

function comparedReads(
  first: ReadAnswer,
  again: Again,
  record: TrialRecord,
  hole: HoleIR,
  tolerance: number | undefined,
): Compared | undefined {
  if (
    "text" in again ||
    again.invalid !== undefined ||
    again.probabilities.length !== first.probabilities.length
  ) {
    const why = ("invalid" in again ? again.invalid : undefined) ?? "no distribution"
    return {
      of: "the read",
      first: "a distribution",
      again: why,
      difference: 1,
      beyond: tolerance !== undefined,
      flipped: true,
    }
  }
  const numbers = (answer: Omit<ReadAnswer, "key" | "evaluated">) => [
    ...answer.probabilities,
    answer.mass,
    ...(answer.also ?? []),
  ]
  const [before, after] = [numbers(first), numbers(again)]
  // What a server did not list has no number; what is no number differs from anything.
  const unlisted = new Set([...(first.censored?.labels ?? []), ...(again.censored?.labels ?? [])])
  const differences = before.map((number, at) => {
    const difference = unlisted.has(at) ? 0 : Math.abs(number - (after[at] ?? 0))
    return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference
  })
  const difference = Math.max(...differences)
  if (difference === 0) return undefined
  const at = differences.indexOf(difference)
  return {
    of: nameOf(at, first, record, hole),
    first: String(before[at]),
    again: String(after[at]),
    difference,
    beyond: tolerance !== undefined && difference > tolerance,
    flipped: mostProbable(first.probabilities) !== mostProbable(again.probabilities),
  }
}

/** What a number of a read is of, such as "p(B)". */
function nameOf(at: number, { probabilities }: ReadAnswer, { labels }: TrialRecord, hole: HoleIR): string {
  if (at === probabilities.length) return "the mass"
  if (at > probabilities.length) return "the raw probability of the placebo label"
  switch (hole.type) {
    case "option":
      return `p(${hole.of === undefined ? labels[at] : `option ${at + 1}`})`
    case "label":
      return `p(${hole.labels[at]})`
    case "integer":
      return `p(${hole.low + at})`
    default:
      return `p(${at + 1})`
  }
}

const mostProbable = (probabilities: readonly number[]): number =>
  probabilities.indexOf(Math.max(...probabilities))

const askedIn = ({
  protocol,
}: ExperimentIR): readonly { readonly hole: HoleIR; readonly turn: TurnIR | undefined }[] =>
  protocol.holes
    .filter(isAsked)
    .map((hole) => ({ hole, turn: protocol.turns.find(({ name }) => name === hole.turn) }))
