/**
 * Carries out a program: model by model, item by item (as many at a time as the model has lanes), wave by wave, until the ledger answers
 * everything that can be asked. Where trials ask several models, a model goes as far as it can and waits for what others have to write
 * (`openings.ts` says in which order).
 */
import { Effect, Queue, Stream } from "effect"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Readings } from "../../compiler/prompt.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { Backend, type LoadedModel, type ModelFile } from "../backend/backend.ts"
import { EnvironmentFailure } from "../failure.ts"
import { type Cohort, cohortsOf, depth, type PlannedTrial } from "./cohorts.ts"
import type { Ledger } from "./ledger.ts"
import { openings } from "./openings.ts"
import { type Fingerprints, type Read, readAt, readingAt } from "./reads.ts"
import { askWave, type OpenRead, type Place, prepareRead, type Session, type WaveHooks } from "./wave.ts"

export interface Work {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** As the run's `--limit`: items of each pool. */
  readonly limit?: number
  /** By the model's name in the program. */
  readonly files: ReadonlyMap<string, ModelFile>
  readonly ledger: Ledger
  readonly hooks: Hooks
}

export interface Hooks extends WaveHooks {
  /** How many items there are to walk, over all models and as often as each is opened; called once, before the first is. */
  readonly planned: (cohorts: number) => void
  readonly loaded: (model: LoadedModel) => Effect.Effect<void, EnvironmentFailure>
  /** All that can be read of one item by one model is settled; `asked` says whether any was put to the engine. */
  readonly walked: (walk: Walk) => void
}

/** The trials of an item with all reads settled that their model can take by now, while it is still open. */
export interface Walk {
  readonly model: LoadedModel
  readonly cohort: Cohort
  readonly trials: readonly PlannedTrial[]
  /** By the trial's id. */
  readonly readings: ReadonlyMap<string, Readings>
  readonly asked: boolean
}

/** Prompts of the first wave that are kept from the check before the first read; the others are prepared again in their turn. */
const KEPT = 4096

/**
 * Asks everything that the ledger does not answer yet. Each distinct read is asked once. A prompt that cannot be asked (too long, a label
 * that cannot be read) becomes an invalid read and the rest goes on; those of the first wave are found before the first read is sent.
 */
export const execute = Effect.fnUntraced(function* (work: Work) {
  const backend = yield* Backend
  const models = cohortsOf(work.program, work.items, work)
  const order = openings(work.program).map((name) => ({ name, cohorts: models.get(name) ?? [] }))
  work.hooks.planned(order.reduce((sum, { cohorts }) => sum + cohorts.length, 0))
  const opened = new Set<string>()
  for (const { name, cohorts } of order) {
    if (cohorts.length === 0) continue
    const isFirst = !opened.has(name)
    opened.add(name)
    const file = work.files.get(name)
    if (file === undefined) return yield* Effect.die(new Error(`no file is given for model ${name}`))
    yield* Effect.scoped(
      Effect.gen(function* () {
        const model = yield* backend.load(file)
        yield* enterEngine(work.ledger, model)
        yield* work.hooks.loaded(model)
        const { ledger, hooks } = work
        const session: Session = { model, ledger, ahead: new Map(), underWay: new Map(), hooks }
        if (isFirst) yield* checkFirstWave(session, cohorts)
        yield* walkAll(session, cohorts, work.hooks)
      }),
    )
  }
})

/**
 * Writes down a model's engine, before anything is asked of it. Answers of two engines are not comparable bit for bit, so they never share a
 * ledger.
 */
function enterEngine(ledger: Ledger, model: LoadedModel): Effect.Effect<void, EnvironmentFailure> {
  const { name, fingerprint } = model
  const before = ledger.fingerprints.get(name)
  if (before === undefined) return ledger.append({ kind: "model", model: name, fingerprint })
  if (before === fingerprint) return Effect.void
  return Effect.fail(
    new EnvironmentFailure({
      what: `the model ${name} is not the one that answered so far: another file, engine, version or mode`,
      where: `so far: ${before}; now: ${fingerprint}`,
      todo: "run with the model and engine of before, or into another folder with -o",
    }),
  )
}

