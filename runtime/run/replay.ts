/**
 * A run without a model: every answer is taken from the ledger of an earlier run. What a spec measures may have changed since, its arms may be fewer; each
 * prompt that it asks must be one that was answered then, by the model of that name, or one of the same content, on the same engine.
 */
import { basename, join } from "node:path"
import { Effect } from "effect"
import { isAddress } from "../../compiler/address.ts"
import { canonicalJson } from "../../compiler/hash.ts"
import type { ModelIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Readings } from "../../compiler/prompt.ts"
import { diskWork, makeFolder } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { TrialRecord } from "../record.ts"
import type { PromptSample } from "../report/input.ts"
import type { Answers } from "./answers.ts"
import { claim, isVacant } from "./claim.ts"
import { cohortsOf } from "./cohorts.ts"
import { conclude, type Evidence, evidenceOf, published, type RunOutcome } from "./conclude.ts"
import { files, readKept, readSentPrompts, writePlan, writePrompts } from "./directory.ts"
import { gather } from "./gather.ts"
import { keptPrompts } from "./keptPrompts.ts"
import { openLedger } from "./ledger.ts"
import { lockDirectory } from "./lock.ts"
import { openings } from "./openings.ts"
import type { Plan } from "./plan.ts"
import { type Compilation, planned } from "./planned.ts"
import { holds, ledgerLines, readLedger } from "./readLedger.ts"
import { cut, openReads, readAll, recordsOf } from "./records.ts"
import { type Samples, samples } from "./samples.ts"
import { startSession } from "./session.ts"

export interface ReplayRequest extends Compilation {
  /** Absolute. */
  readonly directory: string
  /** The directory of the run whose answers are taken; absolute. */
  readonly from: string
  readonly version: string
}

const nothingAnswered = (from: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what: "the run whose answers are to be taken has none: its ledger is missing or empty",
    where: join(from, files.ledger),
    todo: "restore the file from a copy, or finish that run with cfx resume",
  })

/**
 * Carries a spec out into a directory of its own with the answers of another. Fails, and writes nothing, where one is missing, or where the directory holds
 * answers that are not among them. The engine and the mode are those of the answers, so that the same spec comes to the same files.
 */
export const replay = (request: ReplayRequest): Effect.Effect<RunOutcome, EnvironmentFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { directory, from, version } = request
      const source = yield* attempt(() => readKept(from), from)
      const answers = yield* attempt(() => readLedger(join(from, files.ledger)), from)
      if (answers.byPrompt.size === 0) return yield* nothingAnswered(from)
      const { plan, items, text, copies, declared } = planned(request, source.plan)
      const other = otherModel(plan, source.plan, from)
      if (other !== undefined) return yield* other
      const lacking = missing(recordsOf(plan.program, items, answers, cut(plan)), answers, from)
      if (lacking !== undefined) return yield* lacking

      yield* attempt(() => {
        isVacant(directory)
        makeFolder(directory)
      }, directory)
      yield* lockDirectory(directory)
      const { before, ledger: kept } = yield* attempt(() => claim(directory, plan), directory)
      const foreign = yield* attempt(() => otherAnswers(directory, kept, answers, from), directory)
      if (foreign !== undefined) return yield* foreign
      const models = Object.fromEntries(
        declared.map(({ name, file }) => [name, source.state.models[name] ?? { file }]),
      )
      const sources = Object.fromEntries(copies.paths)
      const session = startSession({
        directory,
        version,
        plan,
        models,
        sources,
        lock: undefined,
        replayed: from,
        before,
      })
      yield* session.begin
      yield* attempt(() => writePlan(directory, plan, items, copies), directory)
      const ledger = yield* openLedger(join(directory, files.ledger))
      const engines = new Set(declared.map(({ name }) => answers.fingerprints.get(name)))
      const lines = ledgerLines(join(from, files.ledger))
      for (;;) {
        const { done, value: line } = yield* attempt(() => lines.next(), from)
        if (done) break
        // By the engine: what a model was asked may stand under another one of the same content.
        const isOurs =
          line.kind === "model" ? Object.hasOwn(models, line.model) : engines.has(line.fingerprint)
        if (isOurs && !holds(ledger, line)) yield* ledger.append(line)
      }
      yield* ledger.close

      const sent = yield* attempt(() => readSentPrompts(from), from)
      const prompts = "value" in sent ? shown(plan, items, answers, sent.value) : []
      const concluded = { directory, version, plan, items, text, replayed: true }
      const evidence = evidenceOf(concluded, ledger)
      const outcome = conclude(concluded, evidence, { value: prompts })
      if (!outcome.complete) return yield* Effect.die(new Error(notCopied(evidence)))
      yield* attempt(() => writePrompts(directory, plan, prompts), directory)
      yield* published(outcome)
      yield* session.end("finished", outcome.counts)
      return outcome
    }),
  )

