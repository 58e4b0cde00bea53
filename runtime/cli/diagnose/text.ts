/** A diagnosis as a person reads it. */
import type { Assumption } from "../../diagnose/assumptions.ts"
import type { DiagnosedExperiment, Diagnosis, Lacking } from "../../diagnose/diagnose.ts"
import type { LackingFamily } from "../../diagnose/families.ts"
import { WANTED } from "../../diagnose/smallest.ts"
import { ALPHA } from "../../diagnose/summary.ts"
import { aligned, number, plural } from "../plan/aligned.ts"
import { estimatorText, factorText, foundText, shareText, valueText, widthText } from "./words.ts"

export const diagnosisText = ({ experiments, seed }: Diagnosis): string =>
  experiments.flatMap((experiment) => [...experimentText(experiment, seed), ""]).join("\n")

function experimentText(found: DiagnosedExperiment, seed: number): readonly string[] {
  const { experiment, contrasts, simulations, items, designItems, models, trials, expects, left } = found
  if (contrasts.length === 0) {
    const why =
      left.length === 0
        ? "it declares no contrast, so that there is nothing to find"
        : "none of its contrasts is simulated"
    return [`experiment ${experiment}: ${why}`, ...leftText(found)]
  }
  const own = items === designItems ? "" : `, as --items says (the design has ${number(designItems)}),`
  return [
    `experiment ${experiment}: ${plural(simulations, "simulation")} (seed ${seed}) of ${plural(items, "item")}${own} and ${plural(models.length, "model")}; its contrasts look at ${plural(trials, "trial")}`,
    ...assumptionsText(found.assumptions),
    "",
    ...contrastsText(found),
    "",
    ...smallestText(found),
    "",
    ...sizesText(found),
    ...(expects.length === 0
      ? []
      : [
          "",
          ...aligned([
            ["expected", "holds in", ""],
            ...expects.map(({ text, held }) => [text, shareText(held), ""]),
          ]).map(indented),
        ]),
    ...leftText(found),
  ]
}

const indented = (line: string): string => `  ${line}`

/** Behind ± stands the Monte Carlo standard error of what is before it. */
function contrastsText({ contrasts, families }: DiagnosedExperiment): readonly string[] {
  const apart = contrasts.some(
    ({ summary: { coverage, coverageHere } }) => coverage?.value !== coverageHere?.value,
  )
  const rows = contrasts.map((one) => {
    const { contrast, by, truth, summary } = one
    return [
      contrast,
      estimatorText(by),
      valueText(truth, one),
      shareText(summary.power),
      widthText(summary.width, one),
      shareText(summary.coverage),
      ...(apart ? [shareText(summary.coverageHere)] : []),
      shareText(summary.typeS),
      factorText(summary.typeM),
      "",
    ]
  })
  const lacking = contrasts.flatMap((one) => {
    const { simulations, of, decides } = one.summary
    const name = `${one.contrast} by ${estimatorText(one.by)}`
    return [
      ...(simulations < of
        ? [`${name} has an estimate in ${number(simulations)} of ${number(of)} simulations`]
        : []),
      ...(decides === "interval"
        ? [`${name} is found where its ${one.level} % interval leaves out 0: it has no p`]
        : []),
      ...(decides === "nothing"
        ? [`${name} has neither a p nor an interval, so that nothing says when it is found`]
        : []),
    ]
  })
  return [
    ...aligned([
      [
        "contrast",
        "by",
        "true",
        "power",
        "interval",
        "covers",
        ...(apart ? ["covers these"] : []),
        "type S",
        "type M",
        "",
      ],
      ...rows,
    ]).map(indented),
    "  ± is the Monte Carlo standard error. True: over all intercepts. Covers: intervals that hold it.",
    `  Power: simulations with a p below ${ALPHA}, or where there is no p, with an interval that leaves out 0.`,
    ...(apart
      ? [
          "  Covers these: intervals that hold the value for the models, pools and levels that were drawn, over items alone.",
        ]
      : []),
    "  Type S: of the effects found, those of the wrong sign. Type M: by how much a found effect is exaggerated.",
    ...lacking.map(indented),
    ...families.map(familyText).map(indented),
  ]
}

