/** Counts that make no trial, held against the trials: made, answered and told apart one by one. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { countsOf } from "../../compiler/counts/counts.ts"
import { derivedAt } from "../../compiler/derive.ts"
import { expand } from "../../compiler/expand.ts"
import { canonicalJson } from "../../compiler/hash.ts"
import type { CellIR, ExperimentIR, ExprIR, OptionOrderIR, ProtocolIR, TargetIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { askAt, conversationAt, modelOf } from "../../compiler/prompt.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import { counterargument, equals, level, named, restricted } from "./designs.ts"
import { assertion, block, cell, experiment, item, protocolOf, text, textHole, turn } from "./support.ts"

const models = ["m", "n"]

const persuaded: ProtocolIR = protocolOf(
  [
    turn("argue", "<item.question> For <target.label>, in <$tone>:", "<:argument>", {
      by: { role: "source" },
    }),
    turn("first", "<item.question>\n<item.options>", "<:a0> <:k0>", { system: text("<$tone>") }),
    turn("second", "<block>\n<:argument>\n<past[1].question>", "<:a1>", { continues: "first" }),
    turn("judge", "<:a1>, you say?", "<:verdict>", { by: { model: "arbiter" } }),
    turn("recalled", "<item.question> By heart:", "<:b0>"),
    turn("aside", "What is the weather?", "<:weather>"),
  ],
  {
    argument: textHole({ temperature: 0.5 }),
    k0: { type: "integer", low: 1, high: 3 },
    verdict: { type: "label", labels: ["yes", "no"] },
    weather: textHole(),
    b0: { type: "option", score: "mean" },
    found: {
      type: "extract",
      from: "argument",
      pattern: "[A-D]",
      which: "first",
      as: { type: "option" },
    },
  },
  {
    slots: ["block", "tone"],
    roles: ["source"],
    draws: [{ name: "past", count: 1 }],
  },
)

const stimuli = [
  block("Again."),
  block("Again, said <t>?".replace("<t>", "one")),
  assertion({ dose: { lines: 2, speakers: 2 } }),
  assertion({ dose: { lines: 2, speakers: 2 }, structure: "mixed" }),
  assertion({ dose: { lines: 2, speakers: 2 }, structure: "mixed", order: "reversed" }),
  assertion({ dose: { lines: 2, speakers: 2 }, order: "reversed" }),
  assertion({ dose: { lines: 2, speakers: 2 }, structure: "all_correct" }),
]

const anyCell: fc.Arbitrary<CellIR> = fc
  .record({
    stimulus: fc.constantFrom(...stimuli),
    tone: fc.constantFrom("", "Politely.", "Curtly."),
    source: fc.constantFrom("model", "m", "n"),
    seed: fc.nat(1),
    replicate: fc.integer({ min: 1, max: 2 }),
    options: fc.constantFrom<OptionOrderIR>(
      { kind: "identity" },
      { kind: "reversed" },
      { kind: "rotate", by: 4 },
      { kind: "gold_first" },
    ),
    target: fc.constantFrom<TargetIR>(
      { kind: "option", position: 1 },
      { kind: "option", position: 2 },
      { kind: "each_wrong" },
      { kind: "placebo_label" },
      { kind: "gold" },
    ),
  })
  .map(({ stimulus, tone, source, ...parts }) =>
    cell("arm", stimulus, { tone }, { fills: { tone: block(tone) }, roles: { source }, ...parts }),
  )

const pool: readonly Item[] = Array.from({ length: 4 }, (_, index) =>
  item({
    id: `i${index}`,
    question: `What is ${index}?`,
    options: [`a${index}`, `b${index}`, `c${index}`, `d${index}`].slice(0, index === 3 ? 3 : 4),
    labels: ["A", "B", "C", "D"].slice(0, index === 3 ? 3 : 4),
    gold: index % 2,
    columns: { subject: index < 2 ? "law" : "art" },
  }),
)

/** Every prompt answers in its own way, so that what quotes it differs where it does: by a hash, as a model would. */
const answerTo = (prompt: string, trial: Trial, hole: string): Reading => {
  const ask = askAt(trial, hole)
  let hash = 7
  for (const char of prompt) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) | 0
  if (ask.kind === "text") return { status: "text", text: `${hash >>> 0}`, tokens: 1, stop: "end" }
  const labels = ask.kind === "integer" ? ["1", "2", "3"] : ask.labels
  const index = (hash >>> 0) % labels.length
  const probabilities = labels.map((_, at) => ((Math.imul(hash, at + 3) >>> 0) % 1000) / 1000)
  // Its value is a mark of the prompt, so that equal answers to unequal prompts are not taken for one.
  return { status: "value", value: `${labels[index]}#${hash >>> 0}`, index, probabilities, mass: 1 }
}

