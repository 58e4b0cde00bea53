/** Models: those that an experiment studies, and those that speak in its conversations. */
import type { Attribute, Experiment, Model, Name, Protocol } from "../../grammar/ast.ts"
import { isAddress } from "../address.ts"
import type { CompileOptions } from "../compiled.ts"
import type { DeviceIR, ModelIR, ServedIR } from "../ir.ts"
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

/** Attributes that are columns. The others say by what a file is verified, and how a model is opened, reached and addressed. */
const columns = ["family", "size", "quantization"]

/** The attributes of a model that are columns. */
export const attributesOf = ({ attributes }: Model): readonly string[] =>
  attributes.flatMap(({ key }) => (columns.includes(key.text) ? [key.text] : []))

/**
 * A model under the name that it has in the spec, as replaced by `--model`: then it is that file, even where a server was declared, and the
 * declared size and sum no longer hold.
 */
export const lowerModel = (name: string, bound: Bound<Model>, options: CompileOptions): ModelIR => {
  const { declaration, module } = bound
  const replaced = replacementOf(name, options.models)
  const written = (key: string) => declaration.attributes.find((one) => one.key.text === key)?.value
  const { number, word } = plainly(written)
  const bytes = number("bytes")
  const sha256 = word("sha256")
  const template = templateOf(written("template"))
  const device = deviceOf(written)
  const described = columns.flatMap((key) => {
    const value = written(key)
    const plain = value === undefined ? undefined : plainValue(value)
    return plain === undefined ? [] : [[key, plain] as const]
  })
  const isServer = declaration.engine.text === "server" && replaced === undefined
  return {
    name,
    engine: isServer ? "server" : "gguf",
    file: replaced ?? placeOf(lowerPlain(declaration.file), module.path),
    ...(replaced === undefined && bytes !== undefined ? { bytes } : {}),
    ...(replaced === undefined && sha256 !== undefined ? { sha256: sha256.toLowerCase() } : {}),
    ...(isServer ? { served: servedOf(declaration, written) } : {}),
    ...(isServer || device === undefined ? {} : { device }),
    ...(template === undefined ? {} : { template }),
    ...(word("system") === "into_user" ? { system: "into_user" } : {}),
    attributes: Object.fromEntries(described),
    doc: declaration.doc,
    origin: originOf(bound, declaration.name.span),
  }
}

type Written = (key: string) => Attribute["value"] | undefined

/** Values as numbers and as words; none where they are of another kind, which the checks report. */
const plainly = (written: Written) => {
  const plain = (key: string) => {
    const value = written(key)
    return value === undefined ? undefined : plainValue(value)
  }
  return {
    number: (key: string): number | undefined => {
      const value = plain(key)
      return typeof value === "number" ? value : undefined
    },
    word: (key: string): string | undefined => {
      const value = plain(key)
      return typeof value === "string" ? value : undefined
    },
  }
}

const servedOf = (declaration: Model, written: Written): ServedIR => {
  const { number, word } = plainly(written)
  const key = word("key")
  const numbers = {
    logprobs: number("logprobs"),
    concurrency: number("concurrency"),
    rate: number("rate"),
    retries: number("retries"),
    timeout: number("timeout"),
    maxCalls: number("max_calls"),
    maxTokens: number("max_tokens"),
  }
  return {
    name: word("name") ?? declaration.name.text,
    ...(key === undefined ? {} : { key }),
    ...defined(numbers),
  }
}

/** Kinds of devices that a file is opened on. */
export const gpus = ["auto", "none", "cuda", "metal", "vulkan"] as const

const deviceOf = (written: Written): DeviceIR | undefined => {
  const { number, word } = plainly(written)
  const gpu = gpus.find((one) => one === word("gpu"))
  const device = defined({ gpu, layers: number("layers"), context: number("context") })
  return Object.keys(device).length === 0 ? undefined : device
}

/** Without the entries that have no value. */
const defined = <T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
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
