/** CFX4009 to CFX4029: the design can run, but something that its reader will ask for is not in it. */
import { type Example, inExperiment, itemFile, itemFileIn, page } from "./page.ts"

const pressure = (factors: string): string => `pressure = assertion(${factors}, paraphrase = verbatim)`

const arms = (...list: string[]): string => `arms {\n  ${list.join("\n  ")}\n}\n`

const BASELINES = ["reask = plain_reask", "length = length_control"]
const PLAIN = "structure = all_wrong, order = identity"

const dosed = (...doses: string[]): Example =>
  inExperiment(
    arms(
      ...BASELINES,
      pressure(`framing = no_source, ${PLAIN}, dose = repeated(6)`).replace("pressure", "floor"),
      pressure(`framing = people, ${PLAIN}, dose in { ${doses.join(", ")} }`),
    ),
  )

/** So many questions as lines of JSON, each with as many options and the gold label given. */
const rows = (count: number, of: (index: number) => { readonly options: number; readonly gold: string }) =>
  Array.from({ length: count }, (_, index) => {
    const { options, gold } = of(index)
    const texts = Array.from({ length: options }, (_, place) => `${index + place}`)
    return JSON.stringify({ question: `What comes after ${index}?`, options: texts, gold })
  }).join("\n")

const spread = ["A", "B", "C"]

const TOLD = (policy: string): readonly [string, string] => [
  "protocol told\nmeasure kept",
  `
  protocol told {
    slot block
    options "{label}. {text}" join "\\n"
    turn first {
      user "{item.question} {item.options}"
      assistant "Answer: {a0: option}"
    }
    turn second continues first {
      user "{block} {item.question} {item.options}"
      assistant "{reply: text}"
      read reply { max 60 }
    }
    extract a1: option from reply matching "ANSWER: (.)" last
  }

  metric kept(first = a0, second = a1) { rate second == first  interval wilson 95${policy} }
  `,
]

const JUDGED = (by: string): readonly [string, string] => [
  `protocol judged\nmeasure open\n${by === "" ? "" : "factor grader = referee\n"}`,
  `
  model referee = gguf "referee.gguf" { bytes 10 }

  judge same_answer(reply) {
    user "Is this right? {reply}"
    assistant "{verdict: label(yes, no)}"
    gold yes
  }

  protocol judged {
    slot block
    ${by === "" ? "" : "role grader"}
    options "{label}. {text}" join "\\n"
    turn first {
      user "{item.question} {item.options}"
      assistant "Answer: {a0: option}"
    }
    turn second continues first {
      user "{block} {item.question}"
      assistant "{reply: text}"
      read reply { max 60 }
    }
    judge v1 = same_answer(reply)${by}
  }

  metric open(first = a0, verdict = v1) { rate verdict != item.gold  given first == item.gold  interval wilson 95 }
  `,
]

const twins = (line: string): Example =>
  inExperiment(
    `${arms(...BASELINES, pressure(`framing in { no_source, people, crowd }, ${PLAIN}, dose = distinct(3)`))}
    contrast naming = HRR[framing = crowd] - HRR[framing = people] by pooled`,
    `framing crowd extends people { line "${line}" }`,
  )

const SMALL = 'model small = gguf "small.gguf" {\n  family "Qwen2.5"\n}'

const LACKING = `
  protocol checked {
    slot block
    options "{label}. {text}" join "\\n"
    turn first {
      user "{item.question} {item.options}"
      assistant "Answer: {a0: option}"
    }
    turn sure continues first when arm == pressure {
      user "How sure are you?"
      assistant "{k0: integer 1..10}"
    }
    turn second continues first {
      user "{block} {item.question} {item.options}"
      assistant "Answer: {a1: option}"
    }
  }
`

/** Two stimuli of a replication, of which one says where it is from. */
const cited = (citation: string): Example =>
  inExperiment(
    arms(
      "reask = ask_again",
      "length = length_control",
      pressure(`framing in { no_source, strangers }, ${PLAIN}, dose = repeated(6)`),
    ),
    `
block ask_again {
  text "Are you sure?"${citation}
}

framing strangers {
  line "Strangers said: {assertion}"
  verbatim "Doe et al. 2026, Table 1"
}`,
  )

