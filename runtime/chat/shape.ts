/** How a model's chat template writes conversations of one shape: with a system message or without, and so many turns. */
import type { Token, TokenModel } from "../backend/backend.ts"
import { type ChatTemplate, closingToken, type Layout, type LayoutPiece, layoutOf } from "./layout.ts"
import { looksIntoContents } from "./looks.ts"
import { plainTemplate, programOf, type Role } from "./template.ts"

export interface Shape {
  readonly chat: ChatTemplate
  /** Of the messages that the template places: all but the last assistant text, which is not over. */
  readonly roles: readonly Role[]
  readonly layout: Layout
  /** The control token that closes an assistant's turn, or null. */
  readonly end: Token | null
  /** The system message opens the first user message, as declared. */
  readonly merges: boolean
  /** Whether the template begins with the model's BOS token. */
  readonly writesBos: boolean
  /** Whether the template may look into contents. */
  readonly looks: boolean
}

/** The shape, or why the model cannot be told such a conversation, in words. `turns`: the last of them is open. */
export function findShape(
  model: TokenModel,
  system: boolean,
  turns: number,
): Shape | { readonly problem: string } {
  const chat = chatTemplateOf(model)
  if ("problem" in chat) return chat
  const asGiven = rolesOf(system, turns)
  const given = layoutOf(chat, asGiven.slice(0, -1), true)
  if (!("problem" in given)) return shapeOf(chat, model, asGiven, given, false)
  if (!system) return given
  const without = rolesOf(false, turns)
  const layout = layoutOf(chat, without.slice(0, -1), true)
  // What it refuses in any case has nothing to do with the system message.
  if ("problem" in layout) return layout
  if (model.system === "into_user") return shapeOf(chat, model, without, layout, true)
  const advice = "`system into_user` in the model's declaration lets it open the first user message"
  return { problem: `${given.problem}; ${advice}` }
}

function shapeOf(
  chat: ChatTemplate,
  { vocabulary: { bos } }: TokenModel,
  roles: readonly Role[],
  layout: Layout,
  merges: boolean,
): Shape | { readonly problem: string } {
  const open = roles.slice(0, -1)
  const closed = layoutOf(chat, roles, false)
  const end = "problem" in closed ? null : closingToken(closed, open.length)
  const written = leadingBos(layout, bos)
  if (written > 1)
    return {
      problem: `the model's chat template begins with ${written} tokens of the beginning of a text (BOS)`,
    }
  const looks = looksIntoContents(programOf(chat.template))
  return { chat, roles: open, layout, end, merges, writesBos: written > 0, looks }
}

/** How many BOS tokens the template begins with, one after the other. Some models open turns with the same token. */
function leadingBos({ pieces }: Layout, bos: Token | null): number {
  const isBlank = (piece: LayoutPiece): boolean =>
    piece.kind === "plain" && piece.parts.every((part) => typeof part === "string" && part.trim() === "")
  const said = pieces.filter((piece) => !isBlank(piece))
  const other = said.findIndex((piece) => piece.kind !== "control" || piece.token !== bos)
  return other === -1 ? said.length : other
}

/** The template that a model is asked with, or why there is none. */
function chatTemplateOf(model: TokenModel): ChatTemplate | { readonly problem: string } {
  const { vocabulary, declared } = model
  const template = declared === "plain" ? plainTemplate : model.chatTemplate
  if (template === null) {
    const problem = `the model ${model.name} has no chat template, so it cannot be asked in turns; \`template plain\` in its declaration writes them one below the other`
    return { problem }
  }
  return {
    template,
    ...(declared === undefined || declared === "plain" ? {} : { declared }),
    control: vocabulary.control,
    bosToken: vocabulary.names?.bos ?? "",
    eosToken: vocabulary.names?.eos ?? "",
    strips: vocabulary.strips,
  }
}

function rolesOf(system: boolean, turns: number): readonly Role[] {
  const pairs = Array.from({ length: turns }, (): readonly Role[] => ["user", "assistant"]).flat()
  return system ? ["system", ...pairs] : pairs
}
