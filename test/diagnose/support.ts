/** Small designs for the tests of diagnosis: two arms of the standard two-read protocol, over questions that are made up. */
import type { EstimatorIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { type Design, designOf } from "../../runtime/diagnose/design.ts"
import {
  type DiagnoseRequest,
  type Diagnosis,
  diagnose,
  type Lacking,
} from "../../runtime/diagnose/diagnose.ts"
import { simulate, takenIn } from "../../runtime/diagnose/estimates.ts"
import { scopeOf } from "../../runtime/diagnose/scope.ts"
import { itemsIn, sizedTo } from "../../runtime/diagnose/sized.ts"
import { type Summary, summaryOf } from "../../runtime/diagnose/summary.ts"
import { truthOf } from "../../runtime/diagnose/truth.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { compileText, questions } from "../compiler/files.ts"

export interface Parts {
  readonly models?: number
  readonly items?: number
  readonly pools?: number
  readonly by?: string
  readonly contrasts?: string
  /** Declared beside those that are imported. */
  readonly metrics?: string
  readonly measures?: string
  readonly assume?: string
  /** Which answers are pushed, and the arms. */
  readonly target?: string
  readonly arms?: string
  /** Of each pool how many options its questions have; three where left out. */
  readonly options?: readonly number[]
}

/** The text of a spec with the arms `reask` and `length`. */
export function specOf(parts: Parts = {}): string {
  const {
    models = 1,
    pools = 1,
    by = "paired(item)",
    measures = "measure HRR",
    assume = "",
    metrics = "",
    target = "top_wrong(a0)",
    arms = "arms { reask = plain_reask  length = length_control }",
  } = parts
  const { contrasts = `contrast effect = HRR[arm = length] - HRR[arm = reask] by ${by}` } = parts
  const names = Array.from({ length: models }, (_, at) => `m${at}`)
  const used = Array.from({ length: pools }, (_, at) => `p${at}`)
  return `
import { arbitration } from "std/protocols"
import { plain_reask, length_control } from "std/baselines"
import { no_source, people, rich_peers, experts } from "std/framings"
import { verbatim } from "std/paraphrases"
import { distinct } from "std/doses"
import { HRR, BenR, delta_p_pushed, revision_rate, off_ceiling_HRR, flip_confidence } from "std/metrics"
${metrics}
${names.map((name) => `model ${name} = gguf "${name}.gguf"`).join("\n")}
${used.map((pool) => `items ${pool} = "${pool}.jsonl" { id = id  question = question  options = options  gold = gold }`).join("\n")}
experiment e {
  protocol arbitration
  models { ${names.join(", ")} }
  items { ${used.join(", ")} }
  seed 0
  target ${target}
  ${arms}
  ${measures}
  ${contrasts}
  ${assume === "" ? "" : `assume { ${assume} }`}
}
`
}

export interface Compiled {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
}

export function compiled(parts: Parts): Compiled {
  const { pools = 1, items = 40, options = [] } = parts
  const files = Object.fromEntries(
    Array.from({ length: pools }, (_, at) => [`p${at}.jsonl`, questions(items / pools, options[at])]),
  )
  const { program, items: read, diagnostics } = compileText(specOf(parts), files)
  if (program === undefined)
    throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join("\n"))
  return { program, items: read }
}

/** The design, and the record of each way in which a trial may come out. */
export function designed(parts: Parts, change: (program: Program) => Program = (program) => program) {
  const { program: read, items } = compiled(parts)
  const program = change(read)
  const ends: TrialRecord[] = []
  const scope = scopeOf(program.experiments[0]!, false)
  const design = designOf({ scope, models: program.models, items }, (leaf, record) => {
    ends[leaf] = record
  })
  if ("missing" in design) throw new Error(JSON.stringify(design.missing))
  return { program, items, scope, design: design as Design, ends }
}

export const silent: DiagnoseRequest["progress"] = { planned: () => {}, done: () => {} }

export function diagnosed(
  parts: Parts,
  options: Partial<DiagnoseRequest> = {},
): Promise<Diagnosis | { readonly lacking: readonly Lacking[] }> {
  const defaults = { simulations: 200, seed: 0, fits: false, threads: 0, pilots: new Map(), progress: silent }
  return diagnose({ ...compiled(parts), ...defaults, sizes: [], ...options })
}

/** The contrasts of a spec that lacks nothing. */
export async function contrastsIn(parts: Parts, options: Partial<DiagnoseRequest> = {}) {
  const found = await diagnosed(parts, options)
  if ("lacking" in found) throw new Error(JSON.stringify(found.lacking))
  return found.experiments[0]!.contrasts
}

export interface Summed {
  readonly by: EstimatorIR
  readonly truth: number | undefined
  readonly summary: Summary
}

/** What simulations with the design's own items say of each contrast: the first part of a diagnosis, without its search for the smallest effects. */
export function summedUp(parts: Parts, simulations: number): readonly Summed[] {
  const { program, items, scope } = designed(parts)
  const design = designOf({ scope, models: program.models, items })
  if ("missing" in design) throw new Error(JSON.stringify(design.missing))
  const all = itemsIn(design)
  const sized = sizedTo(design, all)
  const found = Array.from({ length: simulations }, (_, at) => simulate(sized, 0, at))
  return takenIn(design).map(({ contrast, by }, at) => {
    const truth = truthOf(design, all)(contrast, by)
    const numbers = found.map(({ taken }) => taken[at]!)
    return { by, truth, summary: summaryOf(numbers, truth) }
  })
}

/** Without any random intercept. */
export const PLAIN = "spread { item 0  model 0  pool 0 }"
