/** The answer of `chat/completions`, looked at field by field: a server may leave out anything, and send anything. */
import { type Listed, listedIn } from "./listed.ts"

export interface Completion {
  /** What the assistant said; null where the server says that there is none. */
  readonly text: string | null
  /** Why it ended: `stop`, `length`, `content_filter` and others; empty where nothing is said. */
  readonly finish: string
  /** The stop text that ended it, of servers that tell. */
  readonly stopText?: string
  readonly usage?: Usage
  /** The tokens that might have stood at the first place; absent where nothing is listed. */
  readonly listed?: readonly Listed[]
  /** What the server says of its configuration and of the model that answered. */
  readonly facts: { readonly system?: string; readonly model?: string }
}

/** Tokens, as the server counts them. */
export interface Usage {
  readonly prompt: number
  /** Of the prompt, those that the server did not have to read again. */
  readonly cached: number
  readonly answer: number
  /** Of the answer, those that are no part of the text. */
  readonly reasoning: number
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the answer; or says in words what it lacks. */
export function completionOf(value: unknown): Completion | { readonly problem: string } {
  const whole = fields(value)
  if (whole === undefined) return { problem: "its answer is no JSON object" }
  const [choice] = Array.isArray(whole.choices) ? whole.choices.map(fields) : []
  const said = fields(whole.error)?.message
  if (choice === undefined && typeof said === "string")
    return { problem: `it answers with an error: ${said}` }
  if (choice === undefined) return { problem: "its answer has no choices" }
  const message = fields(choice.message)
  if (message === undefined) return { problem: "its answer has no message" }
  const text = textIn(message)
  const usage = usageOf(fields(whole.usage))
  const content = fields(choice.logprobs)?.content
  const tokens = Array.isArray(content) ? content : undefined
  const first = tokens === undefined ? undefined : fields(tokens[0])
  const stopText = choice.stop_reason ?? choice.matched_stop
  return {
    text,
    finish: typeof choice.finish_reason === "string" ? choice.finish_reason : "",
    ...(typeof stopText === "string" ? { stopText } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(first === undefined ? {} : { listed: listedIn(first) }),
    facts: {
      ...(typeof whole.system_fingerprint === "string" ? { system: whole.system_fingerprint } : {}),
      ...(typeof whole.model === "string" ? { model: whole.model } : {}),
    },
  }
}

/** A refusal stands beside the content on some servers; it is what the assistant said. */
function textIn({ content, refusal }: Fields): string | null {
  if (typeof content === "string") return content
  return typeof refusal === "string" ? refusal : null
}

function usageOf(usage: Fields | undefined): Usage | undefined {
  if (usage === undefined) return undefined
  const prompt = count(usage.prompt_tokens)
  const answer = count(usage.completion_tokens)
  if (prompt === undefined || answer === undefined) return undefined
  return {
    prompt,
    cached: Math.min(prompt, count(fields(usage.prompt_tokens_details)?.cached_tokens) ?? 0),
    answer,
    reasoning: Math.min(answer, count(fields(usage.completion_tokens_details)?.reasoning_tokens) ?? 0),
  }
}

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined

const fields = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
