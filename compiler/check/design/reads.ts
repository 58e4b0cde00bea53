/** Measures over reads that some arms lack or that a text may not hold, and judges who judge themselves. */
import { evaluate } from "../../evaluate.ts"
import { designFacts } from "../../facts.ts"
import type { CellIR, HoleIR, TurnIR } from "../../ir.ts"
import { holesIn } from "../../looks.ts"
import { fieldsOf } from "../../lower/columns.ts"
import { wholeMetric } from "../../lower/inherit.ts"
import { isRule } from "../../lower/judge.ts"
import { measureName } from "../../lower/measures.ts"
import { type Check, placeOfMeasure, type Review } from "./review.ts"

/** Measures that condition on a read which never takes place in some arms: those have no denominator. */
export const checkLacking: Check = (review) => {
  const { experiment, scene } = review
  if (experiment.protocol.turns.every(({ when }) => when === undefined)) return
  const closed = new Map<CellIR, ReadonlySet<string>>(
    experiment.cells.map((cell) => [cell, closedTurns(cell, review)]),
  )
  if ([...closed.values()].every(({ size }) => size === 0)) return
  const arms = new Set(experiment.cells.map(({ arm }) => arm))
  for (const measure of experiment.measures) {
    const needed = measure.given === undefined ? [] : holesIn(measure.given)
    for (const hole of new Set(needed)) {
      const turn = experiment.protocol.holes.find(({ name }) => name === hole)?.turn ?? ""
      const lacking = [...arms].filter((arm) =>
        experiment.cells.every((cell) => cell.arm !== arm || closed.get(cell)?.has(turn) === true),
      )
      // Where no arm has it there is nothing to compare: then it is no matter of arms.
      if (lacking.length === 0 || lacking.length === arms.size) continue
      scene.say(
        "CFX4022",
        { measure: measure.name, read: hole, arms: lacking },
        placeOfMeasure(measure, review),
      )
    }
  }
}

/** The turns that take place for no model and no item of a cell: those whose gate the design closes, and those that continue them. */
const closedTurns = (cell: CellIR, { experiment, program }: Review): ReadonlySet<string> => {
  const closed = new Set<string>()
  const attributesOf = (model: string) => program.models.find(({ name }) => name === model)?.attributes ?? {}
  const isClosed = ({ when }: TurnIR): boolean =>
    when !== undefined &&
    experiment.models.every((model) =>
      experiment.pools.every(({ pool }) => {
        const value = evaluate(when, {
          ...designFacts({ model, pool, cell, attributes: attributesOf(model) }, undefined),
          reading: () => undefined,
        })
        return value === false
      }),
    )
  for (const turn of experiment.protocol.turns) {
    if (isClosed(turn) || (turn.continues !== undefined && closed.has(turn.continues))) closed.add(turn.name)
  }
  return closed
}

/** Measures of what is found in a text, whose metric does not say what becomes of texts in which nothing is found. */
export const checkPolicies: Check = (review) => {
  const { experiment, declaration, names, scene } = review
  const found = new Set(
    experiment.protocol.holes.flatMap((hole: HoleIR) => (hole.type === "extract" ? [hole.name] : [])),
  )
  if (found.size === 0) return
  for (const measure of experiment.measures) {
    const field = fieldsOf(declaration, "measure").find((one) => measureName(one).text === measure.name)
    const metric = field === undefined ? undefined : names.find(field.metric, "metric")
    if (metric === undefined || wholeMetric(metric, names).invalid !== undefined) continue
    const reads = [measure.value, ...(measure.given === undefined ? [] : [measure.given])].flatMap(holesIn)
    const read = reads.find((one) => found.has(one))
    if (field === undefined || read === undefined) continue
    const own = metric.module === scene.module
    scene.say(
      "CFX4013",
      { measure: measure.name, read, metric: field.metric.text, own },
      placeOfMeasure(measure, review),
    )
  }
}

/** Judges whose model is the studied one: it judges its own answers, unless all that it is given is the items'. */
export const checkJudges: Check = ({ experiment, declaration, names, scene }) => {
  const [field] = fieldsOf(declaration, "protocol")
  const protocol = field === undefined ? undefined : names.find(field.protocol, "protocol")?.declaration
  if (field === undefined || protocol === undefined) return
  for (const judged of protocol.fields) {
    if (judged.field !== "judge" || judged.arguments.every(({ kind }) => kind === "member")) continue
    const judge = names.find(judged.judge, "judge")
    if (judge === undefined || isRule(judge.declaration)) continue
    const by = judged.by?.text
    const speakers = by === undefined ? ["model"] : rolesOf(by, experiment.cells)
    const own = speakers.filter((one) => one === "model" || experiment.models.includes(one))
    if (own.length === 0) continue
    const role = fieldsOf(declaration, "factor").find(({ factor }) => factor.text === by)
    scene.say("CFX4021", { read: judged.name.text, judges: own }, role?.factor ?? field.protocol)
  }
}

/** The models that take a role; a name that is no role is a model itself. */
const rolesOf = (name: string, cells: readonly CellIR[]): readonly string[] => {
  const levels = new Set(cells.flatMap(({ roles }) => roles[name] ?? []))
  return levels.size === 0 ? [name] : [...levels]
}
