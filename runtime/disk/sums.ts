/** Sums of files. Those of large ones are remembered by size and time, so that a check of a spec does not read gigabytes each time. */
import { createHash } from "node:crypto"
import { createReadStream, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { readIfThere, writeFileAtomic } from "./disk.ts"
import { cfxHome } from "./home.ts"
import { parsed } from "./json.ts"

export interface FileSum {
  readonly bytes: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
}

/** From so many bytes on a sum is remembered. */
const LARGE = 64 * 1024 * 1024

/**
 * The size and sum of a file, with a word for each piece that is read, and an end where the signal says so; none of what is not a file.
 * @throws what the system says of a file that cannot be read
 */
export async function sumAt(
  path: string,
  home: string = cfxHome(),
  { passed, signal }: { readonly passed?: (bytes: number) => void; readonly signal?: AbortSignal } = {},
): Promise<FileSum | undefined> {
  const stat = statSync(path, { bigint: true })
  if (!stat.isFile()) return undefined
  const bytes = Number(stat.size)
  if (bytes < LARGE) return { bytes, sha256: sumOf(readFileSync(path)) }
  const state = `${stat.size} ${stat.mtimeNs} ${stat.ino}`
  const kept = remembered(home)
  const known = Object.hasOwn(kept, path) ? kept[path] : undefined
  if (known?.state === state) return { bytes, sha256: known.sha256 }
  const sha256 = await sha256File(path, passed, signal)
  remember(home, { ...remembered(home), [path]: { state, sha256 } })
  return { bytes, sha256 }
}

/** The sha256 (hex) of a file, read as a stream. `passed` hears of each piece, in bytes. */
export async function sha256File(
  path: string,
  passed: (bytes: number) => void = () => {},
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path, {
    highWaterMark: 1 << 20,
    ...(signal ? { signal } : {}),
  })) {
    hash.update(piece as Buffer)
    passed((piece as Buffer).length)
  }
  return hash.digest("hex")
}

/** Whether the sum of a file is remembered, and takes long enough to be waited for. */
export const isLarge = (path: string): boolean => statSync(path).size >= LARGE

/** Of some bytes, in 64 hexadecimal digits. */
export const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

type Remembered = Readonly<Record<string, { readonly state: string; readonly sha256: string }>>

const NAME = "sums.json"

/** What cannot be read is as good as not there: the sums are taken anew. */
function remembered(home: string): Remembered {
  const value = parsed(readIfThere(join(home, NAME)) ?? "")
  return typeof value === "object" && value !== null ? (value as Remembered) : {}
}

function remember(home: string, sums: Remembered): void {
  try {
    writeFileAtomic(join(home, NAME), `${JSON.stringify(sums, null, 2)}\n`)
  } catch {
    // A cache that cannot be written costs time and nothing else.
  }
}
