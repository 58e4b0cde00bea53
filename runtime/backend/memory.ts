/** Whether a model has room on this machine: said before it is taken, since a system that runs out of memory ends processes without a word. */
import type { LlamaModel } from "node-llama-cpp"
import { EnvironmentFailure } from "../failure.ts"

/** Bytes that this process may still take: of the machine, or of what it is confined to. */
export const freeMemory = (): number => process.availableMemory()

/** What a model takes outside a GPU, in bytes. */
export interface Memory {
  readonly weights: number
  /** Keys and values of conversations, and buffers. */
  readonly context: number
}

/** Bytes of memory, outside a GPU, that a context takes, its buffers for computations included: within 5 % of what the engine then takes. */
export function contextMemory(
  { fileInsights, gpuLayers }: LlamaModel,
  context: {
    /** Tokens of each sequence. */
    readonly contextSize: number
    readonly batchSize: number
    readonly sequences: number
    readonly flashAttention: boolean
    readonly swaFullCache: boolean
  },
): number {
  // The library's newer estimate is exact, and takes a second where the vocabulary is large.
  return fileInsights.estimateContextResourceRequirements({ ...context, modelGpuLayers: gpuLayers }).cpuRam
}

/** Undefined where there is room. */
export function lacking(
  { weights, context }: Memory,
  free: number,
  model: { readonly name: string; readonly path: string },
): EnvironmentFailure | undefined {
  if (weights + context <= free) return undefined
  const parts = [
    ...(weights > 0 ? [`weights ${shown(weights)}`] : []),
    ...(context > 0 ? [`its context and buffers ${shown(context)}`] : []),
  ]
  return new EnvironmentFailure({
    what: `the model ${model.name} takes about ${shown(weights + context)} (${parts.join(" and ")}), and this machine has ${shown(free)} free`,
    where: model.path,
    todo: "free memory, choose a smaller model or a smaller quantisation, or declare a shorter `context`",
  })
}

const shown = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(2)} GiB`
