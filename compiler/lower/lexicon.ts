import type { Lexicon } from "../../grammar/ast.ts"
import type { Bound } from "../resolve.ts"
import { lowerPlain } from "./text.ts"

/** The terms of a lexicon as they are searched for, in the order written. */
export const lexiconTerms = ({ declaration }: Bound<Lexicon>): readonly string[] =>
  declaration.terms.map(lowerPlain)
