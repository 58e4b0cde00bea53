/** Servers that misbehave: what passes is waited for, what does not is said in their own words, and no key gets anywhere. */
import { Clock, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { Backend } from "../../../runtime/backend/backend.ts"
import { httpBackend } from "../../../runtime/backend/http/http.ts"
import { type Limits, limitsOf, nothingSpent } from "../../../runtime/backend/http/limits.ts"
import { type FakeServer, type Misbehaviour, send } from "./fakeServer.ts"
import { answerOf, answersOf, failureOf, labels, modelAt, request, serverFor, writing } from "./setup.ts"

/** Misbehaves so many times, then no more. */
const times =
  (count: number, how: Misbehaviour): Misbehaviour =>
  (response, sent, number) =>
    number < count && how(response, sent, number)

const KEY = "sk-very-secret-0123456789"
const keyed = { served: { key: "MY_KEY" }, options: { env: { MY_KEY: KEY } } }

describe("trouble that passes", () => {
  const troubles: readonly (readonly [string, Misbehaviour])[] = [
    ["an overloaded server", (response) => send(response, 503, "busy")],
    [
      "a rate that is too high",
      (response) => send(response, 429, { error: "slow" }, { "retry-after": "0.05" }),
    ],
    [
      "an internal error",
      (response) => send(response, 500, "<html>oops</html>", { "content-type": "text/html" }),
    ],
    ["invalid JSON", (response) => send(response, 200, '{"choices": [')],
    ["empty choices", (response) => send(response, 200, { choices: [] })],
    [
      "an answer that is cut off",
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
        response.write('{"choices": [')
        setTimeout(() => response.destroy(), 20)
        return true
      },
    ],
    [
      "a connection that is broken off",
      (response) => {
        response.destroy()
        return true
      },
    ],
  ]
  it.each(troubles)("is tried again: %s", async (_, how) => {
    const server = await serverFor({ misbehave: times(2, how) })
    const answer = await answerOf(modelAt(server.address), request(labels))
    expect(answer).toMatchObject({ probabilities: [expect.any(Number), expect.any(Number)] })
    expect(server.sent).toHaveLength(3)
  })

  it.each(troubles)("ends the run after so many tries as are declared: %s", async (_, how) => {
    const server = await serverFor({ misbehave: how })
    const failure = await failureOf(answerOf(modelAt(server.address, { retries: 1 }), request(labels)))
    expect(failure.what).toMatch(/^the server of model m was asked in vain: /)
    expect(failure.todo).toContain("cfx resume")
    expect(server.sent).toHaveLength(2)
  })

  it.each([
    ["says nothing at all", (() => true) satisfies Misbehaviour],
    [
      "drips",
      ((response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const drip = setInterval(() => response.write(" "), 50)
        response.on("close", () => clearInterval(drip))
        return true
      }) satisfies Misbehaviour,
    ],
  ])("is a server that %s: no answer is waited for longer than is declared", async (_, how) => {
    const server = await serverFor({ misbehave: how })
    const model = modelAt(server.address, { timeout: 0.3, retries: 1 })
    const failure = await failureOf(answerOf(model, request(labels)))
    expect(failure.what).toContain("it gave no whole answer within 0.3 seconds")
    expect(failure.todo).toContain(
      "raise `timeout` (300 at most) in the model's declaration and run the spec",
    )
    expect(server.sent).toHaveLength(2)
  })

  it("is waited for as long as the server asks, and a long wait is said", async () => {
    const notes: string[] = []
    const server = await serverFor({
      misbehave: times(1, (response) => send(response, 429, { error: "too fast" }, { "retry-after": "2" })),
    })
    const model = modelAt(server.address, {}, { note: (text) => notes.push(text) })
    await answerOf(model, request(labels))
    expect(notes).toEqual([
      expect.stringMatching(/^model m: it answered 429: too fast; trying again in 3 s$/),
    ])
  })
})

