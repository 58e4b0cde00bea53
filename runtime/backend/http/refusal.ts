/**
 * Prompts that a server refuses for good: longer than it takes, or held back by a filter. Such a prompt is an invalid read, as one that is too long for
 * a file's context is, and the rest goes on. The same codes refuse whole requests (a setting that the model does not know, an account
 * without credit), and then the run must stop before every prompt is written down as invalid. So the server is asked again, with a letter in place of
 * each text: where it takes that, it was the text that it refused.
 */
import { Effect } from "effect"
import type { ChatRequest } from "../backend.ts"
import type { Completion } from "./completion.ts"
import type { Trouble } from "./trouble.ts"

type Prompt = Pick<ChatRequest, "messages" | "opening">

/** 403 is said by filters that stand before a server. */
const isRefusal = ({ what }: Trouble): boolean => /^it answered (400|403|413|422)\b/.test(what)

/** The same roles and the same begun turn, with one letter for each text. */
export const inLetters = ({ messages, opening }: Prompt): Prompt => ({
  messages: messages.map((message) => ({ ...message, content: "a" })),
  opening: opening === "" ? "" : "a",
})

/** An answer, or the server's words against this prompt alone. `askInLetters` is called after a refusal only. */
export const orRefused = (
  answer: Effect.Effect<Completion, Trouble>,
  askInLetters: () => Effect.Effect<Completion, Trouble>,
): Effect.Effect<Completion | { readonly problem: string }, Trouble> =>
  Effect.catchIf(answer, isRefusal, (refusal) =>
    askInLetters().pipe(
      Effect.mapError((trouble) => (isRefusal(trouble) ? refusal : trouble)),
      Effect.as({ problem: `the server refuses this prompt: ${refusal.what}` }),
    ),
  )
