/**
 * Whether a server goes on with a message that the assistant has begun, as a hole in the middle of its turn needs it. vLLM and SGLang are asked to by
 * `continue_final_message`; llama.cpp's server does so by default; others close the message and let the assistant begin another, or leave
 * it out, which would be another prompt than the spec's. So it is proven, by the prompt's tokens as the server counts them: a begun message of one
 * token makes the prompt longer by just that token, since nothing closes it and nothing opens another; and longer begun messages make it longer still.
 */
import { Effect } from "effect"
import type { ChatRequest } from "../backend.ts"
import type { Completion } from "./completion.ts"
import { lasting, type Trouble } from "./trouble.ts"

type Message = ChatRequest["messages"][number]

/** The messages of a request whose last one is begun, and the settings that say so. */
export const begun = (messages: readonly Message[], opening: string) =>
  opening === ""
    ? { messages }
    : {
        messages: [...messages, { role: "assistant" as const, content: opening }],
        add_generation_prompt: false,
        continue_final_message: true,
      }

/** A text that every tokenizer takes for one token, and one of eight. */
const ONE = "a"
const EIGHT = "a a a a a a a a"

export interface Continuation {
  readonly continues: boolean
  /** Whether its answer begins with what the assistant had begun, as llama.cpp's does in some versions. */
  readonly echoes: boolean
}

/** Whether the server continues; asks it three times for one token. `ask` posts a request for a token and reads the answer. */
export const continuation = (
  ask: (request: Pick<ChatRequest, "messages" | "opening">) => Effect.Effect<Completion, Trouble>,
): Effect.Effect<Continuation, Trouble> =>
  Effect.gen(function* () {
    const messages = [{ role: "user" as const, content: "Say a few letters." }]
    const lengths: number[] = []
    let said = ""
    for (const opening of ["", ONE, EIGHT]) {
      const answer = yield* refusable(ask({ messages, opening }))
      if (answer === undefined) return { continues: false, echoes: false }
      if (answer.usage === undefined)
        return yield* lasting(
          "it does not count the tokens of prompts (`usage`), so that nothing shows whether it goes on with a message that the assistant has begun",
          "choose a server that counts tokens, or let the hole open the assistant's turn in the protocol",
        )
      lengths.push(answer.usage.prompt)
      said = answer.text ?? ""
    }
    const [none = 0, one = 0, eight = 0] = lengths
    // The one token that was asked for cannot say all of it.
    return { continues: one === none + 1 && eight > one, echoes: said.startsWith(EIGHT) }
  })

/**
 * Whether a text is one token, as a text that is makes a prompt as long. Where the server does not count, it is taken to be several: then the server is asked on behind
 * the first.
 */
export const isOneToken = (
  text: string,
  ask: (request: Pick<ChatRequest, "messages" | "opening">) => Effect.Effect<Completion, Trouble>,
): Effect.Effect<boolean, Trouble> =>
  Effect.gen(function* () {
    const lengths: (number | undefined)[] = []
    for (const content of [ONE, text]) {
      const { usage } = yield* ask({ messages: [{ role: "user", content }], opening: "" })
      lengths.push(usage?.prompt)
    }
    const [one, other] = lengths
    return one !== undefined && one === other
  })

/** A server that refuses settings it does not know, or a last message of the assistant's, does not continue. */
const refusable = (
  answer: Effect.Effect<Completion, Trouble>,
): Effect.Effect<Completion | undefined, Trouble> =>
  Effect.catchIf(
    answer,
    ({ what }) => /^it answered (400|422)/.test(what),
    () => Effect.succeed(undefined),
  )

export const notContinued = (opening: string): Trouble =>
  lasting(
    `it does not go on with a message that the assistant has begun, and the protocol lets it begin with ${JSON.stringify(opening)}`,
    "let the hole open the assistant's turn in the protocol, or ask the model on a server that continues (llama.cpp's, vLLM, SGLang)",
  )
