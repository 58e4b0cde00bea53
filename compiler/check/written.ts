/**
 * Texts of a design written out with marks where an item, a read or a target goes: two that are the same so are the same for every item,
 * every read and every draw.
 */
import type {
  AssertedIR,
  AssertionIR,
  CellIR,
  ExperimentIR,
  PieceIR,
  ProtocolIR,
  StimulusIR,
  TextIR,
} from "../ir.ts"
import { assignments, doseAt, pushedBy } from "../lines.ts"
import { once } from "../memo.ts"
import { stimulusIn } from "../settle.ts"
import { wordsIn } from "../wording.ts"

/** What the lines of a stimulus stand among. */
interface Around {
  readonly experiment: ExperimentIR
  readonly cell: CellIR
  readonly step?: number | undefined
  readonly line?: Line
}

interface Line {
  readonly stimulus: AssertionIR
  readonly index: number
  readonly speakers: number
  readonly asserts: AssertedIR
}

/** Opens what is no character of a text. */
const MARK = "\u0000"

const mark = (name: string): string => `${MARK}${name}${MARK}`

/** Stands before lines that are shuffled. */
const SHUFFLED = mark("shuffled")

/** Between the texts of a turn, and between turns. */
const BREAK = mark("")

const fieldName = (field: Extract<PieceIR, { kind: "item" }>["field"]): string =>
  typeof field === "string" ? field : `column:${field.column}`

/** What a cell, or a line, fills. */
type Open = Extract<PieceIR, { kind: "slot" | "push" | "line" }>

const isOpen = (piece: PieceIR): piece is Open =>
  piece.kind === "slot" || piece.kind === "push" || piece.kind === "line"

const writeOpen = (piece: Open, around: Around): string => {
  switch (piece.kind) {
    case "slot": {
      const stimulus = stimulusIn(piece.slot, around.experiment.protocol, around.cell)
      return writeStimulus(stimulus, around.experiment, around.cell, piece.step)
    }
    case "push":
      return mark(`${piece.of === "target" ? "target" : pushedBy(around.cell)}.${piece.field}`)
    case "line":
      return writeLineField(piece, around)
    default:
      return piece satisfies never
  }
}

/** A piece that is the same in every cell. */
const writeClosed = (piece: Exclude<PieceIR, Open>, step: number | undefined): string => {
  switch (piece.kind) {
    case "text":
      return piece.text
    case "item":
      return mark(`item.${fieldName(piece.field)}`)
    case "other": {
      const index = piece.index === "step" ? (step ?? "step") : piece.index
      return mark(`other.${piece.draw}.${index}.${fieldName(piece.field)}`)
    }
    case "step":
      return step === undefined ? mark("step") : String(step)
    case "option":
      return mark(`option.${piece.field}`)
    case "hole":
      return mark(`hole.${piece.hole}`)
    default:
      return piece satisfies never
  }
}

const writeLineField = ({ field }: Extract<PieceIR, { kind: "line" }>, around: Around): string => {
  const { line, experiment } = around
  if (line === undefined) return mark(`line.${field}`)
  const { stimulus, index, speakers, asserts } = line
  const seat = speakers > 0 ? index % speakers : index
  switch (field) {
    case "answer":
      return mark(`${asserts}.${experiment.protocol.answers}`)
    case "answer.label":
      return mark(`${asserts}.label`)
    case "answer.text":
      return mark(`${asserts}.text`)
    case "assertion":
      return write(stimulus.wordings[index % stimulus.wordings.length] ?? [], around)
    case "i":
      return String(seat + 1)
    case "speaker":
      return stimulus.roster[seat] ?? ""
    default:
      return field satisfies never
  }
}

const write = (text: TextIR, around: Around): string => {
  let written = ""
  for (const piece of text)
    written += isOpen(piece) ? writeOpen(piece, around) : writeClosed(piece, around.step)
  return written
}

/** What each line of an assertion comes to, top to bottom; of lines in a shuffled order, before they are shuffled. */
export const writtenLines = (
  stimulus: AssertionIR,
  around: { readonly experiment: ExperimentIR; readonly cell: CellIR; readonly step?: number | undefined },
): readonly string[] => {
  const { lines: count, speakers } = doseAt(stimulus, around.step)
  const unshuffled = (lines: number): readonly number[] => Array.from({ length: lines }, (_, index) => index)
  const { experiment, cell, step } = around
  return assignments(stimulus.structure, stimulus.order, count, unshuffled).map((asserts, index) =>
    write(stimulus.lines[index % stimulus.lines.length] ?? [], {
      experiment,
      cell,
      step,
      line: { stimulus, index, speakers, asserts },
    }),
  )
}

/** Cells that have a stimulus in common have its text in common: it says nothing of a cell but what is pushed there. */
const writeStimulus = (
  stimulus: StimulusIR,
  experiment: ExperimentIR,
  cell: CellIR,
  step?: number,
): string => {
  const known = stimuli(stimulus)
  const key = `${pushedBy(cell)} ${experiment.protocol.answers} ${step}`
  const text = known.get(key)
  if (text !== undefined) return text
  const fresh = textOf(stimulus, { experiment, cell, step })
  known.set(key, fresh)
  return fresh
}

