/**
 * The texts of a run that people are to code, and what a judge of the run said of them. A text is one of an item: what several trials of an item came to
 * word for word is coded once. Its code says nothing of model, arm or trial, and texts stand in the order of their codes, so that whoever codes them is blind.
 * The judge may have met one text under several prompts, which arms may word, and have labelled it in several ways.
 */
import { sha256 } from "../../compiler/hash.ts"
import type { HoleIR, PieceIR, Program } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"

export interface CodedText {
  /** A `t` and twelve hexadecimal digits: digits alone, or with an `e` among them, are numbers to programs for tables, and are rewritten. */
  readonly code: string
  readonly pool: string
  readonly item: string
  readonly text: string
  /** The labels that the judge gave, in order: one for each prompt under which it was asked about this text, or where it asks nobody for each trial. */
  readonly judged: readonly string[]
}

/** A text read, with the read of labels that judges it. */
export interface Judged {
  readonly experiment: string
  readonly text: string
  readonly judge: string
  readonly labels: readonly string[]
}

/** The label reads of a program that judge a text of theirs: by a model that is shown it, by a rule, or found in it. */
export function judgedTexts(program: Program): readonly Judged[] {
  return program.experiments.flatMap(({ name, protocol }) =>
    protocol.holes.flatMap((hole) => {
      const labels = labelsOf(hole)
      const text = labels === undefined ? undefined : textBefore(hole, protocol)
      return labels === undefined || text === undefined
        ? []
        : [{ experiment: name, text, judge: hole.name, labels }]
    }),
  )
}

function labelsOf(hole: HoleIR): readonly string[] | undefined {
  if (hole.type === "label" || hole.type === "rule") return hole.labels
  return hole.type === "extract" && hole.as.type === "label" ? hole.as.labels : undefined
}

/** The text that a label is about: the last one that its turn shows. */
function textBefore(
  hole: HoleIR,
  { holes, turns }: Program["experiments"][number]["protocol"],
): string | undefined {
  const isText = (name: string) => holes.some((one) => one.name === name && one.type === "text")
  if (hole.type === "rule" || hole.type === "extract") return isText(hole.from) ? hole.from : undefined
  const turn = turns.find(({ name }) => name === hole.turn)
  const shown = (turn?.user ?? []).flatMap((piece: PieceIR) =>
    piece.kind === "hole" && isText(piece.hole) ? [piece.hole] : [],
  )
  return shown.at(-1)
}

interface Judgements {
  readonly text: Omit<CodedText, "judged">
  /** By prompt, or by trial. */
  readonly labels: Map<string, string>
}

/** By code, in the order of codes, whatever the order of records. `run` keeps codes of two runs apart. */
export function codedTexts(
  records: Iterable<TrialRecord>,
  { experiment, text: hole, judge }: Judged,
  run: string,
): ReadonlyMap<string, CodedText> {
  const found = new Map<string, Judgements>()
  for (const record of records) {
    if (record.experiment !== experiment) continue
    const reading = record.readings[hole]
    if (reading?.status !== "text") continue
    const { pool, item } = record
    const code = `t${sha256(JSON.stringify([run, hole, pool, item, reading.text])).slice(0, 12)}`
    const known = found.get(code) ?? { text: { code, pool, item, text: reading.text }, labels: new Map() }
    found.set(code, known)
    const said = record.readings[judge]
    // Trials that share a prompt share the read.
    if (said?.status === "value" || said?.status === "answer")
      known.labels.set(record.prompts[judge] ?? record.trial, said.value)
  }
  return new Map(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { text, labels }]) => [code, { ...text, judged: [...labels.values()].sort() }]),
  )
}
