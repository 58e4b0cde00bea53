import type { Attribute, Model } from "../../grammar/ast.ts"
import { onlyOnce, plain, type Scene } from "./scene.ts"

/** Attributes of a model: the first two are verified when it is loaded, the others describe it. */
const modelAttributes = ["bytes", "sha256", "family", "size", "quantization"] as const

export const checkModel = (model: Model, scene: Scene): void => {
  if (model.engine.text !== "gguf") {
    scene.say("CFX2013", { field: "engine", found: model.engine.text, known: ["gguf"] }, model.engine)
  }
  const file = plain(scene, model.file, "The file of a model")
  if (file !== undefined && isAddress(file)) {
    const why = "a file is read from this machine, and this is an address"
    scene.say("CFX2014", { what: "a model", why, example: '"models/model.gguf"' }, model.file)
  }
  onlyOnce(scene, model, model.attributes, ({ key }) => key.text)
  for (const attribute of model.attributes) checkAttribute(attribute, scene)
}

/** `hf:...` or `https://...`: a name of a scheme has two letters at least, a drive of Windows one. */
export const isAddress = (file: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(file)

const checkAttribute = ({ key, value }: Attribute, scene: Scene): void => {
  switch (key.text) {
    case "bytes":
      if (value.kind !== "number" || !Number.isSafeInteger(value.value) || value.value < 1) {
        const found = value.kind === "number" ? `${value.value}` : `a ${value.kind}`
        scene.say("CFX2012", { key: "bytes", expected: "a whole number from 1 up", found }, value)
      }
      return
    case "sha256": {
      if (value.kind !== "text") {
        scene.say("CFX2012", { key: "sha256", expected: "a text", found: `a ${value.kind}` }, value)
        return
      }
      const sum = plain(scene, value, "A sha256")
      if (sum !== undefined && !/^[0-9a-f]{64}$/i.test(sum))
        scene.say("CFX2015", { length: sum.length }, value)
      return
    }
    case "family":
    case "quantization":
      if (value.kind === "text") plain(scene, value, `The ${key.text} of a model`)
      else scene.say("CFX2012", { key: key.text, expected: "a text", found: `a ${value.kind}` }, value)
      return
    case "size":
      if (value.kind !== "number") {
        scene.say("CFX2012", { key: "size", expected: "a number", found: `a ${value.kind}` }, value)
      }
      return
    default:
      scene.say("CFX2011", { key: key.text, within: "a model", known: modelAttributes }, key)
  }
}
