/** A conversation as a server is told it: messages, and no tokens. */
import { createHash } from "node:crypto"
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { Closed, Segment } from "../../compiler/trial.ts"
import type { ChatModel, ChatRequest } from "../backend/backend.ts"
import { promptId, textOf } from "./key.ts"

/** The request, and what is sent, each message below its role. */
export function chatRequest(
  model: ChatModel,
  conversation: Conversation,
  ask: Ask,
): { readonly request: ChatRequest; readonly rendered: readonly Segment[] } {
  const parts = messagesOf(model.system === undefined ? conversation : intoUser(conversation))
  const opening = parts.at(-1)?.content ?? []
  return {
    request: {
      key: createHash("sha256")
        .update(`chat ${promptId(model.fingerprint, conversation, ask)}`)
        .digest("hex"),
      messages: parts.slice(0, -1).map(({ role, content }) => ({ role, content: textOf(content) })),
      opening: textOf(opening),
      ask,
    },
    rendered: parts.flatMap(({ role, content }, index) => [
      roleLine(`${index === 0 ? "" : "\n"}[${role}]\n`),
      ...content,
    ]),
  }
}

interface Message {
  readonly role: ChatRequest["messages"][number]["role"]
  readonly content: Closed
}

/** All messages; the last one is the assistant's, which stops where the read is taken. */
function messagesOf({ system, turns }: Conversation): readonly Message[] {
  return [
    ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
    ...turns.flatMap(({ user, assistant }) => [
      { role: "user" as const, content: user },
      { role: "assistant" as const, content: assistant },
    ]),
  ]
}

/** The system message opens the first user message, followed by an empty line. */
function intoUser({ system, turns }: Conversation): Conversation {
  const [first, ...later] = turns
  if (system === undefined || first === undefined) return { turns }
  return { turns: [{ ...first, user: [...system, roleLine("\n\n"), ...first.user] }, ...later] }
}

const roleLine = (text: string): Segment => ({ kind: "text", text, from: { kind: "chat_template" } })
