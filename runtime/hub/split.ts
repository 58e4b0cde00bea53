/** Models in several files, as llama.cpp splits them: `name-00001-of-00003.gguf` and on. The engine opens the first and finds the others by its name. */
import { basename } from "node:path"
import { cfxHome } from "../disk/home.ts"
import { type FileSum, sumAt, sumOf } from "../disk/sums.ts"
import { type SumWatch, unwatched } from "./watch.ts"

const PART = /^(.*-)(\d{5})-of-(\d{5})\.gguf$/
/** More than any model has; a larger number is a name that means something else. */
const MOST = 9999

/** The names of all parts of the file that this path names, first to last, in the same folder; the path alone where it is whole. */
export function partsOf(path: string): readonly string[] {
  const name = basename(path)
  const [, head = "", , of = ""] = PART.exec(name) ?? []
  const count = Number(of)
  if (of === "" || count < 1 || count > MOST) return [path]
  const folder = path.slice(0, path.length - name.length)
  return Array.from(
    { length: count },
    (_, index) => `${folder}${head}${String(index + 1).padStart(5, "0")}-of-${of}.gguf`,
  )
}

export interface PartSum {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/**
 * Size and sum of a model: of one file its own; of several the sum of what `sha256sum name-*.gguf` prints in their folder, so that a hub's sums of the
 * parts are enough to know it.
 */
export function wholeSum(parts: readonly PartSum[]): { readonly bytes: number; readonly sha256: string } {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return { bytes, sha256: only.sha256 }
  const lines = parts.map(({ name, sha256 }) => `${sha256}  ${basename(name)}\n`).join("")
  return { bytes, sha256: sumOf(Buffer.from(lines, "utf8")) }
}

/** Size and sum of the model at a path on this machine; none where a part is missing, or cannot be read: whoever opens it says so. */
export async function modelSum(
  path: string,
  watch: SumWatch = unwatched,
  home: string = cfxHome(),
): Promise<FileSum | undefined> {
  const sums: PartSum[] = []
  for (const part of partsOf(path)) {
    watch.begin({ doing: "checking the sum of", name: basename(part), done: 0 })
    try {
      const sum = await sumAt(part, home, { passed: watch.passed })
      if (sum === undefined) return undefined
      sums.push({ name: part, ...sum })
    } catch {
      return undefined
    } finally {
      watch.end()
    }
  }
  return wholeSum(sums)
}

/** The same of parts of which not all is known: what is left out of one is left out of the whole. */
export function wholeOf(
  parts: readonly (Pick<PartSum, "name"> & Partial<PartSum>)[],
): Partial<Omit<PartSum, "name">> {
  const { bytes, sha256 } = wholeSum(
    parts.map(({ name, bytes = 0, sha256 = "" }) => ({ name, bytes, sha256 })),
  )
  return {
    ...(parts.some((part) => part.bytes === undefined) ? {} : { bytes }),
    ...(parts.some((part) => part.sha256 === undefined) ? {} : { sha256 }),
  }
}
