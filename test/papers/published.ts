/** The tables and figures as both papers print them: by hand from their texts, each under the name that our specs give it. */

/** Each row as what its first columns say, in the order of the paper where the spec's factors can have it; others may stand between. */
export interface PublishedTable {
  readonly paper: string
  readonly table: string
  readonly rows: readonly (readonly string[])[]
  readonly columns: readonly string[]
}

const crossing = (...factors: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  factors.reduce<readonly (readonly string[])[]>(
    (rows, levels) => rows.flatMap((row) => levels.map((level) => [...row, level])),
    [[]],
  )

const framings = ["no_source", "people", "rich_peers", "experts"]
const pools = [
  "arc",
  "mmlu_pro",
  "truthfulqa",
  "bbh_geometric",
  "bbh_logical",
  "bbh_temporal",
  "bbh_tracking",
]
const models = ["qwen_1_5b", "qwen_3b", "qwen_7b", "llama_8b", "mistral_7b", "gemma_9b"]

export const tables: Readonly<Record<string, readonly PublishedTable[]>> = {
  "main.cfx": [
    {
      paper: "Table 1",
      table: "table_1",
      rows: [
        ["reask"],
        ["length"],
        ...crossing(["pressure"], ["all_wrong"], framings),
        ...crossing(["pressure"], ["all_correct"], framings),
      ],
      columns: ["HRR", "BenR", "delta_p_pushed"],
    },
  ],
  "robustness.cfx": [
    {
      paper: "Table 2",
      table: "table_2",
      rows: [
        ["reask"],
        ["length"],
        ["pressure", "no_source", "top_wrong(a0)", "verbatim"],
        ["pressure", "no_source", "top_wrong(a0)", "reworded"],
        ["pressure", "no_source", "random_wrong", "verbatim"],
        ["pressure", "no_source", "placebo_label", "verbatim"],
      ],
      columns: ["HRR", "off_ceiling_HRR"],
    },
  ],
  "open_ended.cfx": [
    {
      paper: "Table 2, open-ended",
      table: "open",
      rows: [["reask"], ["pressure", "no_source"], ["pressure", "experts"]],
      columns: ["open_HRR"],
    },
  ],
  "containers.cfx": [
    {
      paper: "Table 2, containers",
      table: "table_2",
      rows: [["no_source"], ["retrieved_reference"], ["web_page"], ["corrupted_log"]],
      columns: ["HRR"],
    },
    {
      paper: "Table 4",
      table: "table_4",
      rows: [...framings, "retrieved_reference"].map((one) => [one]),
      columns: ["words_per_line", "answer_word", "HRR"],
    },
  ],
  "minimal_pairs.cfx": [
    {
      paper: "Table 3",
      table: "table_3",
      rows: ["bare", "a_person", "a_database", "an_expert", "a_retrieved_reference", "a_random_string"].map(
        (one) => [one],
      ),
      columns: ["HRR", "off_ceiling_HRR"],
    },
  ],
  "by_cell.cfx": [
    { paper: "Table 5", table: "table_5", rows: crossing(pools, framings), columns: ["HRR"] },
    {
      paper: "Table 6",
      table: "table_6",
      rows: models.flatMap((model) => [
        ...crossing([model], ["all_wrong"], ["no_source", "people", "experts"]),
        ...crossing([model], ["mixed"], ["no_source", "experts"]),
      ]),
      columns: ["HRR"],
    },
    {
      paper: "Table 9",
      table: "table_9",
      rows: framings.map((one) => [one]),
      columns: ["HRR", "BenR", "delta_p_pushed"],
    },
  ],
  "role_ladder.cfx": [
    {
      paper: "Table 7",
      table: "table_7",
      rows: crossing(
        ["no_source", "people", "named", "students", "online_participants", "experts"],
        ["all_wrong", "mixed"],
      ),
      columns: ["HRR"],
    },
  ],
  "authority_parts.cfx": [
    {
      paper: "Table 8, what its contributions are of",
      table: "table_8",
      rows: ["no_source", "expert_tag", "expert_preamble", "experts"].map((one) => [one]),
      columns: ["off_ceiling_HRR"],
    },
  ],
  "dose.cfx": [
    {
      paper: "Table 10",
      table: "table_10",
      rows: [
        ["reask"],
        ["length"],
        ...crossing(["repeated_line"], ["repeated(1)", "repeated(2)", "repeated(3)", "repeated(6)"]),
        ...crossing(["distinct_speakers"], ["distinct(1)", "distinct(2)", "distinct(3)", "distinct(6)"]),
      ],
      columns: ["HRR"],
    },
  ],
  "justification.cfx": [
    {
      paper: "Table 11",
      table: "table_11",
      rows: ["no_source", "people", "experts"].map((one) => [one]),
      columns: ["invented", "content", "faithful", "reassert"],
    },
  ],
}

/** Table 4: words of a line, and the place of the answer in it. Of rich peers the paper prints those of the one line that it quotes first. */
export const lines: Readonly<Record<string, readonly [words: number, answer: number]>> = {
  no_source: [4, 3],
  people: [6, 5],
  experts: [6, 5],
  retrieved_reference: [6, 5],
}

/** Figure 2 is a drawing of the design. */
export const figures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "main.cfx": { "Figure 1": "figure_1", "Figure 3": "figure_3" },
  "dose.cfx": { "Figure 4": "figure_4" },
  "confidence.cfx": { "Figure 5": "figure_5" },
}
