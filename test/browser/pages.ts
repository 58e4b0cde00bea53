/** Reports to be looked at: the sample, one with everything that a report may have, and one whose every text means harm. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { htmlReport } from "../../runtime/report/html.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { contrastOf, origin } from "../measure/sample.ts"
import { poisoned } from "../report/poisoned.ts"
import { inputOf, program, records } from "../report/sample.ts"

export const pages: Readonly<Record<string, () => string>> = {
  sample: () => htmlReport(inputOf()),
  whole: () => htmlReport(whole()),
  hostile: () => htmlReport(poisoned()),
}

const head = { experiment: "quickstart", by: {}, n: 600, excluded: {} }

/** Made-up numbers of a fit, of summaries, of a decomposition and of what was published: how they look is what matters here. */
const made: readonly Result[] = [
  ...["framing = people", "framing = rich_peers", "framing = experts"].map(
    (term, at): Result => ({
      ...head,
      kind: "fit",
      name: "odds",
      part: "fixed",
      term,
      estimate: at - 0.4,
      low: at - 0.6,
      high: at - 0.2,
      level: 95,
      standardError: 0.1,
      odds: { estimate: Math.exp(at - 0.4), low: Math.exp(at - 0.6), high: Math.exp(at - 0.2) },
      statistic: { name: "z", value: (at - 0.4) / 0.1 },
      p: at === 0 ? 0.0001 : 0.04,
      method: "Laplace approximation",
    }),
  ),
  { ...head, kind: "fit", name: "odds", part: "spread", term: "item", estimate: 1.2, method: "Laplace" },
  { ...head, kind: "fit", name: "odds", part: "spread", term: "model", estimate: 0, method: "Laplace" },
  {
    ...head,
    kind: "fit",
    name: "odds",
    part: "model",
    estimate: -1234.5,
    cautions: ["singular: the standard deviation of model is 0"],
    method: "Laplace approximation, converged in 12 steps",
  },
  {
    ...head,
    kind: "summary",
    name: "typical",
    cells: { entered: 5, of: 6 },
    estimate: 0.364,
    low: 0.2,
    high: 0.5,
    level: 95,
    method: "median over 5 of 6 cells by framing",
  },
  ...(["rows", "columns", "residual"] as const).map(
    (part, at): Result => ({
      ...head,
      kind: "decomposition",
      name: "cross",
      part,
      estimate: [0.6, 0.3, 0.1][at]!,
      method: "sums of squares of a table without replicates",
    }),
  ),
  {
    ...head,
    kind: "expect",
    name: "HRR[framing = experts] equals 79.4 pp within 0.5 pp",
    estimate: 0.85,
    low: 0.77,
    high: 0.91,
    level: 95,
    method: "Wilson",
    published: { value: 0.794, within: 0.005 },
    held: false,
  },
]

/** Two models, several estimators of a contrast, a family, and an engine that does not agree with itself. */
function whole(): ReportInput {
  const experiment = program.experiments[0]!
  const models = ["respondent", "a-model-with-a-name-that-is-rather-long-Q4_K_M"]
  const authority = {
    ...contrastOf(["HRR", { framing: "experts" }], ["HRR", { framing: "no_source" }]),
    name: "authority",
    doc: "How much more an assertion moves when experts are said to make it.",
    by: ["paired", "pooled", { cells: ["model"] }] as const,
  }
  const moved = {
    ...contrastOf(["delta_p_pushed", { framing: "people" }], ["delta_p_pushed", { framing: "no_source" }]),
    name: "moved",
  }
  const declared: ExperimentIR = {
    ...experiment,
    models,
    contrasts: [authority, moved],
    summaries: [
      {
        name: "typical",
        doc: "The framing in the middle.",
        of: "median",
        measure: { measure: "HRR", levels: {} },
        over: ["framing"],
        by: [],
        origin,
      },
    ],
    published: [
      {
        text: "HRR[framing = experts] equals 79.4 pp within 0.5 pp",
        measure: { measure: "HRR", levels: { framing: "experts" } },
        value: 0.794,
        within: 0.005,
        origin,
      },
    ],
    families: [{ name: "main", contrasts: ["authority", "moved"], adjust: "holm", origin }],
    tables: [
      ...experiment.tables,
      {
        name: "wide",
        rows: ["model", "pool", "arm", "framing"],
        columns: ["HRR", "BenR", "delta_p_pushed"],
        average: "pooled",
      },
    ],
  }
  const both = records.flatMap((record, at) =>
    models.map((model) => ({
      ...record,
      model,
      trial: record.trial.replace("respondent", model),
      readings:
        at % 17 === 0
          ? { ...record.readings, a1: { status: "invalid", why: "no label is among the tokens" } as const }
          : record.readings,
    })),
  )
  const input = inputOf({ program: { ...program, experiments: [declared] }, records: both })
  return {
    ...input,
    results: [...input.results.filter(({ kind, part }) => kind !== "fit" && part === undefined), ...made],
    backend: "simulated",
    floors: [
      {
        model: "respondent",
        cold: 24,
        repeated: 24,
        texts: 0,
        floor: 0.05,
        flips: 1,
        nearTies: { count: 3, of: 960, below: 0.001 },
        tolerance: 0.01,
        differing: [
          {
            experiment: "quickstart",
            pool: "kinds",
            item: "kinds-001",
            hole: "a1",
            occasion: "cold",
            of: "p(B)",
            first: "0.5",
            again: "0.55",
            difference: 0.05,
            beyond: true,
          },
        ],
      },
    ],
  }
}
