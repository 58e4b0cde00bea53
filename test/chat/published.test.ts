/** Chat templates as models are published with them, against Python's jinja2 for their texts, and against llama.cpp for their tokens. */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getLlama, type Llama, LlamaLogLevel, type LlamaModel } from "node-llama-cpp"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TokenModel } from "../../runtime/backend/backend.ts"
import { vocabularyOf } from "../../runtime/backend/llamaVocabulary.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { conversationRenderer } from "../../runtime/chat/render.ts"
import { type Message, renderTemplate } from "../../runtime/chat/template.ts"
import { textOf } from "../../runtime/read/key.ts"
import { writeSmallModel } from "../engine/gguf/model.ts"
import { conversationOf } from "../engine/support.ts"
import { families } from "./families.ts"
import { published, publishedTemplates, type Truth } from "./published.ts"

const templates = publishedTemplates()

/** Templates of models that see pictures: they loop over the characters of a text, which Python allows. */
const knownRefusals = ["llama-guard3:1b", "llama3.2-vision:90b", "llama3.2-vision:latest"]

describe("the text of a published template", () => {
  const models = [...templates.keys()].filter((model) => !knownRefusals.includes(model))

  test("is there for some ninety models", () => expect(models.length).toBeGreaterThan(85))

  test.each(knownRefusals)("of %s is refused, and not rendered otherwise", (model) => {
    const variables = { bosToken: "<bos>", eosToken: "<eos>", generate: true }
    for (const messages of Object.values(published.cases))
      expect(() => renderTemplate(templates.get(model)!, messages, variables)).toThrow(
        /StringValue|Conversation/,
      )
  })

  test.each(models)("of %s is what jinja2 renders, in every case", (model) => {
    const cases = Object.entries(published.rendered[model]!)
    expect(cases.length).toBeGreaterThan(0)
    for (const [name, truth] of cases) {
      const thinking = name === "no thinking"
      const messages = published.cases[thinking ? "one" : name]!
      const variables = { bosToken: "<bos>", eosToken: "<eos>", generate: true }
      const declared = thinking ? { declared: { enable_thinking: false } } : {}
      const render = () => renderTemplate(templates.get(model)!, messages, { ...variables, ...declared })
      if (isRefused(truth)) expect(render, name).toThrow()
      else if (typeof truth === "string") expect(render(), name).toBe(truth)
      else expect(createHash("sha256").update(render()).digest("hex"), name).toBe(truth.sha256)
    }
  })
})

describe("a conversation on a model of the family", () => {
  const folder = mkdtempSync(join(tmpdir(), "cfx-chat-"))
  let llama: Llama
  beforeAll(async () => {
    llama = await getLlama({ build: "never", gpu: false, logLevel: LlamaLogLevel.disabled })
  })
  afterAll(async () => {
    await llama.dispose()
    rmSync(folder, { recursive: true })
  })

  test.each(Object.entries(families))(
    "%s is the template's text and llama.cpp's tokens",
    async (name, { model: published_, tokenizer }) => {
      const template = templates.get(published_)!
      const { path } = writeSmallModel(folder, name.replace(/\W/g, ""), {
        ...(name.startsWith("Phi 3") ? { metadata: { "general.name": "Phi3" } } : {}),
        template,
        tokenizer,
      })
      const native = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
      try {
        const vocabulary = vocabularyOf(native)
        const model: TokenModel = { ...simulatedModel({ name, path }), vocabulary, chatTemplate: template }
        const renderer = conversationRenderer(model)
        for (const [title, messages] of Object.entries(published.cases)) {
          const truth = published.rendered[published_]![title]!
          const rendered = renderer.render(asConversation(messages))
          if ("problem" in rendered) {
            expect(isRefused(truth) || drops(truth, messages), `${title}: ${rendered.problem}`).toBe(true)
            continue
          }
          const text = textIn(truth)
            .replaceAll("<bos>", vocabulary.names!.bos)
            .replaceAll("<eos>", vocabulary.names!.eos)
          if (vocabulary.strips!.after.size === 0) {
            const added =
              text.startsWith(vocabulary.names!.bos) || vocabulary.bos === null ? "" : vocabulary.names!.bos
            expect(textOf(rendered.segments), title).toBe(added + text)
          }
          expect(rendered.tokens, title).toEqual(tokensOf(native, text))
        }
      } finally {
        await native.dispose()
      }
    },
  )
})

const isRefused = (truth: Truth): truth is { readonly refused: string } =>
  typeof truth === "object" && "refused" in truth

function textIn(truth: Truth): string {
  if (typeof truth === "string") return truth
  throw new Error("the family is not among those whose text is kept whole")
}

/** Whether the template leaves out the system message. */
const drops = (truth: Truth, [first]: readonly Message[]): boolean =>
  first?.role === "system" && !textIn(truth).includes(first.content)

function asConversation(messages: readonly Message[]) {
  const [first] = messages
  const turns = messages.filter(({ role }) => role !== "system")
  const pairs = turns.flatMap(({ role, content }, index) =>
    role === "user" ? [[content, turns[index + 1]?.content ?? ""] as const] : [],
  )
  return conversationOf(pairs, first?.role === "system" ? first.content : undefined)
}

/** The whole text as llama.cpp reads it, control tokens in it parsed, and one BOS where the model asks for one. */
function tokensOf(model: LlamaModel, text: string): readonly number[] {
  const tokens: readonly number[] = model.tokenize(text, true)
  const { bos, shouldPrependBosToken } = model.tokens
  return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens
}
