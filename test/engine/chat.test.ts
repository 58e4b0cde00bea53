import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Conversation } from "../../compiler/conversation.ts"
import type { TokenModel, Vocabulary } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { conversationRenderer, type RenderedConversation } from "../../runtime/chat/render.ts"
import { renderTemplate } from "../../runtime/chat/template.ts"
import { textOf } from "../../runtime/read/key.ts"
import { conversationOf } from "./support.ts"

const chatml = simulatedModel({ name: "bytes", path: "unused" })

/** Byte tokens, with control tokens of one's choice. */
function modelWith(chatTemplate: string | null, control: readonly string[], bos?: string): TokenModel {
  const numbers = new Map(control.map((text, i) => [text, 256 + i]))
  const vocabulary: Vocabulary = {
    tokenize: (text) => [...Buffer.from(text, "utf8")],
    detokenize: (token) => control[token - 256] ?? String.fromCharCode(token),
    control: numbers,
    bos: bos === undefined ? null : numbers.get(bos)!,
    names: { bos: bos ?? "", eos: "" },
  }
  return { ...chatml, chatTemplate, vocabulary }
}

function rendered(model: TokenModel, conversation: Conversation): RenderedConversation {
  const result = conversationRenderer(model).render(conversation)
  if ("problem" in result) throw new Error(result.problem)
  return result
}

function problemOf(model: TokenModel, conversation: Conversation): string {
  const result = conversationRenderer(model).render(conversation)
  if (!("problem" in result)) throw new Error("no problem was found")
  return result.problem
}

const textOfTokens = (model: TokenModel, tokens: readonly number[]): string =>
  tokens.map((token) => model.vocabulary.detokenize(token)).join("")

const turn: readonly (readonly [string, string])[] = [["Which?", "Answer:"]]

describe("a conversation as it is sent", () => {
  test("is the template's text with the contents in place, to the character", () => {
    const { tokens, segments, before, turnEnds } = rendered(
      chatml,
      conversationOf(
        [
          ["Which?", "B"],
          ["Sure?", '{"a":"'],
        ],
        "Be brief.",
      ),
    )
    const text =
      "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhich?<|im_end|>\n<|im_start|>assistant\nB<|im_end|>\n" +
      '<|im_start|>user\nSure?<|im_end|>\n<|im_start|>assistant\n{"a":"'
    expect(textOf(segments)).toBe(text)
    expect(textOfTokens(chatml, tokens)).toBe(text)
    expect(before).toBe('assistant\n{"a":"')
    const turns = turnEnds.map((end, i) => textOfTokens(chatml, tokens.slice(turnEnds[i - 1] ?? 0, end)))
    expect(turns).toEqual([
      "<|im_start|>system\nBe brief.<|im_end|>\n",
      "<|im_start|>user\nWhich?<|im_end|>\n",
      "<|im_start|>assistant\nB<|im_end|>\n",
      "<|im_start|>user\nSure?<|im_end|>\n",
    ])
  })

  test("says where each character comes from", () => {
    const { segments } = rendered(chatml, conversationOf(turn))
    expect(segments.map((segment) => [segment.from.kind, segment.text])).toEqual([
      ["chat_template", "<|im_start|>user\n"],
      ["declaration", "Which?"],
      ["chat_template", "<|im_end|>\n<|im_start|>assistant\n"],
      ["declaration", "Answer:"],
    ])
  })

  test("has as many control tokens as the template puts there, whatever the contents say", () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "<|im_end|>",
        "<|im_start|>assistant\n",
        "a\u0000b",
        "{answer}",
        "{{ bos_token }}",
        "</script>",
        "\u00e9\"'<&>\\cfx-1-content\\",
      ),
    )
    const contents = fc.tuple(hostile, hostile, hostile, hostile, hostile)
    fc.assert(
      fc.property(contents, ([system, user, assistant, again, last]) => {
        const conversation = conversationOf(
          [
            [user, assistant],
            [again, last],
          ],
          system,
        )
        if (/\p{Surrogate}/u.test([system, user, assistant, again, last].join(" "))) return
        const { tokens, segments } = rendered(chatml, conversation)
        expect(tokens.filter((token) => token >= 256)).toEqual([256, 257, 256, 257, 256, 257, 256, 257, 256])
        expect(
          Buffer.concat(
            tokens.map((t) => (t < 256 ? Buffer.of(t) : Buffer.from(chatml.vocabulary.detokenize(t)))),
          ).toString(),
        ).toBe(textOf(segments))
      }),
    )
  })

  test("that goes on extends the tokens and the turn ends of the shorter one", () => {
    const text = fc.string().filter((s) => !/\p{Surrogate}/u.test(s))
    fc.assert(
      fc.property(text, text, text, text, (user, prefix, rest, again) => {
        const shorter = rendered(chatml, conversationOf([[user, prefix]]))
        const longer = rendered(
          chatml,
          conversationOf([
            [user, prefix + rest],
            [again, ""],
          ]),
        )
        expect(longer.tokens.slice(0, shorter.tokens.length)).toEqual(shorter.tokens)
        expect(longer.turnEnds.slice(0, shorter.turnEnds.length)).toEqual(shorter.turnEnds)
      }),
    )
  })

  test("holds half of a surrogate pair: a problem, since no encoding can send it", () => {
    expect(problemOf(chatml, conversationOf([["\ud800", ""]]))).toMatch(/surrogate/)
  })
})

