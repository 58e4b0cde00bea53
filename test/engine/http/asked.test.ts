/** What a server is asked, and what is made of its answers. */
import { describe, expect, it } from "vitest"
import { answerOf, answersOf, failureOf, labels, modelAt, request, serverFor, writing } from "./setup.ts"

describe("a distribution", () => {
  it("is asked for as one token at temperature 0, with its alternatives", async () => {
    const server = await serverFor()
    const one = request(labels)
    const answer = await answerOf(modelAt(server.address), one)
    expect(answer).toEqual({
      key: one.key,
      probabilities: [expect.closeTo(2 / 3, 9), expect.closeTo(1 / 3, 9)],
      mass: expect.closeTo(0.9, 9),
      evaluated: 5,
    })
    expect(server.sent).toHaveLength(1)
    expect(server.sent[0]).toMatchObject({ path: "/v1/chat/completions", method: "POST" })
    expect(server.sent[0]?.body).toEqual({
      model: "tiny",
      messages: [{ role: "user", content: "Which one?" }],
      temperature: 0,
      logprobs: true,
      top_logprobs: 20,
      max_tokens: 1,
    })
  })

  it("asks for as many alternatives as are declared, and says which labels are not among them", async () => {
    const server = await serverFor({ next: () => ({ A: 0.7, x: 0.2, B: 0.05 }) })
    const answer = await answerOf(modelAt(server.address, { logprobs: 2 }), request(labels))
    expect(answer).toMatchObject({
      probabilities: [1, 0],
      censored: { labels: [1], below: expect.closeTo(0.2, 9) },
    })
  })

  it("of a server that lists no probabilities fails at once and says what to declare", async () => {
    const server = await serverFor({
      misbehave: (response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ choices: [{ message: { content: "A" }, logprobs: null }] }))
        return true
      },
    })
    const failure = await failureOf(answerOf(modelAt(server.address), request(labels)))
    expect(failure.what).toContain("it lists no probabilities of tokens")
    expect(failure.todo).toContain("`logprobs 0`")
    expect(server.sent).toHaveLength(1)
  })

  it("of a model that ends its turn at once is invalid", async () => {
    const server = await serverFor({ next: () => ({}) })
    expect(await answerOf(modelAt(server.address), request(labels))).toMatchObject({
      invalid: "the model ended its turn at once, and the server lists no token for that",
    })
  })

  it("cannot be had of whole option texts, nor of a server that is declared to list nothing", () => {
    const cannot = (logprobs: number, score?: "sum") =>
      modelAt("http://localhost:1/v1", { logprobs }).cannot({
        kind: "option",
        labels: ["A"],
        follow: "",
        ...(score === undefined ? {} : { score }),
      })
    expect(cannot(20)).toBeUndefined()
    expect(cannot(20, "sum")).toContain("whole option texts cannot be scored on a server")
    expect(cannot(0)).toContain("`logprobs 0`")
  })
})

