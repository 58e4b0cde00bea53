/** The main grid of `bench/floor.cfx`, carried out with simulated answers: how many tokens an engine would evaluate for it, and how many there are at least. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"
import { compile } from "../../compiler/compile.ts"
import { Backend, type ModelFile, type ReadRequest, type TokenModel } from "../../runtime/backend/backend.ts"
import type { Mode } from "../../runtime/backend/scorer.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { pathsOf, tokensOf } from "../../runtime/read/steps.ts"
import { progress } from "../../runtime/run/progress.ts"
import { run } from "../../runtime/run/run.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

export interface Sharing {
  readonly reads: number
  /** Tokens that are evaluated, wave by wave, as counted. */
  readonly evaluated: number
  /** Tokens of the trie of all reads together: no engine evaluates less. */
  readonly ideal: number
  /** Tokens of all prompts, each from its start. */
  readonly naive: number
}

/** `tokens`: whose tokens and chat template are taken; the simulated engine's own where left out. */
export async function sharingOnTheFloor(
  mode: Mode,
  tokens: Pick<TokenModel, "vocabulary" | "chatTemplate"> | undefined = undefined,
  limit = 20,
): Promise<Sharing> {
  const compiled = compile(
    join(project, "bench/floor.cfx"),
    diskFiles({ here: project, stdlib: join(project, "stdlib") }),
  )
  const { program, hash } = compiled
  if (program === undefined || hash === undefined) throw new Error("the floor's grid does not compile")
  const asked = new Map<string, ReadRequest>()
  let evaluated = 0
  const load = (file: ModelFile) =>
    Effect.sync((): TokenModel => {
      const model = simulatedModel(file, { mode })
      return {
        ...model,
        ...(tokens === undefined ? {} : { vocabulary: tokens.vocabulary, chatTemplate: tokens.chatTemplate }),
        score: (reads) => {
          // An audit takes reads again.
          if (!reads.every(({ key }) => asked.has(key))) evaluated += model.count(reads)
          for (const read of reads) asked.set(read.key, read)
          return model.score(reads)
        },
      }
    })
  const folder = await mkdtemp(join(tmpdir(), "cfx-floor-"))
  const request = run({
    compiled: { ...compiled, program, hash },
    directory: join(folder, "run"),
    engine: "llama",
    mode,
    version: "0.0.0",
    limit,
    progress: progress({ write: () => {}, redraw: false, now: () => performance.now() }),
  })
  await Effect.runPromise(request.pipe(Effect.provide(Layer.succeed(Backend, { load }))))
  await rm(folder, { recursive: true })
  const reads = [...asked.values()]
  const { prefixes, naive } = trieOf(reads)
  return { reads: reads.length, evaluated, ideal: prefixes, naive }
}

/** Nodes of the trie of all tokens, one by one. */
function trieOf(reads: readonly ReadRequest[]): { readonly prefixes: number; readonly naive: number } {
  type Node = Map<number, Node>
  const root: Node = new Map()
  let prefixes = 0
  let naive = 0
  for (const { chunks } of reads.flatMap(pathsOf)) {
    naive += tokensOf(chunks.map((chunk) => ({ chunk })))
    let at = root
    for (const token of chunks.flat()) {
      let next = at.get(token)
      if (next === undefined) {
        next = new Map()
        at.set(token, next)
        prefixes += 1
      }
      at = next
    }
  }
  return { prefixes, naive }
}