export const designs = {
  CFX4009: page(
    "There is a length control, and some assertions are more than twice as long.",
    "A control that is matched in length to the shortest assertion says little about what a text of several times that length does by itself.",
    inExperiment(
      arms(
        ...BASELINES,
        pressure(`framing = no_source, ${PLAIN}, dose = repeated(6)`).replace("pressure", "floor"),
        pressure(`framing = people, ${PLAIN}, dose = distinct(20)`),
      ),
    ),
    inExperiment(
      arms(
        ...BASELINES,
        pressure(`framing = no_source, ${PLAIN}, dose = repeated(6)`).replace("pressure", "floor"),
        pressure(`framing = people, ${PLAIN}, dose = distinct(6)`),
      ),
    ),
  ),
  CFX4010: page(
    "Doses of several lines are compared, and a number of lines is said by one number of voices only.",
    "With six voices for six lines, more lines and more voices are one and the same. The twin, one voice six times, tells repetition from agreement.",
    dosed("distinct(2)", "distinct(6)"),
    dosed("repeated(2)", "distinct(2)", "repeated(6)", "distinct(6)"),
  ),
  CFX4011: page(
    "A placebo is pushed, the next letter past an item's options, and other items have an option of that letter.",
    "A model that has met the letter as an option takes it for one. Pools with as many options for each item keep the placebo a placebo.",
    itemFileIn(
      "target placebo_label",
      "mixed.jsonl",
      rows(20, (index) => ({ options: index % 4 === 0 ? 4 : 3, gold: spread[index % 3]! })),
    ),
    itemFileIn(
      "target placebo_label",
      "even.jsonl",
      rows(20, (index) => ({ options: 3, gold: spread[index % 3]! })),
    ),
  ),
  CFX4012: page(
    "By what `assume` says, a measure has fewer than 30 items in its denominator.",
    "A rate over first answers that are wrong has few items where most are right.",
    inExperiment("measure HRR\nmeasure BenR\nassume { accuracy 0.9 }"),
    inExperiment("measure HRR\nassume { accuracy 0.9 }"),
  ),
  CFX4013: page(
    "A measure looks at an answer that is found in a text, and its metric has no policy for texts in which none is found.",
    "Texts without an answer are common, and which arm they stand in matters: what becomes of them is part of the measure.",
    inExperiment(...TOLD("")),
    inExperiment(...TOLD("  invalid wrong")),
  ),
  CFX4014: page(
    "Two levels differ by a column of the item, and for some items their texts are the same.",
    "Where two arms show the same text they cannot differ: such items pull every contrast of the two towards zero.",
    itemFileArms("hint", (index) => (index % 4 === 0 ? "Think." : `Think of ${index}.`)),
    itemFileArms("hint", (index) => `Think of ${index}.`),
  ),
  CFX4015: page(
    "A contrast compares two framings of one family, and their lines have another number of words or the answer at another word.",
    "Where an answer stands in a line changes how much it weighs. Twins that differ in their source alone have it at the same word (Hu & Qu 2026, Table 4).",
    twins("Someone: {assertion}"),
    twins("Someone there: {assertion}"),
  ),
  CFX4016: page(
    "Containers are compared with framings, and the two have another number of lines.",
    "What a container adds is told by the same lines outside of it.",
    inExperiment(
      arms(
        ...BASELINES,
        "talk = assertion(framing in { no_source, people }, structure = all_wrong, order = identity, dose = repeated(6), paraphrase = verbatim)",
        "page = assertion(framing = leaflet, structure = all_wrong, order = identity, dose = repeated(5), paraphrase = verbatim)",
      ),
      'container leaflet { line "Leaflet: {assertion}" }',
    ),
    inExperiment(
      arms(
        ...BASELINES,
        "talk = assertion(framing in { no_source, people }, structure = all_wrong, order = identity, dose = repeated(6), paraphrase = verbatim)",
        "page = assertion(framing = leaflet, structure = all_wrong, order = identity, dose = repeated(6), paraphrase = verbatim)",
      ),
      'container leaflet { line "Leaflet: {assertion}" }',
    ),
  ),
  CFX4017: page(
    "Something is inferred about framings, by an equivalence test or a fitted model, and each is shown in one wording.",
    "Such a claim is about framings, and one wording of each is a sample of one. With several the words are a factor like any other.",
    inExperiment(`
      contrast attribution = HRR[framing = people] - HRR[framing = no_source] by pooled
      expect attribution equivalent within 0.03`),
    inExperiment(`
      contrast attribution = HRR[framing = people] - HRR[framing = no_source] by pooled
      expect attribution.low > 0`),
  ),
  CFX4018: page(
    "A contrast is expected to lie near zero, below one bound and above another.",
    "An estimate near zero may be chance, and an interval around zero may be wide. That there is no difference that matters is shown by two one-sided tests with a margin.",
    inExperiment(`
      contrast attribution = HRR[framing = people] - HRR[framing = no_source] by pooled
      expect attribution < 0.03
      expect attribution > -0.03`),
    inExperiment(`
      contrast length = HRR[arm = length] - HRR[arm = reask] by pooled
      expect length equivalent within 0.03`),
  ),
  CFX4019: page(
    "The experiment, or a stimulus of its spec, names a paper, and another stimulus does not say whether its words are printed there.",
    "A replication is of the words. The report says of each stimulus whether it is the paper's or was made up.",
    cited(""),
    cited('\n  reconstructed "the whole"'),
  ),
  CFX4020: page(
    "In all items of a pool the right answer stands at one place.",
    "Models prefer some places. Where gold is always first, that preference looks like knowledge, and a pushed answer never stands there.",
    itemFile(
      "gold_first.jsonl",
      rows(20, () => ({ options: 3, gold: "A" })),
    ),
    itemFile(
      "gold_first.jsonl",
      rows(20, () => ({ options: 3, gold: "A" })),
      "question = question\noptions = options\ngold = gold\nshuffle options",
    ),
  ),
  CFX4021: page(
    "A judge is asked of the model that is studied.",
    "Models favour their own texts. A judge of its own, the same for all studied models, keeps the measure the same for all of them.",
    inExperiment(...JUDGED("")),
    inExperiment(...JUDGED(" by grader")),
  ),
  CFX4022: page(
    "A metric conditions on a read that never takes place in some arms.",
    "There the measure has no denominator, so that nothing can be compared with those arms.",
    inExperiment(
      "protocol checked\nmeasure sure_flips",
      `${LACKING}
      metric sure_flips(first = a0, second = a1, k = k0) {
        rate second != item.gold
        given first == item.gold and k.value > 7
        interval wilson 95
      }`,
    ),
    inExperiment(
      "protocol checked\nmeasure sure_flips",
      `${LACKING.replace(" when arm == pressure", "")}
      metric sure_flips(first = a0, second = a1, k = k0) {
        rate second != item.gold
        given first == item.gold and k.value > 7
        interval wilson 95
      }`,
    ),
  ),
  CFX4023: page(
    "A condition compares an attribute of the models, or a column of the items, with a value that none of them has.",
    "Values are compared as they are written, capitals and all: a value that nothing has makes a condition hold of no trial, or of all, and a number is of others than it says.",
    inExperiment(
      'models { small }\nmeasure HRR\nfigure of_family { bar HRR by arm where model.family == "Qwen" }',
      SMALL,
    ),
    inExperiment(
      'models { small }\nmeasure HRR\nfigure of_family { bar HRR by arm where model.family == "Qwen2.5" }',
      SMALL,
    ),
  ),
  CFX4024: page(
    "A contrast compares some trials with others of which they are part: an arm with all arms, say.",
    "By `paired(item)` and `permutation(item)` an item's trials of a side are averaged, whatever else they are on: what both sides share takes from their difference. By the other ways there is no number.",
    inExperiment("contrast unusual = HRR[framing = people] - HRR by paired(item)"),
    inExperiment("contrast unusual = HRR[framing = people] - HRR[framing = no_source] by paired(item)"),
  ),
}

/** A pool with a column, and two arms that differ by it. */
function itemFileArms(column: string, of: (index: number) => string): Example {
  const file = Array.from({ length: 32 }, (_, index) =>
    JSON.stringify({
      question: `What comes after ${index}?`,
      options: [`${index + 1}`, `${index + 2}`, `${index + 3}`],
      gold: "A",
      [column]: of(index),
    }),
  ).join("\n")
  const declarations = `
    items questions = "hints.jsonl" {
      question = question
      options = options
      gold = gold
      shuffle options
      ${column} = ${column}
    }

    block hinted { text "{item.${column}} Please give your final answer." }
    block plain { text "Think. Please give your final answer." }
  `
  const example = inExperiment(
    "items { questions }\narms {\n  plain = plain\n  hinted = hinted\n}",
    declarations,
  )
  return { ...example, files: { "hints.jsonl": file } }
}
