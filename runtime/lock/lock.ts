/** `cfx.lock`: what the specs beside it depend on, as YAML with its keys in order, so that a change of it is read in a diff. */
import { Result, Schema, SchemaIssue } from "effect"
import { type Document, isNode, parseDocument, stringify } from "yaml"
import { canonicalJson, sha256 } from "../../compiler/hash.ts"
import type { Source, Span } from "../../grammar/source.ts"

export { LOCK } from "./place.ts"

export const FORMAT = 1

export { UNLOCKED } from "../hub/address.ts"

/** Of one spec. What is not known is left out, and is not compared. */
export interface Lock {
  /** Version of cfx. */
  readonly cfx: string
  readonly engine: EngineLock
  /** By the model's name in the spec. */
  readonly models: Readonly<Record<string, ModelLock>>
  /** By the pool's name in the spec. */
  readonly pools: Readonly<Record<string, PoolLock>>
  /** By the library's name, as `importedBy` gives it. */
  readonly libraries: Readonly<Record<string, LibraryLock>>
}

export interface EngineLock {
  readonly "node-llama-cpp"?: string
  /** The release of llama.cpp that its prebuilt binaries are made from. */
  readonly prebuilt?: string
  /** Where the lock was written; elsewhere numbers agree within a tolerance only. */
  readonly platform: string
}

export interface ModelLock {
  /** A path seen from the lock, `std/...`, `hf:...` or a server's address; none for a file that the command line gave. */
  readonly source?: string
  /** The command line gave the file (`--model`). */
  readonly given?: true
  /** A commit of the hub's, or `unlocked`. */
  readonly revision?: string
  readonly bytes?: number
  readonly sha256?: string
}

export interface PoolLock {
  /** An address on the hub, or the folder of a run. */
  readonly source?: string
  /** The command line gave the data (`--items`). */
  readonly given?: true
  readonly revision?: string
  /** By path seen from the lock; by name for what the command line gave. */
  readonly files?: Readonly<Record<string, { readonly sha256?: string; readonly rows?: number }>>
  /** Hash of the plan of a run whose texts are the items. */
  readonly plan?: string
}

export interface LibraryLock {
  /** Of its npm package. */
  readonly version?: string
  /** Hash of the meaning by the name of each declaration that is imported. */
  readonly meanings: Readonly<Record<string, string>>
}

export interface LockFile {
  readonly format: typeof FORMAT
  /** By the spec's file name. */
  readonly specs: Readonly<Record<string, Lock>>
}

const Sum = Schema.optionalKey(Schema.String)
const Flag = Schema.optionalKey(Schema.Literal(true))
const Count = Schema.optionalKey(Schema.Number)
const byName = <S extends Schema.Top>(schema: S) => Schema.Record(Schema.String, schema)

const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    format: Schema.Literal(FORMAT),
    specs: byName(
      Schema.Struct({
        cfx: Schema.String,
        engine: Schema.Struct({ "node-llama-cpp": Sum, prebuilt: Sum, platform: Schema.String }),
        models: byName(Schema.Struct({ source: Sum, given: Flag, revision: Sum, bytes: Count, sha256: Sum })),
        pools: byName(
          Schema.Struct({
            source: Sum,
            given: Flag,
            revision: Sum,
            files: Schema.optionalKey(byName(Schema.Struct({ sha256: Sum, rows: Count }))),
            plan: Sum,
          }),
        ),
        libraries: byName(Schema.Struct({ version: Sum, meanings: byName(Schema.String) })),
      }),
    ),
  }),
  { errors: "all" },
)

const problemsOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** A lock and the places of what it says. */
export interface ReadLock {
  readonly file: LockFile
  readonly source: Source
  /** Where the value at this path of keys stands; the whole text's start where there is none. */
  readonly spanOf: (path: readonly string[]) => Span
}

/** Reads a lock's text; or says why it is none. */
export function readLock(source: Source): ReadLock | { readonly problem: string } {
  const document = parseDocument(source.text, { version: "1.2", uniqueKeys: true })
  const [broken] = document.errors
  if (broken !== undefined) return { problem: `it is not YAML: ${broken.message.split("\n")[0]}` }
  const value = plain(document)
  if (value === undefined) return { problem: "it has aliases, which no lock has" }
  const decoded = decode(value)
  if (Result.isSuccess(decoded)) {
    return { file: decoded.success, source, spanOf: (path) => spanOf(document, path) }
  }
  const [issue] = problemsOf(decoded.failure.issue).issues
  const place = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  return { problem: `${place.length === 0 ? "the whole" : place.join(".")}: ${issue?.message.toLowerCase()}` }
}

/** What a document says; nothing where it has aliases, which could make a small text a huge value. */
function plain(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 }) ?? null
  } catch {
    return undefined
  }
}

function spanOf(document: Document, path: readonly string[]): Span {
  for (let keys = path; keys.length > 0; keys = keys.slice(0, -1)) {
    const node = document.getIn(keys, true)
    if (isNode(node) && node.range) return { start: node.range[0], end: node.range[1] }
  }
  return { start: 0, end: 0 }
}

const HEAD =
  "# What the specs of this folder depend on. Written by cfx lock; cfx lock SPEC --update writes it anew.\n"

/** The text of a lock: the same for the same content. */
export const lockText = (file: LockFile): string =>
  `${HEAD}${stringify(file, { lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false })}`

/** sha256 of what a lock says of one spec, for `run.json`. */
export const lockSum = (lock: Lock): string => sha256(canonicalJson(lock))
