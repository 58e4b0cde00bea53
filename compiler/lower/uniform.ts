import type { StructureIR } from "../ir.ts"

/** Whether all lines of a structure assert the same. `lines`: how many there are, where that is known. */
export const isUniform = (structure: StructureIR, lines?: number): boolean => {
  if (typeof structure === "string") return structure !== "mixed"
  // The exception is all there is where there is one line.
  if (structure.kind === "except") return structure.rest === structure.as || lines === 1
  return structure.lines.every((asserted) => asserted === structure.lines[0])
}
