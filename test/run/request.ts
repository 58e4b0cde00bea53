/** What a run is asked for, around the small spec. */

import { meaningHash } from "../../compiler/hash.ts"
import type { Program } from "../../compiler/ir.ts"
import { silent } from "../../runtime/run/progress.ts"
import type { RunRequest } from "../../runtime/run/run.ts"
import { pool, program as study } from "./fixture.ts"

/** Nothing is said, and no read is taken again but where a test is about that. */
export const silently = { version: "0.1.0", progress: silent, audit: 0 }

export function request(
  directory: string,
  change: {
    readonly program?: Program
    readonly items?: number
    readonly limit?: number
    readonly experiment?: string
    readonly mode?: "exact" | "fast"
    /** Reads that are taken again. */
    readonly audit?: number
    /** Its text. */
    readonly spec?: string
    /** Texts of more libraries, by name. */
    readonly libraries?: Readonly<Record<string, string>>
    /** Names that were given other files. */
    readonly replaced?: RunRequest["replaced"]
  } = {},
): RunRequest {
  const {
    program = study,
    items = 6,
    limit,
    experiment,
    mode = "exact",
    audit = 0,
    spec = "experiment study {}\n",
    libraries = {},
    replaced,
  } = change
  return {
    compiled: {
      program,
      hash: meaningHash(program),
      items: pool(items),
      absent: new Map(),
      diagnostics: [],
      sources: new Map([
        ["/home/someone/study.cfx", { name: "study.cfx", text: spec }],
        ["/lib/words.cfx", { name: "std/words.cfx", text: "/// words\n" }],
        ...Object.entries(libraries).map(([name, text]) => [`/lib/${name}`, { name, text }] as const),
      ]),
    },
    directory,
    engine: "simulated",
    mode,
    ...(limit === undefined ? {} : { limit }),
    ...(experiment === undefined ? {} : { experiment }),
    ...(replaced === undefined ? {} : { replaced }),
    ...silently,
    audit,
  }
}
