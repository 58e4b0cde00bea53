/**
 * Everything that the compiler can say about a spec: one table, by code. Codes are a contract with scripts and with `allow`: a code
 * is never given another meaning.
 *
 *   CFX1xxx syntax · CFX20xx names and fields · CFX21xx texts and turns · CFX22xx design · CFX23xx measures · CFX240x protocols ·
 *   CFX243x stimuli in their protocol · CFX245x experiments · CFX25xx expressions and analyses · CFX255x libraries · CFX30xx items ·
 *   CFX31xx pools · CFX32xx records · CFX40xx warnings about the design · CFX403x what only a plan can tell
 */
import { analysis } from "./catalogue/analysis.ts"
import { design } from "./catalogue/design.ts"
import { designs } from "./catalogue/designs.ts"
import type { Entry } from "./catalogue/entry.ts"
import { experiments } from "./catalogue/experiments.ts"
import { fit } from "./catalogue/fit.ts"
import { items } from "./catalogue/items.ts"
import { libraries } from "./catalogue/libraries.ts"
import { measures } from "./catalogue/measures.ts"
import { names } from "./catalogue/names.ts"
import { plan } from "./catalogue/plan.ts"
import { pools } from "./catalogue/pools.ts"
import { protocols } from "./catalogue/protocols.ts"
import { records } from "./catalogue/records.ts"
import { syntax } from "./catalogue/syntax.ts"
import { templates } from "./catalogue/templates.ts"
import { warnings } from "./catalogue/warnings.ts"

const entries = {
  ...syntax,
  ...names,
  ...templates,
  ...protocols,
  ...fit,
  ...design,
  ...experiments,
  ...measures,
  ...analysis,
  ...items,
  ...pools,
  ...records,
  ...libraries,
  ...warnings,
  ...designs,
  ...plan,
}

export type Code = keyof typeof entries

/** What a diagnostic of this code must be told. */
export type Parameters<C extends Code> = (typeof entries)[C] extends Entry<infer P> ? P : never

export const catalogue: { readonly [C in Code]: Entry<Parameters<C>> } = entries

export const codes: readonly Code[] = (Object.keys(entries) as Code[]).sort()

export const isCode = (text: string): text is Code => Object.hasOwn(entries, text)
