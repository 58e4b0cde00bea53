/** CFX3xxx: the mapping of item files, and their rows. */
import { type Example, inExperiment, itemFile, page } from "./page.ts"

/** Two questions as YAML, the second with its own fields in place of the sound ones. */
const questions = (second: string): Example =>
  itemFile(
    "questions.yaml",
    `
    - question: What is 2 + 2?
      options: ["3", "4"]
      gold: B
${second.replace(/^\n/, "").trimEnd()}`,
  )

const sound = questions(`
    - question: What is 2 + 3?
      options: ["5", "6"]
      gold: A`)

const numbered = (options: number): Example =>
  itemFile(
    "questions.yaml",
    `
    - question: What is 2 + 2?
      options: [${Array.from({ length: options }, (_, index) => `"${index + 1}"`).join(", ")}]
      gold: D`,
  )

const COLUMNS = "question = question\noptions = options\ngold = gold"

const pool = (mapping: string, file = "pool.jsonl"): Example =>
  inExperiment("items { mine }", `items mine = "${file}" {\n${mapping.replace(/^\s*/gm, "  ")}\n}`)

export const items = {
  CFX3001: page(
    "The file of a pool cannot be read.",
    "Its path is seen from the file that declares the items, wherever `cfx` is called from.",
    pool(COLUMNS, "pol.jsonl"),
    pool(COLUMNS),
  ),
  CFX3002: page(
    "The name of an item file does not end in a way that says how to read it.",
    "YAML, JSON lines and CSV are told apart by the end of the name, never by guessing at the content.",
    itemFile("questions.txt", "What is 2 + 2? (a) 3 (b) 4"),
    sound,
  ),
  CFX3003: page(
    "An item file is not well-formed: its brackets, quotation marks or indentation do not fit.",
    "A file that is read only up to its first mistake would be a smaller pool than was meant.",
    itemFile("questions.jsonl", `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"`),
    itemFile("questions.jsonl", `{"question": "What is 2 + 2?", "options": ["3", "4"], "gold": "B"}`),
  ),
  CFX3004: page(
    "An item file holds no row.",
    "An experiment without questions has nothing to report.",
    itemFile("questions.yaml", "[]"),
    sound,
  ),
  CFX3005: page(
    "The mapping of a pool sets a field that items do not have, where it leaves out one of nearly the same name, or one that other data sets call so: `choices` for `options`, `answer` for `gold`.",
    "The left side of a mapping is a field of an item, or the name of a further column; the right side is where a row has it.",
    pool("questoin = question\noptions = options\ngold = gold"),
    pool(COLUMNS),
  ),
  CFX3006: page(
    "The mapping of a pool leaves out a field that every item needs.",
    "A question, its options and the gold answer are never guessed from the names of columns.",
    pool("question = question\noptions = options"),
    pool(COLUMNS),
  ),
  CFX3008: page(
    "The mapping names a column that no row of the file has.",
    "It is reported once, at the mapping, and not for each row.",
    pool("question = question\noptions = options\ngold = answer"),
    pool(COLUMNS),
  ),
  CFX3009: page(
    "A row has nothing under a column that the mapping needs.",
    "A row that is left out silently would change the pool; repair it or delete it.",
    questions(`
    - question: What is 2 + 3?
      options: ["5", "6"]`),
    sound,
  ),
  CFX3010: page(
    "A field of a row has another type than it must have.",
    "A question is a text, options are a list of texts. A number in their place goes by its spelling, but a list is never guessed out of one text.",
    questions(`
    - question: What is 2 + 3?
      options: 5 or 6
      gold: A`),
    sound,
  ),
  CFX3011: page(
    "The gold answer of a row is none of its labels.",
    "The item could never be answered rightly. Without a mapping of `labels`, labels are A, B, C and so on.",
    questions(`
    - question: What is 2 + 3?
      options: ["5", "6"]
      gold: C`),
    sound,
  ),
  CFX3012: page(
    "Two rows of a pool have the same id.",
    "Results are paired by item: two items under one id would be taken for one.",
    itemFile(
      "questions.yaml",
      `
      - { id: q1, question: What is 2 + 2?, options: ["3", "4"], gold: B }
      - { id: q1, question: What is 2 + 3?, options: ["5", "6"], gold: A }`,
      "id = id\nquestion = question\noptions = options\ngold = gold",
    ),
    itemFile(
      "questions.yaml",
      `
      - { id: q1, question: What is 2 + 2?, options: ["3", "4"], gold: B }
      - { id: q2, question: What is 2 + 3?, options: ["5", "6"], gold: A }`,
      "id = id\nquestion = question\noptions = options\ngold = gold",
    ),
  ),
  CFX3013: page(
    "Two options of a row are the same text.",
    "An answer that means either is neither right nor wrong.",
    questions(`
    - question: What is 2 + 3?
      options: ["5", "5"]
      gold: A`),
    sound,
  ),
  CFX3014: page(
    "A row has fewer than two options.",
    "There must be a right answer and a wrong one to push.",
    questions(`
    - question: What is 2 + 3?
      options: ["5"]
      gold: A`),
    sound,
  ),
  CFX3015: page(
    "A row has another number of labels than of options.",
    "Each option is shown and answered by its own label.",
    itemFile(
      "questions.yaml",
      `
      - { question: What is 2 + 2?, options: ["3", "4"], labels: ["1", "2", "3"], gold: "2" }`,
      "question = question\noptions = options\nlabels = labels\ngold = gold",
    ),
    itemFile(
      "questions.yaml",
      `
      - { question: What is 2 + 2?, options: ["3", "4"], labels: ["1", "2"], gold: "2" }`,
      "question = question\noptions = options\nlabels = labels\ngold = gold",
    ),
  ),
  CFX3016: page(
    "Two options of a row have the same label.",
    "The model answers by label, so each must mean one option.",
    itemFile(
      "questions.yaml",
      `
      - { question: What is 2 + 2?, options: ["3", "4"], labels: ["1", "1"], gold: "1" }`,
      "question = question\noptions = options\nlabels = labels\ngold = gold",
    ),
    itemFile(
      "questions.yaml",
      `
      - { question: What is 2 + 2?, options: ["3", "4"], labels: ["1", "2"], gold: "2" }`,
      "question = question\noptions = options\nlabels = labels\ngold = gold",
    ),
  ),
  CFX3017: page(
    "A sample is larger than its pool.",
    "Items are drawn without replacement: each can be asked once.",
    inExperiment("items { pool sample 500 }"),
    inExperiment("items { pool sample 30 }"),
  ),
  CFX3018: page(
    "A text of a row is empty.",
    'An empty question or option is mostly a cell that was lost on the way. Rows whose column is empty on purpose, such as texts that nobody has coded, are left out by a condition in the mapping: `where human != ""`.',
    questions(`
    - question: ""
      options: ["5", "6"]
      gold: A`),
    sound,
  ),
  CFX3019: page(
    "A row is not a record with named columns.",
    "The mapping says under which names a row's question, options and gold answer stand; a bare text has no names.",
    itemFile(
      "questions.yaml",
      `
      - question: What is 2 + 2?
        options: ["3", "4"]
        gold: B
      - What is 2 + 3?`,
    ),
    sound,
  ),
  CFX3021: page(
    "A field of an item other than `options` is mapped to more than one column.",
    "A question stands in one place. Options may stand in a list under one column, or each in a column of its own; they are labelled A, B, C by position.",
    pool("question = question, stem\noptions = options\ngold = gold"),
    itemFile(
      "questions.csv",
      `
      Question text,A,B,Answer
      What is 2 + 2?,3,4,B`,
      'question = "Question text"\noptions = A, B\ngold = Answer',
    ),
  ),
  CFX3020: page(
    "A row has more options than there are letters, and no labels of its own.",
    "Without a mapping of `labels` options are called A to Z; the twenty-seventh would have no name to be answered by.",
    numbered(27),
    numbered(26),
  ),
}
