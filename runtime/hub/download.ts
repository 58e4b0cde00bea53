/** One file over HTTP onto the disk: goes on where an earlier try stopped, and is there under its name only when its size and sum are right. */
import { existsSync, rmSync, statSync, truncateSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { diskFailure, makeFolder, readIfThere, writeFileAtomic } from "../disk/disk.ts"
import { parsed } from "../disk/json.ts"
import { type FileSum, sumAt } from "../disk/sums.ts"
import { EnvironmentFailure } from "../failure.ts"
import { again } from "./again.ts"
import { otherFile, type Wanted } from "./failures.ts"
import type { Settings } from "./settings.ts"
import { sized, type Watch } from "./watch.ts"
import { type Answer, get, Passing, Refused } from "./wire.ts"

export interface Download extends Wanted {
  readonly url: string
  /** As those who know say, by who says it: the hub, the lock or the declaration. */
  readonly bytes?: number
  readonly sha256?: string
}

/** Left on the disk by this much; a file system that is full to the last byte serves nobody. */
const MARGIN = 64 * 1024 * 1024

/** What came so far, and the mark that its server gave that state of the file. */
const partOf = (place: string): string => `${place}.part`
const markOf = (place: string): string => `${place}.part.json`

/**
 * Fetches a file to its place.
 * @throws EnvironmentFailure where the disk has no room or the file is not the one that is wanted; Passing, Refused
 */
export async function download(
  file: Download,
  settings: Settings,
  watch: Watch,
  signal: AbortSignal,
): Promise<FileSum> {
  const { place } = file
  makeFolder(dirname(place))
  const part = partOf(place)
  let before = sizeOf(part)
  if (before > 0) watch.note(`${basename(place)}: going on after the ${sized(before)} that are there`)
  checkRoom(file, before, settings)
  await again(() => receive(file, settings, watch, signal), {
    pauses: settings.pauses,
    watch,
    signal,
    advanced: () => {
      const now = sizeOf(part)
      const more = now > before
      before = now
      return more
    },
  })
  watch.begin({ doing: "checking the sum of", name: basename(place), done: 0, total: sizeOf(part) })
  const sum = await sumAt(part, settings.home, { passed: watch.passed, signal }).finally(watch.end)
  if (sum === undefined) throw diskFailure(new Error("it is not a file"), "read the file", part)
  checkPart(file, sum, part)
  await rename(part, place)
  rmSync(markOf(place), { force: true })
  return sum
}

function checkRoom({ bytes, place }: Download, before: number, { free }: Settings): void {
  const folder = dirname(place)
  const room = free(folder)
  if (bytes === undefined || bytes - before + MARGIN <= room) return
  throw new EnvironmentFailure({
    what: `the disk has room for ${sized(room)}, and ${basename(place)} takes ${sized(bytes - before)} more`,
    where: folder,
    todo: "free some space, or let CFX_HOME name a folder on a larger disk",
  })
}

/** One connection's worth of the file. Resolves when all of it is there. */
async function receive(file: Download, settings: Settings, watch: Watch, signal: AbortSignal): Promise<void> {
  const { place, bytes } = file
  const part = partOf(place)
  const before = sizeOf(part)
  if (before > 0 && before === bytes) return
  const mark = before > 0 ? markAt(place) : undefined
  const range =
    before === 0
      ? undefined
      : // Without a mark the file may have changed since; its sum tells in the end.
        { range: `bytes=${before}-`, ...(mark === undefined ? {} : { "if-range": mark }) }
  const answer = await get(settings, file.url, { ...range }, signal)
  try {
    const { from, total } = continued(answer, before, file)
    if (bytes !== undefined && total !== undefined && total !== bytes)
      throw otherFile(
        { ...file, model: file.model },
        `has ${total} bytes where it is fetched from`,
        `and not the ${bytes} that are known of it`,
        "check the address, its revision and the declaration; cfx lock SPEC --update asks the hub anew",
      )
    const now = strongMark(answer)
    if (from > 0 && mark !== undefined && now !== undefined && now !== mark) {
      // It was to send the whole file then, and did not.
      truncateSync(part, 0)
      throw new Passing(`${basename(place)} is another file by now where it is fetched from: it starts over`)
    }
    if (from === 0 && before > 0) {
      watch.note(`${basename(place)}: its server does not go on after ${sized(before)}; it starts over`)
      truncateSync(part, 0)
    }
    if (from === before && before > 0 && total === before) return
    keepMark(place, answer)
    const end = bytes ?? total
    watch.begin({
      doing: "fetching",
      name: basename(place),
      done: from,
      ...(end === undefined ? {} : { total: end }),
    })
    await append(part, answer, watch).finally(watch.end)
    const came = sizeOf(part)
    if (end !== undefined && came < end)
      throw new Passing(`${basename(place)} ended after ${sized(came)} of ${sized(end)}`)
  } finally {
    answer.close()
  }
}

/** At which byte of the file an answer begins, and how long the whole file is. */
function continued(
  { status, headers }: Answer,
  before: number,
  file: Download,
): { readonly from: number; readonly total: number | undefined } {
  if ((headers.get("content-encoding") ?? "identity") !== "identity")
    throw new Refused(status, "a compressed file, which was not asked for", new URL(file.url).host)
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get("content-range") ?? "")
  const total = range?.[2] === undefined || range[2] === "*" ? undefined : Number(range[2])
  if (status === 200) {
    const length = headers.get("content-length")
    return { from: 0, total: length === null ? undefined : Number(length) }
  }
  if (status === 416) {
    if (total === before) return { from: before, total }
    throw new EnvironmentFailure({
      what: `the part of ${basename(file.place)} that is there is longer than the file (${before} bytes of ${total ?? "fewer"})`,
      where: partOf(file.place),
      todo: "remove it and run the same command again",
    })
  }
  if (Number(range?.[1]) !== before)
    throw new Refused(status, "another piece of the file than was asked for", new URL(file.url).host)
  return { from: before, total }
}

