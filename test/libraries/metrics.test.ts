/** Every metric of the standard library on a few trials, against what a person counts from them. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import { standardLibraries } from "../../compiler/standard.ts"
import type { Reading } from "../../compiler/trial.ts"
import { parse } from "../../grammar/parse.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { briefs, compileText, questions } from "../compiler/files.ts"
import { cell, experimentOf, programOf, reading, skipped, trial } from "../measure/sample.ts"
import { measure } from "../measure/tables.ts"
import { standard } from "./support.ts"

/** Libraries of metrics. */
const METRICS = ["metrics", "stability", "correlates", "judges"]

/** Questions, each with the code that a person gave. */
const items = questions(40)
  .trimEnd()
  .split("\n")
  .map((line, at) => JSON.stringify({ ...JSON.parse(line), human: at % 2 === 0 ? "yes" : "no" }))
  .join("\n")

/** The protocol and the measures of a spec over made-up questions; `names`: what it takes of each library. */
function design(
  protocol: string,
  names: Readonly<Record<string, readonly string[]>>,
  parts: { readonly declarations?: string; readonly fields?: string } = {},
): Pick<ExperimentIR, "protocol" | "measures"> {
  const imports = Object.entries(names).map(
    ([library, metrics]) => `import { ${metrics.join(", ")} } from "std/${library}"`,
  )
  const compiled = compileText(
    `
${imports.join("\n")}
model m = gguf "m.gguf" { bytes 10 }
items pool = "items.jsonl" { id = id question = question options = options gold = gold human = human }
${parts.declarations ?? ""}
experiment e {
  protocol ${protocol}
  models { m }
  items { pool }
  seed 0
  ${parts.fields ?? ""}
  ${Object.entries(names)
    .flatMap(([library, all]) => (METRICS.includes(library) ? all : []))
    .map((name) => `measure ${name}`)
    .join("\n  ")}
}`,
    { "items.jsonl": items },
  )
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error")
  expect(briefs({ ...compiled, diagnostics: errors })).toEqual([])
  const { protocol: lowered, measures } = compiled.program!.experiments[0]!
  return { protocol: lowered, measures }
}

/** By metric, its estimate and the trials that it is over. */
const found = (designed: Pick<ExperimentIR, "protocol" | "measures">, records: readonly TrialRecord[]) =>
  new Map(
    measure(programOf(experimentOf({ ...designed, cells: [cell("push")] })), records).map(
      ({ name, estimate, n }) => [name, { estimate, n }] as const,
    ),
  )

/** An estimate and how many trials it is over, each worked out by hand. */
type Expected = Readonly<Record<string, readonly [estimate: number, n: number]>>

const check = (expected: Expected, results: ReturnType<typeof found>) => {
  for (const [name, [estimate, n]] of Object.entries(expected))
    expect({ name, ...results.get(name) }).toEqual({ name, estimate: expect.closeTo(estimate, 12), n })
}

// ---------------------------------------------------------------- two reads

/**
 * First and second answers with their confidence; gold is A, pushed is B. What an answer leaves is shared out among the other three.
 * Two right answers are given up, two are kept; of two wrong ones, one is put right.
 */
const answers = [
  ["A", 0.95, "B", 0.92],
  ["A", 0.7, "C", 0.85],
  ["A", 0.995, "A", 0.6],
  ["A", 0.7, "A", 0.9],
  ["C", 0.5, "A", 0.9],
  ["C", 0.9, "B", 0.4],
] as const

const readOf = (label: string, confidence: number): Reading => reading("ABCD".indexOf(label), confidence)

const pairs = answers.map(([first, c0, second, c1], at) =>
  trial("push", `i${at}`, readOf(first, c0), readOf(second, c1), {
    lines: at < 3 ? { words: 4, answerIndex: 3 } : { words: 6, answerIndex: 5 },
  }),
)

/** The largest of c and three that share the rest, each raised to a power. */
const raised = (c: number, power: number) => c ** power / (c ** power + 3 * ((1 - c) / 3) ** power)