const stimuli = once((_: StimulusIR) => new Map<string, string>())

const textOf = (stimulus: StimulusIR, around: Around): string => {
  if (stimulus.kind === "block") {
    const own = around.step === undefined ? undefined : stimulus.steps?.[around.step - 1]
    if (stimulus.steps !== undefined && own === undefined)
      return stimulus.steps.map((one) => write(one, around)).join("\n")
    return write(own ?? stimulus.text, around)
  }
  const lines = writtenLines(stimulus, around)
  const isShuffled = stimulus.order === "shuffled" && new Set(lines).size > 1
  return [
    write(stimulus.preamble, around),
    ...(isShuffled ? [SHUFFLED] : []),
    ...lines,
    write(stimulus.closing, around),
  ]
    .filter((text) => text !== "")
    .join("\n")
}

/** How many words a cell's stimulus has in full. */
export const wordsOfStimulus = (experiment: ExperimentIR, cell: CellIR): number => {
  const text = writeStimulus(cell.stimulus, experiment, cell)
  const known = words(cell.stimulus)
  const count = known.get(text) ?? wordsIn(text)
  known.set(text, count)
  return count
}

/** By the text. */
const words = once((_: StimulusIR) => new Map<string, number>())

/** Whether a text asserts this: its label or its text stands in it. */
const hangsOn = (text: string, asserted: AssertedIR): boolean => text.includes(`${MARK}${asserted}.`)

/** Whether a word of a written line holds the answer. */
export const holdsAnswer = (word: string): boolean =>
  (["target", "gold", "other"] as const).some((asserted) => hangsOn(word, asserted))

/**
 * All that a cell puts before models, and which models: every turn in full. What a text does not show does not count: a target of which
 * it says nothing, a seed where nothing is drawn.
 */
export const writtenCell = (experiment: ExperimentIR, cell: CellIR): string => {
  const known = cells(experiment)
  const text = known.get(cell)
  if (text !== undefined) return text
  const fresh = writeCell(experiment, cell)
  known.set(cell, fresh)
  return fresh
}

const cells = once((_: ExperimentIR) => new Map<CellIR, string>())

const writeCell = (experiment: ExperimentIR, cell: CellIR): string => {
  const { protocol } = experiment
  const around = { experiment, cell }
  const { stretches, hangs } = stretchesOf(protocol)
  let { pushes, isDrawn } = hangs
  let text = ""
  for (const stretch of stretches) {
    if (typeof stretch === "string") text += stretch
    else if (stretch.kind === "role") text += cell.roles[stretch.role] ?? ""
    else {
      const written = writeOpen(stretch, around)
      text += written
      pushes ||= pushesOption(written)
      isDrawn ||= hangsOnDraw(written)
    }
  }
  isDrawn ||= cell.options.kind === "shuffled" || (pushes && cell.target.kind === "random_wrong")
  // JSON holds no mark: what stands before the last one is the text.
  const rest = [cell.options, pushes ? cell.target : null, isDrawn ? [cell.seed, cell.replicate] : null]
  return `${text}${MARK}${JSON.stringify(rest)}`
}

/** What the turns of a protocol come to: what is the same in every cell is written once, and what a cell fills is left. */
type Stretch = string | Open | { readonly kind: "role"; readonly role: string }

interface Stretches {
  readonly stretches: readonly Stretch[]
  /** Whether what is the same in every cell names the pushed option, and whether it is drawn. */
  readonly hangs: { readonly pushes: boolean; readonly isDrawn: boolean }
}

const pushesOption = (text: string): boolean => hangsOn(text, "target") || hangsOn(text, "other")

const hangsOnDraw = (text: string): boolean => text.includes(SHUFFLED) || text.includes(`${MARK}other.`)

const stretchesOf = once((protocol: ProtocolIR): Stretches => {
  const stretches: Stretch[] = []
  let same = ""
  const leave = (open: Exclude<Stretch, string>): void => {
    stretches.push(same, open)
    same = ""
  }
  for (const [index, turn] of protocol.turns.entries()) {
    if (index > 0) same += BREAK
    if (turn.by !== undefined && "role" in turn.by) leave({ kind: "role", role: turn.by.role })
    for (const text of [turn.system ?? protocol.system ?? [], turn.user, turn.assistant]) {
      same += BREAK
      for (const piece of text) {
        if (isOpen(piece)) leave(piece)
        else same += writeClosed(piece, undefined)
      }
    }
  }
  stretches.push(same)
  const written = stretches.filter((stretch) => typeof stretch === "string")
  const isSampled = protocol.holes.some((hole) => hole.type === "text" && hole.temperature > 0)
  return {
    stretches,
    hangs: { pushes: written.some(pushesOption), isDrawn: isSampled || written.some(hangsOnDraw) },
  }
})
