import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { compile } from "../../compiler/compile.ts"
import { type LlamaOptions, llamaBackend } from "../../runtime/backend/llama.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { progress } from "../../runtime/run/progress.ts"
import { type RunOutcome, run } from "../../runtime/run/run.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

export interface QuickstartRun {
  readonly directory: string
  /** Items of the pool. */
  readonly limit: number
  /** The model's file; the spec's own when left out. */
  readonly model?: string
  readonly engine?: LlamaOptions
}

/** Carries out the quickstart's spec as `cfx run` does. */
export function runQuickstart({ directory, limit, model, engine }: QuickstartRun): Promise<RunOutcome> {
  const compiled = compile(
    join(project, "specs/quickstart.cfx"),
    diskFiles({ here: project, stdlib: join(project, "stdlib") }),
    model === undefined ? {} : { models: { respondent: model } },
  )
  const { program, hash } = compiled
  if (program === undefined || hash === undefined) throw new Error("the quickstart does not compile")
  const request = run({
    compiled: { ...compiled, program, hash },
    directory,
    engine: "llama",
    mode: "exact",
    version: "0.0.0",
    limit,
    progress: progress({ write: () => {}, redraw: false, now: () => performance.now() }),
  })
  return Effect.runPromise(request.pipe(Effect.provide(llamaBackend(engine))))
}
