/** Models: those that an experiment studies, and those that speak in its conversations. */
import type { Attribute, Experiment, Model, Name, Protocol } from "../../grammar/ast.ts"
import { isAddress } from "../address.ts"
import type { CompileOptions } from "../compiled.ts"
import type { ModelIR } from "../ir.ts"
import { relativeTo } from "../load.ts"
import type { Bound } from "../resolve.ts"
import { factorLevels, fieldsOf, modelsOf } from "./columns.ts"
import { isRole } from "./slotFills.ts"
import { lowerPlain, originOf } from "./text.ts"

/** The models that an experiment takes part with, by name: the studied ones, the levels of its roles, and those that its protocol names. */
export const namedModels = (experiment: Experiment, protocol: Protocol | undefined): readonly Name[] => [
  ...modelsOf(experiment),
  ...fieldsOf(experiment, "factor").flatMap((field) =>
    protocol !== undefined && isRole(field.factor.text, protocol)
      ? factorLevels(field, experiment).flatMap((level) => (level.kind === "name" ? [level] : []))
      : [],
  ),
  ...(protocol?.turns ?? []).flatMap(({ by }) => by ?? []),
  ...(protocol?.fields ?? []).flatMap((field) => (field.field === "judge" ? (field.by ?? []) : [])),
]

/** Attributes that are not columns: what a file is verified by, and how a model is reached and addressed. */
const settings = ["bytes", "sha256", "name", "key", "template"]

/** The attributes of a model that are columns. */
export const attributesOf = ({ attributes }: Model): readonly string[] =>
  attributes.flatMap(({ key }) => (settings.includes(key.text) ? [] : [key.text]))

/** A model under the name that it has in the spec, its file as replaced by `--model`: then its declared size and sum no longer hold. */
export const lowerModel = (name: string, bound: Bound<Model>, options: CompileOptions): ModelIR => {
  const { declaration, module } = bound
  const replaced = replacementOf(name, options.models)
  const writtenValue = (key: string) => declaration.attributes.find((one) => one.key.text === key)?.value
  const plainOf = (key: string) => {
    const value = writtenValue(key)
    return value === undefined ? undefined : plainValue(value)
  }
  const bytes = plainOf("bytes")
  const sha256 = plainOf("sha256")
  const template = templateOf(writtenValue("template"))
  const key = plainOf("key")
  const isServer = declaration.engine.text === "server"
  const columns = declaration.attributes.flatMap(({ key, value }) => {
    const plain = settings.includes(key.text) ? undefined : plainValue(value)
    return plain === undefined ? [] : [[key.text, plain] as const]
  })
  return {
    name,
    engine: isServer ? "server" : "gguf",
    file: replaced ?? placeOf(lowerPlain(declaration.file), module.path),
    ...(replaced === undefined && typeof bytes === "number" ? { bytes } : {}),
    ...(replaced === undefined && typeof sha256 === "string" ? { sha256: sha256.toLowerCase() } : {}),
    ...(isServer
      ? {
          served: {
            name: String(plainOf("name") ?? declaration.name.text),
            ...(key === undefined ? {} : { key: String(key) }),
          },
        }
      : {}),
    ...(template === undefined ? {} : { template }),
    attributes: Object.fromEntries(columns),
    doc: declaration.doc,
    origin: originOf(bound, declaration.name.span),
  }
}

/** An address stays as it is written; a file stands beside the file that names it. */
const placeOf = (file: string, from: string): string => (isAddress(file) ? file : relativeTo(from, file))

/** What stands in for a declared file, of a model or of a pool; a name such as `constructor` must not find what every object has. */
export const replacementOf = (
  name: string,
  files: Readonly<Record<string, string>> | undefined,
): string | undefined => (files !== undefined && Object.hasOwn(files, name) ? files[name] : undefined)

const plainValue = (value: Attribute["value"]): string | number | undefined => {
  if (value.kind === "number") return value.value
  if (value.kind === "name") return value.text
  return value.kind === "text" ? lowerPlain(value) : undefined
}

/** Variables of a chat template; `true` and `false` are what a template takes them for. */
const templateOf = (value: Attribute["value"] | undefined): ModelIR["template"] => {
  if (value === undefined) return undefined
  if (value.kind !== "attributes") return "plain"
  return Object.fromEntries(
    value.attributes.flatMap(({ key, value: inner }) => {
      const plain = plainValue(inner)
      if (plain === undefined) return []
      const isTruth = inner.kind === "name" && (plain === "true" || plain === "false")
      return [[key.text, isTruth ? plain === "true" : plain] as const]
    }),
  )
}
