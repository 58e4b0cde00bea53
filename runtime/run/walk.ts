/**
 * An item with all its trials, walked wave by wave on one lane of a model.
 *
 * Texts are written together within one wave of one item, and not across items. Batches would be fuller across items, where an item has few texts in a
 * wave; but a wave needs the answers of the one before it, so items would have to advance side by side, and the lane, which holds one conversation at a
 * time, would lose what the reads of an item share with each other from wave to wave. Those prefixes are most of a prompt, and evaluating them again
 * costs more tokens than fuller batches save: on a processor eight texts at once are written 1.4 times as fast as one (SmolLM2 in Q4_1), and 2.8 times
 * on the pocket respondent (`backend/llamaLanes.ts`). It also keeps an item's answers together in the ledger, whatever is interrupted.
 */
import { Effect } from "effect"
import type { HoleIR } from "../../compiler/ir.ts"
import { conversationAt, modelOf, type Readings } from "../../compiler/prompt.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { LoadedModel } from "../backend/backend.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { promptId } from "../read/key.ts"
import { isAsked } from "./asked.ts"
import type { AuditSample } from "./audit.ts"
import { type Cohort, depth, type PlannedTrial } from "./cohorts.ts"
import type { Hooks } from "./execute.ts"
import { type FreeTexts, freeAsk } from "./freeText.ts"
import type { ReadFailure } from "./readFailure.ts"
import { openAt, type Read, readAt, readingAt } from "./reads.ts"
import { askWave, type OpenRead, type Place, type Session } from "./wave.ts"

/** The trials of an item with all reads settled that their model can take by now, while it is still open. */
export interface Walk {
  readonly model: LoadedModel
  readonly cohort: Cohort
  readonly trials: readonly PlannedTrial[]
  /** By the trial's id. */
  readonly readings: ReadonlyMap<string, Readings>
}

/** A model's way through its items. */
export interface Way {
  readonly session: Session
  readonly hooks: Pick<Hooks, "failed">
  readonly freeTexts: FreeTexts
  /** In the model's last walk, in which all of its reads are met: what will be audited. */
  readonly sample?: AuditSample<OpenRead>
}

/** A hole of a trial, with the readings of the trial so far. */
interface At {
  readonly own: Record<string, Reading>
  readonly planned: PlannedTrial
  readonly hole: HoleIR
}

/** Settles the reads of one item. A trial stops at the wave in which it needs another model. */
export const walk = Effect.fnUntraced(function* (
  way: Way,
  place: Place,
  cohort: Cohort,
): Effect.fn.Return<Walk, EnvironmentFailure | ReadFailure> {
  const { session } = way
  const { model, ledger } = session
  const trials = cohort.trials()
  const readings = new Map<string, Record<string, Reading>>()
  for (const { trial } of trials) readings.set(trial.id, {})
  const waiting = new Set<string>()
  const of = depth(trials)
  const ask = (reads: readonly OpenRead[], wave: number) =>
    askWave(session, place, reads, { number: wave + 1, of })
  for (let wave = 0; wave < of; wave++) {
    const open: (At & { readonly read: OpenRead })[] = []
    const free: OpenRead[] = []
    const settle = (at: At, reading: Reading, prompt: string | undefined): void => {
      const { own, planned, hole } = at
      own[hole.name] = reading
      if (prompt === undefined || modelOf(planned.trial, hole.turn) !== model.name) return
      way.sample?.offer(hole, reading, prompt, () =>
        openRead(planned, hole.name, openAt(planned.trial, hole.name, own, prompt)),
      )
      const text = freeRead(way, at, reading)
      if (text !== undefined) free.push(text)
    }
    const fail = ({ planned, hole }: At, reading: Reading) =>
      reading.status === "invalid" && isAsked(hole)
        ? way.hooks.failed(aboutOf(planned, hole.name), reading.why)
        : undefined
    for (const planned of trials) {
      const { trial } = planned
      if (waiting.has(trial.id)) continue
      const own = readings.get(trial.id) as Record<string, Reading>
      for (const hole of planned.waves[wave] ?? []) {
        const at = { own, planned, hole }
        const read = readAt(trial, hole.name, own, (name) => ledger.fingerprints.get(name), ledger)
        if (read.kind === "settled") {
          settle(at, read.reading, read.prompt)
          const failed = fail(at, read.reading)
          if (failed !== undefined) yield* failed
        } else if (read.kind === "open" && read.model === model.name)
          open.push({ ...at, read: openRead(planned, hole.name, read) })
        else waiting.add(trial.id)
      }
    }
    if (open.length > 0) {
      yield* ask(
        open.map(({ read }) => read),
        wave,
      )
      for (const { read, ...at } of open) {
        const reading = readingAt(at.planned.trial, at.hole.name, read, ledger)
        if (reading === undefined) return yield* Effect.die(new Error(`a read stayed open: ${read.about}`))
        settle(at, reading, read.prompt)
        const failed = fail(at, reading)
        if (failed !== undefined) yield* failed
      }
    }
    if (free.length > 0) yield* ask(free, wave)
  }
  return { model, cohort, trials, readings }
})

/** What is asked besides a distribution that came to a value, where that is not answered yet. */
function freeRead(
  { session: { model, ledger }, freeTexts }: Way,
  { own, planned, hole }: At,
  reading: Reading,
): OpenRead | undefined {
  const { trial } = planned
  if (reading.status !== "value" || !freeTexts(trial, hole)) return undefined
  const conversation = conversationAt(trial, hole.name, own)
  if ("skipped" in conversation) return undefined
  const ask = freeAsk(hole)
  const prompt = promptId(model.fingerprint, conversation, ask)
  if (ledger.byPrompt.has(prompt)) return undefined
  return { prompt, conversation, ask, about: `${aboutOf(planned, hole.name)} as a text` }
}

const aboutOf = ({ trial }: PlannedTrial, hole: string): string =>
  `item ${trial.item.id} of pool ${trial.pool}, read ${hole}`

export const openRead = (
  planned: PlannedTrial,
  hole: string,
  { prompt, conversation, ask, expected }: Read & { kind: "open" },
): OpenRead => ({
  prompt,
  conversation,
  ask,
  ...(expected === undefined ? {} : { expected }),
  about: aboutOf(planned, hole),
})
