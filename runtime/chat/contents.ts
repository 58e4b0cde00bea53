/**
 * What a chat template makes of the contents of messages. It may cut white space off them, and leave out parts of what an assistant said earlier,
 * such as its thoughts. It is followed, since so its makers trained the model; what it changes is said. Whatever else it does to a text is a problem.
 */
import type { Layout } from "./layout.ts"
import type { Role } from "./template.ts"

/** The part of each content that is kept, by message: UTF-16 units. */
export type Kept = readonly { readonly start: number; readonly end: number }[]

/** Renders the conversation with these contents, or says why not. */
export type RenderContents = (contents: readonly string[]) => string | { readonly problem: string }

/** Of contents that the template puts in their places whatever they say (`looks.ts`). */
export const trimmed = ({ trims }: Layout, contents: readonly string[]): Kept =>
  contents.map((content, message) => {
    const { start, end } = trims[message]!
    const from = start ? content.length - content.trimStart().length : 0
    return { start: from, end: Math.max(from, end ? content.trimEnd().length : content.length) }
  })

/** Of contents that it may look into: found from what it renders with them, so that what is sent is what it renders. */
export function rewritten(
  layout: Layout,
  roles: readonly Role[],
  contents: readonly string[],
  render: RenderContents,
): Kept | { readonly problem: string } {
  const whole = render(contents)
  if (typeof whole !== "string") return whole
  const simply = trimmed(layout, contents)
  if (layout.fill(slices(contents, simply)) === whole) return simply

  const kept: { readonly start: number; readonly end: number }[] = []
  for (const [message, content] of contents.entries()) {
    const found = keptOf(layout, message, content, render)
    if (found === undefined) return { problem: changes(roles[message]!) }
    if (roles[message] !== "assistant" && content.slice(found.start, found.end).trim() !== content.trim())
      return { problem: changes(roles[message]!) }
    kept.push(found)
  }
  if (layout.fill(slices(contents, kept)) === whole) return kept
  return {
    problem:
      "the model's chat template looks at what messages hold, and writes this conversation in another way than others of as many messages",
  }
}

const slices = (contents: readonly string[], kept: Kept): readonly string[] =>
  contents.map((content, message) => content.slice(kept[message]!.start, kept[message]!.end))

/** What is left of one content while placeholders stand for the others; undefined where that is no part of it. */
function keptOf(
  layout: Layout,
  message: number,
  content: string,
  render: RenderContents,
): Kept[number] | undefined {
  const marks = layout.placeholders
  const rendered = render(marks.map((mark, index) => (index === message ? content : mark)))
  if (typeof rendered !== "string") return undefined
  const [before, after] = layout.fill(marks).split(marks[message]!) as [string, string]
  if (!rendered.startsWith(before) || !rendered.endsWith(after)) return undefined
  if (rendered.length < before.length + after.length) return undefined
  const left = rendered.slice(before.length, rendered.length - after.length)
  const start = content.lastIndexOf(left)
  return start === -1 ? undefined : { start, end: start + left.length }
}

const changes = (role: Role): string => `the model's chat template changes the text of this ${role} message`
