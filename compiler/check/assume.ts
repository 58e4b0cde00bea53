/** `assume`: that it speaks of measures and levels that there are, in shares and deviations. */
import type { AssumeEntry, Experiment } from "../../grammar/ast.ts"
import { assumedShares, SPREAD } from "../lower/assume.ts"
import { columnsOf, fieldsOf, modelsOf, outerColumns, poolsOf } from "../lower/columns.ts"
import { measureName } from "../lower/measures.ts"
import { onlyOnce, type Scene } from "./scene.ts"

export const checkAssume = (experiment: Experiment, scene: Scene): void => {
  const entries = fieldsOf(experiment, "assume").flatMap((field) => field.entries)
  if (entries.length === 0) return
  onlyOnce(scene, "`assume`", entries, ({ name }) => name.text)
  const measures = fieldsOf(experiment, "measure").map((field) => measureName(field).text)
  const columns = columnsOf(experiment, scene.names)
  const levels = [
    ...columns.flatMap((column) => column.levels),
    ...modelsOf(experiment).map(({ text }) => text),
    ...poolsOf(experiment).map(({ pool }) => pool.text),
  ]
  for (const entry of entries) {
    const name = entry.name.text
    if ((assumedShares as readonly string[]).includes(name)) checkShare(entry, `\`${name}\``, scene)
    else if (name === SPREAD) {
      const known = ["item", ...outerColumns, ...columns.map((column) => column.name)]
      checkGroup(entry, known, () => undefined, scene)
    } else if (measures.includes(name)) {
      const check = (inner: AssumeEntry): void =>
        checkShare(inner, `What is assumed of \`${name}\` for \`${inner.name.text}\``, scene)
      checkGroup(entry, levels, check, scene)
    } else if (!scene.torn) {
      const known = [...assumedShares, SPREAD, ...measures]
      scene.say("CFX2461", { name, known }, entry.name)
    }
  }
}

const found = ({ value }: AssumeEntry): string =>
  "kind" in value ? String(value.value) : "a group in braces"

const checkShare = (entry: AssumeEntry, what: string, scene: Scene): void => {
  const { value } = entry
  if ("kind" in value && value.value >= 0 && value.value <= 1) return
  const expected = "a share from 0 to 1"
  scene.say("CFX2462", { what, expected, found: found(entry) }, entry)
}

const checkGroup = (
  entry: AssumeEntry,
  known: readonly string[],
  check: (inner: AssumeEntry) => void,
  scene: Scene,
): void => {
  const { name, value } = entry
  if ("kind" in value) {
    const what = `What is assumed of \`${name.text}\``
    const expected = "a number for each level, in braces"
    scene.say("CFX2462", { what, expected, found: String(value.value) }, entry)
    return
  }
  onlyOnce(scene, `what is assumed of \`${name.text}\``, value, (inner) => inner.name.text)
  for (const inner of value) {
    if (known.includes(inner.name.text)) check(inner)
    else if (!scene.torn) {
      scene.say("CFX2463", { level: inner.name.text, of: name.text, known }, inner.name)
    }
  }
}
