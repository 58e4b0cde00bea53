/** The sample as someone would write it who means harm. */
import type { ReportInput } from "../../runtime/report/input.ts"
import { inputOf } from "./sample.ts"

/** Ends scripts, styles and elements, hides and turns letters, and is long without a place to break. */
const hostile = `</script></style></pre><script>alert(1)</script><img src=x onerror=alert(1)>${"x".repeat(90)}<|im_end|>{answer}"'&\u0000\u202Etxt\``

/** The whole input with every text that a stranger may have written replaced. */
export function poisoned(): ReportInput {
  const input = inputOf()
  const experiment = input.program.experiments[0]!
  const measures = experiment.measures.map((measure) => ({ ...measure, doc: hostile }))
  const contrasts = experiment.contrasts.map((contrast) => ({ ...contrast, doc: hostile }))
  const levels = (of: Readonly<Record<string, string>>) =>
    of.framing === "experts" ? { ...of, framing: hostile } : of
  const restricted = contrasts.map((contrast) => ({
    ...contrast,
    terms: contrast.terms.map((term) => ({ ...term, levels: levels(term.levels) })),
  }))
  const factors = experiment.factors.map((factor) => ({
    ...factor,
    levels: factor.levels.map((level) => (level === "experts" ? hostile : level)),
  }))
  const program = {
    ...input.program,
    doc: hostile,
    models: input.program.models.map((model) => ({ ...model, doc: hostile })),
    experiments: [
      {
        ...experiment,
        doc: hostile,
        measures,
        contrasts: restricted,
        factors,
        cells: experiment.cells.map((cell) => ({ ...cell, levels: levels(cell.levels) })),
      },
    ],
  }
  const records = input.records.map((record) => ({
    ...record,
    item: `${record.item}${hostile}`,
    levels: levels(record.levels),
    labels: [hostile, "B", "C", "D"],
  }))
  return inputOf({
    program,
    records,
    spec: { name: hostile, text: hostile },
    prompts: input.prompts.map((prompt) => ({
      ...prompt,
      item: hostile,
      levels: levels(prompt.levels),
      rendered: [{ kind: "text", text: hostile, from: { kind: "item", field: "question", item: hostile } }],
    })),
    models: input.models.map((model) => ({ ...model, fingerprint: hostile, facts: { engine: hostile } })),
    pools: input.pools.map((pool) => ({ ...pool, name: hostile })),
    allowed: input.allowed.map((warning) => ({ ...warning, reason: hostile })),
    open: (input.open ?? []).map((warning) => ({ ...warning, message: hostile })),
    failed: [
      {
        experiment: "quickstart",
        model: "respondent",
        hole: "a1",
        why: hostile,
        count: 1,
        items: [{ pool: hostile, item: hostile }],
      },
    ],
    floors: [
      {
        model: hostile,
        cold: 1,
        repeated: 1,
        texts: 1,
        floor: 0,
        flips: 1,
        nearTies: { count: 1, of: 2, below: 0.001 },
        tolerance: 0,
        differing: [
          {
            experiment: "quickstart",
            pool: hostile,
            item: hostile,
            hole: "a1",
            occasion: "repeated",
            of: hostile,
            first: hostile,
            again: hostile,
            beyond: true,
          },
        ],
      },
    ],
    lowMass: [
      { experiment: "quickstart", model: hostile, arm: hostile, hole: "a1", count: 1, of: 2, least: 0.5 },
    ],
    agreement: [
      {
        experiment: "quickstart",
        model: hostile,
        arm: hostile,
        hole: "a1",
        trials: 2,
        agree: 1,
        none: 1,
        low: 0.1,
        high: 0.9,
      },
    ],
  })
}
