/** What an http engine is made of: addresses, keys, waits, and the sentences of servers. */
import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { addressOf, sameAddress, withinHost } from "../../../runtime/backend/http/address.ts"
import { completionOf } from "../../../runtime/backend/http/completion.ts"
import { limitsOf, nothingSpent } from "../../../runtime/backend/http/limits.ts"
import { waitOf } from "../../../runtime/backend/http/patience.ts"
import { keyOf, without } from "../../../runtime/backend/http/secret.ts"
import { refused, retryAfter, sentenceIn } from "../../../runtime/backend/http/trouble.ts"

describe("an address", () => {
  it("leads to endpoints, with its query, which is never shown", () => {
    const found = addressOf("https://host.example/api/v1/?api-version=3")
    if ("problem" in found) throw new Error(found.problem)
    expect(found.endpoint("chat/completions")).toBe(
      "https://host.example/api/v1/chat/completions?api-version=3",
    )
    expect(found.shown).toBe("https://host.example/api/v1")
  })

  it.each([
    ["nothing", "it is no address"],
    ["http:///v1", "it is no address"],
    ["http://h\\v1", "it is no address"],
    ["http://@h/v1", "it is no address"],
    ["http://:@h/v1", "it is no address"],
    ["http://h:0/v1", "nothing can be asked at port 0"],
    ["http://h/v1#x", "what follows its # is never sent: leave it out, or write %23 for a # that is meant"],
    ["ftp://host/v1", "only http and https are spoken, not ftp"],
    ["file:///etc/passwd", "only http and https are spoken, not file"],
    [
      "https://me:pass@host/v1",
      "a user name or password stands in it, where it would be kept with every run",
    ],
    [
      "https://host/v1?api_key=pa55",
      "the parameter api_key stands in it, whose value would be kept with every run",
    ],
  ])("such as %s is refused", (text, problem) => {
    expect(addressOf(text)).toEqual({ problem })
  })

  it("may be that of an endpoint, as servers document it", () => {
    for (const endpoint of ["chat/completions", "completions", "chat/completions/"]) {
      const found = addressOf(`https://host/v1/${endpoint}`)
      if ("problem" in found) throw new Error(found.problem)
      expect(found.shown).toBe("https://host/v1")
    }
  })

  it("is the same with a slash at its end", () => {
    expect(sameAddress("https://host/v1/", "https://HOST/v1")).toBe(true)
    expect(sameAddress("https://host/v1", "http://host/v1")).toBe(false)
  })

  it("sends on within the same host, port and scheme only", () => {
    const from = "https://host/v1/chat/completions"
    expect(withinHost(from, "/v2/chat/completions")).toBe("https://host/v2/chat/completions")
    expect(withinHost(from, "https://host:8443/v1")).toBeUndefined()
    expect(withinHost(from, "http://host/v1")).toBeUndefined()
    expect(withinHost(from, "https://host.evil/v1")).toBeUndefined()
  })
})

describe("limits", () => {
  it("hold back what has been waiting for its turn when the server asks for a pause", async () => {
    const limits = limitsOf({ name: "x", rate: 1200, concurrency: 4 }, nothingSpent())
    const begun: number[] = []
    const start = performance.now()
    const one = Effect.tap(limits.begin, () => Effect.sync(() => begun.push(performance.now() - start)))
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* one
        const waiting = yield* Effect.forkChild(one)
        yield* Effect.sleep(10)
        yield* limits.hold(400)
        yield* Fiber.join(waiting)
      }),
    )
    expect(begun[1]).toBeGreaterThan(390)
  })
})

describe("a key", () => {
  const model = { name: "m", path: "https://api.example/v1", served: { name: "x", key: "MY_KEY" } }
  const keyless = { ...model, served: { name: "x" } }

  it("comes from the variable that the declaration names", () => {
    expect(keyOf(model, { MY_KEY: " secret-123\n", OPENAI_API_KEY: "another" })).toEqual({
      key: "secret-123",
    })
  })

  it("comes from OPENAI_API_KEY where the address is OPENAI_BASE_URL's, and goes nowhere else", () => {
    const env = { OPENAI_API_KEY: "secret-123", OPENAI_BASE_URL: "https://api.example/v1/" }
    expect(keyOf(keyless, env)).toEqual({ key: "secret-123" })
    expect(keyOf({ ...keyless, path: "https://other.example/v1" }, env)).toEqual({})
    expect(keyOf(keyless, { OPENAI_API_KEY: "secret-123" })).toEqual({})
  })

  it("that is not set is a problem that names the variable", () => {
    expect(keyOf(model, {})).toEqual({
      problem: "the environment variable MY_KEY, which holds the key of model m, is not set",
      todo: expect.stringContaining("set MY_KEY to the key"),
    })
  })

  it("that cannot be sent is a problem that does not show it", () => {
    const found = keyOf(model, { MY_KEY: "geheim\nnis" })
    expect(found).toHaveProperty("problem")
    expect(JSON.stringify(found)).not.toContain("geheim")
  })

  it("is taken out of what a server says, in any spelling", () => {
    const key = 'sk-a/b+"c"=='
    const said = [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString("base64")]
    const clean = without(key, said.join(" and "))
    for (const one of said) expect(clean).not.toContain(one)
    expect(clean).toContain("[key]")
  })
})

