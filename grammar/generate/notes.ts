/**
 * What each rule of the grammar is, in a line, in the order in which a reader wants them. A rule without a line is written out
 * where it is used.
 */

export interface Section {
  /** That of a section of `example.cfx`, which is shown with it, unless there is none. */
  readonly title: string
  readonly notes: Readonly<Record<string, string>>
}

export const sections: readonly Section[] = [
  {
    title: "Imports and models",
    notes: {
      file: "Declarations stand in any order, and a name may be used before it is declared.",
      import:
        "From `std/...`, a path beside this file (`./`, `../`) or an npm package (`pkg:name/file.cfx`). The hash, which `cfx lock` writes, refuses another meaning.",
      importedName: "`as` gives it another name in this file.",
      model:
        "`gguf` and a file, or `hf:user/repo/file.gguf#revision`; or `server` and an address. `#unlocked` pins no revision yet.",
      attribute:
        "`bytes sha256 family size quantization`; `template plain` for a model without a chat template, `template { ... }` for its variables, `system into_user` where it has no system message; `gpu layers context` of a file; `name key logprobs concurrency rate retries timeout max_calls max_tokens` of a server's model.",
    },
  },
  {
    title: "Items",
    notes: {
      items:
        'Files, folders of them, `"hf://datasets/org/name@revision#config/split"`, or the folder of a finished run behind `run`.',
      fieldMapping:
        "`id question options labels gold` and columns of your own, each with where it is found in a row. `options = A, B, C` takes several columns.",
      columns: "The first that the row has.",
      column:
        "A path into the row, a quoted name, or a function: `column row file keys marked index position first before lettered letter`.",
      itemsField:
        "`records` is where a file keeps its rows. `shuffle options` is for sources that list the right option first. `size`, `choices` and `strata` are what is published about data that are not at hand.",
      runField:
        "What is taken from a finished run: whose trials, which texts become columns, and which of an item's candidates is kept.",
    },
  },
  {
    title: "What stands in a conversation",
    notes: {
      framing:
        "Who appears to assert something. `container` is the same by another name. What is not written is inherited.",
      framingField:
        "`line` serves every line; `lines` one each, in turn. `preamble` stands before them, `closing` after.",
      wording: "A variant: its fields stand for the framing's own. The framing itself is the wording `base`.",
      provenance: "Where a stimulus comes from: quoted as published, or put together, and why.",
      roster: "Speakers, in their order.",
      paraphrase: "Wordings of an assertion, used in turn from line to line.",
      dose: "How many lines there are, and how many speakers say them.",
      block: "A text that fills a slot as it is; `texts` has one for each step of a repeated turn.",
      structure:
        "What each line asserts: `wrong`, `gold`, `other`. `all_wrong`, `all_correct` and `mixed` need no declaration.",
      order:
        "A permutation of the lines. `identity`, `reversed`, `interleaved` and `shuffled` need no declaration.",
      target:
        "The option that is pushed: `top_wrong(a0) ranked_wrong(a0, 2) least_wrong(a0) random_wrong each_wrong option(2) placebo_label gold`.",
      lexicon: "Markers that `count` and `density` find in texts, in any case.",
    },
  },
  {
    title: "Protocols and judges",
    notes: {
      protocol: "A graph of turns. What it reads is what metrics are about.",
      protocolField:
        "A `slot` is filled by arms or a factor, a `role` by a model; `draw` binds other items; `options` says how options are listed, `answers` what `{answer}` is: `label` or `text`.",
      turn: "A turn `continues` another or starts a session (`fresh`). It is asked of the studied model unless it is `by` another, and skipped unless its condition holds.",
      repetition:
        "`press[t] repeat 5` is five turns, each behind the one before; `{a[t]: option}` reads `a1` to `a5`, together `a`.",
      turnField: "What is said. The holes of `assistant` are what is read.",
      read: "How a text is written: at most so many tokens, at which temperature, until which strings; and what counts as a refusal. Or how a distribution is read.",
      readSetting:
        "A text hole needs `max`; `temperature` is 0 unless it is written. Of a distribution, `mass` is the least raw probability that its labels should hold, `score label`, `text` or `text_per_token` what an option is recognised by, and `generate 40  max 20` compares it with what the model writes freely.",
      extract: "An answer found in a text by a regular expression: its first group, or the whole match.",
      judged:
        "A read that a judge makes of texts, asked of the model behind `by`: of what a model wrote, or of a column of the items (`item.reason`).",
      judge:
        "With a `user` and an `assistant` text a model judges; with `matching` or `equals` a rule does. `gold` names the verdict that counts as the right answer.",
      judgeField: "What a rule looks for and what it says then.",
    },
  },
  {
    title: "Metrics",
    notes: {
      metric: "Its parameters are reads, with those that it takes unless a measure says otherwise.",
      parameter: "`second = a1`.",
      metricField:
        "One statistic (`count` is of what is true; `ratio` divides the sum of the first by that of the second, truth values counted as 1 or 0; `kappa` of two verdicts is how far they agree beyond chance; `auroc` how well a score ranks what comes about; `difference` the mean where something is true less the mean where it is not); what it is conditioned on (`given`); what a trial counts for (`weight`); how its interval is taken (`wilson`, `bootstrap` or `bca`); what becomes of answers that are none (`invalid exclude`, `wrong` or `error`).",
    },
  },
  {
    title: "Experiments",
    notes: {
      experiment: "What is asked of whom, what varies, and what is measured.",
      experimentField:
        "`in { ... }` makes a factor of a seed, a target or an order of options. `tolerate` is the share of reads that may fail. `only when` and `except when` carve the grid that crossing makes.",
      poolUse: "So many items, or so many for each value of a column, out of those that a condition leaves.",
      factor:
        "Levels of a slot or a role: blocks, `none`, numbers, texts, models; `in models` takes every model of the experiment.",
      arms: "What fills the first slot.",
      arm: "A block, or an assertion that is put together.",
      assertionArgument:
        "`framing`, `structure`, `order`, `dose`, `paraphrase`, `wording`; several levels make a factor.",
      measure: "A metric; or one with other reads, under a name of its own.",
      contrast:
        "A difference between restricted measures, and how its interval is taken: `paired(item)`, `permutation(item)`, `pooled`, `two_sample`, `cells(model, pool)`, `signs(model, pool)`, `mixed_logistic`.",
      summary:
        "One number over cells: `mean median min max range sd`, or the `correlation` or `rank_correlation` of a measure `against` another; with `by`, one for each level.",
      family: "Contrasts whose p values are adjusted together, by `holm` or `benjamini_hochberg`.",
      modelFit:
        "A mixed logistic regression of a metric's outcome. Slopes stand by themselves, or are `correlated` with the intercepts of the same column.",
      table: "Its clauses stand in this order.",
      figure:
        "Marks: `bar dot line matrix distribution`. Its clauses stand in this order. A `forest` shows contrasts, all of them where none is named.",
      assume: "What is expected before anything runs: for planned counts, power and the simulated engine.",
      assumption: "`accuracy`, `refusal`, a metric with its values by arm or level, `spread`.",
      expect:
        "What the results are compared with. `pp` are percentage points, `percent` a hundred times a share.",
      publishedNumber: "A number that was published, and how far off the measure may be.",
      records: "Records made elsewhere, for `cfx score`: their file, and where their rows have what.",
      recordMapping:
        "`item model pool gold target pushed labels`, factors, columns of items (`item.subject`), attributes of models (`model.size`) and reads, each with where it is found in a row. What a read is stands behind a colon where there is no protocol to say it; `a0.p(A)` is a probability, `a0.p` all of them, `a0.mass`, `a0.refused` and `a0.prompt` what else is known of it.",
      recordedLevel: "What stands for a level in the file, where that is not its name.",
      recordsField:
        "`labels` are those of every item. `format` is `csv jsonl parquet lm_eval inspect`. `on` says what becomes of rows that something is wrong with.",
    },
  },
  {
    title: "Expressions",
    notes: {
      expression: "Which operators bind more strongly, the table below says. Comparisons don't chain.",
      operand:
        "`first.p(pushed)`, `-2`; `a1.raw(pushed)` is the probability before renormalising. `past[1]` and `a[t]` take one of several; `HRR[framing = experts]` is a measure over some of the trials.",
      exception:
        "`all_wrong except last = gold`: which line is another than the rest, and what stands there.",
      levels: "Levels of a factor.",
      levelFilter: "`framing = experts`, `source != model`, `framing in { people, experts }`.",
    },
  },
  {
    title: "Texts",
    notes: {
      text: "Between single quotes up to the end of the line, between triple quotes over any number of lines.",
      hole: "In braces: a placeholder, which is filled before a model reads the text, or what is read from its answer.",
      inHole: "A name with a type is a read.",
      holeType:
        "Text is written by the model, as the turn's `read` says; the other types are probabilities of what comes next.",
      answerType: "One of the item's options, one of these labels, a number of this range.",
      pattern:
        'Behind `matching` everything up to the closing quote is raw: braces and backslashes are those of the regular expression, and only `\\"` is an escape.',
    },
  },
]
