/** What the `records` of an experiment declare, read off its tree: reads, factors, and with no protocol a whole design. */
import type {
  Experiment,
  ExperimentField,
  Expression,
  FactorField,
  Hole,
  HoleType,
  Name,
  Protocol,
  RecordMapping,
  RecordsField,
  Text,
  Turn,
} from "../../grammar/ast.ts"
import { once } from "../memo.ts"
import { levelName } from "./print.ts"

/** What a row is of, besides reads, factors, columns of its item and attributes of its model. */
export const recordedFields = ["item", "model", "pool", "gold", "target", "pushed", "labels"] as const

/** What is known of a read besides its answer. */
export const partsOfRead = ["p", "mass", "refused", "prompt", "status", "why", "tokens"] as const

/** What only an experiment that can be run says. */
const ofRuns: readonly ExperimentField["field"][] = [
  ...(["protocol", "models", "items", "target", "options", "factor", "replicates", "arms"] as const),
  ...(["independent", "tolerate", "only", "except"] as const),
]

export const recordsField = once((experiment: Experiment): RecordsField | undefined =>
  experiment.fields.find((field): field is RecordsField => field.field === "records"),
)

/** Whether an experiment is made of records and of nothing else: its design is what they have. */
export const isRecordsAlone = once(
  (experiment: Experiment): boolean =>
    recordsField(experiment) !== undefined && !experiment.fields.some(({ field }) => ofRuns.includes(field)),
)

export const mappingsOfRecords = once((field: RecordsField): readonly RecordMapping[] =>
  field.entries.filter((entry): entry is RecordMapping => entry.entry === "mapping"),
)

const isField = (name: string): boolean => (recordedFields as readonly string[]).includes(name)

/** `a0`, `a1`, ...: answers by their names, unless a type says otherwise. */
const ANSWER = /^a\d+$/

/** A read that records declare without a protocol. */
export interface DeclaredRead {
  readonly name: Name
  readonly type: HoleType
  readonly hasProbabilities: boolean
}

/** Reads of records alone, in the order in which they are met. */
const declaredReads = once((experiment: Experiment): readonly DeclaredRead[] => {
  const field = recordsField(experiment)
  if (field === undefined) return []
  const mappings = mappingsOfRecords(field)
  const reads = new Map<string, DeclaredRead>()
  for (const { target, type, part, span } of mappings) {
    if (isField(target.text) || reads.has(target.text)) continue
    const own = mappings.filter((one) => one.target.text === target.text)
    const written = type ?? own.find((one) => one.type !== undefined)?.type
    const isRead =
      written !== undefined || ANSWER.test(target.text) || own.some((one) => isPartOfRead(one.part?.name))
    if (!isRead || (part !== undefined && !isPartOfRead(part.name))) continue
    reads.set(target.text, {
      name: target,
      type: written ?? { kind: "option", span },
      hasProbabilities: own.some((one) => one.part?.name.text === "p"),
    })
  }
  return [...reads.values()]
})

const isPartOfRead = (name: Name | undefined): boolean =>
  name !== undefined && (partsOfRead as readonly string[]).includes(name.text)

/** Factors of records alone: what is mapped under a name of its own and is no read. */
export const recordedFactors = once((experiment: Experiment): readonly FactorField[] => {
  const field = recordsField(experiment)
  if (field === undefined || !isRecordsAlone(experiment)) return []
  const reads = new Set(declaredReads(experiment).map(({ name }) => name.text))
  const met = new Set<string>()
  return mappingsOfRecords(field).flatMap(({ target, part, levels, span }): readonly FactorField[] => {
    if (part !== undefined || isField(target.text) || reads.has(target.text) || met.has(target.text))
      return []
    met.add(target.text)
    return [{ field: "factor", factor: target, levels: (levels ?? []).map(({ level }) => level), span }]
  })
})

/** The levels that records declare of a column; none where it is left to the file which there are. */
export const recordedLevels = (experiment: Experiment, column: string): readonly Expression[] | undefined => {
  const field = recordsField(experiment)
  return field === undefined
    ? undefined
    : mappingsOfRecords(field)
        .find(({ target, part }) => target.text === column && part === undefined)
        ?.levels?.map(({ level }) => level)
}

