/** Models: where they are, and what is said of them. */
import type { Attribute, Model } from "../../grammar/ast.ts"
import { isAddress } from "../address.ts"
import { missing, onlyOnce, plain, type Scene } from "./scene.ts"

export { isAddress } from "../address.ts"

const engines = ["gguf", "server"] as const

type Engine = (typeof engines)[number]

/** What may be said of a model: what it is verified by and how it is reached differ by engine, the rest describes it. */
const attributesOf = {
  gguf: ["bytes", "sha256", "family", "size", "quantization", "template", "context"],
  server: ["name", "key", "family", "size", "quantization", "template", "context"],
} as const satisfies Record<Engine, readonly string[]>

/** `hf:user/repo/file.gguf#revision`; the file may lie in folders. */
const HUB_FILE = /^hf:[\w.-]+\/[\w.-]+\/(?:[\w.-]+\/)*[\w.-]+\.gguf#[\w./-]+$/

const SERVER = /^https?:\/\/[^\s/]+/

export const checkModel = (model: Model, scene: Scene): void => {
  const engine = engines.find((one) => one === model.engine.text)
  if (engine === undefined) {
    scene.say("CFX2013", { field: "engine", found: model.engine.text, known: engines }, model.engine)
  }
  const file = plain(scene, model.file, "The file of a model")
  if (file !== undefined && engine !== undefined) checkPlace(file, engine, model, scene)
  onlyOnce(scene, model, model.attributes, ({ key }) => key.text)
  for (const attribute of model.attributes) checkAttribute(attribute, engine ?? "gguf", model, scene)
  const named = model.attributes.some(({ key }) => key.text === "name")
  if (engine === "server" && !named) missing(scene, model, "name", 'name "gpt-4o-mini"')
}

const checkPlace = (file: string, engine: Engine, model: Model, scene: Scene): void => {
  if (engine === "server") {
    if (!SERVER.test(file)) scene.say("CFX2466", { engine, found: file }, model.file)
  } else if (file.startsWith("hf:")) {
    if (!HUB_FILE.test(file)) scene.say("CFX2466", { engine, found: file }, model.file)
  } else if (isAddress(file)) {
    const why = "a file is read from this machine or, as `hf:`, from a hub, and this is another address"
    scene.say("CFX2014", { what: "a model", why, example: '"models/model.gguf"' }, model.file)
  }
}

const checkAttribute = ({ key, value }: Attribute, engine: Engine, model: Model, scene: Scene): void => {
  const known: readonly string[] = attributesOf[engine]
  if (!known.includes(key.text)) {
    scene.say("CFX2011", { key: key.text, within: "a model", known }, key)
    return
  }
  const found =
    value.kind === "number"
      ? `${value.value}`
      : value.kind === "attributes"
        ? "a group in braces"
        : `a ${value.kind}`
  const wrong = (expected: string): void => scene.say("CFX2012", { key: key.text, expected, found }, value)
  switch (key.text) {
    case "bytes":
    case "context":
      if (value.kind !== "number" || !Number.isSafeInteger(value.value) || value.value < 1)
        wrong("a whole number from 1 up")
      return
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
    case "size":
      if (value.kind !== "number") wrong("a number")
      return
    case "template":
      if (value.kind === "attributes") {
        onlyOnce(scene, model, value.attributes, (inner) => inner.key.text)
        for (const inner of value.attributes) checkVariable(inner, scene)
      } else if (value.kind !== "name" || value.text !== "plain")
        wrong("`plain`, or variables of the chat template in braces")
      return
    default:
      if (value.kind === "text") plain(scene, value, `The ${key.text} of a model`)
      else wrong("a text")
  }
}

/** A variable of a chat template: `enable_thinking false`. */
const checkVariable = ({ key, value }: Attribute, scene: Scene): void => {
  if (value.kind === "text") plain(scene, value, `The variable ${key.text} of a template`)
}
