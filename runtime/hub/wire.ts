/** One request over HTTP: redirects followed by hand, so that a token stays with its host; silence ends it; what may pass is told from what stays. */
import { EnvironmentFailure } from "../failure.ts"
import { duration } from "../run/duration.ts"
import type { Settings } from "./settings.ts"

/** A failure that may pass: the same request is sent again. */
export class Passing extends Error {
  /** Milliseconds that the server asks for. */
  readonly wait: number | undefined

  constructor(message: string, wait?: number) {
    super(message)
    this.wait = wait
  }
}

/** No host answers at all: the machine may be offline. */
export class Unreachable extends Passing {}

/** An answer with a status that says no. */
export class Refused extends Error {
  readonly status: number
  /** The hub's own word for why, such as `GatedRepo`. */
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, host: string) {
    super(`${host} answers ${status}${code === undefined ? "" : ` (${code})`}`)
    this.status = status
    this.code = code
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body, piece by piece. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Ends the connection where the body is not read to its end. */
  readonly close: () => void
}

export type Wire = Pick<Settings, "endpoint" | "token" | "stall" | "fetch">

const MOST_REDIRECTS = 10

/**
 * The answer to a GET, with status 200, 206 or 416. The token goes to the endpoint's own origin only, whatever address is asked and wherever it redirects.
 * @throws Passing, Refused
 */
export async function get(
  wire: Wire,
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  let url = new URL(address)
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    // A file on the web is fetched whether or not the hub's address is one.
    const own = URL.canParse(wire.endpoint) && url.origin === new URL(wire.endpoint).origin
    const authorization =
      own && wire.token !== undefined ? { authorization: `Bearer ${wire.token}` } : undefined
    const answer = await once(wire, url, { ...headers, ...authorization }, signal)
    const { status } = answer
    if (status === 200 || status === 206 || status === 416) return answer
    answer.close()
    const location = answer.headers.get("location")
    if (status < 300 || status >= 400 || location === null) throw refusal(answer, url)
    url = redirected(location, url)
  }
  throw new EnvironmentFailure({
    what: `the address redirects more than ${MOST_REDIRECTS} times`,
    where: plain(new URL(address)),
    todo: "check the address, or HF_ENDPOINT",
  })
}

function redirected(location: string, from: URL): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  if (to !== undefined && (to.protocol === "https:" || to.protocol === from.protocol)) return to
  throw new EnvironmentFailure({
    what: "the address redirects to something that is not fetched from",
    where: plain(from),
    todo: "check the address, or HF_ENDPOINT",
  })
}

/** Addresses of signed links hold keys behind the question mark: they are shown without. */
const plain = ({ origin, pathname }: URL): string => `${origin}${pathname}`

async function once(
  { fetch, stall }: Wire,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  let silent = false
  let timer: NodeJS.Timeout | undefined
  const listen = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      silent = true
      stop()
    }, stall)
  }
  const close = (): void => {
    clearTimeout(timer)
    signal.removeEventListener("abort", stop)
    stop()
  }
  let answered = false
  const failure = (error: unknown): Error => {
    close()
    if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error("interrupted")
    const why = `${url.host} sent nothing for ${Math.round(stall / 1000)} s`
    if (silent) return answered ? new Passing(why) : new Unreachable(why)
    return passing(error, url)
  }
  listen()
  let response: Response
  try {
    // What is compressed on the way has neither the size nor the sum that is known of the file.
    const identity = { ...headers, "accept-encoding": "identity" }
    response = await fetch(url, { headers: identity, redirect: "manual", signal: controller.signal })
  } catch (error) {
    throw failure(error)
  }
  answered = true
  listen()
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of response.body ?? []) {
        clearTimeout(timer)
        yield piece as Uint8Array
        listen()
      }
    } catch (error) {
      throw failure(error)
    } finally {
      close()
    }
  }
  return { status: response.status, headers: response.headers, pieces: pieces(), close }
}

const NOBODY = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT"]

/** What a failed connection means; Node's `fetch` says "fetch failed", and the cause why. */
function passing(error: unknown, url: URL): Error {
  const causes = causesOf(error)
  const codes = causes.map(({ code }) => code ?? "")
  const code = codes.find((one) => one !== "")
  if (codes.some((one) => NOBODY.includes(one)))
    return new Unreachable(`${url.host} cannot be reached (${code})`)
  if (code === undefined || !/CERT|SIGNED|SSL|TLS/.test(code))
    return new Passing(
      `the connection to ${url.host} broke off (${code ?? causes.at(-1)?.message ?? "no reason given"})`,
    )
  return new EnvironmentFailure({
    what: `${url.host} cannot be trusted: ${causes.at(-1)?.message ?? code}`,
    where: plain(url),
    todo: "check the machine's clock and certificates (NODE_EXTRA_CA_CERTS), or the address",
  })
}

function causesOf(error: unknown): readonly NodeJS.ErrnoException[] {
  const found: NodeJS.ErrnoException[] = []
  const open: unknown[] = [error]
  for (let next = open.shift(); next instanceof Error && found.length < 16; next = open.shift()) {
    found.push(next)
    open.push(...(next instanceof AggregateError ? next.errors : []), next.cause)
  }
  return found
}

/** 429 and what a server says of its own trouble may pass; all else stays. */
function refusal({ status, headers }: Answer, url: URL): Error {
  const wait = waitOf(headers.get("retry-after"))
  const long = wait === undefined ? "" : `, for ${duration(wait / 1000)}`
  if (status === 429) return new Passing(`${url.host} asks to wait (429)${long}`, wait)
  if (status === 408 || status >= 500) return new Passing(`${url.host} answers ${status}`, wait)
  return new Refused(status, headers.get("x-error-code") ?? undefined, url.host)
}

/** `Retry-After`: seconds or a date. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
export function waitOf(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
