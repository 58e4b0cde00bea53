/** What the compiler works out in a quick way comes to what a plain one does. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { writtenCell } from "../../compiler/check/written.ts"
import { expand } from "../../compiler/expand.ts"
import { meaningHash } from "../../compiler/hash.ts"
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Trial } from "../../compiler/trial.ts"
import { compileText } from "./files.ts"
import { assertion, baselines, declarations, experiment, protocol } from "./spec.ts"

/** Levels of each factor of an assertion, by which others are read or not, in the order in which `assertion` writes them. */
const factors = {
  framing: ["bare", "crowd", "talk"],
  structure: ["all_wrong", "all_correct", "mixed", "dissent"],
  order: ["identity", "reversed"],
  dose: ["voices(2)", "voices(4)", "echo(2)", "echo(4)"],
  paraphrase: ["plain", "firm"],
  wording: ["base", "second"],
} as const

type Factor = keyof typeof factors
type Design = Readonly<Record<Factor, readonly string[]>>

const names = Object.keys(factors) as Factor[]

const some = (factor: Factor): fc.Arbitrary<readonly string[]> =>
  fc.subarray<string>([...factors[factor]], { minLength: 1 })

const designs: fc.Arbitrary<Design> = fc.record({
  framing: some("framing"),
  structure: some("structure"),
  order: some("order"),
  dose: some("dose"),
  paraphrase: some("paraphrase"),
  wording: some("wording"),
})

const specOf = (design: Design): string => {
  const levels = names.map((factor) => [factor, `in { ${design[factor].join(", ")} }`] as const)
  return [
    declarations,
    protocol("ask"),
    experiment({
      arms: `{ ${baselines} pressure = ${assertion(Object.fromEntries(levels))} }`,
      seed: "in { 0, 1 }",
    }),
  ].join("\n")
}

/** Specs of which a check says that levels do not fit have no program. */
const programOf = (design: Design): Program | undefined => compileText(specOf(design)).program

/** The cells of the arm `pressure`, by all of their levels, as the language says which there are. */
const plainGrid = (design: Design): readonly string[] => {
  const crossings = names.reduce<readonly Readonly<Record<string, string>>[]>(
    (all, factor) => all.flatMap((levels) => design[factor].map((level) => ({ ...levels, [factor]: level }))),
    [{ arm: "pressure" }],
  )
  const unanimity = design.structure.includes("dissent")
  const cells = crossings.flatMap((crossing) => {
    const { paraphrase, wording, order, ...levels } = crossing
    const isSplit = levels.structure === "mixed" || levels.structure === "dissent"
    const several = design.order.length > 1
    const own = {
      ...levels,
      ...(levels.framing === "talk" ? {} : { paraphrase }),
      ...(levels.framing === "crowd" ? { wording } : {}),
      ...(several && !isSplit ? {} : { order }),
      ...(unanimity ? { unanimity: isSplit ? "split" : "unanimous" } : {}),
    }
    return ["0", "1"].map((seed) => sorted({ ...own, seed }))
  })
  return [...new Set(cells)]
}

const sorted = (levels: Readonly<Record<string, string | undefined>>): string =>
  JSON.stringify(Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : 1)))

const experimentOf = (program: Program): ExperimentIR => program.experiments[0] as ExperimentIR

const runs = { numRuns: 40 }
const patience = 120_000

describe("the compiler's quick ways", () => {
  it(
    "make the cells that crossing all levels, and leaving out what is not read, makes",
    () => {
      let made = 0
      fc.assert(
        fc.property(designs, (design) => {
          const program = programOf(design)
          if (program === undefined) return
          made += 1
          const cells = experimentOf(program).cells.filter(({ arm }) => arm === "pressure")
          expect(cells.map(({ levels }) => sorted(levels))).toEqual(plainGrid(design))
        }),
        runs,
      )
      expect(made).toBeGreaterThan(0)
    },
    patience,
  )

  it(
    "find cells to be the same where all prompts of all items are, and only there",
    () => {
      let same = 0
      fc.assert(
        fc.property(designs, (design) => {
          const compiled = compileText(specOf(design))
          if (compiled.program === undefined) return
          const study = experimentOf(compiled.program)
          const [model = ""] = study.models
          const some = new Map([...compiled.items].map(([pool, items]) => [pool, items.slice(0, 3)]))
          const trials = expand({ ...study, models: [model] }, some)
          const prompts = new Map(study.cells.map((cell) => [cell, promptsOf(cell, trials)]))
          for (const one of study.cells) {
            for (const other of study.cells) {
              const isSame = writtenCell(study, one) === writtenCell(study, other)
              if (one !== other && isSame) same += 1
              expect(isSame).toBe(prompts.get(one) === prompts.get(other))
            }
          }
        }),
        runs,
      )
      expect(same).toBeGreaterThan(0)
    },
    patience,
  )

  it("take a program's hash when it is asked for", () => {
    const compiled = compileText([declarations, protocol("ask"), experiment()].join("\n"))
    expect(compiled.hash).toBe(meaningHash(compiled.program as Program))
    expect(compileText("experiment {").hash).toBeUndefined()
  })
})

/** All that a cell puts before a model, with what only a read settles named. */
const promptsOf = (cell: ExperimentIR["cells"][number], trials: readonly Trial[]): string =>
  JSON.stringify(
    trials
      .filter((trial) => trial.cell === cell)
      .map(({ turns }) =>
        turns.map(({ system, user, assistant }) =>
          [system, user, assistant].map((template) =>
            template
              .map((piece) => (piece.kind === "text" ? piece.text : piece))
              .reduce<unknown[]>(joined, []),
          ),
        ),
      ),
  )

/** Neighbouring characters are one text, wherever they are from. */
const joined = (pieces: unknown[], piece: unknown): unknown[] => {
  const last = pieces.at(-1)
  return typeof piece === "string" && typeof last === "string"
    ? [...pieces.slice(0, -1), last + piece]
    : [...pieces, piece]
}
