/** A text that a server's model wrote. */
import { Effect } from "effect"
import type { ChatRequest, TextAnswer } from "../backend.ts"
import type { Completion } from "./completion.ts"
import { lasting, type Trouble } from "./trouble.ts"

/** No text: why the server gave none. */
export const unwritten = (key: string, invalid: string): TextAnswer => ({
  key,
  text: "",
  tokens: 0,
  stop: "end",
  invalid,
  evaluated: 0,
})

/**
 * The text as it is given, up to the first declared stop text. A server says of a text that it ended by itself or at a stop text; only some say which (`stop_reason`):
 * of the others' texts, `until` is said of those that still hold a stop text.
 */
export function textAnswer(
  key: string,
  { max, until }: Pick<ChatRequest["ask"] & { readonly kind: "text" }, "max" | "until">,
  { text, finish, stopText, usage }: Completion,
): Effect.Effect<TextAnswer, Trouble> {
  if (usage === undefined)
    return Effect.fail(
      lasting(
        "it does not count the tokens of texts (`usage`), which a record of a text must say",
        "choose a server that counts them",
      ),
    )
  const evaluated = usage.prompt - usage.cached + usage.answer
  const tokens = Math.min(max, usage.answer - usage.reasoning)
  const of = { key, tokens, evaluated }
  if (text === null || finish === "content_filter")
    return Effect.succeed({
      ...of,
      text: text ?? "",
      stop: "end",
      invalid:
        text === null
          ? `the server gave no text${finish === "" ? "" : ` (${finish})`}`
          : "the server held the text, or a part of it, back (content_filter)",
    })
  const found = until.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
  const said = found.length === 0 ? text : text.slice(0, Math.min(...found))
  const isStopped = found.length > 0 || (stopText !== undefined && until.includes(stopText))
  return Effect.succeed({
    ...of,
    text: said,
    stop: isStopped ? "until" : finish === "length" ? "max" : "end",
  })
}
