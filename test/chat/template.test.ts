import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { goesOn } from "../../runtime/chat/history.ts"
import { looksIntoContents } from "../../runtime/chat/looks.ts"
import { conversationRenderer } from "../../runtime/chat/render.ts"
import { findShape } from "../../runtime/chat/shape.ts"
import { programOf, renderTemplate } from "../../runtime/chat/template.ts"
import { textOf } from "../../runtime/read/key.ts"
import { conversationOf } from "../engine/support.ts"
import { publishedTemplates } from "./published.ts"

const templates = publishedTemplates()
const variables = { bosToken: "<s>", eosToken: "</s>", generate: true }
const one = [{ role: "user", content: "Which?" }] as const

/** Byte tokens, with the control tokens of ChatML. */
const modelWith = (chatTemplate: string, further: Partial<TokenModel> = {}): TokenModel => ({
  ...simulatedModel({ name: "m", path: "unused" }),
  chatTemplate,
  ...further,
})

function said(model: TokenModel, ...conversation: Parameters<typeof conversationOf>): string {
  const rendered = conversationRenderer(model).render(conversationOf(...conversation))
  return "problem" in rendered ? `problem: ${rendered.problem}` : textOf(rendered.segments)
}

describe("a template that does not end", () => {
  test.each([
    [
      "loops for ever in loops",
      "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
    ],
    ["asks for a long range", "{% for a in range(1000000000000) %}{% endfor %}"],
    ["calls itself", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"],
    [
      "doubles a text",
      `{% set ns = namespace(x='xx') %}{% for a in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}`,
    ],
    [
      "doubles a list",
      `{% set ns = namespace(x=[1, 2]) %}{% for a in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}`,
    ],
    [
      "writes without end",
      "{% for a in range(90000) %}{% for b in range(90000) %}{{ 'x' * 9 }}xxxxxxxxxxxx{% endfor %}{% endfor %}",
    ],
    ["steps by nothing", "{% for a in range(1, 2, 0) %}{% endfor %}"],
  ])("because it %s is an error within its bounds", (_, template) => {
    expect(() => renderTemplate(template, one, variables)).toThrow()
    expect(said(modelWith(template), [["Which?", ""]])).toMatch(/^problem: the model's chat template refuses/)
  })

  test("is told from one that is long: a hundred turns of the longest published templates", () => {
    const turns = Array.from({ length: 100 }, (): [string, string] => ["Which?", "A"])
    for (const name of ["llama3.1:8b", "qwen3:0.6b", "granite3.3:2b"])
      expect(said(modelWith(templates.get(name)!), turns)).not.toMatch(/^problem/)
  })
})

describe("a template", () => {
  test("may use macros, namespaces, the date, tools that are not there, and variables that nobody declared", () => {
    const template =
      "{%- macro say(m) -%}<|im_start|>{{ m.role }}: {{ m.content }}<|im_end|>{%- endmacro -%}" +
      "{%- set ns = namespace(n=0) -%}{%- if tools is not none -%}tools{%- endif -%}{{ nobody }}" +
      "{%- if nobody.knows is defined -%}known{%- endif -%}" +
      "{%- for m in messages -%}{{ say(m) }}{%- set ns.n = ns.n + 1 -%}{%- endfor -%}{{ ns.n }} {{ strftime_now('%Y-%m-%d %H:%M') }}"
    expect(said(modelWith(template), [["Which?", ""]])).toBe(
      "<|im_start|>user: Which?<|im_end|>1 2024-07-26 00:00",
    )
  })

  test("that raises is a problem in its own words", () => {
    const template = "{{ raise_exception('Only on Sundays') }}"
    expect(said(modelWith(template), [["Which?", ""]])).toMatch(/refuses this conversation: Only on Sundays/)
  })

  test("that cannot be parsed is a problem", () => {
    expect(said(modelWith("{% for m in messages %}"), [["Which?", ""]])).toMatch(/^problem: .*refuses/)
  })

  test("takes declared variables: thoughts are closed before the answer where they are declared off", () => {
    const template = templates.get("qwen3:0.6b")!
    expect(said(modelWith(template), [["Which?", ""]])).toMatch(/assistant\n$/)
    const off = { declared: { enable_thinking: false } }
    expect(said(modelWith(template, off), [["Which?", ""]])).toMatch(/assistant\n<think>\n\n<\/think>\n\n$/)
  })
})

describe("a template that looks into contents", () => {
  test("is told from one that only puts them in their places", () => {
    const looks = (name: string): boolean => looksIntoContents(programOf(templates.get(name)!))
    for (const blind of ["smollm2:135m", "llama3:8b", "gemma2:2b", "mistral:7b-instruct-fp16", "phi4:14b"])
      expect(looks(blind), blind).toBe(false)
    for (const seeing of ["qwen3:0.6b", "deepseek-r1:8b"]) expect(looks(seeing), seeing).toBe(true)
    for (const seeing of [
      "{{ messages[0].content[0] }}",
      "{% if messages[0].content %}a{% endif %}",
      "{% if 'a' in messages[0].content %}a{% endif %}",
      "{{ messages[0].content | length }}",
      "{{ messages[0].content.split('a')[0] }}",
      "{% if message.content == 'a' %}b{% endif %}",
      "{% set c = messages[0].content %}{% if c %}a{% endif %}",
    ])
      expect(looksIntoContents(programOf(seeing)), seeing).toBe(true)
  })

  test("and takes thoughts out of earlier answers is followed", () => {
    const turns: [string, string][] = [
      ["Which?", "<think>\nHm.\n</think>\n\nB"],
      ["Sure?", "<think>\nHm"],
    ]
    const text = said(modelWith(templates.get("qwen3:0.6b")!), turns)
    expect(text).toContain("assistant\nB<|im_end|>")
    expect(text).toMatch(/assistant\n<think>\nHm$/)
    const rendered = conversationRenderer(modelWith(templates.get("qwen3:0.6b")!)).render(
      conversationOf(turns),
    )
    expect(rendered).toMatchObject({ changed: 1 })
  })

  test("and changes what a user says is a problem, never another prompt", () => {
    const template =
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.replace('B', 'C') }}<|im_end|>{% endfor %}"
    expect(said(modelWith(template), [["Is it A?", ""]])).toContain("Is it A?")
    expect(said(modelWith(template), [["Is it B?", ""]])).toBe(
      "problem: the model's chat template changes the text of this user message",
    )
  })

  test("and writes something else where a text is empty is a problem", () => {
    const template =
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content %}{{ m.content }}{% else %}(nothing){% endif %}<|im_end|>{% endfor %}"
    expect(said(modelWith(template), [["", ""]])).toMatch(/^problem: .*changes the text/)
  })

  test("renders what it renders with the contents themselves, whatever they are", () => {
    const content = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "</think>",
        "<think>a</think>\n\nb",
        "<tool_response>x</tool_response>",
        "",
        " \n",
        "a</think>b</think>c",
      ),
    )
    for (const name of ["qwen3:0.6b", "deepseek-r1:8b", "granite3.3:2b", "gemma3:1b"]) {
      const template = templates.get(name)!
      fc.assert(
        fc.property(content, content, content, (user, assistant, again) => {
          const text = said(modelWith(template), [
            [user, assistant],
            [again, ""],
          ])
          if (text.startsWith("problem")) return
          const messages = [
            { role: "user", content: user },
            { role: "assistant", content: assistant },
            { role: "user", content: again },
          ] as const
          const names = { bosToken: "", eosToken: "", generate: true }
          expect(text).toBe(renderTemplate(template, messages, names))
        }),
        { numRuns: 60 },
      )
    }
  })
})

