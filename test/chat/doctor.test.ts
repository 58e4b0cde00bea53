/** What `cfx doctor` says of a template and of reads, on small models that fit and that do not. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import type { ModelFile } from "../../runtime/backend/backend.ts"
import type { Sound } from "../../runtime/cli/compiled.ts"
import { type Finding, shown } from "../../runtime/cli/doctor/finding.ts"
import { percent, readFindings } from "../../runtime/cli/doctor/reads.ts"
import { templateFindings } from "../../runtime/cli/doctor/template.ts"
import { chatmlTemplate, type SmallModel, writeSmallModel } from "../engine/gguf/model.ts"
import { withModel } from "../engine/support.ts"
import { compiled } from "../run/spec.ts"
import { families } from "./families.ts"
import { publishedTemplates } from "./published.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-doctor-"))
afterAll(() => rmSync(folder, { recursive: true }))

const study = (assistant: string, system = "") => `
model m = gguf "m.gguf"

protocol asks {
  options "{label}. {text}" join "\\n"
  ${system}
  turn first {
    user """
      {item.question}
      {item.options}
    """
    assistant "${assistant}"
  }
  turn again continues first {
    user "Are you sure?"
    assistant "{a1: option}"
  }
}

metric kept(a0 = a0, a1 = a1) {
  rate a0 == a1
  interval wilson 95
}

experiment sure {
  seed 0
  protocol asks
  models { m }
  items { sums }
  measure kept
}
`

let files = 0
function findings(
  spec: string,
  options: SmallModel,
  declared: Partial<ModelFile> = {},
): Promise<readonly Finding[]> {
  const file = { ...writeSmallModel(folder, `m${files++}`, options), ...declared, name: "m" }
  return withModel(
    async (model) => {
      const sound = compiled(spec) as unknown as Sound
      return [...templateFindings(sound, model), ...(await Effect.runPromise(readFindings(sound, model)))]
    },
    { threads: 1 },
    file,
  )
}

describe("the doctor", () => {
  test("proves each label of each read: its tokens where it stands, and what it merges with", async () => {
    const found = await findings(study("The answer: {a0: option}"), {})
    const merged = found.find(({ subject }) => subject === "m: labels of {a0}")
    expect(merged?.says).toMatch(/A = 279 \(merges with the text before it: read in both spellings\)/)
    expect(merged?.says).toContain('after "')
    expect(merged?.labels?.[0]).toMatchObject({ label: "A", spelt: [" A"], merged: true })
    const bare = found.find(({ subject }) => subject === "m: labels of {a1}")
    expect(bare?.labels?.map(({ label, spelt, merged }) => [label, spelt, merged])).toEqual([
      ["A", ["A"], false],
      ["B", ["B"], false],
      ["C", ["C"], false],
    ])
    expect(found.find(({ subject }) => subject === "m: option mass at {a0}")?.ok).toBe(false)
    expect(found.find(({ subject }) => subject === "m: longest prompt")?.says).toMatch(
      /^\d+ tokens with its answer, of 2048/,
    )
    expect(shown(found)).toMatch(
      /ok +m: chat template +the file's own, \d+ characters, control tokens <\|im_start\|> <\|im_end\|>/,
    )
    expect(shown(found)).toMatch(/m: BOS +none: the model asks for none/)
  })

  test("says that a label merges only where the tokenizer does, not where another label of the read does", async () => {
    const spec = study("The answer: {a0: label(A, zq)}").replace(
      "rate a0 == a1",
      'rate a0 == "A" and a1 == item.gold',
    )
    const found = await findings(spec, {})
    const read = found.find(({ subject }) => subject === "m: labels of {a0}")
    expect(read?.labels?.map(({ label, spelt, merged }) => [label, spelt, merged])).toEqual([
      ["A", [" A"], true],
      ["zq", [" ", "z", "q"], false],
    ])
    expect(read?.says.match(/both spellings/g)).toHaveLength(1)
  })

  test.each([
    ["mass 0", true],
    ["mass 0.99999", false],
    ["score text", true],
    ["score text  mass 0.99999", false],
    ["score label", false],
  ])("holds the labels of a read with `%s` to what a run flags it by", async (settings, ok) => {
    const spec = study("The answer: {a0: option}").replace(
      'assistant "The answer: {a0: option}"',
      `assistant "The answer: {a0: option}"\n    read a0 { ${settings} }`,
    )
    const found = await findings(spec, {})
    expect(found.find(({ subject }) => subject === "m: option mass at {a0}")?.ok).toBe(ok)
  })

  test("names the read whose label the tokenizer lacks", async () => {
    const found = await findings(study("({a0: option}"), { tokenizer: { words: [], without: ["B"] } })
    expect(found.find(({ subject }) => subject === "m: labels of {a0}")).toMatchObject({
      ok: false,
      says: expect.stringContaining('"B"'),
      todo: expect.stringContaining("or the model"),
    })
  })

  test("says what to declare where the template has no place for a system message, and what becomes of it then", async () => {
    const { model, tokenizer } = families["Gemma 2"]!
    const gemma = { template: publishedTemplates().get(model)!, tokenizer, architecture: "gemma2" } as const
    const spec = study("({a0: option}", 'system "Be brief."')
    const refused = await findings(spec, gemma)
    expect(refused.filter(({ subject, ok }) => subject === "m: chat template" && !ok)).not.toEqual([])
    expect(shown(refused)).toContain("declare the model with `system into_user`")
    const moved = await findings(spec, gemma, { system: "into_user" })
    expect(moved.find(({ says }) => says.includes("opens the first user message"))?.ok).toBe(true)
    expect(moved.find(({ subject }) => subject === "m: BOS")?.says).toBe(
      "<bos>, once: the template writes it",
    )
  })

  test("says that prompts do not fit", async () => {
    const spec = study("({a0: option}").replace("{item.question}", `${"word ".repeat(80)}{item.question}`)
    const found = await findings(spec, { context: 256 })
    expect(found.find(({ subject }) => subject === "m: longest prompt")).toMatchObject({
      ok: false,
      says: expect.stringContaining("context holds 256"),
    })
  })

  test("reads a base model's turns one below the other where that is declared", async () => {
    const spec = study("({a0: option}")
    expect(shown(await findings(spec, { template: null }))).toContain("write `template plain`")
    const found = await findings(spec, { template: null }, { template: "plain" })
    expect(shown(found)).toContain("turns are written one below the other, as declared")
    expect(found.find(({ subject }) => subject === "m: labels of {a0}")?.ok).toBe(true)
  })

  test("names a declared variable that the template does not read, and those that it does", async () => {
    const template = chatmlTemplate.replace(
      "<|im_start|>assistant\\n' }}",
      "<|im_start|>assistant\\n' }}{% if enable_thinking is defined and not enable_thinking %}{{ '\\n' }}{% endif %}",
    )
    const spec = study("({a0: option}")
    const mistyped = await findings(spec, { template }, { template: { enable_thinkng: false } })
    expect(mistyped.find(({ says }) => says.includes("enable_thinkng:"))).toMatchObject({
      ok: false,
      says: "the chat template does not read enable_thinkng: of what can be declared it reads enable_thinking",
      todo: expect.stringContaining("correct the name"),
    })
    const right = await findings(spec, { template }, { template: { enable_thinking: false } })
    expect(right.filter(({ subject, ok }) => subject === "m: chat template" && !ok)).toEqual([])
  })

  test("shows a control token before a read whole", async () => {
    const found = await findings(study("{a0: option}"), {})
    expect(found.find(({ subject }) => subject === "m: labels of {a0}")?.says).toContain(
      'after "<|im_start|>assistant\\n"',
    )
  })

  test.each([
    [0.5, "50.0 %"],
    [0.00002, "0.002 %"],
    [0.0000000001, "less than 0.001 %"],
    [0, "0.0 %"],
  ])("writes the share %d as %s", (share, words) => {
    expect(percent(share)).toBe(words)
  })
})
