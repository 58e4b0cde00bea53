/** Single trials for a reader to look at: some of each arm, drawn by how the answer moved (`browse.ts`), with what was read and the prompts that were sent. */
import type { ExperimentIR, HoleIR } from "../../compiler/ir.ts"
import { ONLY_ARM } from "../../compiler/lower/columns.ts"
import type { Cell, Columns } from "../measure/column.ts"
import { labelsIn } from "../measure/labelList.ts"
import { probabilityColumn } from "../measure/readColumns.ts"
import { factorColumn, type TrialTable } from "../measure/table.ts"
import { namingColumns } from "../measure/units.ts"
import { compared, Drawn, MOVES, type Move, moveOf } from "./browse.ts"
import type { PromptSample, ReportInput } from "./input.ts"

export interface TrialView {
  readonly trial: string
  readonly model: string
  readonly pool: string
  readonly item: string
  readonly arm: string
  /** Level by factor, of those that vary but the arm. */
  readonly levels: readonly (readonly [factor: string, level: string])[]
  readonly move: Move
  /** The reads with the first and the last answer, one twice where there is no other. */
  readonly compared: readonly [first: string, last: string]
  /** These answers, as labels. */
  readonly before: string
  readonly after: string
  /** Of the item's options the labels under which they were shown, in the order of the pool. */
  readonly labels: readonly string[]
  /** Numbers of options; that of gold is -1 where the item has none. */
  readonly gold: number
  readonly pushed: number | undefined
  /** A label that no option has, where that is pushed. */
  readonly placebo: string | undefined
  readonly reads: readonly ReadView[]
  /** As they were sent; none where they were not kept. */
  readonly prompts: readonly PromptSample[]
}

export interface ReadView {
  readonly hole: string
  /** Whether its probabilities are over the item's own options. */
  readonly ofOptions: boolean
  readonly answer: string | undefined
  /** What was written. */
  readonly text: string | undefined
  /** Why it has no value. */
  readonly why: string | undefined
  readonly confidence: number | undefined
  readonly mass: number | undefined
  /** By option, in the order of the pool; undefined where a server did not list it. Empty for other reads. */
  readonly probabilities: readonly (number | undefined)[]
  /** Whether a server did not list every label, so that probabilities and confidence are upper bounds. */
  readonly bounded: boolean
}

/** By arm in the order of the design, and by how the answer moved. */
export function trialViews(input: ReportInput, experiment: ExperimentIR): readonly TrialView[] {
  const table = input.tables.get(experiment.name)
  const pair = compared(experiment.protocol)
  if (table === undefined || pair === undefined) return []
  const columns = table.columns()
  const arms = columns.get(factorColumn("arm"))
  const gold = columns.get("gold.option")
  const answers = new Map(pair.map(({ name }) => [name, columns.get(`${name}.option`)]))
  const drawn = new Drawn<{ readonly row: number; readonly move: Move }>(experiment.seed)
  for (let row = 0; row < table.rows; row++) {
    const answerOf = (hole: string) => answers.get(hole)?.at(row) as number | null | undefined
    const move = moveOf(pair, answerOf, (gold?.at(row) as number | null | undefined) ?? -1)
    if (move === undefined) continue
    drawn.offer(table.trials.at(row), arms === undefined ? ONLY_ARM : String(arms.at(row)), move, () => ({
      row,
      move,
    }))
  }
  const prompts = new Map<string, PromptSample[]>()
  for (const prompt of input.prompts) {
    if (prompt.experiment !== experiment.name || prompt.trial === undefined) continue
    prompts.set(prompt.trial, [...(prompts.get(prompt.trial) ?? []), prompt])
  }
  const levels = experiment.factors.find(({ name }) => name === "arm")?.levels ?? [ONLY_ARM]
  const factors = namingColumns(experiment).filter((name) => !["model", "pool", "arm"].includes(name))
  return levels.flatMap((arm) =>
    MOVES.flatMap((move) =>
      drawn
        .of(arm, move)
        .map(({ value }) => viewOf(experiment, factors, table, columns, value.row, value.move, pair))
        .map((view) => ({ ...view, prompts: prompts.get(view.trial) ?? [] })),
    ),
  )
}

function viewOf(
  experiment: ExperimentIR,
  factors: readonly string[],
  table: TrialTable,
  columns: Columns,
  row: number,
  move: Move,
  [first, last]: readonly [HoleIR, HoleIR],
): Omit<TrialView, "prompts"> {
  const at = (name: string): Cell => columns.get(name)?.at(row) ?? null
  const text = (name: string): string | undefined => {
    const value = at(name)
    return value === null ? undefined : String(value)
  }
  const number = (name: string): number | undefined => (at(name) as number | null) ?? undefined
  const labels = labelsIn(String(table.shown.at(row)))
  const shown = (hole: string): string =>
    labels[number(`${hole}.option`) ?? -1] ?? text(`${hole}.answer`) ?? ""
  return {
    trial: table.trials.at(row),
    model: text("model") ?? "",
    pool: text("pool") ?? "",
    item: text("item") ?? "",
    arm: text(factorColumn("arm")) ?? ONLY_ARM,
    levels: factors.flatMap((name) => {
      const level = text(factorColumn(name))
      return level === undefined ? [] : [[name, level] as const]
    }),
    move,
    compared: [first.name, last.name],
    before: shown(first.name),
    after: shown(last.name),
    labels,
    gold: number("gold.option") ?? -1,
    pushed: number("pushed.option"),
    placebo: text("pushed.kind") === "placebo" ? text("pushed") : undefined,
    reads: experiment.protocol.holes.map((hole) => {
      const own = (name: string) => `${hole.name}.${name}`
      const ofOptions = hole.type === "option" && hole.of === undefined
      return {
        hole: hole.name,
        ofOptions,
        answer: ofOptions ? shown(hole.name) : text(own("answer")),
        text: text(own("text")),
        why: text(own("why")),
        confidence: number(own("confidence")),
        mass: number(own("mass")),
        probabilities: ofOptions ? labels.map((_, index) => number(probabilityColumn(hole, index))) : [],
        bounded: text(own("unlisted")) !== undefined,
      }
    }),
  }
}
