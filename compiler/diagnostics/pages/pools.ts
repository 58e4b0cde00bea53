/** CFX31xx: where the rows of a pool come from, the functions of its mapping, and what is published of it. */
import { sha256 } from "../../hash.ts"
import { type Example, inExperiment, itemFile, page } from "./page.ts"

const MAPPING = "question = question\noptions = options\ngold = gold"
const QUESTION = `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"}`
const FEW = 'allow CFX4006 "an example"'

const indented = (text: string): string => text.replace(/^/gm, "  ")

/** A pool of this source with these fields, in an experiment. */
const pool = (source: string, fields = MAPPING, use = "items { mine }"): Example =>
  inExperiment(use, `items mine = ${source} {\n${indented(fields)}\n}`)

const hub = (address: string, fields = MAPPING): Example => pool(`"${address}"`, `${fields}\nsize 500`)

const HUB = "hf://datasets/someone/questions@unlocked#default/test"

/** A pool of one JSON line, by this mapping. */
const line = (row: string, mapping: string): Example => itemFile("questions.jsonl", row, mapping)

const named = (column: string): Example => pool('"pool.jsonl"', `${MAPPING}\n${column} = question`)

/** A file in a folder, so that the folder is what is named. */
const folder = (file: string, text: string): Example => {
  const shown = pool('"questions"', MAPPING, `items { mine }\n${FEW}`)
  return { ...shown, files: { [`questions/${file}`]: text } }
}

const RUN_ITEMS = Array.from(
  { length: 2 },
  (_, n) =>
    `${JSON.stringify({ pool: "quiz", id: `q${n}`, question: `What is ${n} + 1?`, options: [`${n}`, `${n + 1}`], labels: ["A", "B"], gold: 1 })}\n`,
).join("")

/** A run of the experiment `argued`: it wrote `reason` and read `a0` and `a1`. The second question has no reason unless `whole`. */
const runFiles = (whole: boolean): Readonly<Record<string, string>> => {
  const holes = [
    { name: "reason", turn: "argue", type: "text" },
    { name: "a0", turn: "first", type: "option" },
    { name: "a1", turn: "second", type: "option" },
  ]
  const plan = {
    format: 1,
    sums: { items: sha256(RUN_ITEMS) },
    program: { models: [], experiments: [{ name: "argued", protocol: { holes, lists: {} } }] },
  }
  const sum = sha256(`plan.json\n${JSON.stringify(plan)}`)
  return {
    "runs/first/plan.json": JSON.stringify({ ...plan, sum }),
    "runs/first/items.jsonl": RUN_ITEMS,
    "runs/first/trials.csv": [
      "experiment,model,pool,item,reason.status,reason.text,a0.status,a0.option,a1.status,a1.option",
      "argued,m,quiz,q0,value,Because.,value,1,value,0",
      `argued,m,quiz,q1,${whole ? "value,So it is." : "refused,I will not."},value,1,value,0`,
    ].join("\n"),
  }
}

/** Two items that people have coded in these words, a judge who says yes or no, and how far the two agree. */
const coded = (first: string, second: string): Example => {
  const row = (reason: string, human: string) =>
    JSON.stringify({ question: "What is 2 + 2?", options: ["3", "4"], gold: "B", reason, human })
  const shown = inExperiment(
    `protocol judged\nitems { mine }\nmeasure agreed\n${FEW}`,
    `items mine = "coded.jsonl" {
${indented(`${MAPPING}\nreason = reason\nhuman = human`)}
}

judge convinced(reply) {
  user "{reply}\\nDoes it appeal to what others said?"
  assistant "{verdict: label(yes, no)}"
}

metric agreed(judged = v0) {
  kappa judged, item.human
  interval bootstrap 95
}

protocol judged {
  slot block
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn second continues first {
    user "{block}"
    assistant "{a1: option}"
  }
  judge v0 = convinced(item.reason)
}
`,
  )
  return {
    ...shown,
    files: { "coded.jsonl": `${row("They said so.", first)}\n${row("It adds up.", second)}\n` },
  }
}

/** A protocol whose conversation opens with other items. */
const remembering = (count: number): string => `protocol remembering {
  slot block
  draw past = ${count} others
  options "{label}. {text}" join "\\n"

  turn first {
    user "{past[1].question}\\n{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }

  turn second continues first {
    user "{block}"
    assistant "{a1: option}"
  }
}
`

const FLIPS = `metric flips(first = a0, second = a1) {
  rate second != item.gold
  given first == item.gold
  interval wilson 95
}
`

const RANK = "one per item by max flips over model except model"

const run = (fields: string, metric = FLIPS, whole = true): Example => {
  const declared = `${metric}items mine = run "runs/first" {\n${indented(fields)}\n}`
  return { ...inExperiment(`items { mine }\n${FEW}`, declared), behind: runFiles(whole) }
}

