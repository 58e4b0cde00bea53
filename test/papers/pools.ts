/** The items of the small model's world (`specs/items/kinds.yaml`), in the form in which each pool of the papers' specs is published. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { root } from "../specs/support.ts"

interface Kind {
  readonly id: string
  readonly question: string
  readonly options: readonly string[]
  /** A letter. */
  readonly gold: string
}

const letters = ["A", "B", "C", "D"]

const goldOf = ({ gold }: Kind): number => letters.indexOf(gold)

/** Options as BIG-Bench Hard has them: within the question, a line each. */
const listed = ({ question, options }: Kind): string =>
  `${question}\nOptions:\n${options.map((option, index) => `(${letters[index]}) ${option}`).join("\n")}`

const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

const bbh = (kinds: readonly Kind[]): string =>
  JSON.stringify({ examples: kinds.map((kind) => ({ input: listed(kind), target: `(${kind.gold})` })) })

const published: Readonly<Record<string, (kinds: readonly Kind[]) => string>> = {
  "arc.jsonl": (kinds) =>
    jsonLines(
      kinds.map(({ id, question, options, gold }) => ({
        id,
        question: {
          stem: question,
          choices: options.map((text, index) => ({ text, label: letters[index] })),
        },
        answerKey: gold,
      })),
    ),
  "mmlu_pro.jsonl": (kinds) =>
    jsonLines(
      kinds.map(({ id, question, options, gold }) => ({
        question_id: id,
        question,
        options,
        answer: gold,
        category: "kinds",
      })),
    ),
  "truthfulqa.json": (kinds) =>
    JSON.stringify(
      kinds.map((kind) => ({
        question: kind.question,
        mc1_targets: Object.fromEntries(
          kind.options.map((option, index) => [option, index === goldOf(kind) ? 1 : 0]),
        ),
      })),
    ),
  "bbh_geometric.json": bbh,
  "bbh_logical.json": bbh,
  "bbh_temporal.json": bbh,
  "bbh_tracking.json": bbh,
  "mmlu.jsonl": (kinds) =>
    jsonLines(
      kinds.map((kind, index) => ({
        question: kind.question,
        choices: kind.options,
        answer: goldOf(kind),
        subject: `subject ${index % 57}`,
      })),
    ),
}

/** Items that the papers' specs draw, by pool: a pool must hold as many. */
const sizes: Readonly<Record<string, number>> = {
  "arc.jsonl": 500,
  "mmlu_pro.jsonl": 500,
  "truthfulqa.json": 500,
  "bbh_geometric.json": 250,
  "bbh_logical.json": 250,
  "bbh_temporal.json": 250,
  "bbh_tracking.json": 250,
  "mmlu.jsonl": 57 * 36,
}

/** The items with their options in each of the 24 orders: as many as the papers ask for, all different. */
const reordered = (kinds: readonly Kind[]): readonly Kind[] =>
  orders([0, 1, 2, 3]).flatMap((order, turn) =>
    kinds.map((kind) => ({
      id: `${kind.id}-${turn}`,
      question: kind.question,
      options: order.map((at) => kind.options[at] as string),
      gold: letters[order.indexOf(goldOf(kind))] as string,
    })),
  )

const orders = (of: readonly number[]): readonly (readonly number[])[] =>
  of.length === 0
    ? [[]]
    : of.flatMap((first) => orders(of.filter((one) => one !== first)).map((rest) => [first, ...rest]))

/** Writes the pools into a folder. All but MMLU, which no spec has beside others, have items of their own. Gives files by pools' names. */
export function writePools(folder: string): Readonly<Record<string, string>> {
  mkdirSync(folder, { recursive: true })
  const all = reordered(parse(readFileSync(join(root, "specs/items/kinds.yaml"), "utf8")))
  let taken = 0
  return Object.fromEntries(
    Object.entries(published).map(([name, write]) => {
      const size = sizes[name] as number
      const from = name === "mmlu.jsonl" ? 0 : taken
      taken = from + size
      const path = join(folder, name)
      writeFileSync(path, write(all.slice(from, from + size)))
      return [name.replace(/\.\w+$/, ""), path]
    }),
  )
}
