import type { HoleIR } from "../../compiler/ir.ts"

/** Whether a model is asked for it; the others are worked out from a text that one wrote. */
export const isAsked = ({ type }: HoleIR): boolean => type !== "extract" && type !== "rule"
