/** Prompts that a server refuses for good, and requests that it refuses whatever the prompt. */
import { describe, expect, it } from "vitest"
import { unconnected } from "../../../runtime/backend/http/trouble.ts"
import { type Misbehaviour, send } from "./fakeServer.ts"
import { answerOf, answersOf, failureOf, labels, modelAt, request, serverFor, writing } from "./setup.ts"

const TOO_LONG = "This model's maximum context length is 4096 tokens"

/** Refuses each request in which a message holds `word`. */
const refusing =
  (word: string, status = 400, message = TOO_LONG): Misbehaviour =>
  (response, { body }) =>
    (body.messages ?? []).some(({ content }) => content.includes(word)) &&
    send(response, status, { error: { message } })

describe("a prompt that a server refuses", () => {
  it.each([400, 403, 413, 422])(
    "is an invalid read in its words, and the rest goes on: %i",
    async (status) => {
      const server = await serverFor({ misbehave: refusing("long", status) })
      const answers = await answersOf(modelAt(server.address), [
        request(labels, { user: "a long one" }),
        request(labels, { user: "short" }),
      ])
      expect(answers).toMatchObject([
        { invalid: `the server refuses this prompt: it answered ${status}: ${TOO_LONG}` },
        { mass: expect.closeTo(0.9, 9) },
      ])
    },
  )

  it("is an invalid text", async () => {
    const server = await serverFor({ misbehave: refusing("long") })
    const answer = await answerOf(modelAt(server.address), request(writing, { user: "a long one" }))
    expect(answer).toMatchObject({ text: "", tokens: 0, invalid: expect.stringContaining(TOO_LONG) })
  })

  it("is told from other troubles by the same request with a letter in place of each text", async () => {
    const server = await serverFor({ misbehave: refusing("long") })
    const one = request(labels, { user: "a long one", opening: "So: " })
    await answerOf(modelAt(server.address), one)
    // Behind the three that prove that the server goes on with a turn.
    const [refused, asked, ...more] = server.sent.slice(3).map(({ body }) => body)
    expect(asked).toEqual({
      ...refused,
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: "a" },
      ],
    })
    expect(more).toEqual([])
  })
})

describe("a request that a server refuses whatever the prompt", () => {
  it("ends the run at once: nothing is written down as invalid", async () => {
    // The account's credit ends after two answers.
    const server = await serverFor({
      misbehave: (response, _, number) =>
        number >= 2 && send(response, 400, { error: { message: "Your credit balance is too low" } }),
    })
    const asked = [
      request(labels, { user: "1" }),
      request(labels, { user: "2" }),
      request(labels, { user: "3" }),
    ]
    const failure = await failureOf(answersOf(modelAt(server.address), asked))
    expect(failure.what).toContain("it answered 400: Your credit balance is too low")
    expect(failure.todo).toContain("where that changes what is asked, it needs another folder (-o)")
    expect(failure.todo).not.toContain("what was answered is kept")
    expect(server.sent).toHaveLength(4)
  })

  it("also where only settings of one kind of hole are refused", async () => {
    const server = await serverFor({
      misbehave: (response, { body }) =>
        body.logprobs === true && send(response, 400, { error: { message: "logprobs is not supported" } }),
    })
    const model = modelAt(server.address)
    expect(await answerOf(model, request(writing))).not.toHaveProperty("invalid")
    expect((await failureOf(answerOf(model, request(labels)))).what).toContain("logprobs is not supported")
  })

  it("and whatever else goes wrong with the letters is what is said", async () => {
    const server = await serverFor({
      misbehave: (response, _, number) =>
        number === 0
          ? send(response, 400, { error: TOO_LONG })
          : send(response, 401, { error: "key expired" }),
    })
    const failure = await failureOf(answerOf(modelAt(server.address), request(labels)))
    expect(failure.what).toContain("it answered 401: key expired")
  })
})

it("several requests at a time learn that a server knows the limit by its newer name", async () => {
  // Those with the old name are answered when three of them are there, so that all are refused together.
  let refuse: (() => void)[] = []
  const server = await serverFor({
    misbehave: async (response, { body }) => {
      if (!("max_tokens" in body)) return false
      await new Promise<void>((resolve) => {
        refuse.push(resolve)
        if (refuse.length < 3) return
        for (const go of refuse) go()
        refuse = []
      })
      const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
      return send(response, 400, { error: { message } })
    },
  })
  const model = modelAt(server.address, { concurrency: 3, retries: 0 })
  const answers = await Promise.all(Array.from({ length: 3 }, () => answerOf(model, request(writing))))
  expect(answers).toMatchObject(Array.from({ length: 3 }, () => ({ text: "All is well." })))
  expect(server.sent).toHaveLength(6)
})

it.each(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])(
  "%s is a server that takes too long for Node's fetch",
  (code) => {
    const trouble = unconnected(
      new Error("fetch failed", { cause: Object.assign(new Error("x"), { code }) }),
      true,
    )
    expect(trouble).toMatchObject({
      passing: true,
      what: `it gave no whole answer: Node's fetch waits 300 seconds at most (${code})`,
      todo: expect.stringContaining("`timeout`"),
    })
  },
)
