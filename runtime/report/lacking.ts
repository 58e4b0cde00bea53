/** What a dash in place of a level stands for. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Group } from "../measure/views.ts"

/**
 * "– under framing: the arms reask and length, taken together, which have no framing": a sentence for each set of factors that rows lack. Rows that name their arm
 * say it themselves.
 */
export function lackingNotes(
  experiment: ExperimentIR,
  factors: readonly string[],
  groups: readonly Group[],
): readonly string[] {
  const declared = new Set(experiment.factors.map(({ name }) => name))
  const notes = groups.flatMap(({ levels, view }) => {
    const lacking = factors.filter((factor) => levels[factor] === undefined)
    // Of items, not of arms: a column that some of them leave empty.
    const empty = lacking.filter((factor) => !declared.has(factor))
    const none = lacking.filter((factor) => declared.has(factor))
    const arms = armsOf(experiment, [{ view }])
    // Where some trials of an arm lack a factor and others do not, arms say nothing of it.
    const isOfArms = experiment.cells.every(
      ({ arm, levels: own }) => !arms.includes(arm) || none.every((factor) => own[factor] === undefined),
    )
    return [
      ...empty.map((factor) => `– under ${factor}: items that have none.`),
      ...(none.length === 0 || levels.arm !== undefined || arms.length === 0
        ? []
        : [isOfArms ? armsWords(none, arms) : `– under ${none.join(" and ")}: trials that have none.`]),
    ]
  })
  return [...new Set(notes)]
}

/** The arms of the trials in groups, in the order of the design. */
export function armsOf(experiment: ExperimentIR, groups: readonly Pick<Group, "view">[]): readonly string[] {
  const order = experiment.factors.find(({ name }) => name === "arm")?.levels ?? []
  const found = new Set(groups.flatMap(({ view }) => view.units.flatMap((unit) => unit.levels.arm ?? [])))
  return [...found].sort((a, b) => order.indexOf(a) - order.indexOf(b))
}

function armsWords(factors: readonly string[], arms: readonly string[]): string {
  const under = `– under ${factors.join(" and ")}`
  const no = factors.join(" or ")
  return arms.length === 1
    ? `${under}: the arm ${arms[0]}, which has no ${no}.`
    : `${under}: the arms ${listed(arms)}, taken together, which have no ${no}.`
}

/** "reask, length and echo"; empty without a name. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
