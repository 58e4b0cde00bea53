/** A comparison of two runs as a person reads it. */
import { visible } from "../../compiler/diagnostics/visible.ts"
import type { ReadCounts, ReadDifference } from "./reads.ts"
import type { ResultDifference } from "./results.ts"
import type { RunComparison } from "./runs.ts"

/** Numbers that are shown one by one. */
const SHOWN = 20
/** Characters of a text that are shown. */
const LONGEST = 60

export function runsText({ same, setup, trials, reads, examples, results }: RunComparison): string {
  const sections = [
    setup.length === 0
      ? []
      : [
          "What the runs are:",
          ...setup.map(
            ({ what, first, second }) => `  ${visible(what)}: ${visible(first)}, ${visible(second)}`,
          ),
        ],
    [
      `Trials: ${trials.both} of both runs${trials.first === 0 ? "" : `, ${trials.first} of the first alone`}${trials.second === 0 ? "" : `, ${trials.second} of the second alone`}`,
      ...reads.map(readLine),
    ],
    examples.length === 0 ? [] : ["Reads that differ most:", ...examples.map(exampleLine)],
    [
      `Numbers: ${results.same} the same, ${results.differing.length} different${results.only.first + results.only.second === 0 ? "" : `, ${results.only.first} of the first alone, ${results.only.second} of the second alone`}`,
      ...results.differing.slice(0, SHOWN).map(resultLine),
      ...(results.differing.length > SHOWN
        ? [`  and ${results.differing.length - SHOWN} more: --json lists all`]
        : []),
    ],
  ].filter((lines) => lines.length > 0)
  const verdict = same ? "Every read and every number of the two runs is the same.\n\n" : ""
  return `${verdict}${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`
}

function readLine({
  experiment,
  model,
  hole,
  compared,
  same,
  within,
  beyond,
  flips,
  largest,
  floor,
}: ReadCounts) {
  const of = `  ${visible(experiment)}, ${visible(model)}, ${hole}: `
  if (same === compared) return `${of}the same in all ${compared} trials`
  const parts = [
    `${same} of ${compared} trials the same`,
    ...(floor === 0 ? [] : [`${within} within the engine's floor of ${shown(floor)}`]),
    `${beyond} ${floor === 0 ? "others" : "beyond it"}`,
    `${flips} with another answer`,
    ...(largest === 0 ? [] : [`largest difference ${shown(largest)}`]),
  ]
  return `${of}${parts.join(", ")}`
}

function exampleLine({
  experiment,
  model,
  item,
  hole,
  trial,
  of,
  first,
  second,
  beyond,
  flipped,
}: ReadDifference) {
  const mark = flipped ? ", another answer" : beyond ? "" : ", within the floor"
  return `  ${visible(experiment)}, ${visible(model)}, item ${visible(item)}, ${hole}: ${visible(of)} ${cutTo(first)} -> ${cutTo(second)}${mark}\n    ${visible(trial)}`
}

function resultLine({ experiment, kind, name, of, first, second, n, in: keys }: ResultDifference): string {
  const numbers = `${first === undefined ? "none" : shown(first)} (n ${n.first}) -> ${second === undefined ? "none" : shown(second)} (n ${n.second})`
  return `  ${visible(experiment)}: ${kind} ${visible(name)}${of === "" ? "" : `, ${visible(of)}`}: ${numbers}${first === second && n.first === n.second ? `, other ${keys.join(", ")}` : ""}`
}

const shown = (value: number): string => String(Number(value.toPrecision(4)))

const cutTo = (text: string): string => {
  const flat = visible(text.replaceAll("\n", "␊"))
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST)}…` : flat
}
