/**
 * What the records of a large run come to, kept in its folder, so that a report need not make them anew: four fifths of its time went into that. The file
 * says of which plan, ledger and program it is. Where it is of others, damaged or lost, everything is gathered again, and comes to the same.
 */
import { createHash } from "node:crypto"
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { sha256 } from "../../compiler/hash.ts"
import { pack, unpack } from "../compact/packing.ts"
import { writeFileAtomic } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import { type PackedTable, TrialTable } from "../measure/table.ts"
import { files } from "./directory.ts"
import type { RunFindings } from "./gathered.ts"
import type { Plan } from "./plan.ts"

/** Trials from which on the file is written: to go through fewer takes a second or two. */
const LARGE = 20_000

interface Kept extends Omit<RunFindings, "tables"> {
  readonly tables: ReadonlyMap<string, PackedTable>
}

/** Hexadecimal digits of a sum. */
const SUM = 64

/** What is kept under this key; undefined where nothing is, or where it cannot be read: then all is gathered anew. */
export function readGathered(directory: string, plan: Plan, key: string): RunFindings | undefined {
  try {
    const bytes = readFileSync(join(directory, files.gathered))
    const body = bytes.subarray(2 * SUM)
    const head = `${key}${createHash("sha256").update(body).digest("hex")}`
    return bytes.toString("latin1", 0, 2 * SUM) === head ? unpacked(body, plan) : undefined
  } catch {
    return undefined
  }
}

function unpacked(body: Uint8Array, plan: Plan): RunFindings {
  const { tables, ...kept } = unpack(body) as Kept
  const experiments = new Map(plan.program.experiments.map((experiment) => [experiment.name, experiment]))
  const entries = [...tables].flatMap(([name, packed]) => {
    const experiment = experiments.get(name)
    return experiment === undefined ? [] : [[name, TrialTable.unpacked(experiment, packed)] as const]
  })
  return { tables: new Map(entries), ...kept }
}

/** Keeps what was gathered under the key, where it is of as many trials as `least`. What the disk does not take is gathered anew when it is asked for. */
export function writeGathered(
  directory: string,
  key: string,
  { tables, ...gathered }: RunFindings,
  least = LARGE,
): void {
  const path = join(directory, files.gathered)
  const trials = [...tables.values()].reduce((sum, { rows }) => sum + rows, 0)
  try {
    if (trials < least) rmSync(path, { force: true })
    else {
      const packed = [...tables].map(([name, table]) => [name, table.packed()] as const)
      // Once for the sum and the file: the same value is not always serialised to the same bytes.
      const pieces = [...pack({ ...gathered, tables: new Map(packed) } satisfies Kept)]
      const sum = createHash("sha256")
      for (const piece of pieces) sum.update(piece)
      writeFileAtomic(path, [`${key}${sum.digest("hex")}`, ...pieces])
    }
  } catch (failure) {
    const refused =
      failure instanceof EnvironmentFailure || (failure as NodeJS.ErrnoException).code !== undefined
    if (!refused) throw failure
  }
}

/**
 * Of all that decides what is gathered: the plan, the answers as they stand in the ledger now, and the programs that gather and that wrote the arrays. To be
 * taken before the answers are read: a run that goes on meanwhile has others when all is gathered.
 */
export function keyOf(directory: string, plan: Plan): string {
  const { node } = process.versions
  const ledger = sumOfFile(join(directory, files.ledger)) ?? ""
  return sha256(JSON.stringify([plan, ledger, PROGRAM, node, process.arch]))
}

/** Of the bundle this is a part whose name has the sum of all code that it rests on: no two builds read each other's files. From source it is the same for all. */
const PROGRAM = basename(import.meta.url)

/** Undefined where there is no such file. */
function sumOfFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const sum = createHash("sha256")
  const file = openSync(path, "r")
  try {
    const piece = Buffer.allocUnsafeSlow(1 << 20)
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece))
      sum.update(piece.subarray(0, size))
  } finally {
    closeSync(file)
  }
  return sum.digest("hex")
}
