/** A declared model as an engine is asked to open it. */
import type { ModelIR } from "../../compiler/ir.ts"
import type { ModelFile } from "./backend.ts"

/** `at`: where it is in this run, with the size and sum that hold there. */
export function modelFileOf(
  { name, template, served, device, system }: ModelIR,
  { file, bytes, sha256 }: Pick<ModelIR, "file" | "bytes" | "sha256">,
): ModelFile {
  return {
    name,
    path: file,
    ...(bytes === undefined ? {} : { bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(template === undefined ? {} : { template }),
    ...(served === undefined ? {} : { served }),
    ...(device === undefined ? {} : { device }),
    ...(system === undefined ? {} : { system }),
  }
}
