import { canonicalJson } from "../../compiler/hash.ts"
import type { ModelFile, TokenModel } from "./backend.ts"

/** What a declaration adds to a model's fingerprint: with other variables, or a system message elsewhere, the same text is another prompt. */
export const templateMark = ({ template, system }: ModelFile): string =>
  (template === undefined ? "" : `, template ${canonicalJson(template)}`) +
  (system === undefined ? "" : `, system ${system}`)

/** As a loaded model says it. */
export const declaredOf = ({ template, system }: ModelFile): Pick<TokenModel, "declared" | "system"> => ({
  ...(template === undefined ? {} : { declared: template }),
  ...(system === undefined ? {} : { system }),
})
