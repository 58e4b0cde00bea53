/** Runs in which models on servers take part: beside files, stopped anywhere, within a budget, and with a key that is nowhere to be found. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Backend } from "../../runtime/backend/backend.ts"
import { byModel } from "../../runtime/backend/choose.ts"
import { httpBackend } from "../../runtime/backend/http/http.ts"
import { simulatedBackend } from "../../runtime/backend/simulated.ts"
import { codeOf } from "../../runtime/cli/verdict.ts"
import type { EnvironmentFailure } from "../../runtime/failure.ts"
import { type RunOutcome, run } from "../../runtime/run/run.ts"
import {
  type FakeMessage,
  type FakeOptions,
  type FakeServer,
  fakeServer,
  type Misbehaviour,
  send,
} from "../engine/http/fakeServer.ts"
import { contents } from "./contents.ts"
import { failureOf } from "./runs.ts"
import { requestOf, statuses } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

/** A server writes answers freely and judges those of a file; the file reads labels. */
const spec = (address: string, settings = ""): string => `
model pocket = gguf "pocket.gguf"
model served = server "${address}" { name "tiny" ${settings} }
protocol open_ended {
  options "{label}. {text}" join "\\n"
  turn ask {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn explain continues ask {
    user "Why?"
    assistant "{reply: text}"
    read reply { max 30 }
  }
  judge v0 = sound(reply) by served
}
judge sound(reply) {
  user "{item.question} Answer: {reply} Is it right?"
  assistant "{verdict: label(yes, no)}"
  gold yes
}
metric judged(verdict = v0) { rate verdict == "yes" interval wilson 95 }
experiment study {
  protocol open_ended
  models { pocket, served }
  items { sums }
  seed 0
  target random_wrong
  measure judged
}
`

/** By hash of the last message, so that answers differ and stay the same. */
const sum = (messages: readonly FakeMessage[]): number =>
  [...(messages.at(-1)?.content ?? "")].reduce(
    (total, letter) => (total * 31 + letter.charCodeAt(0)) % 997,
    7,
  )

const model: FakeOptions = {
  next: (messages) => {
    const p = 0.1 + (0.8 * (sum(messages) % 100)) / 100
    return messages.at(-1)?.content.endsWith("Is it right?")
      ? { yes: p, no: 0.95 - p }
      : { A: p / 2, B: 0.95 - p, C: p / 2 }
  },
  text: (messages) => `Because of ${sum(messages)} things.`,
}

const serverWith = async (misbehave?: Misbehaviour): Promise<FakeServer> => {
  const server = await fakeServer({ ...model, ...(misbehave === undefined ? {} : { misbehave }) })
  onTestFinished(() => server.close())
  return server
}

const engines = (env: Readonly<Record<string, string>> = {}): Layer.Layer<Backend, EnvironmentFailure> =>
  byModel(simulatedBackend(), httpBackend({ env }))

