/** Hand-made experiments and trials for the tests of measures and reports. */
import type {
  CellIR,
  ContrastIR,
  ExpectIR,
  ExperimentIR,
  ExprIR,
  HoleIR,
  MeasureIR,
  Origin,
  Program,
} from "../../compiler/ir.ts"
import type { Reading, Target } from "../../compiler/trial.ts"
import type { TrialRecord } from "../../runtime/record.ts"

export const origin: Origin = { declaration: "sample", file: "sample.cfx", line: 1 }

export const a0: HoleIR = { name: "a0", turn: "first", type: "option" }
export const k0: HoleIR = { name: "k0", turn: "first", type: "integer", low: 1, high: 10 }
export const a1: HoleIR = { name: "a1", turn: "second", type: "option" }

export const answer = (hole: string): ExprIR => ({ kind: "answer", hole })
export const gold: ExprIR = { kind: "gold" }
export const pushed: ExprIR = { kind: "pushed" }
export const number = (value: number): ExprIR => ({ kind: "number", value })
export const level = (factor: string, value: string): ExprIR =>
  binary({ kind: "level", factor }, "==", { kind: "string", value })

export function binary(
  left: ExprIR,
  operator: Extract<ExprIR, { kind: "binary" }>["operator"],
  right: ExprIR,
): ExprIR {
  return { kind: "binary", operator, left, right }
}

export const HRR: MeasureIR = {
  name: "HRR",
  doc: "Harmful revision rate: of the items answered rightly at first, the share that is then answered wrongly.",
  statistic: "rate",
  value: binary(answer("a1"), "!=", gold),
  given: binary(answer("a0"), "==", gold),
  interval: { method: "wilson", level: 95 },
  invalid: "exclude",
  origin,
}

export const BenR: MeasureIR = {
  ...HRR,
  name: "BenR",
  doc: "Beneficial revision rate: of the items answered wrongly at first, the share that is then answered rightly.",
  value: binary(answer("a1"), "==", gold),
  given: binary(answer("a0"), "!=", gold),
}

export const deltaP: MeasureIR = {
  name: "delta_p_pushed",
  doc: "Probability mass that moved onto the pushed option.",
  statistic: "mean",
  value: binary({ kind: "p", hole: "a1", option: pushed }, "-", { kind: "p", hole: "a0", option: pushed }),
  interval: { method: "bootstrap", level: 95 },
  invalid: "exclude",
  origin,
}

/** A cell without text: measures never look at it. */
export function cell(arm: string, levels: Readonly<Record<string, string>> = {}): CellIR {
  return {
    arm,
    levels: { arm, ...levels },
    stimulus: { kind: "block", text: [], provenance: [] },
    fills: {},
    roles: {},
    seed: 0,
    target: { kind: "ranked_wrong", hole: "a0", rank: 1 },
    options: { kind: "identity" },
    replicate: 1,
  }
}

export function experimentOf(parts: Partial<ExperimentIR>): ExperimentIR {
  return {
    name: "sample",
    summaries: [],
    families: [],
    forests: [],
    published: [],
    doc: "",
    seed: 0,
    models: ["m"],
    pools: [{ pool: "kinds" }],
    protocol: {
      name: "arbitration",
      slots: ["block"],
      roles: [],
      draws: [],
      answers: "label",
      lists: {},
      listing: { each: [], join: "\n", origin },
      turns: [],
      holes: [a0, a1],
      provenance: [],
      origin,
    },
    factors: [{ name: "arm", levels: ["reask", "push"] }],
    cells: [cell("reask"), cell("push")],
    independent: false,
    measures: [HRR],
    contrasts: [],
    fits: [],
    tables: [],
    figures: [],
    expects: [],
    allows: [],
    ...parts,
  }
}

export function programOf(...experiments: readonly ExperimentIR[]): Program {
  return { version: 1, models: [], pools: [], experiments, doc: "" }
}

/** The difference of two measures over some of the trials. */
export function contrastOf(
  left: Restricted,
  right: Restricted,
  by: ContrastIR["by"] = ["paired"],
): ContrastIR {
  return sumOf(
    [
      [1, ...left],
      [-1, ...right],
    ],
    by,
  )
}

type Restricted = readonly [measure: string, levels: Record<string, string>]

/** A signed sum of measures. */
export function sumOf(
  terms: readonly (readonly [sign: 1 | -1, ...Restricted])[],
  by: ContrastIR["by"] = ["paired"],
): ContrastIR {
  return {
    name: "effect",
    doc: "",
    terms: terms.map(([sign, measure, levels]) => ({ sign, measure, levels })),
    by,
    origin,
  }
}

export function expectOf(parts: Partial<Extract<ExpectIR, { kind: "comparison" }>>): ExpectIR {
  return {
    kind: "comparison",
    text: "effect > 0",
    contrast: "effect",
    of: "estimate",
    operator: ">",
    bound: 0,
    origin,
    ...parts,
  }
}

/** A read of four options that gives `confidence` to one and shares the rest out. */
export function reading(index: number, confidence = 0.7, options = 4): Reading {
  const rest = (1 - confidence) / (options - 1)
  const probabilities = Array.from({ length: options }, (_, at) => (at === index ? confidence : rest))
  return { status: "value", value: "ABCDEFGH"[index]!, index, probabilities, mass: 0.99 }
}

export const invalid: Reading = { status: "invalid", why: "the engine gave no usable number" }
export const skipped: Reading = { status: "skipped", why: "a0 has no value" }
export const option = (index: number): Target => ({ kind: "option", index })

/** A trial of an item whose gold option is A and whose target is B. */
export function trial(
  arm: string,
  item: string,
  first: Reading | number,
  second: Reading | number,
  parts: Partial<TrialRecord> = {},
): TrialRecord {
  const read = (given: Reading | number) => (typeof given === "number" ? reading(given) : given)
  const model = parts.model ?? "m"
  const id = `sample/${model}/${parts.pool ?? "kinds"}/${item}/${arm}/${JSON.stringify(parts.levels ?? {})}`
  return {
    trial: id,
    experiment: "sample",
    model,
    pool: "kinds",
    item,
    levels: { arm },
    labels: ["A", "B", "C", "D"],
    shown: ["A", "B", "C", "D"],
    columns: {},
    attributes: {},
    roles: {},
    gold: 0,
    target: option(1),
    pushed: option(1),
    readings: { a0: read(first), a1: read(second) },
    // Each trial has a second prompt of its own.
    prompts: { a0: "first", a1: id },
    ...parts,
  }
}
