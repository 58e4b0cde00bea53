/** `cfx explain`: each code of the catalogue on a page, with an example that gives it and one that does not. */
import { type Code, catalogue, codes, isCode } from "./catalogue.ts"
import { analysis } from "./pages/analysis.ts"
import { design } from "./pages/design.ts"
import { designs } from "./pages/designs.ts"
import { experiments } from "./pages/experiments.ts"
import { fit } from "./pages/fit.ts"
import { items } from "./pages/items.ts"
import { judges } from "./pages/judges.ts"
import { libraries } from "./pages/libraries.ts"
import { measures } from "./pages/measures.ts"
import { names } from "./pages/names.ts"
import type { Example, Page } from "./pages/page.ts"
import { plan } from "./pages/plan.ts"
import { pools } from "./pages/pools.ts"
import { protocols } from "./pages/protocols.ts"
import { records } from "./pages/records.ts"
import { syntax } from "./pages/syntax.ts"
import { templates } from "./pages/templates.ts"
import { turns } from "./pages/turns.ts"
import { warnings } from "./pages/warnings.ts"
import { wrap } from "./wrap.ts"

/** A code without a page does not type-check. */
export const pages: Readonly<Record<Code, Page>> = {
  ...syntax,
  ...names,
  ...templates,
  ...turns,
  ...protocols,
  ...judges,
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

/** The page of a code such as `CFX2001`, or nothing where there is no such code. */
export const explain = (code: string): string | undefined => {
  if (!isCode(code)) return undefined
  const { meaning, why, wrong, right } = pages[code]
  const { severity, title } = catalogue[code]
  return [
    `${code}: ${title} (${severity})`,
    "",
    ...wrap(meaning),
    "",
    ...wrap(why),
    "",
    "Wrong:",
    "",
    ...shown(wrong),
    "",
    "Right:",
    "",
    ...shown(right),
  ].join("\n")
}

/** Every code with its severity and title, one a line. */
export const explainAll = (): string =>
  [
    ...codes.map((code) => `${code}  ${catalogue[code].severity.padEnd(7)}  ${catalogue[code].title}`),
    "",
    "cfx explain CODE tells more about one, with a wrong and a right example.",
  ].join("\n")

const shown = ({ shown: spec, files }: Example): readonly string[] => [
  ...indented(spec),
  ...Object.entries(files).flatMap(([name, text]) => ["", `  ${name}:`, "", ...indented(text)]),
]

const indented = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
