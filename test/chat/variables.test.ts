/** Which names a chat template reads that a declaration could give it. */
import { describe, expect, test } from "vitest"
import { unreadVariables } from "../../runtime/chat/variables.ts"
import { publishedTemplates } from "./published.ts"

const unread = (chatTemplate: string, ...names: readonly string[]) =>
  unreadVariables({ chatTemplate, declared: Object.fromEntries(names.map((name) => [name, true])) })

describe("a declared variable", () => {
  test.each([
    ["in a condition", "{% if x %}a{% endif %}"],
    ["where it is asked for", "{% if x is defined %}a{% endif %}"],
    ["in a filter's argument", "{{ messages | join(x) }}"],
    ["in a default that the template sets", "{% if x is not defined %}{% set x = false %}{% endif %}"],
    ["in a macro", "{% macro say(a, b=x) %}{{ a }}{% endmacro %}"],
    ["as an index", "{{ messages[x] }}"],
    ["in an object", "{% set all = {'x': x} %}"],
    ["in a condition of a loop", "{% for m in messages if x %}a{% endfor %}"],
  ])("is read %s", (_, template) => {
    expect(unread(template, "x")).toBeUndefined()
  })

  test.each([
    ["a property", "{{ messages[0].x }}{{ messages[0]['x'] }}"],
    ["a filter", "{{ messages | x }}"],
    ["a test", "{% if messages is x %}a{% endif %}"],
    ["an argument's name", "{% set ns = namespace(x=1) %}"],
    ["only set", "{% set x = 1 %}"],
    ["plain text", "x"],
  ])("is not read where its name is that of %s", (_, template) => {
    expect(unread(template, "x")?.names).toEqual(["x"])
  })

  test("is listed beside what could be declared, and not beside what the template sets or is given", () => {
    const template =
      "{% set ns = namespace(last=0) %}{% for m in messages %}{{ bos_token + m.role + lead }}{{ ns.last }}{{ loop.index }}{% endfor %}{% if date is not defined %}{% set date = strftime_now('%d') %}{% endif %}{{ date }}"
    expect(unread(template, "leed", "lead")).toEqual({ names: ["leed"], reads: ["date", "lead"] })
  })

  test("of a published template is known, and a mistyped one is not", () => {
    const [, thinking] = [...publishedTemplates()].find(([, text]) => text.includes("enable_thinking")) ?? []
    expect(thinking).toBeDefined()
    expect(unread(thinking!, "enable_thinking")).toBeUndefined()
    expect(unread(thinking!, "enable_thinkng")?.reads).toContain("enable_thinking")
  })

  test("is not looked for where there is no template to read it, or none that can be parsed", () => {
    expect(unread("{% if", "x")).toBeUndefined()
    expect(unreadVariables({ chatTemplate: null, declared: { x: 1 } })).toBeUndefined()
    expect(unreadVariables({ chatTemplate: "a", declared: "plain" })).toBeUndefined()
    expect(unreadVariables({ chatTemplate: "a" })).toBeUndefined()
  })
})
