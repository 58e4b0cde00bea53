/** CFX22xx: arms, factors, levels, doses, and what an experiment is made of. */
import { all, count, didYouMean, either, otherLevels, quote, suggestion } from "../words.ts"
import { error, note } from "./entry.ts"

/** Of so many items of a pool, how many lack a target, and in how many it is the gold option. */
interface Targeted {
  readonly target: string
  readonly pool: string
  readonly items: number
  readonly without: number
  readonly gold: number
}

const whyNot = ({ target, items, without, gold }: Targeted): string => {
  const lacking =
    target === "placebo_label" ? "no letter or number that follows their labels" : "fewer options"
  return [
    without === 0 ? [] : [`${without} of ${items} have ${lacking}`],
    gold === 0 ? [] : [`in ${gold} of ${items} it is the gold answer`],
  ]
    .flat()
    .join(", and ")
}

export const design = {
  CFX2201: error<{ factor: string; known: readonly string[] }>("Unknown factor", {
    message: (p) => `An assertion has no ${quote(p.factor)}. It is made of ${all(p.known)}.`,
    label: () => "no such factor",
    hint: (p) => didYouMean(p.factor, p.known),
  }),
  CFX2203: error<{ factor: string; experiment: string; known: readonly string[] }>(
    "Factor not in the design",
    {
      message: (p) => `${quote(p.factor)} is not a column of ${quote(p.experiment)}.`,
      label: () => "no such column",
      hint: (p) => suggestion(p.factor, p.known),
    },
  ),
  CFX2204: error<{ factor: string; level: string; known: readonly string[] }>("Level not in the factor", {
    message: (p) => `No arm of this experiment has ${p.factor} = ${p.level}.`,
    label: (p) => `not a level of ${quote(p.factor)}`,
    hint: (p) => otherLevels(p.level, p.known),
  }),
  CFX2205: error<{ factor: string; level: string }>("Duplicate level", {
    message: (p) =>
      `${quote(p.level)} stands twice among the levels of ${quote(p.factor)}: its trials would count double.`,
    label: () => "again here",
    hint: () => "Delete one of the two.",
  }),
  /** `examples`: of each factor that is missing, how it can be written. */
  CFX2206: error<{ factors: readonly string[]; arm: string; examples: readonly string[] }>(
    "Incomplete assertion",
    {
      message: (p) => `The assertion of ${quote(p.arm)} does not say its ${all(p.factors)}.`,
      label: (p) => `needs ${all(p.factors)}`,
      hint: (p) => `Add ${p.factors.length === 1 ? "it" : "them"}, for instance: ${p.examples.join(", ")}`,
    },
  ),
  /** `after`: a number that stands behind it without brackets. */
  CFX2207: error<{ callee: string; parameters: readonly string[]; given: number; after?: string }>(
    "Wrong number of arguments",
    {
      message: (p) =>
        `${quote(p.callee)} takes ${count(p.parameters.length, "argument")} (${p.parameters.join(", ")}), and ${p.given} ${p.given === 1 ? "is" : "are"} given.`,
      label: (p) => `takes ${count(p.parameters.length, "argument")}`,
      hint: (p) =>
        p.after === undefined
          ? undefined
          : `What it takes stands in brackets: write ${quote(`${p.callee}(${p.after})`)}.`,
    },
  ),
  CFX2208: error<{ what: string; found: string; most: number }>("Not a count", {
    message: (p) => `${p.what} must come to a whole number from 1 to ${p.most}, and comes to ${p.found}.`,
    label: (p) => `comes to ${p.found}`,
  }),
  CFX2209: error<{ roster: string; speakers: number; needed: number; dose: string }>("Roster too short", {
    message: (p) =>
      `${quote(p.dose)} needs ${count(p.needed, "speaker")}, and the roster ${quote(p.roster)} has ${p.speakers}.`,
    label: (p) => `needs ${count(p.needed, "speaker")}`,
    hint: (p) => `Add ${count(p.needed - p.speakers, "name")} to the roster, or take a smaller dose.`,
  }),
  CFX2210: error<{ lines: number; dose: string }>("Odd count", {
    message: (p) =>
      `\`mixed\` is half wrong and half right, and ${quote(p.dose)} has ${count(p.lines, "line")}, which has no half.`,
    label: () => "cannot be halved",
    hint: () => "Take a dose with an even number of lines.",
  }),
  CFX2211: error<{ speakers: number; lines: number; dose: string }>("More speakers than lines", {
    message: (p) =>
      `${quote(p.dose)} has ${count(p.speakers, "speaker")} for ${count(p.lines, "line")}: some would never speak.`,
    label: () => "more speakers than lines",
  }),
  CFX2212: error<{ found: string }>("Unknown target", {
    message: (p) => `${quote(p.found)} does not say which option a trial is about.`,
    label: () => "not a target",
    hint: () =>
      "A target is `top_wrong(READ)`, `ranked_wrong(READ, N)`, `least_wrong(READ)`, `random_wrong`, `each_wrong`, `option(N)` with N from 1, `gold`, `placebo_label`, or a declared one.",
  }),
  CFX2213: error<{ found: string }>("Unfitting seed", {
    message: (p) => `A seed is a whole number from 0 to 9007199254740991, and this is ${p.found}.`,
    label: () => "not a seed",
  }),
  CFX2214: error<{ found: string }>("Unfitting sample", {
    message: (p) => `A sample is a whole number of items from 1 up, and this is ${p.found}.`,
    label: () => "not a number of items",
  }),
  /** `merged`: factors that were named besides `levels`, and whose levels all come to one prompt there. */
  CFX2215: error<{ levels: string; merged: readonly string[] }>("No trial like this", {
    message: (p) =>
      p.merged.length === 0
        ? `No arm of this experiment has ${p.levels}, so there would be nothing to measure.`
        : `With ${p.levels}, ${all(p.merged)} ${p.merged.length === 1 ? "makes" : "make"} no difference: all levels come to one prompt, which has no ${either(p.merged)}.`,
    label: (p) => (p.merged.length === 0 ? "no trial has this" : `${all(p.merged)} cannot be named here`),
    hint: (p) => (p.merged.length === 0 ? undefined : `Leave ${all(p.merged)} out of the brackets.`),
  }),
  CFX2217: error<Targeted>("Target that no item has", {
    message: (p) => `No item of ${quote(p.pool)} can be asked about ${quote(p.target)}: ${whyNot(p)}.`,
    label: () => "no item has this",
    hint: () => "A trial without a target is skipped, so there would be nothing to measure.",
  }),
  CFX2218: note<Targeted>("Target that some items lack", {
    message: (p) =>
      `Not every one of the ${count(p.items, "item")} of ${quote(p.pool)} has ${quote(p.target)} as a wrong option: ${whyNot(p)}.`,
    label: () => "not in every item",
    hint: (p) =>
      p.gold > 0
        ? "A trial without a target is skipped, and so is one whose target is the gold option, but for `all_correct`. `random_wrong` and `top_wrong(READ)` always find a wrong option."
        : "A trial without a target is skipped and counted as such.",
  }),
  /** `lines`: bare numbers among the levels of a dose, as they are written. */
  CFX2216: error<{
    factor: string
    found: readonly string[]
    lines: readonly string[]
    example: string
  }>("Not a level", {
    message: (p) => {
      const level =
        p.factor === "dose" ? "a dose with its number, such as `distinct(3)`" : `the name of a ${p.factor}`
      return `A level of ${quote(p.factor)} is ${level}, and ${all(p.found)} ${p.found.length === 1 ? "is not" : "are not"}.`
    },
    label: (p) => (p.factor === "dose" ? "not a dose" : `not the name of a ${p.factor}`),
    hint: (p) => {
      const most = p.lines.at(-1)
      if (most === undefined) return `Write for instance: ${p.example}`
      const levels = p.lines.map((n) => `distinct(${n})`)
      const written = levels.length === 1 ? `dose = ${levels[0]}` : `dose in { ${levels.join(", ")} }`
      return `\`distinct(${most})\` is ${count(Number(most), "line")} by as many voices, \`repeated(${most})\` by one (from "std/doses"). Write for instance: ${written}`
    },
  }),
}