const twoReads: Expected = {
  HRR: [2 / 4, 4],
  BenR: [1 / 2, 2],
  delta_p_pushed: [
    (0.92 -
      0.05 / 3 +
      (0.05 - 0.1) +
      (0.4 / 3 - 0.005 / 3) +
      (0.1 / 3 - 0.1) +
      (0.1 / 3 - 0.5 / 3) +
      (0.4 - 0.1 / 3)) /
      6,
    6,
  ],
  raw_p_pushed: [(0.99 * (0.92 + 0.05 + 0.4 / 3 + 0.1 / 3 + 0.1 / 3 + 0.4)) / 6, 6],
  accuracy: [3 / 6, 6],
  revision_rate: [4 / 6, 6],
  follow_rate: [2 / 6, 6],
  off_ceiling_HRR: [1 / 2, 2],
  flip_confidence: [(0.92 + 0.85) / 2, 2],
  sure_flips: [1 / 2, 2],
  p0_pushed_on_flips: [(0.05 / 3 + 0.1) / 2, 2],
  mass_moved_on_flips: [(0.92 - 0.05 / 3 + 0.05 - 0.1) / 2, 2],
  first_confidence_on_flips: [(0.95 + 0.7) / 2, 2],
  near_certain_HRR: [0, 1],
  harmful_kept: [2 / 2, 2],
  beneficial_kept: [1, 1],
  harmful_kept_if_unsure: [1 / 2, 2],
  beneficial_kept_if_unsure: [1, 1],
  // Doubts 0.05 and 0.3 of what flipped, 0.005 and 0.3 of what was kept: of four pairs two are won, one is lost, one is even.
  flip_AUROC: [2.5 / 4, 4],
  flip_confidence_at_half: [(raised(0.92, 2) + raised(0.85, 2)) / 2, 2],
  flip_confidence_at_two: [(raised(0.92, 0.5) + raised(0.85, 0.5)) / 2, 2],
  // The surer of both is 0.66 there.
  sure_flips_at_two: [0, 2],
  harmful_flips: [2, 4],
  words_per_line: [5, 6],
  answer_word: [4, 6],
}

// ---------------------------------------------------------------- arguments and replies

const answered = (label: string): Reading => ({
  status: "answer",
  value: label,
  index: "ABCD".indexOf(label),
})
const text = (words: string): Reading => ({ status: "text", text: words, tokens: 9, stop: "end" })
const refusal: Reading = { status: "refused", text: "I_AM_WEAK", tokens: 3, marker: "I_AM_WEAK" }

const sentences = (count: number) => text(Array.from({ length: count }, () => "So it is.").join(" "))

/** Arguments against A: whether A, the gold answer, was given first, the argument, and the answer and the replies after it. */
const argued = (
  [
    [
      "A",
      text("<reasoning> B is correct. Clearly so. Definitely."),
      "B",
      { reply0: text("Perhaps it is A."), reply1: text("You are right. I was wrong.") },
    ],
    [
      "A",
      sentences(1),
      "A",
      { reply0: text("A, maybe. Maybe not."), reply1: text("I disagree. I stand by A, I disagree.") },
    ],
    ["A", refusal, undefined, {}],
    ["C", sentences(3), undefined, {}],
    ["C", refusal, undefined, {}],
    ["C", sentences(5), undefined, {}],
    ["C", sentences(10), undefined, {}],
  ] as const
).map(([first, argument, last, replies], at) =>
  trial("push", `i${at}`, 0, 0, {
    readings: {
      reply0: text("It is what it is."),
      reply1: skipped,
      ...replies,
      argument,
      a0: answered(first),
      a1: last === undefined ? skipped : answered(last),
    },
    prompts: { argument: `argument ${at}`, reply0: `first ${at}`, reply1: `second ${at}` },
  }),
)

const stability: Expected = {
  AFR: [1 / 2, 2],
  CSR: [5 / 7, 7],
  refused_when_right: [1 / 3, 3],
  refused_when_wrong: [1 / 4, 4],
  RSS: [1 / 3 - 1 / 4, 7],
  one_sentence: [1 / 5, 5],
  three_sentences: [2 / 5, 5],
  five_sentences: [1 / 5, 5],
  ten_sentences: [1 / 5, 5],
  tagged: [1 / 5, 5],
  claims_correctness: [1 / 5, 5],
}

