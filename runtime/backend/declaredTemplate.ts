import { canonicalJson } from "../../compiler/hash.ts"
import type { ModelFile } from "./backend.ts"

/** What a declared template adds to a model's fingerprint: with other variables the same text is another prompt. */
export const templateMark = ({ template }: ModelFile): string =>
  template === undefined ? "" : `, template ${canonicalJson(template)}`

/** As a loaded model says it. */
export const declaredOf = ({ template }: ModelFile): { readonly declared?: NonNullable<typeof template> } =>
  template === undefined ? {} : { declared: template }
