/** Models that are asked on a server for what no server can tell. A model that `--model` replaces by a file is on none. */
import type { ExperimentIR, HoleIR } from "../../ir.ts"
import { factorLevels, fieldsOf, modelsOf } from "../../lower/columns.ts"
import type { Check } from "./review.ts"

/** The models that are asked for a read, the studied ones among them by their names. */
const askedFor = ({ turn }: HoleIR, { protocol, cells, models }: ExperimentIR): ReadonlySet<string> => {
  const by = protocol.turns.find(({ name }) => name === turn)?.by
  if (by === undefined) return new Set(models)
  if ("model" in by) return new Set([by.model])
  return new Set(cells.flatMap(({ roles }) => (roles[by.role] === "model" ? models : (roles[by.role] ?? []))))
}

/** Reads of options by their whole texts: a server lists probabilities of the next token, and not of given ones. */
export const checkWholeTexts: Check = ({ experiment, declaration, program, scene }) => {
  const served = new Set(program.models.flatMap(({ engine, name }) => (engine === "server" ? [name] : [])))
  const told = new Set<string>()
  for (const hole of experiment.protocol.holes) {
    if (hole.type !== "option" || hole.score === undefined) continue
    for (const model of askedFor(hole, experiment)) {
      if (!served.has(model) || told.has(model)) continue
      told.add(model)
      const named = [
        ...modelsOf(declaration),
        ...fieldsOf(declaration, "factor").flatMap((field) => factorLevels(field, declaration)),
      ].find((one) => one.kind === "name" && one.text === model)
      const score = hole.score === "sum" ? "text" : "text_per_token"
      const at = named ?? fieldsOf(declaration, "protocol")[0]?.protocol ?? declaration.name
      scene.say("CFX2470", { model, read: hole.name, score }, at)
    }
  }
}