/** What keeps a spec from being replayed: a model that is another one by now, or is told its prompts in another way. */
function otherModel(now: Plan, before: Plan, from: string): EnvironmentFailure | undefined {
  const known = new Map(before.program.models.map((model) => [model.name, model]))
  const moved = now.program.models.find((model) => {
    const one = known.get(model.name)
    return one !== undefined && !answersAlike(one, model)
  })
  if (moved === undefined) return undefined
  return new EnvironmentFailure({
    what: `the model ${moved.name} is not declared as it was when it answered: another file, server, template or context`,
    where: join(from, files.ledger),
    todo: "declare it as it was (give the same --model), or ask it with cfx run SPEC",
  })
}

/** Whether the same prompts come to the same answers, as far as two declarations tell. */
function answersAlike(one: ModelIR, other: ModelIR): boolean {
  const told = ({ engine, template, system, served, device }: ModelIR): string =>
    canonicalJson({ engine, template, system, served: served?.name, context: device?.context })
  const isSame =
    one.sha256 !== undefined && other.sha256 !== undefined
      ? one.sha256 === other.sha256
      : nameOf(one) === nameOf(other)
  return isSame && told(one) === told(other)
}

const nameOf = ({ file }: ModelIR): string => (isAddress(file) ? file : basename(file))

/** What keeps a spec from being replayed: reads that nothing has answered. */
function missing(
  records: Iterable<TrialRecord>,
  { fingerprints }: Answers,
  from: string,
): EnvironmentFailure | undefined {
  const open = openReads()
  gather(records, [open])
  const { count, first } = open.found()
  if (count === 0) return undefined
  const models = [...fingerprints.keys()].sort().join(", ")
  return new EnvironmentFailure({
    what: `${count === 1 ? "a read is" : `${count} reads are`} not among the answers that are to be replayed; the first is ${first}`,
    where: `${join(from, files.ledger)}, with answers of ${models === "" ? "no model" : models}`,
    todo: "a prompt that was changed by a character was never asked: replay the spec of before with other measures, or ask the models with cfx run SPEC",
  })
}

/** What keeps a folder from being gone on with: answers of another run, which would pass for those that are replayed. */
function otherAnswers(
  directory: string,
  kept: Answers,
  answers: Answers,
  from: string,
): EnvironmentFailure | undefined {
  // Models that were opened and asked nothing have no say.
  if (kept.byPrompt.size === 0) return undefined
  const path = join(directory, files.ledger)
  for (const line of ledgerLines(path)) {
    if (holds(answers, line)) continue
    return new EnvironmentFailure({
      what: "the folder holds answers that are not those of the run that is to be replayed",
      where: `${path}; to be replayed: ${join(from, files.ledger)}`,
      todo: "choose another folder with -o",
    })
  }
  return undefined
}

/** Nothing is missing in the run that is replayed, so that nothing may be once its lines are copied. */
const notCopied = ({ gathered: { open } }: Evidence): string =>
  `all answers were copied, and ${open.count} reads were left out, such as ${open.first}`

/** The prompts of the report, out of those that the earlier run kept. */
function shown(
  plan: Plan,
  items: ReadonlyMap<string, readonly Item[]>,
  answers: Answers,
  kept: readonly PromptSample[],
): ReturnType<Samples["all"]> {
  const sampled = samples(plan.program)
  const cohorts = cohortsOf(plan.program, items, cut(plan))
  const fingerprints = (model: string): string | undefined => answers.fingerprints.get(model)
  for (const name of new Set(openings(plan.program))) {
    const rendering = keptPrompts(kept, name)
    for (const cohort of cohorts.get(name) ?? []) {
      const trials = cohort.trials()
      const planned = new Map(trials.map((one) => [one.trial.id, one]))
      // Of most trials nobody asks: others of their cells were met before.
      const get = (id: string): Readings | undefined => {
        const one = planned.get(id)
        return one && readAll(one.trial, one.waves.flat(), fingerprints, answers).readings
      }
      sampled.take({ model: { name }, cohort, trials, readings: { get } }, rendering)
    }
  }
  return sampled.all()
}

const attempt = <A>(work: () => A, directory: string): Effect.Effect<A, EnvironmentFailure> =>
  diskWork(work, "use the run directory", directory)