async function append(part: string, { pieces }: Answer, watch: Watch): Promise<void> {
  const disk = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work()
    } catch (error) {
      throw diskFailure(error, "write the file", part)
    }
  }
  const handle = await disk(() => open(part, "a"))
  try {
    for await (const piece of pieces) {
      await disk(() => handle.appendFile(piece))
      watch.passed(piece.length)
    }
  } finally {
    await handle.close()
  }
}

/** Nothing is deleted: the part that came stays, so that a person can look at it. */
function checkPart(file: Download, { bytes, sha256 }: FileSum, part: string): void {
  const todo = `remove ${part} and run the same command again; where it stays so, check the declaration, cfx.lock and HF_ENDPOINT`
  if (file.bytes !== undefined && bytes !== file.bytes)
    throw otherFile(file, `came with ${bytes} bytes`, `and not the ${file.bytes} that are known of it`, todo)
  if (file.sha256 !== undefined && sha256 !== file.sha256.toLowerCase())
    throw otherFile(
      file,
      `came with sha256 ${sha256}`,
      `and not the ${file.sha256.toLowerCase()} that is known of it`,
      todo,
    )
}

/** Only a strong mark says that bytes are the same. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 */
function strongMark({ headers }: Answer): string | undefined {
  const etag = headers.get("etag")
  return etag === null || etag.startsWith("W/") ? undefined : etag
}

function keepMark(place: string, answer: Answer): void {
  const etag = strongMark(answer)
  if (etag !== undefined) writeFileAtomic(markOf(place), `${JSON.stringify({ etag })}\n`)
  else rmSync(markOf(place), { force: true })
}

function markAt(place: string): string | undefined {
  const value = parsed(readIfThere(markOf(place)) ?? "")
  const etag = typeof value === "object" && value !== null ? (value as { etag?: unknown }).etag : undefined
  return typeof etag === "string" ? etag : undefined
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)
