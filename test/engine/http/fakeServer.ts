/**
 * A server of chat completions that misbehaves on demand. Its model is a rule: from the messages to the tokens that may come next, and to a text.
 * Tokens are words with the blank before them, and single digits; a message has as many as it has those, and two more for its role and its end.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface FakeMessage {
  readonly role: string
  readonly content: string
}

/** What was sent, as it came. */
export interface Sent {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Readonly<Record<string, unknown>> & { readonly messages?: readonly FakeMessage[] }
}

/** What the model would say: next tokens with their probabilities, and a text. */
export interface FakeModel {
  readonly next?: (messages: readonly FakeMessage[]) => Readonly<Record<string, number>>
  readonly text?: (messages: readonly FakeMessage[]) => string
}

/** Answers a request in another way than the model would; true when it did. Called with the number of the request, from 0. */
export type Misbehaviour = (
  response: ServerResponse,
  sent: Sent,
  number: number,
) => boolean | Promise<boolean>

export interface FakeOptions extends FakeModel {
  readonly misbehave?: Misbehaviour
  /** Whether it goes on with a message that the assistant has begun. */
  readonly continues?: boolean
  /** Whether its answer then begins with what the assistant had begun. */
  readonly echoes?: boolean
  /** The most alternatives that it lists. */
  readonly lists?: number
}

export interface FakeServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly address: string
  readonly sent: Sent[]
  /** The most requests that were under way at a time. */
  readonly most: () => number
  readonly close: () => Promise<void>
}

/** Starts one on a free port of this machine. */
export async function fakeServer(options: FakeOptions = {}): Promise<FakeServer> {
  const sent: Sent[] = []
  let underWay = 0
  let most = 0
  const server = createServer((request, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    response.on("close", () => {
      underWay -= 1
    })
    void bodyOf(request).then(async (body) => {
      const one = {
        path: request.url ?? "",
        method: request.method ?? "",
        headers: request.headers,
        body: body === "" ? {} : JSON.parse(body),
      }
      const number = sent.push(one) - 1
      if (await options.misbehave?.(response, one, number)) return
      answer(response, one, options)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    sent,
    most: () => most,
    close: () => closed(server),
  }
}

/** Sends JSON. */
export const send = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): true => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof value === "string" ? value : JSON.stringify(value))
  return true
}

function answer(response: ServerResponse, { path, body }: Sent, options: FakeOptions): void {
  if (path.endsWith("/models")) {
    send(response, 200, { data: [{ id: "tiny" }] })
    return
  }
  const { messages = [] } = body
  const begins = messages.at(-1)?.role === "assistant"
  const continues = begins && (options.continues ?? true)
  const prompt = tokensOf(messages, continues)
  const echo = continues && options.echoes === true ? (messages.at(-1)?.content ?? "") : ""
  const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 }
  const whole = { id: "x", model: "tiny-2026", system_fingerprint: "fp_1", object: "chat.completion" }
  if (body.logprobs === true) {
    const listed = Object.entries(options.next?.(messages) ?? { A: 0.6, B: 0.3, ".": 0.1 })
      .sort(([, a], [, b]) => b - a)
      .slice(0, Math.min(options.lists ?? 20, Number(body.top_logprobs)))
      .map(([token, p]) => ({ token, logprob: Math.log(p), bytes: [...Buffer.from(token)] }))
    const [first] = listed
    send(response, 200, {
      ...whole,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: echo + (first?.token ?? "") },
          logprobs: { content: first === undefined ? [] : [{ ...first, top_logprobs: listed }] },
          finish_reason: "length",
        },
      ],
      usage,
    })
    return
  }
  const said = options.text?.(messages) ?? "All is well."
  const max = Number(body.max_tokens ?? body.max_completion_tokens)
  const words = wordsOf(said)
  const cut = words.length > max
  send(response, 200, {
    ...whole,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: echo + (cut ? words.slice(0, max).join("") : said) },
        finish_reason: cut ? "length" : "stop",
      },
    ],
    usage: { ...usage, completion_tokens: Math.min(words.length, max) },
  })
}

const wordsOf = (text: string): readonly string[] => text.match(/\s?\d|\s?[^\s\d]+|\s+/g) ?? []

/** A message that is gone on with is not closed, and none is opened behind it. */
const tokensOf = (messages: readonly FakeMessage[], continues: boolean): number =>
  messages.reduce((sum, { content }) => sum + wordsOf(content).length + 2, 0) + (continues ? -1 : 1)

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const piece of request) text += piece
  return text
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