const carryOut = (
  directory: string,
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunOutcome> =>
  Effect.runPromise(run(requestOf(directory, text, { items: 5 })).pipe(Effect.provide(engines(env))))

describe("a file and a server in one experiment", () => {
  it("each answers what is its own, and the server judges both", async () => {
    const server = await serverWith()
    const outcome = await carryOut(fresh(), spec(server.address))
    expect(outcome.complete).toBe(true)
    expect(outcome.records).toHaveLength(10)
    expect(new Set(statuses(outcome, "a0"))).toEqual(new Set(["value"]))
    expect(new Set(statuses(outcome, "reply"))).toEqual(new Set(["text"]))
    expect(new Set(statuses(outcome, "v0"))).toEqual(new Set(["value"]))
    // Of 5 items: 5 labels, 5 texts and 10 verdicts.
    const asked = server.sent.map(({ body }) =>
      body.logprobs !== true
        ? "text"
        : body.messages?.at(-1)?.content.endsWith("Is it right?")
          ? "verdict"
          : "label",
    )
    const count = (kind: string): number => asked.filter((one) => one === kind).length
    expect(count("label")).toBeGreaterThanOrEqual(5)
    expect(count("text")).toBeGreaterThanOrEqual(5)
    expect(count("verdict")).toBeGreaterThanOrEqual(10)
  })

  it("tells the server the conversation as messages, earlier answers in it", async () => {
    const server = await serverWith()
    await carryOut(fresh(), spec(server.address))
    const text = server.sent.find(({ body }) => body.logprobs !== true)
    expect(text?.body.messages).toEqual([
      { role: "user", content: expect.stringMatching(/^What is (\d) \+ 1\?\nA\. \1\nB\. \d\nC\. \d$/) },
      { role: "assistant", content: expect.stringMatching(/^[ABC]$/) },
      { role: "user", content: "Why?" },
    ])
  })
})

describe("a prompt that the server refuses for good", () => {
  it("is an invalid read: the run ends with 4, the rest is answered, and nothing is asked again", async () => {
    const server = await serverWith(
      (response, { body }) =>
        (body.messages?.[0]?.content.startsWith("What is 2 +") ?? false) &&
        send(response, 400, { error: { message: "maximum context length is 4096 tokens" } }),
    )
    const directory = fresh()
    const outcome = await carryOut(directory, spec(server.address))
    expect(outcome.complete).toBe(true)
    expect(codeOf(outcome)).toBe(4)
    const why = "the server refuses this prompt: it answered 400: maximum context length is 4096 tokens"
    expect(new Set(outcome.failed.map((failed) => failed.why))).toContain(why)
    expect(new Set(statuses(outcome, "a0"))).toEqual(new Set(["value", "invalid"]))
    const asked = server.sent.length
    expect((await carryOut(directory, spec(server.address))).failed).toEqual(outcome.failed)
    expect(server.sent).toHaveLength(asked)
  })
})

describe("a placebo label that is pushed on a server", () => {
  const placebos = (address: string): string => `
import { arbitration } from "std/protocols"
import { no_source } from "std/framings"
import { verbatim } from "std/paraphrases"
import { distinct } from "std/doses"
import { raw_p_pushed } from "std/metrics"
model served = server "${address}" { name "tiny" }
experiment study {
  protocol arbitration
  models { served }
  items { sums }
  seed 0
  target placebo_label
  arms {
    pressure = assertion(framing = no_source, structure = all_wrong, order = identity, dose = distinct(2), paraphrase = verbatim)
  }
  measure raw_p_pushed
}
`
  const placeboOf = async (next: Readonly<Record<string, number>>) => {
    const server = await fakeServer({ next: () => ({ ...next, "7": 0.02 }) })
    onTestFinished(() => server.close())
    const outcome = await carryOut(fresh(), placebos(server.address))
    expect(new Set(statuses(outcome, "a1"))).toEqual(new Set(["value"]))
    const [measured] = outcome.results.filter(({ kind }) => kind === "measure")
    return { n: measured?.n, estimate: measured?.estimate, excluded: measured?.excluded }
  }

  it("has the raw probability that the server lists", async () => {
    expect(await placeboOf({ A: 0.5, B: 0.3, C: 0.1, D: 0.05 })).toMatchObject({ n: 5, excluded: {} })
  })

  it("has none where the server lists none: the read stands, and its trials are counted", async () => {
    expect(await placeboOf({ A: 0.5, B: 0.3, C: 0.1 })).toEqual({
      n: 0,
      estimate: undefined,
      excluded: { "no raw probability of the placebo label": 5 },
    })
  })
})

describe("a server that fails in the middle of a run", () => {
  it("stops it with all answers kept; with the server well again it comes to the same files byte for byte", async () => {
    let failsAt = Number.POSITIVE_INFINITY
    let count = 0
    const server = await serverWith((response) => {
      count += 1
      return count > failsAt && send(response, 401, { error: { message: "key expired" } })
    })
    const whole = fresh()
    await carryOut(whole, spec(server.address))
    const all = count
    const expected = contents(whole)
    for (const after of [1, 7, Math.floor(all / 2), all - 1]) {
      count = 0
      failsAt = after
      const directory = fresh()
      const failure = await failureOf(carryOut(directory, spec(server.address)))
      expect(failure.what).toContain("key expired")
      count = 0
      failsAt = Number.POSITIVE_INFINITY
      await carryOut(directory, spec(server.address))
      expect(contents(directory), `failed after ${after} requests`).toEqual(expected)
      // Requests that were under way when it failed may have been answered and lost.
      expect(count).toBeLessThanOrEqual(all - after + 4)
    }
  })
})

describe("a budget", () => {
  it("stops the run each time that it is spent, until all is answered", async () => {
    const server = await serverWith()
    const directory = fresh()
    const text = spec(server.address, "max_calls 12  concurrency 1")
    let stops = 0
    for (;;) {
      const done = await carryOut(directory, text).then(
        (outcome) => outcome.complete,
        (error: EnvironmentFailure) => {
          expect(error.what).toContain("the budget is spent: 12 requests")
          expect(error.todo).toContain("cfx resume DIR")
          return false
        },
      )
      if (done) break
      stops += 1
      expect(stops).toBeLessThan(10)
    }
    expect(stops).toBeGreaterThan(0)
  })
})

describe("a key", () => {
  const KEY = "sk-nowhere-to-be-found-42"

  it("that is missing is found out before anything is asked, of any model", async () => {
    const server = await serverWith()
    const directory = fresh()
    const failure = await failureOf(carryOut(directory, spec(server.address, `key "SOME_KEY"`)))
    expect(failure.what).toContain("the environment variable SOME_KEY")
    expect(server.sent).toEqual([])
  })

  it("stands in no file of the run, though the server says it back whenever it can", async () => {
    const server = await serverWith((response, { body }, number) => {
      if (number < 2) return send(response, 503, { error: { message: `busy, ${KEY}` } })
      if (body.logprobs === true) return false
      return send(response, 200, {
        system_fingerprint: `fp ${KEY}`,
        model: KEY,
        choices: [{ message: { content: `I was told ${KEY}.` }, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 6 },
      })
    })
    const directory = fresh()
    const outcome = await carryOut(directory, spec(server.address, `key "SOME_KEY"`), { SOME_KEY: KEY })
    expect(outcome.complete).toBe(true)
    expect(server.sent.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
    const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
    const texts = names
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, "utf8"))
    expect(texts.some((text) => text.includes("I was told [key]."))).toBe(true)
    for (const text of texts) expect(text).not.toContain(KEY)
    expect(JSON.stringify(outcome.results)).not.toContain(KEY)
  })
})
