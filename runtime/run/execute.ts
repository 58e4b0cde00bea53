/**
 * Carries out a program: model by model, item by item (as many at a time as the model has lanes), wave by wave, until the ledger answers
 * everything that can be asked. Where trials ask several models, a model goes as far as it can and waits for what others have to write
 * (`openings.ts` says in which order).
 */
import { Effect, Queue, Stream } from "effect"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { Backend, type LoadedModel, type ModelFile } from "../backend/backend.ts"
import { EnvironmentFailure } from "../failure.ts"
import { AuditSample, audit } from "./audit.ts"
import { type Cohort, cohortsOf } from "./cohorts.ts"
import { freeTexts } from "./freeText.ts"
import type { Ledger } from "./ledger.ts"
import { openings } from "./openings.ts"
import type { ReadFailure } from "./readFailure.ts"
import { readAt } from "./reads.ts"
import { checkShapes } from "./shapes.ts"
import type { Pass } from "./tally.ts"
import { openRead, type Walk, type Way, walk } from "./walk.ts"
import { type OpenRead, type Place, prepareRead, type Session, type WaveHooks } from "./wave.ts"

export interface Work {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** As the run's `--limit`: items of each pool. */
  readonly limit?: number
  /** By the model's name in the program. */
  readonly files: ReadonlyMap<string, ModelFile>
  readonly ledger: Ledger
  /** Reads of each model that are taken again at the end; `AUDITED` where left out. */
  readonly audit?: number
  readonly hooks: Hooks
}

export interface Hooks extends WaveHooks {
  /** A read has no usable answer. Called for each trial that has it, whether it was asked now or before; may stop the run. */
  readonly failed: (about: string, why: string) => Effect.Effect<void, ReadFailure>
  /** A model is about to be opened. */
  readonly opening: (pass: Pass) => void
  readonly loaded: (model: LoadedModel) => Effect.Effect<void, EnvironmentFailure>
  /** All that can be read of one item by one model is settled. */
  readonly walked: (walk: Walk) => void
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
  const order = openings(work.program)
    .map((name) => ({ name, cohorts: models.get(name) ?? [] }))
    .filter(({ cohorts }) => cohorts.length > 0)
  const free = freeTexts(work.program, work.items, work)
  for (const [at, { name, cohorts }] of order.entries()) {
    const isOther = (other: { readonly name: string }) => other.name !== name
    const isFirst = order.slice(0, at).every(isOther)
    const isLast = order.slice(at + 1).every(isOther)
    const file = work.files.get(name)
    if (file === undefined) return yield* Effect.die(new Error(`no file is given for model ${name}`))
    yield* Effect.scoped(
      Effect.gen(function* () {
        work.hooks.opening({ model: name, number: at + 1, of: order.length, items: cohorts.length })
        const model = yield* backend.load(file)
        if (isFirst) yield* checkShapes(model, cohorts)
        yield* enterEngine(work.ledger, model)
        yield* work.hooks.loaded(model)
        const { ledger, hooks } = work
        const session: Session = { model, ledger, ahead: new Map(), underWay: new Map(), hooks }
        if (isFirst) yield* checkFirstWave(session, cohorts, hooks)
        // In a model's last walk all of its reads are met.
        const sample = isLast ? { sample: new AuditSample<OpenRead>(work.audit) } : {}
        yield* walkAll({ session, hooks, freeTexts: free, ...sample }, cohorts, hooks)
        if (sample.sample !== undefined) yield* audit(session, sample.sample)
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

const checkFirstWave = Effect.fnUntraced(function* (
  session: Session,
  cohorts: readonly Cohort[],
  hooks: Hooks,
) {
  const { ledger } = session
  const fingerprints = (name: string): string | undefined => ledger.fingerprints.get(name)
  for (const cohort of cohorts) {
    const open = new Map<string, OpenRead>()
    for (const planned of cohort.trials()) {
      for (const { name } of planned.waves[0] ?? []) {
        const read = readAt(planned.trial, name, {}, fingerprints, ledger)
        if (read.kind !== "open" || read.model !== session.model.name) continue
        open.set(read.prompt, openRead(planned, name, read))
      }
    }
    for (const read of open.values()) {
      const prepared = yield* prepareRead(session, read)
      const known = ledger.byPrompt.get(read.prompt)
      if (known?.kind === "unreadable") yield* hooks.failed(read.about, known.problem)
      if (prepared !== undefined && session.ahead.size < KEPT) session.ahead.set(read.prompt, prepared)
    }
    yield* Effect.yieldNow
  }
})

/** Walks the items on all lanes of the model; `walked` hears of them in their order all the same. */
const walkAll = Effect.fnUntraced(function* (way: Way, cohorts: readonly Cohort[], hooks: Hooks) {
  const places = placesOf(way.session.model)
  const free = yield* Queue.unbounded<Place>()
  yield* Queue.offerAll(free, places)
  const walkOnLane = (cohort: Cohort): Effect.Effect<Walk, EnvironmentFailure | ReadFailure> =>
    Effect.acquireUseRelease(
      Queue.take(free),
      (place) => walk(way, place, cohort),
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
