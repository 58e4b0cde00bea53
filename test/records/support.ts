/** Records as files, and specs over them. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compile } from "../../compiler/compile.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { measure } from "../../runtime/measure/measure.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { openRecords } from "../../runtime/records/open.ts"
import { type Scored, scoreRecords } from "../../runtime/records/score.ts"
import { inMemory } from "../diagnostics/examples.ts"

export interface CompiledSpec {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
}

/** The harmful revision rate of two option reads, as a spec declares it. */
export const HRR = `
metric HRR(first = a0, second = a1) {
  rate second != item.gold
  given first == item.gold
  interval wilson 95
}
`

/** A spec without errors. */
export function specOf(text: string, files: Readonly<Record<string, string>> = {}): CompiledSpec {
  const { program, items, diagnostics } = compile("/spec/spec.cfx", inMemory({ "spec.cfx": text, ...files }))
  if (program === undefined)
    throw new Error(diagnostics.map((one) => render(one, { color: false })).join("\n\n"))
  return { program, items }
}

/** The first experiment's records, out of a file with this content. */
export async function scored(
  folder: string,
  spec: string | CompiledSpec,
  name: string,
  content: string | Uint8Array,
): Promise<Scored> {
  // A file is read more than once: no other test may write it meanwhile.
  const path = join(mkdtempSync(join(folder, "records-")), name)
  writeFileSync(path, content)
  const { program, items } = typeof spec === "string" ? specOf(spec) : spec
  const [experiment] = program.experiments
  if (experiment === undefined) throw new Error("the spec has no experiment")
  const file = await openRecords(path, name, experiment.records?.format)
  return scoreRecords(experiment, program, items, file)
}

export const resultsOf = ({ experiment, table }: Scored, program?: Program): readonly Result[] =>
  measure(
    { version: 1, models: [], pools: [], doc: "", ...program, experiments: [experiment] },
    new Map([[experiment.name, table]]),
  )

/** The estimate of a measure where its trials have these levels. */
export function estimateOf(
  scored: Scored,
  name: string,
  by: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = resultsOf(scored).find(
    (result) =>
      result.name === name &&
      result.average === undefined &&
      Object.entries(by).every(([factor, level]) => result.by[factor] === level) &&
      Object.keys(result.by).length === Object.keys(by).length,
  )
  return found?.estimate
}

/** "3 missing: it has no item (`id`)": what was found, in a line each. */
export const found = ({ facts }: Scored): readonly string[] =>
  facts.findings.map(({ problem, what, count, policy }) => `${count} ${problem} (${policy}): ${what}`)
