/**
 * Models with two sets of rotary factors, for short and for long contexts (LongRoPE: Phi-3, Phi-4-mini, MiniCPM). llama.cpp takes one of them for
 * every prompt, by the length that a context was opened with: the long one beyond `rope.scaling.original_context_length`.
 */
import type { LlamaModel } from "node-llama-cpp"

/** Sequences hold a multiple of this many tokens: llama.cpp rounds up, and then compares. */
export const cellSteps = 256

export const roundedCells = (cells: number): number => Math.ceil(cells / cellSteps) * cellSteps

/** Longest context, in tokens, that is read by the short factors; undefined where a model has one set, or none. */
export function longestShort({ fileInfo }: Pick<LlamaModel, "fileInfo">): number | undefined {
  const tensors = fileInfo.fullTensorInfo ?? fileInfo.tensorInfo ?? []
  if (!tensors.some(({ name }) => name.includes("rope_factors_long"))) return undefined
  const original = fileInfo.architectureMetadata.rope?.scaling?.original_context_length
  return original === undefined ? undefined : Number(original)
}

/**
 * Tokens that a context beside one of `contextSize` holds at least, so that the same prompt is the same there. A shorter one than a short one is
 * short, too.
 */
export const leastBeside = (contextSize: number, longest: number | undefined): number =>
  longest !== undefined && roundedCells(contextSize) > longest ? longest + 1 : 0
