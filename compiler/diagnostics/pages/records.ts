/** CFX32xx: records made elsewhere, and where their rows have what. */
import { type Example, file, inExperiment, page } from "./page.ts"

/** An experiment of records alone. */
const alone = (entries: string): Example =>
  file(`
  import { HRR } from "std/metrics"

  experiment scored {
    records "answers.csv" {
${entries.replace(/^\n/, "").trimEnd().replace(/^/gm, "  ")}
    }
    measure HRR
  }
`)

const verdicts = (label: string): Example =>
  file(`
metric coerced(judged = verdict) {
  rate judged == "yes"
  interval wilson 95
}

experiment scored {
  records "answers.csv" {
    item = id
    verdict: label(yes, no) = verdict
    verdict.p(yes) = p_yes
    verdict.p(${label}) = p_other
  }
  measure coerced
}
`)

export const records = {
  CFX3201: page(
    "A column of the records is mapped to a name that the experiment does not have.",
    "Where an experiment can also be run, its protocol, arms and factors say what a trial is made of. Records can fill that, and nothing besides: a column that goes nowhere would be lost in silence.",
    inExperiment(`
      records "answers.csv" {
        item = id
        arm = condition
        a0 = first_answer
        a2 = second_answer
      }
    `),
    inExperiment(`
      records "answers.csv" {
        item = id
        arm = condition
        a0 = first_answer
        a1 = second_answer
      }
    `),
  ),
  CFX3202: page(
    "A part is mapped that what stands before the dot does not have.",
    "A read has probabilities (`p`, or `p(A)` for one label), a `mass`, whether it was `refused`, and a `prompt` that rows have in common which share it; an item has columns, a model attributes. Nothing else has parts.",
    alone(`
    item = id
    labels { A, B }
    gold = key
    a0: option = first
    a0.logprob(A) = lp_a
    a1: option = second
`),
    alone(`
    item = id
    labels { A, B }
    gold = key
    a0: option = first
    a0.p(A) = p_a
    a0.p(B) = p_b
    a1: option = second
`),
  ),
  CFX3203: page(
    "A probability is mapped for a label that the read cannot come out as.",
    "Probabilities are those of the read's own labels or integers. One that belongs to none of them would be left out of every sum.",
    verdicts("maybe"),
    verdicts("no"),
  ),
  CFX3204: page(
    "Records say what the experiment's protocol, pools or models say already.",
    "A spec that can be run has one place for each of these: what is read stands in the protocol, options and columns in the pool, attributes with the model. Two places could disagree.",
    inExperiment(`
      records "answers.csv" {
        item = id
        arm = condition
        a0: option = first_answer
        a1 = second_answer
      }
    `),
    inExperiment(`
      records "answers.csv" {
        item = id
        arm = condition
        a0 = first_answer
        a1 = second_answer
      }
    `),
  ),
  CFX3205: page(
    "A type stands behind what is no read.",
    "`option`, `label(...)`, `integer 1..10` and `text` say what a read can come out as. An item, a gold answer or a part of a read has no such choice.",
    alone(`
    item = id
    labels { A, B }
    gold: option = key
    a0: option = first
    a1: option = second
`),
    alone(`
    item = id
    labels { A, B }
    gold = key
    a0: option = first
    a1: option = second
`),
  ),
  CFX3206: page(
    "Levels stand behind what is no factor.",
    "Braces behind a column say which levels a factor, the model or the pool has in the file, and by which values. Answers go by labels: `labels { A, B }`, or the labels of their type.",
    alone(`
    item = id
    labels { A, B }
    gold = key { A, B }
    a0: option = first
    a1: option = second
`),
    alone(`
    item = id
    labels { A, B }
    gold = key
    framing = condition { experts = "expert panel", no_source = "nobody" }
    a0: option = first
    a1: option = second
`),
  ),
  CFX3207: page(
    "One value of the file stands for two levels.",
    "Each row belongs to one cell of the design: a value that could be either would put its rows into both, or into the one that happens to stand first.",
    alone(`
    item = id
    labels { A, B }
    gold = key
    framing = condition { experts = "panel", people = "panel" }
    a0: option = first
    a1: option = second
`),
    alone(`
    item = id
    labels { A, B }
    gold = key
    framing = condition { experts = "panel", people = "people" }
    a0: option = first
    a1: option = second
`),
  ),
  CFX3208: page(
    "A measure looks at something that the records do not have.",
    "Of records alone everything is known that they say and nothing else: a gold answer, a target or what was pushed must stand in a column, or no trial could enter the measure.",
    alone(`
    item = id
    labels { A, B }
    a0: option = first
    a1: option = second
`),
    alone(`
    item = id
    labels { A, B }
    gold = key
    a0: option = first
    a1: option = second
`),
  ),
}