describe("a turn that the assistant has begun", () => {
  it("is sent as the last message, once it is proven that the server goes on with it", async () => {
    const server = await serverFor()
    const model = modelAt(server.address)
    await answersOf(model, [request(labels, { opening: "Answer: (" }), request(labels, { opening: "So: " })])
    // Three requests prove it, once.
    expect(server.sent).toHaveLength(5)
    expect(server.sent[3]?.body).toMatchObject({
      messages: [
        { role: "user", content: "Which one?" },
        { role: "assistant", content: "Answer: (" },
      ],
      add_generation_prompt: false,
      continue_final_message: true,
    })
  })

  it.each([true, false])(
    "is no part of the text that goes on with it, whether the server repeats it: %s",
    async (echoes) => {
      // This text begins as the assistant's turn does, and only a server that repeats adds that once more.
      const server = await serverFor({ echoes, text: () => "Well, well." })
      const answer = await answerOf(modelAt(server.address), request(writing, { opening: "Well, " }))
      expect(answer).toMatchObject({ text: "Well, well.", tokens: 2 })
    },
  )

  it("is never sent to a server that closes it: the run fails and says what to change", async () => {
    const server = await serverFor({ continues: false })
    const failure = await failureOf(
      answerOf(modelAt(server.address), request(labels, { opening: "Answer: (" })),
    )
    expect(failure.what).toContain('the protocol lets it begin with "Answer: ("')
    expect(failure.todo).toContain("let the hole open the assistant's turn")
    expect(server.sent.every(({ body }) => !JSON.stringify(body).includes("Answer"))).toBe(true)
  })

  it("is never sent to a server that refuses such messages", async () => {
    const server = await serverFor({
      misbehave: (response, { body }) => {
        if (!("continue_final_message" in body)) return false
        response.writeHead(400, { "content-type": "application/json" })
        response.end('{"error":{"message":"Unrecognized request argument supplied: continue_final_message"}}')
        return true
      },
    })
    const failure = await failureOf(answerOf(modelAt(server.address), request(labels, { opening: "(" })))
    expect(failure.what).toContain("does not go on with a message that the assistant has begun")
  })

  it("tells labels of several tokens apart, behind what is forced", async () => {
    const server = await serverFor({
      next: (messages) =>
        messages.at(-1)?.content === "1" ? { "0": 0.6, ".": 0.2, "</s>": 0.2 } : { "1": 0.5, "2": 0.5 },
    })
    const ask = { kind: "integer", low: 1, high: 10, follow: "" } as const
    const answer = await answerOf(modelAt(server.address), request(ask))
    expect(answer).toMatchObject({
      probabilities: [0.125, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.375].map((p) => expect.closeTo(p, 9)),
      censored: { labels: [2, 3, 4, 5, 6, 7, 8] },
    })
  })

  it("is not needed for labels of one token that is not listed: they are censored", async () => {
    const server = await serverFor({ continues: false, next: () => ({ yes: 0.5, no: 0.3, m: 0.1 }) })
    const ask = { kind: "label", labels: ["yes", "no", "maybe"], follow: "" } as const
    const model = modelAt(server.address)
    const answers = await answersOf(model, [request(ask), request(ask)])
    for (const answer of answers)
      expect(answer).toMatchObject({ censored: { labels: [2], below: expect.closeTo(0.1, 9) } })
    // Two requests show it, once, by the tokens that the server counts.
    expect(server.sent).toHaveLength(4)
  })

  it("is needed for labels of several tokens: without it they have no reading", async () => {
    const server = await serverFor({ continues: false, next: () => ({ "1": 0.5, "2": 0.5 }) })
    const ask = { kind: "integer", low: 1, high: 10, follow: "" } as const
    expect(await answerOf(modelAt(server.address), request(ask))).toMatchObject({
      invalid: expect.stringContaining('labels that begin with "1" take several tokens'),
    })
  })
})