/** The same with the run's trials shown. */
const withTrials = (whole: boolean): Example => {
  const name = "runs/first/trials.csv"
  const { [name]: trials = "", ...behind } = runFiles(whole)
  return { ...run(ranked, FLIPS, whole), files: { [name]: trials }, behind }
}

const ranked = `experiment argued\nkeep reason\n${RANK}`

export const pools = {
  CFX3100: page(
    "Published data have items with two options of the same text, or with an option that is empty.",
    "A pool that says how many rows are published (`size`) is taken as it is published, so that results compare with others'. Such items are counted here. An empty option is left out; of two equal options each stays an answer of its own, known by its label.",
    itemFile(
      "questions.jsonl",
      `{"question": "What is 2 + 2?", "options": ["3", "4", "3"], "gold": "B"}`,
      `${MAPPING}\nsize 1`,
    ),
    itemFile("questions.jsonl", QUESTION, `${MAPPING}\nsize 1`),
  ),
  CFX3101: page(
    "The data at hand have another number of rows, or of values of a column, than the pool declares.",
    "`size` and `strata` are what is published. A file with other counts may be another release, or a part.",
    itemFile("questions.jsonl", QUESTION, `${MAPPING}\nsize 500`),
    itemFile("questions.jsonl", QUESTION, `${MAPPING}\nsize 1`),
  ),
  CFX3102: page(
    "A mapping calls a function that there is not.",
    "The functions of a mapping are few: `column`, `keys`, `marked`, `index`, `position`, `first`, `before`, `lettered`, `letter`, `file` and `row`.",
    line(
      `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": 1}`,
      "question = question\noptions = options\ngold = indx(gold)",
    ),
    line(
      `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": 1}`,
      "question = question\noptions = options\ngold = index(gold)",
    ),
  ),
  CFX3103: page(
    "A function of a mapping has other arguments than it takes.",
    "Columns of a table without a header count from 1, and `before` takes what to look in and the text to look for.",
    itemFile(
      "questions.csv",
      "What is 2 + 2?,3,4,B",
      "question = column(0)\noptions = column(2), column(3)\ngold = column(4)",
    ),
    itemFile(
      "questions.csv",
      "What is 2 + 2?,3,4,B",
      "question = column(1)\noptions = column(2), column(3)\ngold = column(4)",
    ),
  ),
  CFX3104: page(
    "A function of a mapping stands at a field that cannot be what it gives.",
    "`index`, `position`, `marked` and `first` give one of the options, which only `gold` is; `keys` and `lettered` give a list.",
    pool('"pool.jsonl"', "question = keys(question)\noptions = options\ngold = gold"),
    pool('"pool.jsonl"'),
  ),
  CFX3105: page(
    "The data of a pool are a folder in which no file can be read.",
    "A folder stands for all item files directly in it, in the order of their names. Other files in it, such as a note on where the data are from, are passed over.",
    folder("notes.txt", "Questions from the school.\n"),
    folder("school.jsonl", `${QUESTION}\n`),
  ),
  CFX3106: page(
    "A JSON file has no list of items where one must be.",
    "A JSON file is a list of items, or a record that holds one: then `records` says at which path.",
    itemFile("questions.json", `{"note": "for practice", "rows": [${QUESTION}]}`),
    itemFile("questions.json", `{"note": "for practice", "rows": [${QUESTION}]}`, `records rows\n${MAPPING}`),
  ),
  CFX3107: page(
    "A pool has a field that belongs to pools of another kind.",
    "Files have rows and need a mapping. A finished run has items already: `experiment`, `keep` and `one` say what becomes of them.",
    pool('"pool.jsonl"', `${MAPPING}\nkeep reason`),
    pool('"pool.jsonl"'),
  ),
  CFX3108: page(
    "A number that is published of a pool is none that there can be.",
    "`size`, `choices` and `strata` are counts: plans are made from them while the data are not at hand.",
    pool('"pool.jsonl"', `${MAPPING}\nchoices 1`),
    pool('"pool.jsonl"', `${MAPPING}\nchoices 2`),
  ),
  CFX3109: page(
    "Strata go by a column that the items of the pool do not have.",
    "A column is mapped like a field: `subject = subject`. It can then be named in conditions, samples, texts and tables.",
    hub(HUB, `${MAPPING}\nsubject = subject\nstrata topic 12`),
    hub(HUB, `${MAPPING}\nsubject = subject\nstrata subject 12`),
  ),
  CFX3110: page(
    "The stimuli of a finished run are to be ranked by a metric that is no rate.",
    "Of each item's stimuli the one is taken that most often had the effect: a share of trials.",
    run(
      ranked,
      "metric flips(first = a0, second = a1) {\n  mean second.p(pushed) - first.p(pushed)\n  interval bootstrap 95\n}\n",
    ),
    run(ranked),
  ),
  CFX3111: page(
    "The folder of a run holds no run that can be read.",
    "What a run asked and read is kept with sums. A plan that was edited, or a run that was stopped, is no source of items. (A folder without any run is only not at hand.)",
    { ...run(ranked), behind: {}, files: { "runs/first/plan.json": "{}\n" } },
    run(ranked),
  ),
  CFX3112: page(
    "A pool takes its items from an experiment that the run does not have.",
    "The experiment is named as in the spec that was run.",
    run(ranked.replace("argued", "argue")),
    run(ranked),
  ),
  CFX3113: page(
    "A pool keeps a read of a run that is no text, or that the run does not have.",
    "What is kept becomes a column of the items, for `{item.NAME}` in a text: it must be something that was written.",
    run(ranked.replace("reason", "a0")),
    run(ranked),
  ),
  CFX3114: page(
    "The metric that ranks the stimuli of a run needs a read that the run does not have.",
    "The metric is taken over the trials of that run: its parameters stand for reads of the run's protocol.",
    run(ranked, FLIPS.replace("a1", "a2")),
    run(ranked),
  ),
  CFX3115: page(
    "The address of a pool's data is not complete.",
    "Data on a hub change: an address names the revision, or says that it is `unlocked` for `cfx lock` to pin, and which config and split of the data set is meant.",
    hub("hf://datasets/someone/questions"),
    hub(HUB),
  ),
  CFX3116: page(
    "A column of the items has the name of a column that every table has.",
    "`model` in a table must mean one thing.",
    named("model"),
    named("wording_of_question"),
  ),
  CFX3117: page(
    "The source lists the gold answer first, and the pool leaves it there.",
    "A model that prefers the first option would seem to know everything, and one that is pushed away from it to give in. `shuffle options` gives each item an order of its own.",
    pool('"pool.jsonl"', "question = question\noptions = options\ngold = first()"),
    pool('"pool.jsonl"', "question = question\noptions = options\ngold = first()\nshuffle options"),
  ),
  CFX3119: page(
    "The gold answer of a row is the place of an option that the row does not have.",
    "`index` counts from 0, so the last of two options is 1; `position` counts from 1.",
    line(
      `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": 2}`,
      "question = question\noptions = options\ngold = index(gold)",
    ),
    line(
      `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": 2}`,
      "question = question\noptions = options\ngold = position(gold)",
    ),
  ),
  CFX3120: page(
    "A condition on the rows of a pool is true of none of them.",
    "An experiment without questions has nothing to report. A value in the condition may be spelt otherwise in the data.",
    itemFile(
      "questions.jsonl",
      `{"topic": "sums", "question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"}`,
      `${MAPPING}\ntopic = topic\nwhere topic == "Sums"`,
    ),
    itemFile(
      "questions.jsonl",
      `{"topic": "sums", "question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"}`,
      `${MAPPING}\ntopic = topic\nwhere topic == "sums"`,
    ),
  ),
  CFX3121: page(
    "For some items of a run nothing was written that could be kept.",
    "Where a model refused, or its turn did not take place, there is no stimulus, and the item is not in the pool. How many there are belongs in the account of an experiment.",
    withTrials(false),
    withTrials(true),
  ),
  CFX3122: page(
    "A sample takes more of each value of a column than some value has items.",
    "A stratified sample with a stratum that is too small would be none.",
    pool('"pool.jsonl"', `${MAPPING}\ntopic = before(question, " ")`, "items { mine sample 41 per topic }"),
    pool('"pool.jsonl"', `${MAPPING}\ntopic = before(question, " ")`, "items { mine sample 30 per topic }"),
  ),
  CFX3123: page(
    "A condition compares a column of texts with a number, or one of numbers with a text.",
    "Such a comparison is never true. A column of a CSV file is of numbers only where each row has one.",
    itemFile(
      "questions.jsonl",
      `{"year": 1999, "question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"}`,
      `${MAPPING}\nyear = year\nwhere year == "1999"`,
    ),
    itemFile(
      "questions.jsonl",
      `{"year": 1999, "question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"}`,
      `${MAPPING}\nyear = year\nwhere year == 1999`,
    ),
  ),
  CFX3124: page(
    "A protocol draws more other items than a pool of the experiment has.",
    "What is drawn are whole items besides the trial's own, each once. Of a pool whose conditions leave few items, few can be drawn.",
    inExperiment("protocol remembering", remembering(40)),
    inExperiment("protocol remembering", remembering(3)),
  ),
  CFX3125: page(
    "A measure compares the labels of a read with a column of the items, and no value of the column is one of them.",
    "Labels and columns are compared letter by letter. Where a judge says `yes` and people wrote `Yes`, the two never agree: kappa would be 0, whatever was answered.",
    coded("Yes", "No"),
    coded("yes", "no"),
  ),
}
