/** A diagnosis for programs; docs/diagnose.md has its shape. */
import type { Diagnosis } from "../../diagnose/diagnose.ts"
import { estimatorText } from "./words.ts"

export function diagnosisJson(spec: string, { seed, experiments }: Diagnosis): string {
  const value = {
    format: 1,
    spec,
    seed,
    experiments: experiments.map((experiment) => ({
      ...experiment,
      contrasts: experiment.contrasts.map(({ by, ...contrast }) => ({ ...contrast, by: estimatorText(by) })),
    })),
  }
  // An error that cannot be had, of one simulation, is infinite, which JSON has no word for.
  return `${JSON.stringify(value, (_, one) => (one === Number.POSITIVE_INFINITY ? null : one), 2)}\n`
}
