/** An experiment: what it asks of whom about what, its arms, and what it measures. */
import type { Experiment, Expression } from "../../grammar/ast.ts"
import { fieldsOf, modelsOf, poolsOf, print } from "../lower/columns.ts"
import { ordersOf, seedsOf } from "../lower/grid.ts"
import { lowerOptionOrder, optionOrders } from "../lower/options.ts"
import { isRecordsAlone } from "../lower/recorded.ts"
import { checkAnalysis } from "./analysis.ts"
import { checkArms } from "./arms.ts"
import { checkAssume } from "./assume.ts"
import { checkConditions } from "./conditions.ts"
import { allowableCodes } from "./design/codes.ts"
import { checkFactors } from "./factors.ts"
import { checkFit } from "./fit.ts"
import { checkMeasures, protocolOf } from "./measures.ts"
import { checkRecords } from "./records.ts"
import { checkReplicates } from "./replicates.ts"
import { missing, onlyOnce, plain, type Scene } from "./scene.ts"
import { checkServed } from "./served.ts"
import { checkTargetLevels } from "./targets.ts"

const single = [
  "protocol",
  "models",
  "items",
  "seed",
  "target",
  "options",
  "replicates",
  "independent",
  "tolerate",
  "arms",
  "assume",
  "records",
]

/** What an experiment must say, and how. */
const examples = {
  protocol: "protocol arbitration",
  models: "models { respondent }",
  items: "items { kinds }",
  seed: "seed 0",
  measure: "measure HRR",
} as const

export const checkExperiment = (experiment: Experiment, scene: Scene): void => {
  onlyOnce(scene, experiment, experiment.fields, ({ field }) => (single.includes(field) ? field : undefined))
  const protocol = protocolOf(experiment, scene)
  checkRecords(experiment, protocol, scene)
  const needed = Object.entries(examples).filter(
    ([field]) => field === "measure" || !isRecordsAlone(experiment),
  )
  for (const [field, example] of needed) {
    if (!experiment.fields.some((one) => one.field === field)) missing(scene, experiment, field, example)
  }
  checkModels(experiment, scene)
  checkPools(experiment, scene)
  checkSeeds(experiment, scene)
  checkOrders(experiment, scene)
  checkAllowed(experiment, scene)
  if (!isRecordsAlone(experiment)) {
    checkTargetLevels(experiment, protocol, scene)
    checkFactors(experiment, protocol, scene)
    checkArms(experiment, protocol, scene)
  }
  if (protocol !== undefined && !isRecordsAlone(experiment)) {
    checkFit(experiment, protocol, scene)
    checkServed(experiment, protocol, scene)
  }
  checkReplicates(experiment, protocol, scene)
  checkTolerated(experiment, scene)
  checkConditions(experiment, scene)
  checkMeasures(experiment, scene)
  checkAssume(experiment, scene)
  checkAnalysis(experiment, scene)
}

/** A run in which every read may fail would count as one whatever came of it. */
const checkTolerated = (experiment: Experiment, scene: Scene): void => {
  for (const { share } of fieldsOf(experiment, "tolerate")) {
    const { value } = share
    if (value >= 0 && value < 1) continue
    const fits = "a share from 0 up to, but not including, 1"
    scene.say("CFX2405", { setting: "tolerate", found: String(value), fits }, share)
  }
}

const checkModels = (experiment: Experiment, scene: Scene): void => {
  for (const field of fieldsOf(experiment, "models")) {
    if (field.models.length === 0 && !scene.torn) scene.say("CFX2017", { what: "model" }, field)
  }
  distinct("models", modelsOf(experiment), scene)
}

const checkPools = (experiment: Experiment, scene: Scene): void => {
  for (const field of fieldsOf(experiment, "items")) {
    if (field.pools.length === 0 && !scene.torn) scene.say("CFX2017", { what: "pool" }, field)
  }
  const pools = poolsOf(experiment)
  distinct(
    "items",
    pools.map(({ pool }) => pool),
    scene,
  )
  for (const { sample } of pools) {
    if (sample !== undefined && !isWhole(sample.value, 1)) {
      scene.say("CFX2214", { found: String(sample.value) }, sample)
    }
  }
}

const isWhole = (value: number, from: number): boolean => Number.isSafeInteger(value) && value >= from

const checkSeeds = (experiment: Experiment, scene: Scene): void => {
  const seeds = seedsOf(experiment)
  for (const field of fieldsOf(experiment, "seed")) {
    if (field.levels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "seed" }, field)
  }
  for (const seed of seeds) {
    if (seed.kind !== "number" || !isWhole(seed.value, 0)) scene.say("CFX2213", { found: print(seed) }, seed)
  }
  distinct("seed", seeds, scene)
}

const checkOrders = (experiment: Experiment, scene: Scene): void => {
  const orders = ordersOf(experiment)
  for (const field of fieldsOf(experiment, "options"))
    if (field.levels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "order of options" }, field)
  for (const order of orders) {
    if (lowerOptionOrder(order) === undefined)
      scene.say("CFX2459", { found: print(order), known: [...optionOrders, "rotate(1)"] }, order)
  }
  distinct("options", orders, scene)
}

/** Reports a level that stands twice. */
const distinct = (factor: string, levels: readonly Expression[], scene: Scene): void => {
  for (const [index, level] of levels.entries()) {
    const written = print(level)
    if (levels.findIndex((other) => print(other) === written) < index) {
      scene.say("CFX2205", { factor, level: written }, level)
    }
  }
}

const checkAllowed = (experiment: Experiment, scene: Scene): void => {
  for (const { code, reason } of fieldsOf(experiment, "allow")) {
    plain(scene, reason, "The reason of `allow`")
    const known: readonly string[] = allowableCodes
    if (!known.includes(code.text)) scene.say("CFX2016", { code: code.text, known }, code)
  }
}