const correlates: Expected = {
  resistance_held: [3, 1],
  resistance_flipped: [0, 1],
  capitulation_held: [0, 1],
  capitulation_flipped: [2, 1],
  reply_words_held: [8, 1],
  reply_words_flipped: [6, 1],
  argument_confidence_held: [0, 1],
  argument_confidence_flipped: [200 / 7, 1],
  baseline_words_held: [4, 1],
  baseline_words_flipped: [4, 1],
  baseline_hedging_held: [50, 1],
  baseline_hedging_flipped: [25, 1],
}

// ---------------------------------------------------------------- many turns, and coders

const pressed = ["AABBAA", "AAAAAA", "ABCBBB"].map((letters, at) => {
  const holes = ["a0", "a1", "a2", "a3", "a4", "a5"]
  return trial("push", `i${at}`, 0, 0, {
    readings: Object.fromEntries(holes.map((hole, turn) => [hole, readOf(letters[turn]!, 0.7)])),
    prompts: Object.fromEntries(holes.map((hole) => [hole, `${hole} ${at}`])),
  })
})

const turns: Expected = { turn_of_flip: [(2 + 1) / 2, 2], number_of_flips: [(2 + 0 + 3) / 3, 3] }

/** Codes of a judge and of a person: they agree in 3 of 4, and by chance in half. */
const coded = ["yes yes", "yes yes", "yes no", "no no"].map((pair, at) => {
  const [verdict, human] = pair.split(" ") as [string, string]
  const probabilities = verdict === "yes" ? [0.8, 0.2] : [0.2, 0.8]
  const v0: Reading = {
    status: "value",
    value: verdict,
    index: verdict === "yes" ? 0 : 1,
    probabilities,
    mass: 0.9,
  }
  return trial("push", `i${at}`, 0, 0, { readings: { v0 }, prompts: { v0: `v ${at}` }, columns: { human } })
})

const coders: Expected = { agreement: [0.5, 4] }

// ---------------------------------------------------------------- the tests

const ownTurns = `protocol coded {
  turn grade { user "{item.question}" assistant "{v0: label(yes, no)}" }
}`

const arms = `target top_wrong(a0)
  arms { push = plain_reask }`

const stepped = `target top_wrong(a0)
  arms { push = growing_pressure }`

describe("by hand", () => {
  test("metrics of two reads", () => {
    const designed = design(
      "arbitration",
      { protocols: ["arbitration"], baselines: ["plain_reask"], metrics: Object.keys(twoReads) },
      { fields: arms },
    )
    check(twoReads, found(designed, pairs))
  })

  test("metrics of arguments, and of how replies are worded", () => {
    const designed = design(
      "counterargument",
      {
        persuasion: ["counterargument", "blind"],
        stability: Object.keys(stability),
        correlates: Object.keys(correlates),
      },
      {
        fields:
          "target each_wrong\n  factor source = model\n  factor attribution = blind\n  factor k in { 1, 3 }",
      },
    )
    check({ ...stability, ...correlates }, found(designed, argued))
  })

  test("metrics of many turns", () => {
    const designed = design(
      "pressed",
      { conversations: ["pressed"], challenges: ["growing_pressure"], stability: Object.keys(turns) },
      { fields: stepped },
    )
    check(turns, found(designed, pressed))
  })

  test("agreement of coders", () => {
    check(coders, found(design("coded", { judges: Object.keys(coders) }, { declarations: ownTurns }), coded))
  })

  test("is every metric of the standard library", () => {
    const declared = standardLibraries.flatMap((library) => {
      const path = `/std/${library}.cfx`
      const { declarations } = parse({ name: path, text: standard.get(path) ?? "" }).file
      return declarations.flatMap((one) => (one.kind === "metric" ? [one.name.text] : []))
    })
    const known = { ...twoReads, ...stability, ...correlates, ...turns, ...coders }
    expect(Object.keys(known).sort()).toEqual([...declared].sort())
  })
})
