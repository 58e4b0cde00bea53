/** What can be said of a spec's models: the file, the engine on it, and one read of the spec's own first prompt. */
import { Effect, Stream } from "effect"
import type { ModelIR } from "../../../compiler/ir.ts"
import type { TokenModel } from "../../backend/backend.ts"
import type { EnvironmentFailure } from "../../failure.ts"
import { unopenable } from "../../run/able.ts"
import { cohortsOf } from "../../run/cohorts.ts"
import { firstRead } from "../../run/firstRead.ts"
import { modelsAsked } from "../../run/openings.ts"
import type { Sound } from "../compiled.ts"
import { open } from "../models.ts"
import { type Finding, fine, wrong } from "./finding.ts"
import { kernelFindings } from "./kernel.ts"
import { serverFindings } from "./servers.ts"

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
    ...(loaded.kind === "chat" ? [] : yield* tokenFindings(spec, model, loaded)),
  ]
})

const tokenFindings = Effect.fnUntraced(function* (
  spec: Sound,
  { template, name }: ModelIR,
  loaded: TokenModel,
) {
  const subject = (what: string): string => `${name}: ${what}`
  const { facts } = loaded
  return [
    fine(
      subject("context"),
      `${loaded.contextSize} tokens, ${loaded.chunkSize} at a time, flash attention ${facts.flashAttention ? "on" : "off"}`,
    ),
    template === "plain"
      ? fine(subject("chat template"), "none: turns are written one below the other, as declared")
      : loaded.chatTemplate === null
        ? wrong(
            subject("chat template"),
            "the file has none: it is a base model",
            "choose an instruction-tuned model, or write `template plain` in the model's declaration: turns are then written one below the other",
          )
        : fine(subject("chat template"), `the file's own, ${loaded.chatTemplate.length} characters`),
    ...(template === "plain" || loaded.chatTemplate !== null ? yield* labelsAndMass(spec, loaded) : []),
  ]
})

/** llama.cpp's words for a model, less a size that it does not know. */
export const described = (model: unknown): string => String(model).replace(/ \?B\b/, "")

/** Below this, a model mostly wants to say something else than a label, and its answers mean little. */
const LEAST_MASS = 0.5

/** The spec's first read of this model: its label tokens in context, and how much probability they hold together. */
const labelsAndMass = Effect.fnUntraced(function* (spec: Sound, model: TokenModel) {
  const subject = (what: string): string => `${model.name}: ${what}`
  const [cohort] = cohortsOf(spec.program, spec.items, { limit: 1 }).get(model.name) ?? []
  const read = cohort === undefined ? undefined : firstRead(model, cohort)
  if (read === undefined) return []
  const { trial, hole, prepared } = read
  if ("problem" in prepared) {
    return [
      wrong(subject("labels"), prepared.problem, "change the protocol's text around the hole, or the model"),
    ]
  }
  const labels = Object.entries(prepared.labels).map(([label, tokens]) => `${label} = ${tokens.join(" ")}`)
  const [answer] = yield* Stream.runCollect(model.score([prepared.request]))
  const mass = answer?.mass ?? 0
  const share = `${(100 * mass).toFixed(1)} % of the probability at {${hole}} of item ${trial.item.id} is on labels`
  return [
    fine(subject("label tokens"), labels.join(", ")),
    answer?.invalid !== undefined
      ? wrong(subject("option mass"), answer.invalid, "check that the model file is whole")
      : mass < LEAST_MASS
        ? wrong(subject("option mass"), share, "let the prompt ask for a bare label, or choose another model")
        : fine(subject("option mass"), share),
  ]
})