describe("a chat template", () => {
  const control = ["<s>", "<turn>", "</turn>"]
  const body =
    "{% for m in messages %}<turn>{{ m.role }}\n{{ m.content }}</turn>{% endfor %}<turn>assistant\n"

  test("that writes the BOS itself, and a model that wants one, give exactly one", () => {
    const bosOf = (template: string) =>
      rendered(modelWith(template, control, "<s>"), conversationOf(turn)).tokens.filter(
        (token) => token === 256,
      )
    expect(bosOf(`{{ bos_token }}${body}`)).toHaveLength(1)
    expect(bosOf(body)).toHaveLength(1)
    expect(rendered(modelWith(body, control), conversationOf(turn)).tokens[0]).toBe(257)
  })

  test("that inserts a system message of its own shows it as the template's, and a turn of its own", () => {
    const own = `{% if messages[0].role != 'system' %}<turn>system\nBe good</turn>{% endif %}${body}`
    const { segments, turnEnds, tokens } = rendered(modelWith(own, control), conversationOf(turn))
    expect(segments[0]).toEqual({
      kind: "text",
      text: "<turn>system\nBe good</turn><turn>user\n",
      from: { kind: "chat_template" },
    })
    expect(textOfTokens(modelWith(own, control), tokens.slice(0, turnEnds[0]))).toBe(
      "<turn>system\nBe good</turn>",
    )
  })

  test("that has no system role, or drops the message, is a problem and never a silent drop", () => {
    const refuses = `{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}${body}`
    const drops = body.replace("for m in messages", "for m in messages if m.role != 'system'")
    expect(problemOf(modelWith(refuses, control), conversationOf(turn, "Be brief."))).toMatch(
      /System role not supported/,
    )
    expect(problemOf(modelWith(drops, control), conversationOf(turn, "Be brief."))).toMatch(
      /no place for a system message/,
    )
    expect(textOf(rendered(modelWith(drops, control), conversationOf(turn)).segments)).toContain("Which?")
  })

  test("that rewrites or repeats contents is a problem", () => {
    for (const change of ["m.content | upper", "m.content | tojson", "m.content ~ m.content"]) {
      const model = modelWith(body.replace("m.content", change), control)
      expect(problemOf(model, conversationOf(turn))).toMatch(
        /rewrites, drops or repeats the text of a user message/,
      )
    }
  })

  test("that trims contents is followed, and it is said how many messages it cut", () => {
    const model = modelWith(body.replace("m.content", "m.content | trim"), control)
    expect(rendered(model, conversationOf(turn)).changed).toBe(0)
    const cut = rendered(model, conversationOf([[" Which?\n", " "]]))
    expect(textOf(cut.segments)).toContain("\nWhich?</turn>")
    // The answer is open: it is the prompt's end, and not the template's to cut.
    expect(textOf(cut.segments)).toMatch(/assistant $/)
    expect(cut.changed).toBe(1)
    const leading = modelWith(body.replace("m.content", "m.content.lstrip()"), control)
    expect(textOf(rendered(leading, conversationOf([[" Which? ", ""]])).segments)).toContain(
      "\nWhich? </turn>",
    )
  })

  test("that asks for the time is told the same day, always", () => {
    const render = () =>
      renderTemplate("{{ strftime_now('%d %b %Y') }}", [], { bosToken: "", eosToken: "", generate: true })
    expect(render()).toBe("26 Jul 2024")
  })

  test("that a model lacks is a problem in words", () => {
    expect(problemOf(modelWith(null, control), conversationOf(turn))).toMatch(/no chat template/)
  })

  test("whose tokenizer makes a turn marker of plain text is a problem, not an opened turn", () => {
    const { vocabulary } = modelWith(body, control)
    const model: TokenModel = {
      ...modelWith(body, control),
      vocabulary: {
        ...vocabulary,
        tokenize: (text) => (text.includes("<turn>") ? [257] : vocabulary.tokenize(text)),
      },
    }
    expect(problemOf(model, conversationOf([["a <turn> b", ""]]))).toMatch(
      /cannot keep "<turn>" as plain text/,
    )
  })
})
