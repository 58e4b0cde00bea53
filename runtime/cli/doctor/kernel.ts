/** Whether a file's quantisation is a slow one on this processor. */
import { Effect } from "effect"
import { layerType, weightsOf } from "../../precision/widen.ts"
import type { Finding } from "./finding.ts"

/**
 * How many times as fast prompts are read with the same weights in Q8_0 and in Q4_0: SmolLM2-135M, chunks of 128 to 512 tokens, flash attention, between
 * what was measured on cores with AVX-512 and with AVX2 alone. Kernels that are repacked when a file is loaded take several rows in a step. Types that
 * were not measured are not judged.
 */
const slow: Readonly<Record<string, readonly [q8: number, q4: number]>> = {
  Q4_1: [2, 2.4],
  F16: [2, 2.4],
  F32: [2, 2.4],
  Q5_0: [1.5, 1.7],
  BF16: [1.3, 1.6],
}

/** Instructions that repacked kernels are made for, as llama.cpp lists them. */
const hasKernels = (system: string): boolean => /\b(AVX2|AVX512|DOTPROD|MATMUL_INT8|SVE) = 1\b/.test(system)

/** One line where another quantisation of the same model would be read faster; none otherwise, or where the file cannot be looked into. */
export const kernelFindings = (
  name: string,
  path: string,
  facts: Readonly<Record<string, string | number | boolean>>,
): Effect.Effect<readonly Finding[]> =>
  Effect.promise(async () => {
    if (facts.device !== "cpu" || !hasKernels(String(facts.system))) return []
    const type = await weightsOf(path).then(layerType, () => undefined)
    return type === undefined ? [] : slowKernel(name, type)
  })

export function slowKernel(name: string, type: string): readonly Finding[] {
  const gains = slow[type]
  if (gains === undefined) return []
  return [
    {
      ok: true,
      subject: `${name}: kernel`,
      says: `most weights are ${type}, for which this processor has no repacked kernel`,
      todo: `The same model as Q8_0 or Q4_0 reads prompts about ${gains[0]} or ${gains[1]} times as fast (measured on a model of 135M); Q4_K and IQ4_NL have such kernels too.`,
    },
  ]
}
