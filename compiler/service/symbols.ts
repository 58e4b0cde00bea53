/** What the names of files stand for: declarations, and what these have inside. */
import type { Items, Name } from "../../grammar/ast.ts"
import type { Module } from "../load.ts"
import { defaultReads } from "../lower/poolExpressions.ts"
import { once } from "../memo.ts"
import type { Bound } from "../resolve.ts"
import { referencesOf } from "../resolveReferences.ts"
import type { Analysis } from "./analysis.ts"
import { tellExperiment } from "./experimentNames.ts"
import { emptyTable, type Meaning, partMeaning, type Table } from "./meanings.ts"
import { tellMetric } from "./metricNames.ts"
import { nameAt } from "./nodes.ts"
import { partsOf } from "./parts.ts"
import { tellDose, tellJudge, tellProtocol } from "./protocolNames.ts"
import { tellFraming } from "./stimulusNames.ts"
import { type Used, usesIn } from "./uses.ts"

/** What the name at an offset of the analysed file stands for, where one stands there that stands for something. */
export const meaningAt = (
  analysis: Analysis,
  offset: number,
): { readonly at: Name; readonly meaning: Meaning } | undefined => {
  const at = nameAt(analysis.module.file, offset)
  const meaning = at === undefined ? undefined : tableOf(analysis).of(at)[0]
  return at === undefined || meaning === undefined ? undefined : { at, meaning }
}

/** The table of all names of all files of an analysis. */
export const tableOf = once(({ modules, names }: Pick<Analysis, "modules" | "names">): Table => {
  const table = emptyTable(names)
  const all = modules.flatMap((module) =>
    module.file.declarations.map((declaration): Bound => ({ declaration, module })),
  )
  for (const module of modules) tellImports(module, table)
  for (const bound of all) tellDeclared(bound, table)
  const uses = usesIn(modules, names)
  for (const used of uses) tellExperiment(used, table)
  for (const bound of all) tellInside(bound, uses, table)
  return table
})

const tellImports = (module: Module, table: Table): void => {
  for (const declaration of module.file.imports) {
    for (const { name, alias } of declaration.names) {
      const library = module.imports.get(declaration)
      const found = library?.file.declarations.find((one) => one.name.text === name.text)
      if (found === undefined || library === undefined) continue
      const bound = { declaration: found, module: library }
      table.tell(name, [declarationMeaning(bound)])
      if (alias !== undefined) table.tell(alias, [{ kind: "declaration", name: alias, module, bound }])
    }
  }
}

const declarationMeaning = (bound: Bound): Meaning => ({
  kind: "declaration",
  name: bound.declaration.name,
  module: bound.module,
  bound,
})

/** A declaration's own name, those of its parts, and its references. A reference behind `as` repeats the name that the import gives. */
const tellDeclared = (bound: Bound, table: Table): void => {
  const { declaration, module } = bound
  table.tell(declaration.name, [declarationMeaning(bound)])
  const aliases = module.file.imports.flatMap(({ names }) => names.flatMap(({ alias }) => alias ?? []))
  for (const { name, kind } of referencesOf(declaration, table.names.lookup(module))) {
    const found = table.names.find(name, kind)
    if (found === undefined) continue
    const alias = aliases.find(({ text }) => text === name.text)
    table.tell(name, [
      alias === undefined
        ? declarationMeaning(found)
        : { kind: "declaration", name: alias, module, bound: found },
    ])
  }
  for (const { what, name } of partsOf(declaration)) {
    // A measure without a name of its own is called as its metric is; what a child has of its parent's is its parent's.
    const isInherited = what === "wording" || (what === "parameter" && declaration.kind === "metric")
    if (!isInherited && table.of(name).length === 0) table.tell(name, [partMeaning(what, name, bound)])
  }
}

const tellInside = ({ declaration, module }: Bound, uses: readonly Used[], table: Table): void => {
  switch (declaration.kind) {
    case "metric":
      tellMetric({ declaration, module }, table)
      break
    case "framing":
      tellFraming({ declaration, module }, table)
      break
    case "protocol":
      tellProtocol(
        { declaration, module },
        uses.filter(({ protocol }) => protocol?.declaration === declaration),
        table,
      )
      break
    case "judge":
      tellJudge({ declaration, module }, table)
      break
    case "dose":
      tellDose({ declaration, module }, table)
      break
    case "items":
      tellItems({ declaration, module }, table)
      break
  }
}

/** Reads of the finished run that a pool is taken from: the run has given them their names. */
const tellItems = (pool: Bound<Items>, table: Table): void => {
  for (const field of pool.declaration.fields) {
    const metric = field.field === "one" ? table.names.find(field.metric, "metric") : undefined
    if (field.field === "keep")
      for (const read of field.reads) table.tell(read, [partMeaning("read", read, pool)])
    if (field.field !== "one" || metric === undefined) continue
    for (const read of defaultReads(metric, table.names).values())
      table.tell(read, [partMeaning("read", field.metric, pool)])
  }
}
