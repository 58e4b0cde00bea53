/** `--precision`: how far a model's reads are from those of the same weights in single precision. */
import { join } from "node:path"
import { Effect } from "effect"
import type { ModelIR } from "../../../compiler/ir.ts"
import { modelFileOf } from "../../backend/modelOf.ts"
import { cfxHome } from "../../disk/home.ts"
import type { EnvironmentFailure } from "../../failure.ts"
import { settingsFrom } from "../../hub/settings.ts"
import { type Measured, precisionOf } from "../../precision/precision.ts"
import { unopenable } from "../../run/able.ts"
import { cohortsOf } from "../../run/cohorts.ts"
import { modelsAsked } from "../../run/openings.ts"
import type { Sound } from "../compiled.ts"
import { type Says, watchOn } from "../files.ts"
import { type Finding, fine, wrong } from "./finding.ts"

/** A line for each model in a file that the spec's experiments ask. */
export const precision = Effect.fnUntraced(function* (
  spec: Sound,
  declared: readonly ModelIR[],
  terminal: Says,
) {
  const asked = new Set(spec.program.experiments.flatMap(modelsAsked))
  const cohorts = cohortsOf(spec.program, spec.items)
  const room = {
    folder: join(cfxHome(), "precision"),
    free: settingsFrom().free,
    memory: () => process.availableMemory(),
    watch: watchOn(terminal),
  }
  const findings: Finding[] = []
  for (const model of declared.filter(({ name, engine }) => asked.has(name) && engine === "gguf")) {
    // What keeps it from being opened is said already.
    if (unopenable(model, model.file) !== undefined) continue
    const subject = `${model.name}: precision`
    findings.push(
      yield* precisionOf(modelFileOf(model, model), cohorts.get(model.name) ?? [], room).pipe(
        Effect.map((measured) => fine(subject, measured === undefined ? nothing : inWords(measured))),
        Effect.catchTag("EnvironmentFailure", ({ what, where, todo }: EnvironmentFailure) =>
          Effect.succeed(wrong(subject, `${what} (${where})`, todo)),
        ),
      ),
    )
  }
  return findings
})

const nothing =
  "its weights are F32, or the spec reads no distribution in a first turn: there is nothing to compare"

function inWords({ types, reads, largest, median, flips }: Measured): string {
  const most =
    flips === 0
      ? "no answer is another"
      : `${flips} of ${reads} answers ${flips === 1 ? "is" : "are"} another`
  return `${types.join(" and ")} against the same weights in F32, ${reads} reads: probabilities differ by up to ${shown(largest)}, in the median read by ${shown(median)}; ${most}`
}

/** Two digits that say something. */
const shown = (difference: number): string => (difference === 0 ? "0" : difference.toPrecision(2))
