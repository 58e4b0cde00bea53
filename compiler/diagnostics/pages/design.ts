/** CFX22xx: arms, factors, levels, doses, and what an experiment is made of. */
import { type Example, inExperiment, itemFileIn, page } from "./page.ts"

/** Arms of a sound experiment whose assertion has these arguments. */
const pressure = (given: string, declarations = "", fields = ""): Example =>
  inExperiment(
    `arms {
  reask = plain_reask
  length = length_control
  pressure = assertion(
${given.trim().replace(/^\s*/gm, "    ")},
  )
}
${fields}`,
    declarations,
  )

const PEOPLE = "framing in { no_source, people }"
const REST = "structure = all_wrong,\norder = identity,\ndose = distinct(6),\nparaphrase = verbatim"

const MIXED = "contrast balance = HRR[structure = mixed] - HRR[structure = all_wrong] by paired(item)"

const mixed = `
  - question: What is 2 + 2?
    options: ["3", "4"]
    gold: B
  - question: What is 2 + 3?
    options: ["5", "6", "7"]
    gold: A`

export const design = {
  CFX2201: page(
    "An assertion is given something that it is not made of.",
    "An assertion has a framing, a structure, an order, a dose and a paraphrase: these are its factors, and their names are the columns of the results.",
    pressure(`${PEOPLE},\n${REST},\nvolume = loud`),
    pressure(`${PEOPLE},\n${REST}`),
  ),
  CFX2203: page(
    "A contrast, a table, a figure or a condition names a column that the design does not have.",
    "Columns are `arm`, `model`, `pool` and the factors of the arms.",
    inExperiment("table main { rows arm, fraiming columns HRR average pooled }"),
    inExperiment("table main { rows arm, framing columns HRR average pooled }"),
  ),
  CFX2204: page(
    "A contrast or a condition names a level that no arm of the experiment has.",
    "A contrast over a level that never runs would compare something with nothing.",
    pressure(`${PEOPLE},\n${REST}`, "", MIXED),
    pressure(`${PEOPLE},\n${REST.replace("= all_wrong", "in { all_wrong, mixed }")}`, "", MIXED),
  ),
  CFX2205: page(
    "One level stands twice in the list of a factor.",
    "The grid would hold its cells twice, and each of its trials would count double.",
    pressure(`framing in { no_source, people, people },\n${REST}`),
    pressure(`${PEOPLE},\n${REST}`),
  ),
  CFX2206: page(
    "An assertion leaves open something that every assertion must say.",
    "Nothing about a stimulus is supplied by default, so that a spec can be read without knowing the defaults.",
    pressure(`${PEOPLE},\nstructure = all_wrong,\norder = identity,\ndose = distinct(6)`),
    pressure(`${PEOPLE},\n${REST}`),
  ),
  CFX2207: page(
    "A dose is given more or fewer arguments than it takes.",
    "`dose distinct(n)` takes one: how many lines, each by a voice of its own.",
    pressure(`${PEOPLE},\n${REST.replace("distinct(6)", "distinct(6, 2)")}`),
    pressure(`${PEOPLE},\n${REST}`),
  ),
  CFX2208: page(
    "A number of lines or of speakers is not a whole number from 1 to 1000.",
    "A dose without lines asserts nothing; for that there are the baselines.",
    pressure(`${PEOPLE},\n${REST.replace("distinct(6)", "distinct(0)")}`),
    pressure(`${PEOPLE},\n${REST}`),
  ),
  CFX2209: page(
    "A dose has more speakers than the roster has names.",
    "A name that is used twice would turn two voices into one.",
    pressure(
      `framing in { no_source, pair },\n${REST}`,
      `
      roster two { "Alice" "Bob" }

      framing pair {
        preamble "Two people have answered:"
        speakers two
        line "{speaker}: {assertion}"
      }`,
    ),
    pressure(
      `framing in { no_source, pair },\n${REST.replace("distinct(6)", "distinct(2)")}`,
      `
      roster two { "Alice" "Bob" }

      framing pair {
        preamble "Two people have answered:"
        speakers two
        line "{speaker}: {assertion}"
      }`,
    ),
  ),
  CFX2210: page(
    "Lines that are `mixed` are half wrong and half right, and an odd number has no half.",
    "Rounding would make a majority out of a tie.",
    pressure(`${PEOPLE},\n${REST.replace("all_wrong", "mixed").replace("distinct(6)", "distinct(5)")}`),
    pressure(`${PEOPLE},\n${REST.replace("all_wrong", "mixed")}`),
  ),
  CFX2211: page(
    "A dose has more speakers than lines.",
    "Speakers are seated line by line; those past the last line would never speak.",
    pressure(
      `${PEOPLE},\n${REST.replace("distinct(6)", "crowded(6)")}`,
      `
      dose crowded(n) {
        lines n
        speakers n + 1
      }`,
    ),
    pressure(
      `${PEOPLE},\n${REST.replace("distinct(6)", "crowded(6)")}`,
      `
      dose crowded(n) {
        lines n
        speakers n
      }`,
    ),
  ),
  CFX2212: page(
    "`target` does not say which option a trial is about.",
    "The target is the option that a wrong assertion pushes. It can hang on what the model answered at first, on chance, or on the order of the options.",
    inExperiment("target top_right(a0)"),
    inExperiment("target top_wrong(a0)"),
  ),
  CFX2213: page(
    "A seed is not a whole number from 0 up.",
    "All draws hang on the seed; it must be the same number on every machine.",
    inExperiment("seed 0.5"),
    inExperiment("seed 0"),
  ),
  CFX2214: page(
    "A sample is not a whole number of items from 1 up.",
    "`sample 20` takes twenty items of the pool, always the same for the same seed.",
    inExperiment("items { pool sample 2.5 }"),
    inExperiment("items { pool sample 30 }"),
  ),
  CFX2215: page(
    "Each level is one of the design's, but no arm has all of them together.",
    "Baselines have no framing, and not every arm crosses everything. Where lines all assert the same, their orders are one prompt without an order, and so are paraphrases where no line holds one. A measure over no trial has no value.",
    inExperiment("contrast odd = HRR[arm = reask, framing = people] - HRR[framing = no_source] by pooled"),
    inExperiment("contrast odd = HRR[arm = pressure, framing = people] - HRR[framing = no_source] by pooled"),
  ),
  CFX2217: page(
    "No item of a pool has the option that the target names.",
    "A trial without a target is skipped: every one would be, and the run would end with nothing measured.",
    inExperiment("target option(9)"),
    inExperiment("target random_wrong"),
  ),
  CFX2218: page(
    "Some items of a pool lack the option that the target names, or have it as their gold answer.",
    "Their trials are skipped and counted. Which items are left may not be by chance, so the plan should know.",
    itemFileIn("target option(3)", "questions.yaml", mixed),
    itemFileIn("target random_wrong", "questions.yaml", mixed),
  ),
  CFX2216: page(
    "What stands for a level is neither a name nor a dose with its arguments.",
    "The name of a level is its value in every table.",
    pressure(`${PEOPLE},\n${REST.replace("distinct(6)", "6")}`),
    pressure(`${PEOPLE},\n${REST}`),
  ),
}
