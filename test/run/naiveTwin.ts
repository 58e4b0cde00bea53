/**
 * The naive twin of a run: the trials in reverse, one after another, each read put together, asked and answered for itself. It shares nothing, knows of
 * no wave, no ledger and no other trial, and asks the engine for one cold read or one text at a time.
 */
import { Effect, type Stream, Stream as Streams } from "effect"
import { derivedAt } from "../../compiler/derive.ts"
import { expand } from "../../compiler/expand.ts"
import type { HoleIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { expectedAt } from "../../compiler/outcome.ts"
import { askAt, conversationAt, modelOf } from "../../compiler/prompt.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import type { TokenModel } from "../../runtime/backend/backend.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { type EngineAnswer, readingOf } from "../../runtime/read/reading.ts"
import { readingInPool } from "../../runtime/run/poolOrder.ts"

/** By trial, its readings by hole, with options in the order of their pool as records have them. */
export async function naiveTwin(
  { experiments, models }: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  engines: ReadonlyMap<string, TokenModel>,
): Promise<ReadonlyMap<string, Readonly<Record<string, Reading>>>> {
  const found = new Map<string, Readonly<Record<string, Reading>>>()
  for (const experiment of experiments.toReversed()) {
    const order = wavesOf(experiment).flat()
    for (const trial of expand(experiment, items, { models }).toReversed()) {
      const readings: Record<string, Reading> = {}
      for (const hole of order) readings[hole.name] = await readingOfHole(trial, hole, readings, engines)
      found.set(
        trial.id,
        Object.fromEntries(
          order.map((hole) => [hole.name, readingInPool(trial, hole, readings[hole.name] as Reading)]),
        ),
      )
    }
  }
  return found
}

async function readingOfHole(
  trial: Trial,
  hole: HoleIR,
  readings: Readonly<Record<string, Reading>>,
  engines: ReadonlyMap<string, TokenModel>,
): Promise<Reading> {
  const derived = derivedAt(trial, hole.name, readings)
  if (derived !== undefined) return derived
  const conversation = conversationAt(trial, hole.name, readings)
  if ("skipped" in conversation) return { status: "skipped", why: conversation.skipped }
  const name = modelOf(trial, hole.turn)
  const model = engines.get(name)
  if (model === undefined) throw new Error(`there is no model ${name}`)
  const ask = askAt(trial, hole.name)
  const prepared = prepare(model, conversation, ask)
  if ("problem" in prepared) return { status: "invalid", why: prepared.problem }
  const expected = expectedAt(trial, hole.name, readings)
  const also = expected === undefined ? {} : { expected }
  const answers: Stream.Stream<EngineAnswer, unknown> =
    prepared.kind === "read"
      ? model.scoreCold([{ ...prepared.request, ...also }])
      : model.generate([{ ...prepared.request, ...also }])
  const [answer] = await Effect.runPromise(Streams.runCollect(answers))
  if (answer === undefined) throw new Error(`${name} gave no answer`)
  return readingOf(ask, answer, hole.type === "text" ? hole.refusal : [])
}