/** Which of a family's contrasts count without being simulated, and what that does to the others. */
function familyText({ family, contrasts, notSimulated }: LackingFamily): string {
  const names = notSimulated.join(", ")
  return `family ${family}: ${notSimulated.length} of its ${contrasts} contrasts ${notSimulated.length === 1 ? "enters" : "enter"} it by what is not simulated (${names}), here with a p of 1: power of the others is no more than a run has`
}

function smallestText({ contrasts, items }: DiagnosedExperiment): readonly string[] {
  const wanted = `${Math.round(100 * WANTED)} %`
  return [
    `  Smallest effect found with ${wanted} power, with ${plural(items, "item")}:`,
    ...aligned(
      contrasts.map((one) => [
        `  ${one.contrast}`,
        estimatorText(one.by),
        "none" in one.smallest ? `none: ${one.smallest.none}` : foundText(one.smallest, one),
      ]),
    ).map(indented),
  ]
}

function sizesText({ contrasts }: DiagnosedExperiment): readonly string[] {
  const sizes = contrasts[0]!.sizes.map(({ items }) => items)
  return [
    "  Power by number of items:",
    ...aligned([
      ["  items", "", ...sizes.map(number), ""],
      ...contrasts.map((one) => [
        `  ${one.contrast}`,
        estimatorText(one.by),
        ...one.sizes.map(({ summary }) => shareText(summary.power)),
        "",
      ]),
    ]).map(indented),
  ]
}

function leftText({ left }: DiagnosedExperiment): readonly string[] {
  const lines = left.map(
    ({ contrast, by, why }) => `  not simulated: ${contrast}${by === undefined ? "" : ` by ${by}`}: ${why}`,
  )
  // A way of taking it that is left out says what to do itself.
  return left.some(({ by }) => by === undefined) ? [...lines, `  ${PILOT}`] : lines
}

const PILOT =
  "what is not simulated, a pilot shows: cfx run SPEC --limit 30 has its interval, which narrows as the square root of the number of items grows"

const SOURCES = {
  assume: "",
  pilot: " (from the pilot)",
  default: " (nothing says: taken as usual)",
} as const

function assumptionsText(assumptions: readonly Assumption[]): readonly string[] {
  const rows = assumptions.map(({ name, value, from, atLeast }) => [
    name,
    shown(value),
    `${atLeast ? "at least: beyond what moments can estimate " : ""}${SOURCES[from].trim()}`.trim(),
  ])
  return ["  assumed", ...aligned(rows).map((line) => `    ${line}`)]
}

const shown = (value: number): string => String(Number(value.toPrecision(3)))

/** What an `assume` block lacks, as lines that can be put into it. */
export function lackingText(lacking: readonly Lacking[], spec: string): string {
  return lacking
    .flatMap(({ experiment, missing }) => {
      const names = [...new Set(missing.map(({ name }) => name))]
      const lines = names.map((name) => {
        const own = missing.filter((one) => one.name === name)
        const levels = own.flatMap(({ level }) => (level === undefined ? [] : `${level} ${EXAMPLE}`))
        return {
          line: levels.length === 0 ? `${name} 0.7` : `${name} { ${levels.join("  ")} }`,
          because: own[0]!.because,
        }
      })
      return [
        `error: experiment ${experiment} of ${spec} does not say what it assumes of its respondents, so that its contrasts cannot be simulated`,
        ...lines.map(({ line, because }) => `  add \`${line}\`: ${because}`),
        "  into its block, with the shares that you expect:",
        "    assume {",
        ...lines.map(({ line }) => `      ${line}`),
        "    }",
        "",
      ]
    })
    .join("\n")
}

/** A share to be replaced. */
const EXAMPLE = "0.5"
