/** The command by which a report comes about again, to be run as it stands but for names of files that a reader has elsewhere. */
import { shellWord } from "../shell.ts"
import type { ReportInput } from "./input.ts"

/** How to run it again, and what then is equal. */
export function reproduction(input: ReportInput): {
  readonly command: string
  readonly notes: readonly string[]
} {
  if (input.scored !== undefined) return scoredAgain(input)
  const isFast = input.models.some(({ facts }) => facts.mode === "fast")
  const options = [
    ...chosenOptions(input),
    ...(input.replayed === true ? ["--backend replay --from DIR"] : []),
    ...(input.limit === undefined ? [] : [`--limit ${input.limit}`]),
    ...(input.backend === undefined || input.replayed === true ? [] : [`--backend ${input.backend}`]),
    ...(isFast && input.replayed !== true ? ["--mode fast"] : []),
  ]
  return {
    command: ["cfx run", shellWord(input.spec.name), ...options].join(" "),
    notes: [
      ...replacedNotes(input),
      ...(input.replayed === true
        ? [
            "DIR: the folder of the run whose answers these are. Without these two options, the models are asked.",
          ]
        : []),
      ...(isFast
        ? [
            "This run was made in fast mode, where prefixes are shared at any token: another order of its reads may move probabilities by as much as the engine's own floor says.",
          ]
        : []),
      "In exact mode on the same engine and kind of processor, results.json and trials.csv come out byte for byte the same. The run directory keeps the spec, its libraries and the items, so cfx resume and cfx report need nothing else.",
    ],
  }
}

/** Records are read again, whatever they were made with. */
function scoredAgain(input: ReportInput): ReturnType<typeof reproduction> {
  const { spec, scored = [], experiment: chosen } = input
  const files = scored.map(({ experiment, file }) => {
    // A name before the first `=` of the word would be taken for an experiment's.
    const isNamed = chosen !== undefined || scored.length > 1 || file.includes("=")
    return `--records ${shellWord(isNamed ? `${experiment}=${file}` : file)}`
  })
  return {
    command: ["cfx score", shellWord(spec.name), ...chosenOptions(input), ...files].join(" "),
    notes: [
      ...replacedNotes(input),
      "The same records give the same results.json and trials.csv, byte for byte, on any machine.",
    ],
  }
}

/** What was chosen of the spec, and what stood in the place of what it names. */
function chosenOptions({ experiment, replaced }: ReportInput): readonly string[] {
  const { models = [], items = [] } = replaced ?? {}
  return [
    ...(experiment === undefined ? [] : [`--experiment ${experiment}`]),
    ...models.map((name) => `--model ${name}=FILE`),
    ...items.map((name) => `--items ${name}=FILE`),
  ]
}

function replacedNotes({ replaced }: ReportInput): readonly string[] {
  if (replaced === undefined) return []
  const names = [...replaced.models, ...replaced.items].join(", ")
  return [
    `FILE: ${names} read another file than the spec names, which was given on the command line; what it was is under "Models and items".`,
  ]
}
