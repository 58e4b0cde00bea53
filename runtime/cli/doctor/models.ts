/** What can be said of a spec's models: the file, the engine on it, and one read of the spec's own first prompt. */
import { Effect } from "effect"
import type { ModelIR } from "../../../compiler/ir.ts"
import type { TokenModel } from "../../backend/backend.ts"
import type { EnvironmentFailure } from "../../failure.ts"
import { unopenable } from "../../run/able.ts"
import { modelsAsked } from "../../run/openings.ts"
import type { Sound } from "../compiled.ts"
import { open } from "../models.ts"
import { type Finding, fine, wrong } from "./finding.ts"
import { kernelFindings } from "./kernel.ts"
import { readFindings } from "./reads.ts"
import { serverFindings } from "./servers.ts"
import { templateFindings } from "./template.ts"

/** Findings of all models that the spec's experiments ask, in a role or as a judge too, one model open at a time. */
export const models = Effect.fnUntraced(function* (
  spec: Sound,
  /** As they are to be opened. */
  declared: readonly ModelIR[],
) {
  const asked = new Set(spec.program.experiments.flatMap(modelsAsked))
  const findings: Finding[] = []
  for (const model of declared.filter(({ name }) => asked.has(name))) {
    findings.push(
      ...(yield* examined(spec, model).pipe(
        Effect.scoped,
        Effect.catchTag("EnvironmentFailure", ({ what, where, todo }: EnvironmentFailure) =>
          Effect.succeed([wrong(`model ${model.name}`, `${what} (${where})`, todo)]),
        ),
      )),
    )
  }
  return findings
})

const examined = Effect.fnUntraced(function* (spec: Sound, model: ModelIR) {
  const { name, file: path, sha256 } = model
  const problem = unopenable(model, path)
  if (problem !== undefined) return yield* problem
  if (model.served !== undefined) return yield* serverFindings(spec, model)
  const loaded = yield* open(model)
  const { facts } = loaded
  const subject = (what: string): string => `${name}: ${what}`
  const sum = `sha256 ${facts.sha256}${sha256 === undefined ? " (none declared)" : ", as declared"}`
  return [
    fine(subject("file"), `${facts.file ?? path}, ${described(facts.model)}, ${sum}`),
    fine(
      subject("engine"),
      `${facts.engine}, llama.cpp ${facts.llamaCpp}, ${facts.device}, mode ${facts.mode}`,
    ),
    fine(subject("processor"), `${facts.system}`),
    fine(
      subject("threads"),
      `${facts.threads} of ${facts.cores} (${process.env.CFX_THREADS ? "as CFX_THREADS says" : "the fastest in a probe"})`,
    ),
    ...(yield* kernelFindings(name, String(facts.file ?? path), facts)),
    ...(loaded.kind === "chat" ? [] : yield* tokenFindings(spec, loaded)),
  ]
})

const tokenFindings = Effect.fnUntraced(function* (spec: Sound, loaded: TokenModel) {
  const { facts, name } = loaded
  return [
    fine(
      `${name}: context`,
      `${loaded.contextSize} tokens, ${loaded.chunkSize} at a time, flash attention ${facts.flashAttention ? "on" : "off"}`,
    ),
    ...templateFindings(spec, loaded),
    ...(loaded.declared === "plain" || loaded.chatTemplate !== null ? yield* readFindings(spec, loaded) : []),
  ]
})

/** llama.cpp's words for a model, less a size that it does not know. */
export const described = (model: unknown): string => String(model).replace(/ \?B\b/, "")