/** Distinct prompts by turn, and trials without one of their own, from the trials themselves. */
const enumerated = (study: ExperimentIR) => {
  const order = wavesOf(study).flat()
  const asked = new Map<string, Set<string>>()
  const observations = new Set<string>()
  const trials = expand(study, new Map([["kinds", pool]]))
  for (const trial of trials) {
    const readings: Record<string, Reading> = {}
    const prompts: string[] = []
    for (const { name, turn } of order) {
      const derived = derivedAt(trial, name, readings)
      const conversation = derived ?? conversationAt(trial, name, readings)
      if (derived !== undefined || "skipped" in conversation) {
        readings[name] = derived ?? { status: "skipped", why: "" }
        continue
      }
      const texts = JSON.stringify(conversation, (key, value) => (key === "from" ? undefined : value))
      const prompt = [modelOf(trial, turn), canonicalJson(askAt(trial, name)), texts].join(" ")
      prompts.push(`${name} ${prompt}`)
      const known = asked.get(name) ?? new Set()
      asked.set(name, known)
      known.add(prompt)
      readings[name] = answerTo(prompt, trial, name)
    }
    observations.add(JSON.stringify([trial.model, trial.item.id, prompts]))
  }
  return {
    trials: trials.length,
    collapsed: trials.length - observations.size,
    calls: (hole: string): number => asked.get(hole)?.size ?? 0,
  }
}

const counted = (study: ExperimentIR) => {
  const program = { version: 1, models: [], pools: [], experiments: [study], doc: "" } as const
  const [counts] = countsOf(program, new Map(), { items: new Map([["kinds", pool]]) }).experiments
  return counts as NonNullable<typeof counts>
}

const anyCondition: fc.Arbitrary<ExprIR | undefined> = fc.constantFrom(
  undefined,
  equals({ kind: "role", role: "source" }, { kind: "role", role: "model" }),
  equals({ kind: "column", column: "subject" }, named("law")),
  equals(level("model"), named("m")),
)

describe("counts", () => {
  it("are those of the trials, of their distinct prompts, and of their observations", () => {
    fc.assert(
      fc.property(fc.array(anyCell, { minLength: 1, maxLength: 5 }), anyCondition, (cells, only) => {
        const study = experiment({
          protocol: persuaded,
          models,
          cells,
          ...(only === undefined ? {} : { only }),
        })
        const counts = counted(study)
        const truth = enumerated(study)
        expect(counts.trials).toBe(truth.trials)
        expect(counts.collapsed).toBe(truth.collapsed)
        for (const { turn, holes, calls, expected } of counts.turns) {
          expect([turn, calls]).toEqual([turn, truth.calls(holes.at(-1) as string)])
          expect(expected).toBe(calls)
        }
      }),
      { numRuns: 40 },
    )
  })
  it("are an upper bound where the target hangs on answers, which may be the same by chance", () => {
    fc.assert(
      fc.property(fc.array(anyCell, { minLength: 1, maxLength: 4 }), (cells) => {
        const target: TargetIR = { kind: "ranked_wrong", hole: "a0", rank: 1 }
        const study = experiment({ protocol: persuaded, models, cells, target })
        const counts = counted(study)
        const truth = enumerated(study)
        expect(counts.trials).toBe(truth.trials)
        for (const { turn, holes, calls } of counts.turns) {
          const distinct = truth.calls(holes.at(-1) as string)
          if (turn === "first" || turn === "aside") expect(calls).toBe(distinct)
          else expect(calls).toBeGreaterThanOrEqual(distinct)
        }
      }),
      { numRuns: 25 },
    )
  })
  it("are those of a design with sources, restricted to some crossings", () => {
    const study: ExperimentIR = {
      ...restricted,
      pools: [{ pool: "kinds" }],
      protocol: {
        ...counterargument,
        turns: counterargument.turns.map(({ when: _, ...turn }) => turn),
      },
    }
    const counts = counted(study)
    const truth = enumerated(study)
    expect(counts.trials).toBe(truth.trials)
    expect(counts.turns.map(({ calls }) => calls)).toEqual(["argument", "reply0", "reply1"].map(truth.calls))
  })
})