describe("a system message", () => {
  const gemma = templates.get("gemma2:2b")!

  test("that the template has no place for opens the first user message where that is declared", () => {
    const model = modelWith(gemma, { system: "into_user" })
    expect(said(model, [["Which?", ""]], "Be brief.")).toContain("user\nBe brief.\n\nWhich?<end_of_turn>")
    const rendered = conversationRenderer(model).render(conversationOf([["Which?", ""]], "Be brief."))
    if ("problem" in rendered) throw new Error(rendered.problem)
    expect(rendered.segments.map(({ text, from }) => [text, from.kind])).toEqual([
      ["<start_of_turn>user\n", "chat_template"],
      ["Be brief.", "declaration"],
      ["\n\n", "chat_template"],
      ["Which?", "declaration"],
      ["<end_of_turn>\n<start_of_turn>model\n", "chat_template"],
    ])
  })

  test("stays where the template has a place for it, whatever is declared", () => {
    const chatml = modelWith(templates.get("smollm2:135m")!, { system: "into_user" })
    expect(said(chatml, [["Which?", ""]], "Be brief.")).toContain("system\nBe brief.<|im_end|>")
  })

  test("without the declaration is a problem that names it", () => {
    for (const template of [gemma, templates.get("gemma3:1b")!, templates.get("mistral:7b-instruct-fp16")!])
      expect(said(modelWith(template), [["Which?", ""]], "Be brief.")).toMatch(
        /^problem: .*`system into_user` in the model's declaration/,
      )
  })

  test("that is declared to move is a problem where the conversation is refused for another reason", () => {
    const model = modelWith("{{ raise_exception('never') }}", { system: "into_user" })
    expect(said(model, [["Which?", ""]], "Be brief.")).toMatch(/refuses this conversation: never/)
  })
})

describe("a turn that continues another", () => {
  const extended = (name: string, further: Partial<TokenModel> = {}): boolean => {
    const model = modelWith(templates.get(name)!, further)
    const [shorter, longer] = [findShape(model, false, 1), findShape(model, false, 2)]
    if ("problem" in shorter || "problem" in longer) throw new Error("no shape")
    return goesOn(shorter.layout, longer.layout)
  }

  test("goes on from the tokens of the shorter conversation with most templates", () => {
    for (const name of [
      "smollm2:135m",
      "llama3:8b",
      "llama3.1:8b",
      "gemma2:2b",
      "mistral-small:24b",
      "phi4:14b",
      "qwen3:0.6b",
    ])
      expect(extended(name), name).toBe(true)
  })

  test("does not where an answer that is over is written otherwise than one that is open", () => {
    expect(extended("qwen3:0.6b", { declared: { enable_thinking: false } })).toBe(false)
    expect(extended("mistral-large:123b")).toBe(false)
  })
})
