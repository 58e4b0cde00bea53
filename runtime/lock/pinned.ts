/** Where a lock says that models' files are. */
import type { ModelIR } from "../../compiler/ir.ts"
import { atCommit, hubFile } from "../hub/address.ts"
import type { Lock } from "./lock.ts"

export type Pinned = Pick<ModelIR, "file" | "bytes" | "sha256">

/**
 * Of models on the hub, by name: their address at the locked commit, with the locked size and sum. A model that is declared otherwise by now, or that the
 * lock does not pin, is left out.
 */
export function pinnedFiles(
  models: readonly ModelIR[],
  lock: Pick<Lock, "models"> | undefined,
): Readonly<Record<string, Pinned>> {
  return Object.fromEntries(
    models.flatMap(({ name, file, bytes, sha256 }): readonly (readonly [string, Pinned])[] => {
      const entry = lock !== undefined && Object.hasOwn(lock.models, name) ? lock.models[name] : undefined
      if (entry === undefined || entry.given || entry.source !== file || hubFile(file) === undefined)
        return []
      const size = bytes ?? entry.bytes
      const sum = sha256 ?? entry.sha256
      return [
        [
          name,
          {
            file: atCommit(file, entry.revision),
            ...(size === undefined ? {} : { bytes: size }),
            ...(sum === undefined ? {} : { sha256: sum }),
          },
        ],
      ]
    }),
  )
}

/** Models as they are to be opened. */
export const atPins = (
  models: readonly ModelIR[],
  pins: Readonly<Record<string, Pinned>>,
): readonly ModelIR[] => models.map((model) => ({ ...model, ...pins[model.name] }))
