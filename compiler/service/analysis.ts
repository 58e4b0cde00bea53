/** What an editor asks of a file: its tree, what its names stand for, and all that is wrong with it. */
import { posix } from "node:path"
import type { Source } from "../../grammar/source.ts"
import { compile } from "../compile.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Files } from "../files.ts"
import type { Program } from "../ir.ts"
import { load, type Module, otherLibraries } from "../load.ts"
import { once } from "../memo.ts"
import { type Names, resolve } from "../resolve.ts"

export interface Analysis {
  readonly module: Module
  /** The file and every library that it needs. */
  readonly modules: readonly Module[]
  readonly names: Names
  /** Of all these files and of item files, as `cfx check` gives them. */
  readonly diagnostics: readonly Diagnostic[]
  /** What the file means; none where there is an error. */
  readonly program: Program | undefined
  /** The absolute path of a file that a diagnostic speaks of, by what it was read as. */
  readonly pathOf: (source: Source) => string
  /** Whether anything rests on a file or folder: whether it was read, or would have been if it were there. */
  readonly restsOn: (path: string) => boolean
  /** Libraries of the standard library that the file does not import: what it could. */
  readonly others: readonly Module[]
}

/** Nothing where the file cannot be read. */
export const analyse = (path: string, disk: Files): Analysis | undefined => {
  const { files, begin } = noting(disk)
  const asked = begin()
  const { modules } = load(path, files)
  const [module] = modules
  if (module === undefined) return undefined
  // They are many, and asked for only where something is missing or written.
  const others = lazy(() => otherLibraries(modules, files))
  const { names } = resolve(modules, others)
  const { diagnostics, program } = compile(path, files)
  return {
    module,
    modules,
    names,
    diagnostics,
    program,
    pathOf: (source) => pathOf(source, asked, files),
    restsOn: (other) => restsOn(other, asked),
    get others() {
      return others()
    },
  }
}

const lazy = <V>(make: () => V): (() => V) => {
  let made: { readonly value: V } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What was asked of files while one file was analysed. */
interface Asked {
  readonly texts: Map<string, Set<string>>
  readonly folders: Set<string>
}

/**
 * Files that note what is asked of them. One for each disk: libraries that are parsed already are known by the files that they were read from.
 */
const noting = once((disk: Files) => {
  let asked: Asked = { texts: new Map(), folders: new Set() }
  const files: Files = {
    ...disk,
    read: (path) => {
      const found = disk.read(path)
      const texts = asked.texts.get(path) ?? new Set()
      asked.texts.set(path, "text" in found ? texts.add(found.text) : texts)
      return found
    },
    list: (path) => {
      asked.folders.add(path)
      return disk.list(path)
    },
  }
  const begin = (): Asked => {
    asked = { texts: new Map(), folders: new Set() }
    return asked
  }
  return { files, begin }
})

const pathOf = ({ name, text }: Source, { texts }: Asked, files: Files): string => {
  for (const [path, known] of texts) if (known.has(text) && files.show(path) === name) return path
  throw new Error(`internal: ${name} was not read`)
}

const restsOn = (path: string, { texts, folders }: Asked): boolean =>
  texts.has(path) ||
  folders.has(posix.dirname(path)) ||
  [...texts.keys()].some((one) => one.startsWith(`${path}/`))