describe("a text", () => {
  it("is asked for with every setting that it declares", async () => {
    const server = await serverFor()
    const ask = { ...writing, max: 40, until: ["\n"], temperature: 0.7, topP: 0.9 } as const
    const one = request(ask)
    const answer = await answerOf(modelAt(server.address), one)
    expect(answer).toEqual({ key: one.key, text: "All is well.", tokens: 3, stop: "end", evaluated: 8 })
    expect(server.sent[0]?.body).toEqual({
      model: "tiny",
      messages: [{ role: "user", content: "Which one?" }],
      temperature: 0.7,
      top_p: 0.9,
      seed: expect.any(Number),
      stop: ["\n"],
      max_tokens: 40,
    })
  })

  it("has a seed of its own by its key, and none at temperature 0", async () => {
    const server = await serverFor()
    const model = modelAt(server.address)
    const sampled = { ...writing, temperature: 1 } as const
    await answersOf(model, [request(sampled), request(sampled), request(writing)])
    const seeds = server.sent.map(({ body }) => body.seed)
    expect(new Set(seeds.slice(0, 2)).size).toBe(2)
    expect(seeds[2]).toBeUndefined()
  })

  it("says why it ended: by itself, at its length, or at a stop text", async () => {
    const server = await serverFor({ text: () => "One two three four five" })
    const model = modelAt(server.address)
    const stop = async (change: object) => {
      const answer = await answerOf(model, request({ ...writing, ...change } as typeof writing))
      return "text" in answer ? [answer.text, answer.tokens, answer.stop] : []
    }
    expect(await stop({})).toEqual(["One two three four five", 5, "end"])
    expect(await stop({ max: 2 })).toEqual(["One two", 2, "max"])
    // This server does not look at stop texts.
    expect(await stop({ until: [" three"] })).toEqual(["One two", 5, "until"])
  })

  it("is told from its stop text by servers that say which it was", async () => {
    const server = await serverFor({
      misbehave: (response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(
          JSON.stringify({
            choices: [{ message: { content: "One" }, finish_reason: "stop", stop_reason: "END" }],
            usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 6 } },
          }),
        )
        return true
      },
    })
    const ask = { ...writing, until: ["END"] } as const
    expect(await answerOf(modelAt(server.address), request(ask))).toMatchObject({
      stop: "until",
      evaluated: 4,
    })
  })

  it("that the server holds back is invalid, and so is one that is not there", async () => {
    const answers = [
      { message: { content: "Well," }, finish_reason: "content_filter" },
      { message: { content: null }, finish_reason: "stop" },
    ]
    const server = await serverFor({
      misbehave: (response, _, number) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(
          JSON.stringify({
            choices: [answers[number]],
            usage: { prompt_tokens: 9, completion_tokens: 1 },
          }),
        )
        return true
      },
    })
    const model = modelAt(server.address)
    expect(await answerOf(model, request(writing))).toMatchObject({
      invalid: "the server held the text, or a part of it, back (content_filter)",
    })
    expect(await answerOf(model, request(writing))).toMatchObject({
      invalid: "the server gave no text (stop)",
    })
  })

  it("is limited by the name that the server knows, once it has said so", async () => {
    const server = await serverFor({
      misbehave: (response, { body }) => {
        if (!("max_tokens" in body)) return false
        response.writeHead(400, { "content-type": "application/json" })
        response.end(
          '{"error":{"message":"Unsupported parameter: \'max_tokens\'. Use \'max_completion_tokens\' instead."}}',
        )
        return true
      },
    })
    const model = modelAt(server.address)
    await answersOf(model, [request(writing), request(writing)])
    expect(server.sent.map(({ body }) => body.max_completion_tokens)).toEqual([undefined, 20, 20])
  })
})

describe("the fingerprint", () => {
  it("says address, model and listed alternatives, and holds no query", () => {
    const { fingerprint } = modelAt(
      "http://localhost:1/v1/?api-version=3",
      { key: "K" },
      { env: { K: "key-1234" } },
    )
    expect(fingerprint).toBe("chat/completions http://localhost:1/v1, tiny, logprobs 20")
  })

  it("does not change with how fast it is asked", () => {
    const of = (served: object) => modelAt("http://localhost:1/v1", served).fingerprint
    expect(of({ concurrency: 9, rate: 5, retries: 1, timeout: 3, maxCalls: 7, maxTokens: 8 })).toBe(of({}))
    expect(of({ logprobs: 5 })).not.toBe(of({}))
  })

  it("leaves what the server says of itself to the facts", async () => {
    const server = await serverFor()
    const model = modelAt(server.address)
    await answerOf(model, request(labels))
    expect(model.facts).toMatchObject({ systemFingerprint: "fp_1", answeredAs: "tiny-2026" })
    expect(model.fingerprint).not.toContain("fp_1")
  })
})

describe("requests of a wave", () => {
  it("are asked one after the other, those with the same beginning next to each other", async () => {
    const server = await serverFor()
    const users = ["b 2", "a 1", "b 1", "a 2"]
    await answersOf(
      modelAt(server.address),
      users.map((user) => request(labels, { user })),
    )
    expect(server.sent.map(({ body }) => body.messages?.[0]?.content)).toEqual(["a 1", "a 2", "b 1", "b 2"])
    expect(server.most()).toBe(1)
  })
})
