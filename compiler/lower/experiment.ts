/** An experiment: its grid in full, and what it measures. */
import type { Experiment, Expression } from "../../grammar/ast.ts"
import type { CellIR, ExperimentIR, PoolUseIR, ProtocolIR, StimulusIR } from "../ir.ts"
import { onceFor } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import { lowerAnalysis } from "./analysis.ts"
import { lowerStimulus } from "./arms.ts"
import { lowerAssume } from "./assume.ts"
import { columnsOf, fieldsOf, modelsOf, ONLY_ARM, poolsOf } from "./columns.ts"
import { lowerExpression } from "./expression.ts"
import { gridOf, type Point, seedsOf } from "./grid.ts"
import { lowerMeasure } from "./measures.ts"
import { carve } from "./only.ts"
import { lowerOptionOrder } from "./options.ts"
import { lowerProtocol } from "./protocol.ts"
import { recordedOuter, recordedProtocol } from "./recorded.ts"
import { lowerRecords } from "./records.ts"
import { rowScope } from "./scope.ts"
import { lowerFill } from "./slotFills.ts"
import { lowerTarget, NO_TARGET } from "./target.ts"
import { lowerPlain, originOf } from "./text.ts"

/** The meaning of an experiment whose checks found no error; none where something that it cannot do without is not there. */
export const lowerExperiment = (
  bound: Bound<Experiment>,
  names: Names,
  attributes: (model: string) => Readonly<Record<string, string | number>>,
): ExperimentIR | undefined => {
  const { declaration } = bound
  const recorded = recordedProtocol(declaration)
  const [field] = fieldsOf(declaration, "protocol")
  const protocol =
    recorded === undefined
      ? field && names.find(field.protocol, "protocol")
      : { declaration: recorded, module: bound.module }
  const seed = seedOf(seedsOf(declaration)[0]) ?? (recorded === undefined ? undefined : 0)
  if (protocol === undefined || seed === undefined) return undefined
  // Of records alone it is known what was read, and not what was said.
  const asked =
    recorded === undefined
      ? lowerProtocol(protocol, names)
      : { ...lowerProtocol(protocol, names), turns: [], origin: originOf(bound, declaration.name.span) }
  if (recorded !== undefined) return lowerRecorded(bound, asked, seed, names)
  const models = modelsOf(declaration).map(({ text }) => text)
  const pools = poolsOf(declaration).map((use) => lowerPoolUse(use))
  const stimuli = stimuliOf(bound, names)
  const grid = gridOf(declaration, names).flatMap((point) => lowerCell(point, asked, stimuli, names) ?? [])
  const assume = lowerAssume(declaration)
  const [tolerated] = fieldsOf(declaration, "tolerate")
  const records = lowerRecords(
    bound,
    asked.holes.map(({ name }) => name),
  )
  return {
    name: declaration.name.text,
    doc: declaration.doc,
    seed,
    models,
    pools,
    protocol: asked,
    factors: columnsOf(declaration, names),
    ...carve(grid, declaration, names, { roles: asked.roles, models, pools, attributes }),
    independent: fieldsOf(declaration, "independent").length > 0,
    ...(tolerated === undefined ? {} : { tolerate: tolerated.share.value }),
    measures: fieldsOf(declaration, "measure").flatMap(
      (measure) => lowerMeasure(measure, asked, names) ?? [],
    ),
    ...lowerAnalysis(bound, asked, names),
    ...(assume === undefined ? {} : { assume }),
    ...(records === undefined ? {} : { records }),
    allows: fieldsOf(declaration, "allow").map(({ code, reason }) => ({
      code: code.text,
      reason: lowerPlain(reason),
    })),
  }
}

/** Of records alone: their models, pools and cells are those that the file turns out to have. */
const lowerRecorded = (
  bound: Bound<Experiment>,
  protocol: ProtocolIR,
  seed: number,
  names: Names,
): ExperimentIR => {
  const { declaration } = bound
  const records = lowerRecords(
    bound,
    protocol.holes.map(({ name }) => name),
  )
  return {
    name: declaration.name.text,
    doc: declaration.doc,
    seed,
    models: recordedOuter(declaration, "model") ?? [],
    pools: (recordedOuter(declaration, "pool") ?? []).map((pool) => ({ pool })),
    protocol,
    factors: columnsOf(declaration, names),
    cells: [],
    independent: false,
    measures: fieldsOf(declaration, "measure").flatMap(
      (measure) => lowerMeasure(measure, protocol, names) ?? [],
    ),
    ...lowerAnalysis(bound, protocol, names),
    ...(records === undefined ? {} : { records }),
    allows: fieldsOf(declaration, "allow").map(({ code, reason }) => ({
      code: code.text,
      reason: lowerPlain(reason),
    })),
  }
}

const seedOf = (seed: Point["seed"]): number | undefined => (seed?.kind === "number" ? seed.value : undefined)

const lowerPoolUse = ({ pool, sample, per, where }: ReturnType<typeof poolsOf>[number]): PoolUseIR => ({
  pool: pool.text,
  ...(sample === undefined ? {} : { sample: sample.value }),
  ...(per === undefined ? {} : { per: per.text }),
  ...(where === undefined ? {} : { where: lowerExpression(where, rowScope) }),
})

const targetOf = onceFor(lowerTarget)

interface Stimuli {
  readonly said: (point: Point) => StimulusIR | undefined
  readonly fill: (level: Expression) => StimulusIR | undefined
}

/** The stimuli of an experiment: cells that have one in common share it, so that it is lowered once. */
const stimuliOf = (experiment: Bound<Experiment>, names: Names): Stimuli => {
  const fills = new Map<Expression, StimulusIR | undefined>()
  const said = new Map<unknown, StimulusIR | undefined>()
  return {
    fill: (level) => {
      if (!fills.has(level)) fills.set(level, lowerFill(level, experiment, names))
      return fills.get(level)
    },
    said: (point) => {
      const key = point.crossing ?? point.arm
      if (!said.has(key)) said.set(key, lowerStimulus(point, names))
      return said.get(key)
    },
  }
}

const lowerCell = (
  point: Point,
  protocol: ProtocolIR,
  stimuli: Stimuli,
  names: Names,
): CellIR | undefined => {
  const said = stimuli.said(point)
  const seed = seedOf(point.seed)
  const target = point.target === undefined ? NO_TARGET : targetOf(point.target, names)
  const options =
    point.options === undefined ? ({ kind: "identity" } as const) : lowerOptionOrder(point.options)
  if (said === undefined || seed === undefined || target === undefined || options === undefined)
    return undefined
  const fills: Record<string, StimulusIR> = {}
  const roles: Record<string, string> = {}
  for (const [factor, level] of point.factors) {
    if (protocol.roles.includes(factor)) roles[factor] = point.levels[factor] ?? ""
    else {
      const fill = stimuli.fill(level)
      if (fill === undefined) return undefined
      fills[factor] = fill
    }
  }
  // Without arms the first slot is one like the others, and stands where that of the arms does.
  const [first] = protocol.slots
  const { [first ?? ""]: own, ...others } = fills
  const stimulus = point.arm === undefined && own !== undefined ? own : said
  return {
    arm: point.arm?.name.text ?? ONLY_ARM,
    levels: point.levels,
    stimulus,
    fills: point.arm === undefined ? others : fills,
    roles,
    seed,
    target,
    options,
    replicate: point.replicate,
  }
}
