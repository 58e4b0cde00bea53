import { createHash } from "node:crypto"
import { posix } from "node:path"
import { isAddress } from "./address.ts"
import type { ExperimentIR, ModelIR, PoolIR, PoolSourceIR, Program } from "./ir.ts"

/** JSON with keys in the order of their UTF-16 units and without white space: equal values have one text (RFC 8785's order). */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  return Array.isArray(value) ? listOf(value, canonicalJson) : recordOf(value, canonicalJson)
}

const listOf = (values: readonly unknown[], encode: (value: unknown) => string): string => {
  let text = ""
  for (const value of values) text += text === "" ? encode(value) : `,${encode(value)}`
  return `[${text}]`
}

/** Keys by their UTF-16 units: there are few, so that each is put in its place at once. */
const inOrder = (keys: string[]): readonly string[] => {
  if (keys.length > 20) return keys.sort()
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string
    let place = next
    for (; place > 0 && key < (keys[place - 1] as string); place -= 1) keys[place] = keys[place - 1] as string
    keys[place] = key
  }
  return keys
}

/** Most keys are words, of which JSON escapes nothing. */
const quoted = (key: string): string => (/^\w+$/.test(key) ? `"${key}"` : JSON.stringify(key))

/** `skipped` are keys to leave out. Values that are undefined are left out in any case. */
const recordOf = (
  record: object,
  encode: (value: unknown, key: string) => string,
  skipped?: ReadonlySet<string>,
): string => {
  let text = ""
  for (const key of inOrder(Object.keys(record))) {
    const value = (record as Readonly<Record<string, unknown>>)[key]
    if (value === undefined || skipped?.has(key)) continue
    text += `${text === "" ? "" : ","}${quoted(key)}:${encode(value, key)}`
  }
  return `{${text}}`
}

/** Of a text's UTF-8 bytes, in 64 hexadecimal digits. */
export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

/** What explains and cites, or says when a run counts as failed, and changes nothing that is asked, measured or shown as a result. */
const commentary = new Set(["origin", "doc", "provenance", "allows", "tolerate"])

/** Records whose keys are names that a spec gives, and which hold no commentary: there `doc` is a name like any other. */
const named = new Set([
  "levels",
  "attributes",
  "roles",
  "lists",
  "columns",
  "items",
  "strata",
  "template",
  "assume",
])

/** Records of stimuli, by such names. */
const ofStimuli = new Set(["fills"])

/** A part of a program without what explains, cites and says where it stands. */
export const withoutCommentary = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutCommentary)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !commentary.has(key))
      .map(([key, inner]) => {
        if (named.has(key)) return [key, inner]
        return [key, ofStimuli.has(key) ? eachWithoutCommentary(inner) : withoutCommentary(inner)]
      }),
  )
}

const eachWithoutCommentary = (record: object): unknown =>
  Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, withoutCommentary(inner)]))

/** The canonical JSON of a part of a program without commentary. What several cells and experiments have in common is written once. */
const meaningJson = (value: unknown): string => {
  const written = new Map<object, string>()
  const encode = (value: unknown): string => {
    if (typeof value !== "object" || value === null) return canonicalJson(value)
    const known = written.get(value)
    if (known !== undefined) return known
    const text = Array.isArray(value) ? listOf(value, encode) : recordOf(value, encodeField, commentary)
    written.set(value, text)
    return text
  }
  const encodeField = (inner: unknown, key: string): string => {
    if (named.has(key)) return canonicalJson(inner)
    return ofStimuli.has(key) ? recordOf(inner as object, encode) : encode(inner)
  }
  return encode(value)
}

/**
 * A model is its sum where it declares one, else its file's name: the folder is this machine's. An address is the same everywhere. Where a file is
 * opened, and how fast and how much a server is asked, changes no answer; how long a conversation may be decides which prompts are answered at all.
 */
const identityOfModel = ({ file, bytes, device, served, ...model }: ModelIR): unknown => {
  const asked = {
    ...(served === undefined ? {} : { served: { name: served.name, logprobs: served.logprobs } }),
    ...(device?.context === undefined ? {} : { context: device.context }),
  }
  return model.sha256 === undefined
    ? { ...model, ...asked, bytes, file: isAddress(file) ? file : posix.basename(file) }
    : { ...model, ...asked }
}

/** A pool is its files' names, or its address; of a run, its folder's name. */
const identityOfPool = ({ source, ...pool }: PoolIR): unknown => ({
  ...pool,
  source: identityOfSource(source),
})

const identityOfSource = (source: PoolSourceIR): unknown => {
  switch (source.kind) {
    case "files":
      return { ...source, files: source.files.map((file) => posix.basename(file)) }
    case "hub":
      return source
    case "run":
      return { ...source, folder: posix.basename(source.folder) }
    default:
      return source satisfies never
  }
}

/** Where records of a design have what is no part of what the design means; of records alone it is all there is, and their file goes by its name. */
const identityOfExperiment = ({ records, ...experiment }: ExperimentIR): unknown => {
  if (records?.alone !== true) return experiment
  const { file, ...mapping } = records
  return {
    ...experiment,
    mapping: { ...mapping, ...(file === undefined ? {} : { file: posix.basename(file) }) },
  }
}

const sorted = <T extends { readonly name: string }>(declared: readonly T[]): readonly T[] =>
  [...declared].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/**
 * sha256 of what a program means. Layout, comments, docs, citations, the order of declarations and the folders of files leave it as
 * it is; a character of a stimulus, a level, a measure or a seed changes it. What stands in item files is not part of it.
 */
export const meaningHash = (program: Program): string => {
  const { version, models, pools, experiments } = program
  const meaning = {
    version,
    models: sorted(models).map(identityOfModel),
    pools: sorted(pools).map(identityOfPool),
    experiments: sorted(experiments).map(identityOfExperiment),
  }
  return sha256(meaningJson(meaning))
}