describe("trouble that does not pass", () => {
  it.each<readonly [string, Misbehaviour, string]>([
    [
      "a wrong key",
      (r) => send(r, 401, { error: { message: "Incorrect API key" } }),
      "it answered 401: Incorrect API key",
    ],
    [
      "a model that it does not have",
      (r) => send(r, 404, { error: { message: "no model tiny" } }),
      "it answered 404: no model tiny",
    ],
    [
      "a bad request",
      (r) => send(r, 400, { detail: "top_logprobs is too large" }),
      "it answered 400: top_logprobs is too large",
    ],
    [
      "a page in place of an answer",
      (r) => send(r, 200, "<html>Welcome</html>", { "content-type": "text/html" }),
      "its answer is no JSON (text/html)",
    ],
    [
      "a redirection to another host",
      (r) => send(r, 307, "", { location: "https://evil.example/v1/chat?key=abc" }),
      "another place, https://evil.example/v1/chat, which is not followed",
    ],
    [
      "a redirection in circles",
      (r) => send(r, 308, "", { location: "/v1/chat/completions" }),
      "more than 5 times",
    ],
  ])("ends the run at once, in the server's words: %s", async (_, misbehave, what) => {
    const server = await serverFor({ misbehave })
    const failure = await failureOf(answerOf(modelAt(server.address), request(labels)))
    expect(failure.what).toContain(what)
    expect(failure.where).toBe(server.address)
  })

  it("is a server that is not there", async () => {
    const server = await serverFor()
    await server.close()
    const failure = await failureOf(answerOf(modelAt(server.address), request(labels)))
    expect(failure.what).toContain("nothing listens there")
    expect(failure.todo).toContain("check the address, and that the server is running")
    expect(failure.todo).toContain("go on with cfx resume DIR: what was answered is kept")
  })

  it("is a port that is kept for other things than the web", async () => {
    const failure = await failureOf(answerOf(modelAt("http://127.0.0.1:9/v1"), request(labels)))
    expect(failure.what).toContain("its port is one of those that are kept for other things")
  })

  it("is an endless answer", async () => {
    const server = await serverFor({
      misbehave: (response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const block = Buffer.alloc(1 << 20, " ")
        const more = (): void => {
          while (!response.destroyed && response.write(block)) {}
        }
        response.on("drain", more)
        more()
        return true
      },
    })
    const failure = await failureOf(answerOf(modelAt(server.address), request(labels)))
    expect(failure.what).toContain("longer than 32 MiB")
  })

  it("but a redirection within the host is followed, with the question", async () => {
    const server = await serverFor({
      misbehave: (response, { path }) =>
        path === "/v1/chat/completions" && send(response, 308, "", { location: "/v2/chat/completions" }),
    })
    expect(await answerOf(modelAt(server.address), request(labels))).toHaveProperty("mass")
    expect(server.sent.map(({ path, method }) => [path, method])).toEqual([
      ["/v1/chat/completions", "POST"],
      ["/v2/chat/completions", "POST"],
    ])
    expect(server.sent[1]?.body).toEqual(server.sent[0]?.body)
  })
})

