/** What fills the slots and roles of a protocol besides the arms, and that columns of a design can be told apart. */
import type { Experiment, Expression, Protocol } from "../../grammar/ast.ts"
import {
  armsOf,
  assertionFactors,
  factorLevels,
  fieldsOf,
  levelName,
  outerColumns,
  print,
  UNANIMITY,
} from "../lower/columns.ts"
import { namedModels } from "../lower/models.ts"
import { placesIn } from "../lower/place.ts"
import { rolesOf, slotsOf } from "../lower/protocol.ts"
import { isRole, STUDIED, slotsLeft } from "../lower/slotFills.ts"
import type { Bound } from "../resolve.ts"
import { declaredAt, onlyOnce, type Scene } from "./scene.ts"

export const checkFactors = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  scene: Scene,
): void => {
  const fields = fieldsOf(experiment, "factor")
  onlyOnce(scene, experiment, fields, ({ factor }) => `factor ${factor.text}`)
  for (const field of fields) {
    const levels = factorLevels(field, experiment)
    if (levels.length === 0 && field.levels !== "models" && !scene.torn)
      scene.say("CFX2017", { what: "level" }, field)
    const met = new Set<string>()
    for (const level of field.levels === "models" ? [] : levels) {
      const written = levelName(level)
      if (met.has(written)) scene.say("CFX2205", { factor: field.factor.text, level: written }, level)
      met.add(written)
    }
    const taken = columnsTaken(experiment).get(field.factor.text)
    if (taken !== undefined) scene.say("CFX2465", { name: field.factor.text, taken }, field.factor)
    if (protocol !== undefined) checkFactor(field, experiment, protocol, scene)
  }
  if (protocol === undefined) return
  checkFilled(experiment, protocol, scene)
  checkModelNames(experiment, protocol, scene)
}

/** Columns that a design has of itself, and what they are. */
const columnsTaken = (experiment: Experiment): ReadonlyMap<string, string> => {
  const hasArms = armsOf(experiment).length > 0
  return new Map([
    ...(hasArms ? [["arm", "the arm of a trial"] as const] : []),
    ...(hasArms ? assertionFactors.map((name) => [name, "a factor of the arms"] as const) : []),
    ...outerColumns.map((name) => [name, `the ${name} of a trial`] as const),
    ...["seed", "target", "options", "replicate"].map((name) => [name, `the ${name} of a trial`] as const),
    [UNANIMITY, "what follows from the structures"] as const,
  ])
}

const checkFactor = (
  field: ReturnType<typeof fieldsOf<"factor">>[number],
  experiment: Experiment,
  protocol: Bound<Protocol>,
  scene: Scene,
): void => {
  const name = field.factor.text
  const called = protocol.declaration.name.text
  const declared = [declaredAt(protocol, "the protocol")]
  if (isRole(name, protocol.declaration)) {
    for (const level of field.levels === "models" ? [] : field.levels) checkLevel(level, name, "role", scene)
    return
  }
  const slots = slotsOf(protocol.declaration).map(({ text }) => text)
  const left = slotsLeft(experiment, protocol.declaration)
  if (!slots.includes(name)) {
    const known = [...left, ...rolesOf(protocol.declaration).map(({ text }) => text)]
    const of = isOfModels(field, scene) ? "role" : "slot"
    scene.say("CFX2452", { factor: name, protocol: called, of, known }, field.factor, declared)
  } else if (!left.includes(name)) {
    scene.say("CFX2453", { slot: name, protocol: called }, field.factor, declared)
  } else if (field.levels === "models") {
    scene.say("CFX2454", { factor: name, of: "slot", found: "a list of models" }, field)
  } else for (const level of field.levels) checkLevel(level, name, "slot", scene)
}

/** Whether the levels of a factor are models, which only a role can take. */
const isOfModels = ({ levels }: ReturnType<typeof fieldsOf<"factor">>[number], scene: Scene): boolean =>
  levels === "models" ||
  levels.some(
    (level) =>
      level.kind === "name" && (level.text === STUDIED || scene.names.has(scene.module, level.text, "model")),
  )

/** Names that stand for no block, and for no model, were reported where names are resolved. */
const checkLevel = (level: Expression, factor: string, of: "slot" | "role", scene: Scene): void => {
  const fits = of === "slot" ? ["name", "text", "number"] : ["name"]
  if (fits.includes(level.kind)) return
  const found = level.kind === "text" || level.kind === "number" ? `a ${level.kind}` : `\`${print(level)}\``
  scene.say("CFX2454", { factor, of, found }, level)
}

/** Reports slots and roles that nothing fills. */
const checkFilled = (experiment: Experiment, protocol: Bound<Protocol>, scene: Scene): void => {
  const given = new Set(fieldsOf(experiment, "factor").map(({ factor }) => factor.text))
  const name = protocol.declaration.name.text
  const at = fieldsOf(experiment, "protocol")[0]?.protocol ?? experiment.name
  if (scene.torn) return
  const slots = slotsOf(protocol.declaration)
  for (const slot of slotsLeft(experiment, protocol.declaration)) {
    // That no turn shows a slot was reported with the protocol.
    if (given.has(slot) || !isShown(slot, protocol.declaration)) continue
    const declared = slots.find(({ text }) => text === slot)
    const related =
      declared === undefined
        ? []
        : [{ source: protocol.module.source, span: declared.span, label: "the slot" }]
    scene.say("CFX2450", { slot, protocol: name, first: slot === slots[0]?.text }, at, related)
  }
  for (const role of rolesOf(protocol.declaration)) {
    if (given.has(role.text)) continue
    const related = [{ source: protocol.module.source, span: role.span, label: "the role" }]
    scene.say("CFX2451", { role: role.text, protocol: name }, at, related)
  }
}

const isShown = (slot: string, { turns, fields }: Protocol): boolean =>
  [...turns.flatMap((turn) => turn.fields), ...fields].some(
    (field) =>
      (field.field === "system" || field.field === "user" || field.field === "assistant") &&
      placesIn(field.text).some(({ head }) => head === slot),
  )

/** Reports a model of the experiment that has the name of another one, which its protocol names. */
const checkModelNames = (experiment: Experiment, protocol: Bound<Protocol>, scene: Scene): void => {
  const inProtocol = new Set(namedModels({ ...experiment, fields: [] }, protocol.declaration))
  if (inProtocol.size === 0) return
  const byName = new Map<string, Bound>()
  const told = new Set<string>()
  const own = namedModels(experiment, protocol.declaration).filter((name) => !inProtocol.has(name))
  for (const name of inProtocol) {
    const bound = scene.names.find(name, "model")
    if (bound !== undefined && !byName.has(name.text)) byName.set(name.text, bound)
  }
  for (const name of own) {
    const bound = scene.names.find(name, "model")
    const other = byName.get(name.text)
    if (bound === undefined || other === undefined || other.declaration === bound.declaration) continue
    if (told.has(name.text)) continue
    told.add(name.text)
    scene.say("CFX2467", { name: name.text, file: other.module.source.name }, name, [
      declaredAt(other, "the protocol's"),
    ])
  }
}
