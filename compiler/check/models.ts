/** Models: where they are, and what is said of them. */
import type { Attribute, Model } from "../../grammar/ast.ts"
import { isAddress, webAddress } from "../address.ts"
import { gpus } from "../lower/models.ts"
import { missing, onlyOnce, plain, type Scene } from "./scene.ts"

export { isAddress } from "../address.ts"

const engines = ["gguf", "server"] as const

type Engine = (typeof engines)[number]

const described = ["family", "size", "quantization", "template", "system"] as const

/** What may be said of a model: what it is verified by and how it is opened or reached differ by engine, the rest describes it. */
const attributesOf = {
  gguf: ["bytes", "sha256", ...described, "gpu", "layers", "context"],
  server: [
    ...["name", "key", ...described],
    ...["logprobs", "concurrency", "rate", "retries", "timeout", "max_calls", "max_tokens"],
  ],
} as const satisfies Record<Engine, readonly string[]>

/** The attributes that a model may have, by its engine; those of a file where the engine is none. */
export const attributesFor = (engine: string): readonly string[] =>
  engine === "server" ? attributesOf.server : attributesOf.gguf

const whole = (low: number, high = Number.MAX_SAFE_INTEGER) => ({
  fits: (value: number) => Number.isSafeInteger(value) && value >= low && value <= high,
  expected:
    high === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${low} up`
      : `a whole number from ${low} to ${high}`,
})

/** Attributes that are numbers, and which they can be. A server lists 20 alternatives at most where it does as OpenAI's does; others list more. */
const numbers = {
  bytes: whole(1),
  size: { fits: (value: number) => value >= 0, expected: "a number" },
  layers: whole(0),
  context: whole(1),
  logprobs: whole(0, 1000),
  concurrency: whole(1, 1000),
  rate: { fits: (value: number) => value > 0, expected: "a number of requests a minute, above 0" },
  retries: whole(0, 100),
  // Node's `fetch`, by which servers are asked, waits no longer for an answer.
  timeout: {
    fits: (value: number) => value > 0 && value <= 300,
    expected: "a number of seconds, above 0 and up to 300",
  },
  max_calls: whole(1),
  max_tokens: whole(1),
}

const isNumber = (key: string): key is keyof typeof numbers => Object.hasOwn(numbers, key)

/** Attributes that are one of a few words. */
export const words: Readonly<Record<string, readonly string[]>> = { gpu: gpus, system: ["into_user"] }

/** `hf:user/repo/file.gguf#revision`; the file may lie in folders, none of which is hidden or leads out. */
const HUB_FILE = /^hf:[\w-][\w.-]*\/[\w-][\w.-]*\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.gguf#[\w./-]+$/

const WEB_FILE = /^https:\/\/[^\s/]+\/\S/

export const checkModel = (model: Model, scene: Scene): void => {
  const engine = engines.find((one) => one === model.engine.text)
  if (engine === undefined) {
    scene.say("CFX2013", { field: "engine", found: model.engine.text, known: engines }, model.engine)
  }
  const file = plain(scene, model.file, "The file of a model")
  if (file !== undefined && engine !== undefined) checkPlace(file, engine, model, scene)
  onlyOnce(scene, model, model.attributes, ({ key }) => key.text)
  for (const attribute of model.attributes) checkAttribute(attribute, engine ?? "gguf", scene)
  checkLayers(model, scene)
  const named = model.attributes.some(({ key }) => key.text === "name")
  if (engine === "server" && !named) missing(scene, model, "name", 'name "gpt-4o-mini"')
}

const checkPlace = (file: string, engine: Engine, model: Model, scene: Scene): void => {
  if (engine === "server") {
    sayNoWebAddress(file, engine, model, scene)
  } else if (file.startsWith("hf:")) {
    if (!HUB_FILE.test(file)) scene.say("CFX2466", { engine, found: file }, model.file)
  } else if (WEB_FILE.test(file)) {
    sayNoWebAddress(file, engine, model, scene)
    // Who serves an address may put another file there.
    if (!model.attributes.some(({ key }) => key.text === "sha256"))
      missing(scene, model, "sha256", 'sha256 "..." (64 digits: sha256sum model.gguf)')
  } else if (isAddress(file)) {
    const why =
      "a file is on this machine, on a hub (`hf:`) or on the web (`https:`), and this is another address"
    scene.say("CFX2014", { what: "a model", why, example: '"models/model.gguf"' }, model.file)
  }
}

const sayNoWebAddress = (file: string, engine: Engine, model: Model, scene: Scene): void => {
  const address = webAddress(file)
  if ("problem" in address) scene.say("CFX2466", { engine, found: file, why: address.problem }, model.file)
}

const checkAttribute = ({ key, value }: Attribute, engine: Engine, scene: Scene): void => {
  const known: readonly string[] = attributesOf[engine]
  if (!known.includes(key.text)) {
    scene.say(
      "CFX2011",
      { key: key.text, within: engine === "server" ? "a server's model" : "a model in a file", known },
      key,
    )
    return
  }
  const found =
    value.kind === "number"
      ? `${value.value}`
      : value.kind === "attributes"
        ? "a group in braces"
        : `a ${value.kind}`
  const wrong = (expected: string): void => scene.say("CFX2012", { key: key.text, expected, found }, value)
  if (isNumber(key.text)) {
    const { fits, expected } = numbers[key.text]
    if (value.kind !== "number" || !fits(value.value)) wrong(expected)
    return
  }
  const choices = Object.hasOwn(words, key.text) ? words[key.text] : undefined
  if (choices !== undefined) {
    if (value.kind !== "name") wrong(choices.map((word) => `\`${word}\``).join(" or "))
    else if (!choices.includes(value.text))
      scene.say("CFX2013", { field: key.text, found: value.text, known: choices }, value)
    return
  }
  switch (key.text) {
    case "sha256": {
      if (value.kind !== "text") {
        wrong("a text")
        return
      }
      const sum = plain(scene, value, "A sha256")
      if (sum !== undefined && !/^[0-9a-f]{64}$/i.test(sum))
        scene.say("CFX2015", { length: sum.length }, value)
      return
    }
    case "template":
      if (value.kind === "attributes") {
        onlyOnce(scene, "`template`", value.attributes, (inner) => inner.key.text)
        for (const inner of value.attributes) checkVariable(inner, scene)
      } else if (value.kind !== "name" || value.text !== "plain")
        wrong("`plain`, or variables of the chat template in braces")
      return
    default:
      if (value.kind === "text") plain(scene, value, `The ${key.text} of a model`)
      else wrong("a text")
  }
}

/** Reports layers for a GPU that is not to be used. */
const checkLayers = ({ attributes }: Model, scene: Scene): void => {
  const layers = attributes.find(({ key }) => key.text === "layers")
  const isOff = attributes.some(
    ({ key, value }) => key.text === "gpu" && value.kind === "name" && value.text === "none",
  )
  if (layers === undefined || !isOff) return
  const why = "with `gpu none` the model stands on no GPU that could hold layers"
  scene.say("CFX2103", { what: "`layers`", why, fix: "Delete one of the two." }, layers)
}

/** Names that a chat template is given anyway, or that its language has: what is declared under them would be overwritten, or break it. */
const given = [
  ...["messages", "add_generation_prompt", "bos_token", "eos_token", "tools", "documents"],
  ...["range", "raise_exception", "strftime_now", "namespace", "loop"],
  ...["true", "false", "none", "True", "False", "None"],
]

/** A variable of a chat template: `enable_thinking false`. */
const checkVariable = ({ key, value }: Attribute, scene: Scene): void => {
  if (given.includes(key.text)) scene.say("CFX2019", { name: key.text }, key)
  if (value.kind === "text") plain(scene, value, `The variable ${key.text} of a template`)
}