/** What stands for a model or a pool of records that have no column of it. */
export const ONLY_OUTER = "records"

/** The models or pools that records alone are known to have; none where it is left to the file which there are. */
export const recordedOuter = (
  experiment: Experiment,
  column: "model" | "pool",
): readonly string[] | undefined => {
  const field = recordsField(experiment)
  if (field === undefined || !isRecordsAlone(experiment)) return undefined
  const isMapped = mappingsOfRecords(field).some(
    ({ target, part }) => target.text === column && part === undefined,
  )
  return isMapped ? recordedLevels(experiment, column)?.map(levelName) : [ONLY_OUTER]
}

/** Columns of items and attributes of models that records have: `item.subject`, `model.size`. */
export const recordedParts = (experiment: Experiment, of: "item" | "model"): readonly string[] => {
  const field = recordsField(experiment)
  if (field === undefined) return []
  const all = mappingsOfRecords(field)
  return all.flatMap(({ target, part }) => (target.text === of && part !== undefined ? [part.name.text] : []))
}

/** Holes of records that give an answer and no probabilities. */
export const answersAlone = new WeakSet<Hole>()

/**
 * The protocol of records alone, where they have a read: a turn that says nothing and has all reads. Reads `a1`, `a2`, ... of one type, where none is called `a`, are a list,
 * as of a repeated turn.
 */
export const recordedProtocol = once((experiment: Experiment): Protocol | undefined => {
  if (!isRecordsAlone(experiment)) return undefined
  const reads = declaredReads(experiment)
  if (reads.length === 0) return undefined
  const { span } = experiment.name
  const lists = listsAmong(reads)
  const listed = new Set([...lists.values()].flat())
  const single = reads.filter((read) => !listed.has(read))
  const name = (text: string): Name => ({ kind: "name", text, span })
  const turn = (called: string, holes: readonly Hole[], repeat: Partial<Turn> = {}): Turn => {
    const text: Text = { kind: "text", triple: false, parts: holes, span }
    const fields: Turn["fields"] = [{ field: "assistant", text, span }]
    return { kind: "turn", name: name(called), fields, span, ...repeat }
  }
  return {
    kind: "protocol",
    name: experiment.name,
    doc: "",
    fields: [],
    turns: [
      ...(single.length > 0 ? [turn("records", single.map(holeOf))] : []),
      ...[...lists].map(([stem, own]) => {
        const [first] = own
        const hole = { ...holeOf(first!), name: { ...first!.name, text: stem }, step: name("t") }
        if (!first!.hasProbabilities) answersAlone.add(hole)
        const times = { kind: "number" as const, value: own.length, written: String(own.length), span }
        return turn(`records_${stem}`, [hole], { repeat: { variable: name("t"), times } })
      }),
    ],
    provenance: [],
    span,
  }
})

const holeOf = ({ name, type, hasProbabilities }: DeclaredRead): Hole => {
  const hole: Hole = { kind: "hole", name, type, span: name.span }
  if (!hasProbabilities) answersAlone.add(hole)
  return hole
}

/** Options or texts `a1`, `a2`, ... up to the last without a gap, at least two and all of one kind, by `a`. */
const listsAmong = (reads: readonly DeclaredRead[]): ReadonlyMap<string, readonly DeclaredRead[]> => {
  const byName = new Map(reads.map((read) => [read.name.text, read]))
  const lists = new Map<string, readonly DeclaredRead[]>()
  for (const { name, type } of reads) {
    const stem = /^(.*\D)1$/.exec(name.text)?.[1]
    if (stem === undefined || byName.has(stem) || !["option", "text"].includes(type.kind)) continue
    const own: DeclaredRead[] = []
    for (let read = byName.get(`${stem}1`); read !== undefined; read = byName.get(`${stem}${own.length + 1}`))
      own.push(read)
    const [first] = own
    const alike = own.every(
      (one) => one.type.kind === first?.type.kind && one.hasProbabilities === first.hasProbabilities,
    )
    if (own.length > 1 && alike) lists.set(stem, own)
  }
  return lists
}
