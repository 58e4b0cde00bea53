/** node-llama-cpp itself: the binary of a kind of device, started when the first model is opened on it. */
import { availableParallelism } from "node:os"
import { Effect, Scope } from "effect"
import type { Llama } from "node-llama-cpp"
import type { DeviceIR } from "../../compiler/ir.ts"
import { EnvironmentFailure } from "../failure.ts"
import { messageOf } from "./modelFile.ts"

export interface Engine {
  readonly llama: Llama
  readonly version: string
  /** What llama.cpp has logged as errors since the last call; the library's own exceptions say little. */
  readonly takeErrors: () => string
  /** A model could not be loaded, and is out of hand. */
  readonly loadFailed: () => void
}

type Gpu = NonNullable<DeviceIR["gpu"]>

/** The engine for models that are declared with this `gpu`; each is started once, and disposed with the scope. */
export const enginesByDevice: Effect.Effect<
  (gpu: Gpu) => Effect.Effect<Engine, EnvironmentFailure>,
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const started = new Map<Gpu, Effect.Effect<Engine, EnvironmentFailure>>()
  const engineOf = Effect.fnUntraced(function* (gpu: Gpu) {
    const known = started.get(gpu) ?? (yield* Effect.cached(startEngine(gpu).pipe(Scope.provide(scope))))
    started.set(gpu, known)
    return yield* known
  })
  return (gpu) => Effect.flatMap(resolved(gpu), engineOf)
})

/** `auto` is the processor where no GPU is at hand: looked up, which is faster than trying the binaries out. */
const resolved = (gpu: Gpu): Effect.Effect<Gpu, EnvironmentFailure> =>
  gpu !== "auto"
    ? Effect.succeed(gpu)
    : Effect.tryPromise({
        try: async () => {
          const { getLlamaGpuTypes } = await import("node-llama-cpp")
          return (await getLlamaGpuTypes("supported")).some((type) => type !== false) ? "auto" : "none"
        },
        catch: doesNotStart,
      })

/** On a GPU it has not been run by those who wrote this: none was at hand. */
const startEngine = (gpu: Gpu): Effect.Effect<Engine, EnvironmentFailure, Scope.Scope> => {
  /**
   * The library keeps an engine from being disposed while a model of it is not, and a model that failed to load is never disposed once it has been
   * collected as garbage: who waited then would wait for ever.
   */
  let hasFailed = false
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const { getLlama, getModuleVersion, LlamaLogLevel } = await import("node-llama-cpp")
        const errors: string[] = []
        const started = (on: "auto" | "cuda" | "metal" | "vulkan" | false): Promise<Llama> =>
          getLlama({
            build: "never",
            skipDownload: true,
            gpu: on,
            progressLogs: false,
            logLevel: LlamaLogLevel.error,
            logger: (_, message) => errors.push(message.trim()),
            maxThreads: availableParallelism(),
          })
        let llama = await started(gpu === "none" ? false : gpu)
        // A driver may be installed, such as one that draws by software, where there is no GPU.
        if (gpu === "auto" && llama.gpu !== false && (await llama.getGpuDeviceNames()).length === 0) {
          await llama.dispose()
          llama = await started(false)
        }
        if (gpu !== "auto" && gpu !== "none" && llama.gpu !== gpu) {
          await llama.dispose()
          throw new Error(`the engine took ${llama.gpu === false ? "the processor" : llama.gpu} instead`)
        }
        const takeErrors = (): string => [...new Set(errors.splice(0))].join("; ")
        const loadFailed = (): void => {
          hasFailed = true
        }
        return { llama, version: await getModuleVersion(), takeErrors, loadFailed }
      },
      catch: (error) => (gpu === "none" || gpu === "auto" ? doesNotStart(error) : noSuchGpu(gpu)),
    }),
    ({ llama }) =>
      hasFailed ? Effect.sync(() => void llama.dispose()) : Effect.promise(() => llama.dispose()),
  )
}

/**
 * Which instructions of the processor the engine computes with, such as "SSE3 AVX AVX2": the binary comes with kernels for several kinds of processor, and each
 * rounds in its own way.
 */
export const kernelsOf = (system: string): string =>
  [...system.matchAll(/(\w+) = 1\b/g)].map(([, name]) => name).join(" ")

const platform = `${process.platform}-${process.arch}`

const doesNotStart = (error: unknown): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the inference engine node-llama-cpp does not start: ${messageOf(error)}`,
    where: `${platform}, Node ${process.versions.node}`,
    todo: "install again with npm ci; its optional dependencies hold the binary for this platform",
  })

const needs: Readonly<Record<Exclude<Gpu, "auto" | "none">, string>> = {
  cuda: "an NVIDIA GPU with its driver and the CUDA runtime",
  metal: "a Mac with Apple silicon",
  vulkan: "a GPU with a Vulkan driver and loader",
}

const noSuchGpu = (gpu: keyof typeof needs): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the engine cannot use ${gpu} on this machine`,
    where: `a model that is declared with gpu ${gpu}, on ${platform}`,
    todo: `declare \`gpu auto\` to use what is there, or \`gpu none\`; ${gpu} takes ${needs[gpu]}`,
  })