const checkFirstWave = Effect.fnUntraced(function* (session: Session, cohorts: readonly Cohort[]) {
  for (const cohort of cohorts) {
    const open = new Map<string, OpenRead>()
    for (const planned of cohort.trials()) {
      for (const { name } of planned.waves[0] ?? []) {
        const read = readAt(planned.trial, name, {}, fingerprints(session), session.ledger)
        if (read.kind !== "open" || read.model !== session.model.name) continue
        open.set(read.prompt, openRead(planned, name, read))
      }
    }
    for (const read of open.values()) {
      const prepared = yield* prepareRead(session, read)
      if (prepared !== undefined && session.ahead.size < KEPT) session.ahead.set(read.prompt, prepared)
    }
    yield* Effect.yieldNow
  }
})

/** Walks the items on all lanes of the model; `walked` hears of them in their order all the same. */
const walkAll = Effect.fnUntraced(function* (session: Session, cohorts: readonly Cohort[], hooks: Hooks) {
  const places = placesOf(session.model)
  const free = yield* Queue.unbounded<Place>()
  yield* Queue.offerAll(free, places)
  const walkOnLane = (cohort: Cohort): Effect.Effect<Walk, EnvironmentFailure> =>
    Effect.acquireUseRelease(
      Queue.take(free),
      (place) => walk(session, place, cohort),
      (place) => Queue.offer(free, place),
    )
  yield* Stream.fromIterable(cohorts).pipe(
    Stream.mapEffect(walkOnLane, { concurrency: places.length }),
    Stream.runForEach((walk) => Effect.sync(() => hooks.walked(walk))),
  )
})

/** Each takes one item at a time. */
const placesOf = (model: LoadedModel): readonly Place[] =>
  model.kind === "chat"
    ? Array.from({ length: model.concurrency }, () => ({ kind: "server", model }))
    : [model, ...model.extraLanes].map((lane) => ({ kind: "lane", lane }))

/** The engines of the models that have been opened by now, in this session or before. */
function fingerprints({ ledger }: Session): Fingerprints {
  return (name) => ledger.fingerprints.get(name)
}

/** Settles the reads of one item. A trial stops at the wave in which it needs another model. */
const walk = Effect.fnUntraced(function* (
  session: Session,
  place: Place,
  cohort: Cohort,
): Effect.fn.Return<Walk, EnvironmentFailure> {
  const { model, ledger } = session
  const trials = cohort.trials()
  const readings = new Map<string, Record<string, Reading>>()
  for (const { trial } of trials) readings.set(trial.id, {})
  const waiting = new Set<string>()
  let asked = false
  for (let wave = 0; wave < depth(trials); wave++) {
    const open: {
      readonly own: Record<string, Reading>
      readonly trial: Trial
      readonly hole: string
      readonly read: OpenRead
    }[] = []
    for (const planned of trials) {
      const { trial } = planned
      if (waiting.has(trial.id)) continue
      const own = readings.get(trial.id) as Record<string, Reading>
      for (const { name } of planned.waves[wave] ?? []) {
        const read = readAt(trial, name, own, fingerprints(session), ledger)
        if (read.kind === "settled") own[name] = read.reading
        else if (read.kind === "open" && read.model === model.name)
          open.push({ own, trial, hole: name, read: openRead(planned, name, read) })
        else waiting.add(trial.id)
      }
    }
    if (open.length === 0) continue
    asked = true
    yield* askWave(
      session,
      place,
      open.map(({ read }) => read),
    )
    for (const { own, trial, hole, read } of open) {
      const reading = readingAt(trial, hole, read, ledger)
      if (reading === undefined) return yield* Effect.die(new Error(`a read stayed open: ${read.about}`))
      own[hole] = reading
    }
  }
  return { model, cohort, trials, readings, asked }
})

const openRead = ({ trial }: PlannedTrial, hole: string, read: Read & { kind: "open" }): OpenRead => ({
  prompt: read.prompt,
  conversation: read.conversation,
  ask: read.ask,
  ...(read.expected === undefined ? {} : { expected: read.expected }),
  about: `item ${trial.item.id} of pool ${trial.pool}, read ${hole}`,
})
