/** `--backend` of the commands that have it. */
import type { Engine } from "../run/plan.ts"
import { UsageError } from "./command.ts"

const BACKENDS = ["llama", "simulated"] as const satisfies readonly Engine[]

/**
 * `others`: what a command takes besides, and looks for itself.
 * @throws UsageError when there is no such backend
 */
export function backendNamed(name: string = "llama", others: readonly string[] = []): Engine {
  const found = BACKENDS.find((known) => known === name)
  if (found === undefined)
    throw new UsageError(`--backend takes ${[...BACKENDS, ...others].join(" or ")}, not ${name}`)
  return found
}
