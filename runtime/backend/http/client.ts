/** Requests to one server: within its limits, sent again where that may help, and answered by JSON or by trouble in words. */
import { Duration, Effect } from "effect"
import type { ServedIR } from "../../../compiler/ir.ts"
import { type Address, shownAddress, withinHost } from "./address.ts"
import type { Limits } from "./limits.ts"
import { patience } from "./patience.ts"
import { without } from "./secret.ts"
import { jsonOf, lasting, late, passing, refused, type Trouble, unconnected } from "./trouble.ts"

export interface Client {
  /** Posts JSON; `key` decides how long is waited between tries. An answer in which `taken` finds a problem counts as one that may pass. */
  readonly post: <A extends object>(
    path: string,
    body: unknown,
    key: string,
    taken: (value: unknown) => A | { readonly problem: string },
  ) => Effect.Effect<A, Trouble>
  /** Once, and whatever it is. */
  readonly get: (path: string) => Effect.Effect<unknown, Trouble>
}

export interface ClientOptions {
  readonly address: Address
  readonly served: ServedIR
  readonly key?: string
  readonly limits: Limits
  /** Called before a wait that a person would notice. */
  readonly waiting?: (trouble: Trouble, milliseconds: number) => void
}

/** How often a request is sent again, and seconds that an answer may take, where nothing is declared. */
const RETRIES = 6
const TIMEOUT = 120

/** Redirections of one request, and bytes of an answer, at most. */
const REDIRECTIONS = 5
const LARGEST = 32 * 1024 * 1024

/** Milliseconds of a wait that a person would notice. */
const NOTICED = 2000

interface Message {
  readonly method: "POST" | "GET"
  readonly url: string
  readonly body?: string
}

export function client({ address, served, key, limits, waiting = () => {} }: ClientOptions): Client {
  const { timeout = TIMEOUT, retries = RETRIES } = served
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }
  let answered = false

  const exchange = async (message: Message, signal: AbortSignal): Promise<unknown> => {
    let { url } = message
    for (let hops = 0; ; hops += 1) {
      const { method, body } = message
      const response = await fetch(url, {
        method,
        headers,
        signal,
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
      }).catch((cause: unknown) => {
        throw unconnected(cause, answered)
      })
      answered = true
      const location =
        response.status >= 300 && response.status < 400 ? response.headers.get("location") : null
      const text = without(
        key,
        await bodyOf(response).catch((cause: unknown) => {
          throw isTrouble(cause) ? cause : unconnected(cause, true)
        }),
      )
      if (location === null) return read(response, text)
      const next = withinHost(url, location)
      if (next === undefined)
        throw lasting(
          `it sends requests on to another place, ${without(key, shownAddress(location, url))}, which is not followed: the key is not meant for it`,
          "give the right address in the model's declaration",
        )
      if (hops === REDIRECTIONS)
        throw lasting(`it sends requests on more than ${REDIRECTIONS} times`, "check the address")
      url = next
    }
  }

  const once = (message: Message): Effect.Effect<unknown, Trouble> =>
    Effect.tryPromise({
      try: (signal) => exchange(message, signal),
      catch: (error) => (isTrouble(error) ? error : unconnected(error, answered)),
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.seconds(timeout),
        orElse: () => Effect.fail(late(`it gave no whole answer within ${timeout} seconds`)),
      }),
    )

  const send: Client["post"] = (path, body, id, taken) =>
    limits.begin.pipe(
      Effect.andThen(once({ method: "POST", url: address.endpoint(path), body: JSON.stringify(body) })),
      Effect.flatMap((value) => {
        const found = taken(value)
        return "problem" in found ? Effect.fail(passing(found.problem)) : Effect.succeed(found)
      }),
      Effect.tapError(({ passing, after }) =>
        passing && after !== undefined ? limits.hold(after) : Effect.void,
      ),
      Effect.retry({ schedule: patience(id, retries, noticed), while: ({ passing }) => passing }),
      limits.place,
    )

  const noticed = (trouble: Trouble, milliseconds: number): void => {
    if (milliseconds >= NOTICED) waiting(trouble, milliseconds)
  }

  return {
    post: send,
    get: (path) =>
      limits.place(Effect.andThen(limits.begin, once({ method: "GET", url: address.endpoint(path) }))),
  }
}

const isTrouble = (error: unknown): error is Trouble =>
  error instanceof Error && "_tag" in error && error._tag === "Trouble"

/** @throws Trouble where the answer is a refusal or no JSON */
function read(response: Response, text: string): unknown {
  if (!response.ok) throw refused(response.status, response.headers, text, Date.now())
  const value = jsonOf(text)
  if (value !== undefined) return value
  const type = response.headers.get("content-type") ?? "nothing said of its type"
  if (/json/i.test(type)) throw passing("its answer is no whole JSON")
  throw lasting(
    `its answer is no JSON (${type})`,
    "check the address: it ends before /chat/completions, often in /v1",
  )
}

/** The text of an answer, which is not taken in where it is far longer than any answer is. */
async function bodyOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (piece?.value === undefined) break
    size += piece.value.length
    if (size > LARGEST) {
      await reader?.cancel()
      throw lasting(
        `its answer is longer than ${LARGEST / 1024 / 1024} MiB`,
        "check the address: this is no answer to a question",
      )
    }
    pieces.push(piece.value)
  }
  return Buffer.concat(pieces).toString("utf8")
}
