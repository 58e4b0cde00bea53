/** Phase 6: what a reader of the results will ask of a design that runs. Each can be allowed, with a reason. */
import type { Experiment } from "../../../grammar/ast.ts"
import type { Diagnostic } from "../../diagnostics/diagnostic.ts"
import type { ExperimentIR, Program } from "../../ir.ts"
import type { Item } from "../../item.ts"
import type { Module } from "../../load.ts"
import { fieldsOf } from "../../lower/columns.ts"
import type { Names } from "../../resolve.ts"
import { sceneOf } from "../scene.ts"
import { checkBaselines, checkFloor } from "./baselines.ts"
import { checkCitations } from "./citations.ts"
import { checkClaims } from "./claims.ts"
import { checkCoded } from "./coded.ts"
import { checkContrasts, checkOverlap } from "./contrasts.ts"
import { checkContainers, checkTwins } from "./doses.ts"
import { checkLines } from "./lines.ts"
import { checkGoldPlace, checkItemCounts, checkPlacebo } from "./pools.ts"
import { checkJudges, checkLacking, checkPolicies } from "./reads.ts"
import { checkRecorded } from "./records.ts"
import type { Check } from "./review.ts"
import { checkWholeTexts } from "./served.ts"
import { checkGold } from "./targets.ts"
import { checkSomeItems, checkTexts } from "./texts.ts"
import { checkComparedValues } from "./values.ts"
import { checkWordings } from "./wordings.ts"

const checks: readonly Check[] = [
  checkGold,
  checkWholeTexts,
  checkCoded,
  checkBaselines,
  checkFloor,
  checkTexts,
  checkSomeItems,
  checkContrasts,
  checkOverlap,
  checkLines,
  checkWordings,
  checkTwins,
  checkContainers,
  checkItemCounts,
  checkGoldPlace,
  checkPlacebo,
  checkLacking,
  checkPolicies,
  checkJudges,
  checkClaims,
  checkCitations,
  checkComparedValues,
]

/** Warnings that a plan gives: they need a model's tokenizer. */
const onlyPlanned: ReadonlySet<string> = new Set(["CFX4030"])

/** Warnings about one experiment, without those that it allows, and what this version does not make of it. */
export const checkDesign = (
  experiment: ExperimentIR,
  declaration: Experiment,
  program: Program,
  module: Module,
  names: Names,
  items: ReadonlyMap<string, readonly Item[]>,
): readonly Diagnostic[] => {
  const diagnostics: Diagnostic[] = []
  const scene = sceneOf(declaration, module, names, diagnostics)
  const review = { experiment, declaration, program, names, items, scene }
  // Of records alone there is nothing that anybody is asked.
  for (const check of experiment.records?.alone ? [checkRecorded, checkOverlap] : checks) check(review)
  const given = new Set<string>(diagnostics.map(({ code }) => code))
  const allowed = new Set(experiment.allows.map(({ code }) => code))
  const kept = diagnostics.filter(({ code }) => !allowed.has(code))
  diagnostics.length = 0
  for (const { code } of fieldsOf(declaration, "allow")) {
    if (!given.has(code.text) && !onlyPlanned.has(code.text)) scene.say("CFX4007", { code: code.text }, code)
  }
  return [...kept, ...diagnostics].map((one) => ({ ...one, experiment: experiment.name }))
}
