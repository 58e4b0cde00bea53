/** What goes wrong between here and a server, in words; and what of it may pass. */
import { Data } from "effect"

export class Trouble extends Data.TaggedError("Trouble")<{
  /** A sentence without its end, about one request. */
  readonly what: string
  readonly todo: string
  /** Whether the same request may come through later. */
  readonly passing: boolean
  /** Milliseconds that the server asks to wait. */
  readonly after?: number
}> {}

/** A run that stops on trouble can go on: each answer is written down as it comes. */
const goOn = "go on with cfx resume DIR: what was answered is kept"
const later = `see whether the server is up and ${goOn}`

/** Something that may pass. */
export const passing = (what: string, after?: number): Trouble =>
  new Trouble({ what, todo: later, passing: true, ...(after === undefined ? {} : { after }) })

/** Seconds that Node's `fetch` waits for an answer to begin, and for its next piece. Nothing but another HTTP client can raise it. */
const LONGEST_ANSWER = 300

/** No whole answer in time. The time is no part of what a spec means, so that its folder takes another; `cfx resume` has the old one. */
export const late = (what: string): Trouble =>
  new Trouble({
    what,
    todo: `see whether the server is up; if it only takes long, lower \`concurrency\` or raise \`timeout\` (${LONGEST_ANSWER} at most) in the model's declaration and run the spec again into the same folder: what was answered is kept`,
    passing: true,
  })

/** Something that stays as it is until somebody does something. */
export const lasting = (what: string, todo: string): Trouble => new Trouble({ what, todo, passing: false })

/** Milliseconds that a server may ask to wait: longer, and the run stops and says so. */
const LONGEST = 10 * 60_000

/** Codes that mean: later is another time. 529 is Anthropic's `overloaded`. */
const PASSING = [408, 409, 425, 429, 500, 502, 503, 504, 529]

/** What an answer other than 2xx comes to. `body` holds no key any more. */
export function refused(status: number, headers: Headers, body: string, now: number): Trouble {
  const said = sentenceIn(body)
  const what = `it answered ${status}${said === "" ? "" : `: ${said}`}`
  const after = retryAfter(headers.get("retry-after"), now)
  if (after !== undefined && after > LONGEST)
    return lasting(`${what}, and asks to wait ${Math.ceil(after / 60_000)} minutes`, `wait, then ${goOn}`)
  // A quota that is used up is refused with the code of a rate that is too high.
  if (PASSING.includes(status) && !/insufficient_quota|billing/i.test(body)) return passing(what, after)
  return lasting(what, todoOf(status))
}

function todoOf(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return `check the key (\`key\` of the model's declaration names the environment variable that holds it), then ${goOn}`
    case 404:
      return "check the address, which ends before /chat/completions (often in /v1), and the `name` of the model there"
    case 429:
      return `see to the account's quota, then ${goOn}`
    default:
      return "change what the server does not accept, in the spec or in the model's declaration, and run the spec again; where that changes what is asked, it needs another folder (-o)"
  }
}

/** Characters of a server's sentence that are shown. */
const SHOWN = 300

/** The server's own sentence in the body of a refusal, on one line. */
export function sentenceIn(body: string): string {
  const text = (messageIn(jsonOf(body)) ?? body)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text
}

/** `{ error: { message } }`, `{ error }`, `{ message }` and `{ detail }` are all in use. */
function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null) return undefined
  const { error, message, detail } = value as Readonly<Record<string, unknown>>
  return messageIn(error) ?? messageIn(message) ?? messageIn(detail)
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` in milliseconds: seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What a failed connection comes to. `answered`: whether this server has ever answered in this session. */
export function unconnected(cause: unknown, answered: boolean): Trouble {
  const code = codeIn(cause)
  const check = `check the address, and that the server is running; if the address is right, ${goOn}`
  switch (code) {
    case "ECONNREFUSED":
      return answered ? passing("it takes no connections any more") : lasting("nothing listens there", check)
    case "ENOTFOUND":
      return lasting("there is no host of that name", check)
    case "bad port":
      return lasting("its port is one of those that are kept for other things than the web", check)
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
    case "EPIPE":
    case "HPE_INVALID_CONSTANT":
      return passing("it broke the connection off before its answer was whole")
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return late(`it gave no whole answer: Node's fetch waits ${LONGEST_ANSWER} seconds at most (${code})`)
    default:
      if (/CERT|SELF_SIGNED|VERIFY|ERR_TLS|ERR_SSL/.test(code))
        return lasting(`its certificate is not accepted (${code})`, check)
      return passing(`the connection failed (${code})`)
  }
}

/** The code of the innermost error, or its message. */
function codeIn(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  if (!(inner instanceof Error)) return String(inner)
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.message
}
