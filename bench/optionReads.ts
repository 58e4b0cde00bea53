/** The option reads of a spec with the model's own answers in later turns, as requests that can be asked again, here and elsewhere. */
import { Effect, Stream } from "effect"
import { expandEach } from "../compiler/expand.ts"
import { askAt, conversationAt } from "../compiler/prompt.ts"
import type { Reading } from "../compiler/trial.ts"
import { wavesOf } from "../compiler/waves.ts"
import type { ReadAnswer, ReadRequest, Token, TokenModel } from "../runtime/backend/backend.ts"
import { prepare } from "../runtime/read/prepare.ts"
import { readingOf } from "../runtime/read/reading.ts"
import type { floorOf } from "./floorRun.ts"

export interface OptionRead {
  readonly request: ReadRequest
  /** Of the whole prompt. */
  readonly tokens: readonly Token[]
  /** Of each label behind it. */
  readonly labels: readonly (readonly Token[])[]
}

/** Each distinct one once, as they come. `passed` hears of each trial. */
export async function optionReads(
  model: TokenModel,
  { program, items }: ReturnType<typeof floorOf>,
  passed: (trials: number) => void,
): Promise<readonly OptionRead[]> {
  const found = new Map<string, OptionRead>()
  const answers = new Map<string, ReadAnswer>()
  let trials = 0
  for (const experiment of program.experiments) {
    for (const trial of expandEach(experiment, items)) {
      const readings: Record<string, Reading> = {}
      for (const { name } of wavesOf(experiment).flat()) {
        const conversation = conversationAt(trial, name, readings)
        if ("skipped" in conversation) continue
        const ask = askAt(trial, name)
        const read = prepare(model, conversation, ask)
        if ("problem" in read || read.kind !== "read" || ask.kind === "text")
          throw new Error(`${name} cannot be read: ${"problem" in read ? read.problem : "it is a text"}`)
        const { request } = read
        const answer = answers.get(request.key) ?? (await scored(model, [request]))[0]!
        answers.set(request.key, answer)
        readings[name] = readingOf(ask, answer)
        if (ask.kind === "option")
          found.set(request.key, {
            request,
            tokens: request.chunks.flat(),
            labels: Object.values(read.labels),
          })
      }
      trials += 1
      passed(trials)
    }
  }
  return [...found.values()]
}

/** Answers in the order of the requests. */
export async function scored(
  model: Pick<TokenModel, "score">,
  requests: readonly ReadRequest[],
): Promise<readonly ReadAnswer[]> {
  const answers = await Effect.runPromise(Stream.runCollect(model.score(requests)))
  const byKey = new Map(answers.map((answer) => [answer.key, answer]))
  return requests.map(({ key }) => byKey.get(key)!)
}