describe("a key", () => {
  const authorised = (server: FakeServer) => server.sent.map(({ headers }) => headers.authorization)

  it("is sent in its header, and none is sent without one", async () => {
    const server = await serverFor()
    await answerOf(modelAt(server.address, keyed.served, keyed.options), request(labels))
    await answerOf(modelAt(server.address), request(labels))
    expect(authorised(server)).toEqual([`Bearer ${KEY}`, undefined])
  })

  it("that is not set fails before anything is sent", async () => {
    const server = await serverFor()
    const failure = await failureOf(answerOf(modelAt(server.address, { key: "MY_KEY" }), request(labels)))
    expect(failure.what).toContain("the environment variable MY_KEY")
    expect(server.sent).toEqual([])
  })

  it("that a server says back reaches neither errors nor answers nor facts", async () => {
    const echoing: readonly Misbehaviour[] = [
      (r) => send(r, 401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
      (r) => send(r, 400, KEY),
      (r) => send(r, 200, `<html>${KEY}</html>`, { "content-type": "text/html" }),
      (r) => send(r, 307, "", { location: `https://other.example/${KEY}?k=${KEY}` }),
    ]
    for (const misbehave of echoing) {
      const server = await serverFor({ misbehave })
      const model = modelAt(server.address, keyed.served, keyed.options)
      const { message } = await failureOf(answerOf(model, request(labels)))
      expect(message).not.toContain(KEY)
    }
    const server = await serverFor({
      misbehave: (r) =>
        send(r, 200, {
          system_fingerprint: KEY,
          choices: [{ message: { content: `My key is ${KEY}.` }, finish_reason: "stop" }],
          usage: { prompt_tokens: 1, completion_tokens: 5 },
        }),
    })
    const model = modelAt(server.address, keyed.served, keyed.options)
    const answer = await answerOf(model, request(writing))
    expect(JSON.stringify([answer, model.facts, model.fingerprint])).not.toContain(KEY)
    expect(answer).toMatchObject({ text: "My key is [key]." })
  })
})

describe("limits", () => {
  it("no more requests are under way than are declared, whoever asks", async () => {
    // Answers come when three requests wait for them, and time for a fourth has passed.
    let waiting: (() => void)[] = []
    const server = await serverFor({
      misbehave: async () => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length < 3) return
          const together = waiting
          waiting = []
          setTimeout(() => {
            for (const go of together) go()
          }, 50)
        })
        return false
      },
    })
    const model = modelAt(server.address, { concurrency: 3 })
    await Promise.all(Array.from({ length: 12 }, () => answerOf(model, request(labels))))
    expect(server.sent).toHaveLength(12)
    expect(server.most()).toBe(3)
    expect(model.concurrency).toBe(3)
  })

  it("the budget of calls stops the run and says how to go on, also over several openings of the model", async () => {
    const server = await serverFor()
    const file = { name: "m", path: server.address, served: { name: "tiny", maxCalls: 3 } }
    const work = Effect.gen(function* () {
      const backend = yield* Backend
      const ask = (count: number) =>
        Effect.scoped(
          Effect.flatMap(backend.load(file), (model) =>
            model.kind === "chat"
              ? Stream.runCollect(model.answer(Array.from({ length: count }, () => request(labels))))
              : Effect.die("no chat"),
          ),
        )
      yield* ask(2)
      yield* ask(2)
    })
    const failure = await failureOf(Effect.runPromise(Effect.provide(work, httpBackend({ env: {} }))))
    expect(failure.what).toContain("the budget is spent: 3 requests since the run was started, and max_calls")
    expect(failure.todo).toContain("cfx resume DIR")
    expect(server.sent).toHaveLength(3)
  })

  it("the budget of tokens counts prompts and answers", async () => {
    const server = await serverFor()
    // Each takes 5 tokens and 1.
    const model = modelAt(server.address, { maxTokens: 10 })
    const failure = await failureOf(answersOf(model, [request(labels), request(labels), request(labels)]))
    expect(failure.what).toContain("the budget is spent: 12 tokens")
    expect(server.sent).toHaveLength(2)
  })

  /** When each began; `meanwhile` happens after a second. */
  const startsOf = (limits: Limits, count: number, meanwhile: Effect.Effect<void> = Effect.void) =>
    Effect.gen(function* () {
      const starts: number[] = []
      const one = Effect.andThen(
        limits.begin,
        Effect.map(Clock.currentTimeMillis, (now) => starts.push(now)),
      )
      const all = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: count }, () => one),
          { concurrency: "unbounded" },
        ),
      )
      yield* TestClock.adjust("1 second")
      yield* meanwhile
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(all)
      return starts
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

  it("requests begin no faster than the declared rate, evenly", async () => {
    const limits = limitsOf({ name: "tiny", rate: 300 }, nothingSpent())
    expect(await startsOf(limits, 4)).toEqual([0, 200, 400, 600])
  })

  it("a rate also holds behind a pause that the server asks for while requests wait for their turn", async () => {
    const limits = limitsOf({ name: "tiny", rate: 6, concurrency: 8 }, nothingSpent())
    const starts = await startsOf(limits, 7, limits.hold(34_000))
    // Places at 10, 20 and 30 seconds lie in the pause, and are given anew behind the last; those at 40, 50 and 60 are kept.
    expect(starts.map((start) => start / 1000)).toEqual([0, 40, 50, 60, 70, 80, 90])
  })

  it("nothing begins while the server has asked to wait", async () => {
    const limits = limitsOf({ name: "tiny" }, nothingSpent())
    const held: Limits = { ...limits, begin: Effect.andThen(limits.hold(3000), limits.begin) }
    expect(await startsOf(held, 2)).toEqual([3000, 3000])
  })
})