describe("waits", () => {
  it("grow, follow from the request's key, and are never shorter than the server asks", () => {
    for (const attempt of [1, 2, 3, 8, 20]) {
      const bound = Math.min(60_000, 500 * 2 ** (attempt - 1))
      const waits = Array.from({ length: 200 }, (_, n) => waitOf(`key ${n}`, attempt, {}))
      expect(Math.max(...waits)).toBeLessThanOrEqual(bound)
      expect(Math.max(...waits)).toBeGreaterThan(0.9 * bound)
      expect(Math.min(...waits)).toBeLessThan(0.1 * bound)
      expect(waitOf("key 7", attempt, {})).toBe(waits[7])
      expect(waitOf("key 7", attempt, { after: 5000 })).toBe((waits[7] as number) + 5000)
    }
  })

  it.each([
    ["3", 3000],
    ["Wed, 21 Oct 2015 07:28:30 GMT", 30_000],
    ["Wed, 21 Oct 2015 07:27:00 GMT", 0],
    ["soon", undefined],
  ])("of Retry-After: %s are %s ms", (header, milliseconds) => {
    expect(retryAfter(header, Date.parse("2015-10-21T07:28:00Z"))).toBe(milliseconds)
  })
})

describe("refusals", () => {
  const plain = new Headers()

  it.each([408, 409, 425, 429, 500, 502, 503, 504, 529])("of code %i may pass", (status) => {
    expect(refused(status, plain, "", 0)).toMatchObject({ passing: true })
  })

  it.each([400, 401, 403, 404, 405, 413, 422, 501])("of code %i do not", (status) => {
    expect(refused(status, plain, "", 0)).toMatchObject({ passing: false })
  })

  it("for a quota that is used up do not pass, though their code is that of a high rate", () => {
    const body = JSON.stringify({ error: { message: "You exceeded your quota", code: "insufficient_quota" } })
    expect(refused(429, plain, body, 0)).toMatchObject({
      passing: false,
      what: "it answered 429: You exceeded your quota",
    })
  })

  it("that ask for a wait of hours stop the run and say so", () => {
    const trouble = refused(429, new Headers({ "retry-after": "7200" }), "", 0)
    expect(trouble).toMatchObject({ passing: false })
    expect(trouble.what).toContain("asks to wait 120 minutes")
  })

  it.each([
    ['{"error":{"message":"no such model","type":"x"}}', "no such model"],
    ['{"error":"no such model"}', "no such model"],
    ['{"detail":"no such model"}', "no such model"],
    ['{"object":"error","message":"no such model"}', "no such model"],
    ["<html><body>Bad\n gateway</body></html>", "Bad gateway"],
    ["x".repeat(1000), `${"x".repeat(300)}...`],
  ])("say %s in the server's words", (body, sentence) => {
    expect(sentenceIn(body)).toBe(sentence)
  })
})

describe("an answer", () => {
  it.each([
    [null, "its answer is no JSON object"],
    [{}, "its answer has no choices"],
    [{ choices: [] }, "its answer has no choices"],
    [{ error: { message: "quota", code: 429 } }, "it answers with an error: quota"],
    [{ choices: [{}] }, "its answer has no message"],
  ])("such as %j lacks something", (value, problem) => {
    expect(completionOf(value)).toEqual({ problem })
  })

  it("may lack usage and probabilities", () => {
    expect(completionOf({ choices: [{ message: { content: "Hi" } }] })).toEqual({
      text: "Hi",
      finish: "",
      facts: {},
    })
  })

  it("lists tokens by their bytes; a probability of null is not a number", () => {
    const place = {
      token: "A",
      logprob: 0,
      bytes: [65],
      top_logprobs: [{ token: "é", logprob: null, bytes: [195] }],
    }
    const found = completionOf({ choices: [{ message: { content: "A" }, logprobs: { content: [place] } }] })
    expect(found).toMatchObject({
      listed: [
        { bytes: "\u00c3", probability: Number.NaN },
        { bytes: "A", probability: 1 },
      ],
    })
  })
})
