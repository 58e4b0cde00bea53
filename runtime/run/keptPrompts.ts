/** Prompts that a run kept as they were sent, found again by what they say: for a spec whose words stand elsewhere now, and without a model. */
import type { Conversation } from "../../compiler/conversation.ts"
import type { Segment } from "../../compiler/trial.ts"
import type { PromptSample } from "../report/input.ts"
import type { Rendering } from "./samples.ts"

type Kept = Pick<PromptSample, "rendered" | "tokens">

/** What a model's kept prompts were rendered to; a problem for a conversation that is none of them. */
export function keptPrompts(samples: readonly PromptSample[], model: string): Rendering {
  const own = samples.filter((sample) => (sample.asked ?? sample.model) === model)
  const byWords = new Map<string, Kept>(
    own.map((sample) => [wordsOf(sample.rendered.filter(isSaid)), sample]),
  )
  return (conversation) => {
    const said = saidIn(conversation)
    const kept = byWords.get(wordsOf(said))
    if (kept === undefined) return { problem: "it is none of the prompts that were kept" }
    return {
      ...(kept.tokens === undefined ? {} : { tokens: kept.tokens }),
      rendered: retold(kept.rendered, said),
    }
  }
}

const isSaid = ({ from }: Segment): boolean => from.kind !== "chat_template"

/** All that is said in a conversation, in the order in which every chat template has it. */
const saidIn = ({ system, turns }: Conversation): readonly Segment[] => [
  ...(system ?? []),
  ...turns.flatMap(({ user, assistant }) => [...user, ...assistant]),
]

/** White space is left out: templates cut it off at the ends of messages. */
const wordsOf = (segments: readonly Segment[]): string =>
  segments
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, "")

/** The kept text, with the origins that its words have now. */
function retold(rendered: readonly Segment[], said: readonly Segment[]): readonly Segment[] {
  const found: Segment[] = []
  let index = 0
  let at = 0
  for (const segment of rendered) {
    if (!isSaid(segment)) {
      found.push(segment)
      continue
    }
    let text = ""
    const put = (): void => {
      if (text !== "") found.push({ kind: "text", text, from: (said[index] as Segment).from })
      text = ""
    }
    for (let next = 0; next < segment.text.length; ) {
      const now = said[index]
      if (now === undefined) break
      if (at === now.text.length) {
        put()
        index += 1
        at = 0
      } else if (now.text[at] === segment.text[next]) {
        text += now.text[at]
        at += 1
        next += 1
      } else if (/\s/.test(now.text[at] as string)) at += 1
      else break
    }
    put()
  }
  return found
}
