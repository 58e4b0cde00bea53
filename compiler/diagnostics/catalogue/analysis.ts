/** CFX25xx: expressions of the whole language, and the analyses that go beyond a difference of two measures. */
import { all, article, didYouMean, either, quote, suggestion } from "../words.ts"
import { error, note } from "./entry.ts"

export const analysis = {
  CFX2500: error<{ name: string; known: readonly string[] }>("Unknown function", {
    message: (p) =>
      `There is no function ${quote(p.name)}${p.known.length === 0 ? " over the rows of a pool" : ""}.`,
    label: () => "no such function",
    hint: (p) =>
      p.known.length === 0
        ? "Compare columns with texts or numbers, by `and`, `or`, `not` and `in`."
        : (didYouMean(p.name, p.known) ?? `There are ${either(p.known).replace(/ or (?=[^ ]*$)/, " and ")}.`),
  }),
  CFX2501: error<{ state: string; known: readonly string[] }>("Unknown state of a read", {
    message: (p) => `A read is never ${quote(p.state)}.`,
    label: () => "no state of a read",
    hint: (p) => didYouMean(p.state, p.known) ?? `It is ${either(p.known)}.`,
  }),
  CFX2502: error<{ label: string; read: string; known: readonly string[] }>(
    "Label that a read does not have",
    {
      message: (p) => `${quote(p.read)} is never ${quote(p.label)}.`,
      label: () => "not one of its labels",
      hint: (p) => didYouMean(p.label, p.known) ?? `Its labels are ${either(p.known)}.`,
    },
  ),
  /** `metric`: the one that is given the read; none where the expression names it itself. */
  CFX2503: error<{ read: string; labels: readonly string[]; metric: string | undefined }>(
    "Read without a gold answer",
    {
      message: (p) =>
        p.metric === undefined
          ? `None of the labels of ${quote(p.read)} counts as the gold answer.`
          : `${quote(p.metric)} compares ${quote(p.read)} with the gold answer, and none of its labels counts as that.`,
      label: () => "its labels are not answers to the item",
      hint: (p) =>
        `Write which one is right into its judge, such as \`gold ${p.labels[0] ?? "same"}\`, or compare it with a text.`,
    },
  ),
  CFX2504: error<{ read: string; metric: string | undefined }>("Read without probabilities", {
    message: (p) =>
      `${p.metric === undefined ? "" : `${quote(p.metric)} needs a probability, and `}${quote(p.read)} is found in a text, which gives it no probabilities.`,
    label: () => "has an answer and no more",
    hint: () => "Read the answer by a hole of its own, such as `{a1: option}`, to have its distribution.",
  }),
  CFX2506: error<{ metric: string; parameter: string; known: readonly string[] }>(
    "Unknown parameter of a metric",
    {
      message: (p) => `${quote(p.metric)} has no parameter ${quote(p.parameter)}.`,
      label: () => "no such parameter",
      hint: (p) => (p.known.length === 0 ? "It has none." : suggestion(p.parameter, p.known)),
    },
  ),
  CFX2507: error<{ at: number }>("Unfitting quantile", {
    message: (p) => `A quantile lies between 0 and 1, and this is ${p.at}.`,
    label: () => "not between 0 and 1",
    hint: (p) =>
      p.at > 1 && p.at < 100
        ? `Did you mean \`quantile ${Number((p.at / 100).toPrecision(12))} of\`?`
        : "The median is `quantile 0.5 of`.",
  }),
  CFX2508: error<{ column: string }>("Cells that the sides do not share", {
    message: (p) =>
      `The sides of this contrast are told apart by ${quote(p.column)}, so no cell by ${quote(p.column)} has all of them.`,
    label: () => "differs between the sides",
    hint: () => "Take cells by columns that all sides have, such as `cells(model, pool)`.",
  }),
  CFX2510: error<{ way: string; measure: string; statistic: string; fits: readonly string[] }>(
    "Unfitting way of averaging",
    {
      message: (p) =>
        `${quote(p.way)} is for a ${either(p.fits)}, and ${quote(p.measure)} is a ${quote(p.statistic)}.`,
      label: (p) => `not for a ${p.statistic}`,
      hint: () => "Take it by `pooled`, which resamples items.",
    },
  ),
  CFX2511: error<{ measure: string; statistic: string }>("Logistic model of no rate", {
    message: (p) =>
      `A logistic model is fitted to a \`rate\`, and ${quote(p.measure)} is a ${quote(p.statistic)}.`,
    label: () => "not a rate",
    hint: () => "Model a metric that is true or false of each trial.",
  }),
  CFX2512: error<{ term: string; found: string }>("Not a term of a model", {
    message: (p) =>
      `${quote(p.term)} is ${article(p.found)}, and a term is a column of the design or a number that differs between trials.`,
    label: (p) => article(p.found),
    hint: () =>
      "Such as `framing`, `a0.confidence`, `item.choices`, and products of these by `*`. The intercept is always there.",
  }),
  CFX2513: error<{ by: string; known: readonly string[] }>("Slope without its intercept", {
    message: (p) => `Slopes differ by ${quote(p.by)}, and the model has no random intercept of it.`,
    label: () => "not among the random intercepts",
    hint: (p) => didYouMean(p.by, p.known) ?? `Add it: \`random [${[...p.known, p.by].join(", ")}]\`.`,
  }),
  CFX2514: error<{ measure: string; by: string }>("Matrix of one factor", {
    message: () => "A matrix has a factor along each of its sides, and this one has one.",
    label: () => "needs a second factor",
    hint: (p) => `Write it behind \`color\`, such as: matrix ${p.measure} by ${p.by} color model`,
  }),
  /** `widest`: as far as the contrast can be from 0. */
  CFX2515: error<{ margin: number; points: boolean; widest: number | undefined }>(
    "Margin that says nothing",
    {
      message: (p) =>
        p.margin > 0
          ? `The contrast is never further than ${p.points ? `${(p.widest ?? 0) * 100} pp` : p.widest} from 0, so it is always within this margin.`
          : "A margin of equivalence is above 0.",
      label: () => "not a margin",
      hint: (p) => {
        if (p.margin <= 0) return "Write the largest difference that would not matter, such as `within 3 pp`."
        return p.points || p.margin > 100 ? undefined : `Did you mean \`within ${p.margin} pp\`?`
      },
    },
  ),
  /** `fits` and `figures`: their names; `marks`: those of the figures, each once. */
  CFX2518: error<{ terms: number }>("Two samples of four", {
    message: (p) => `\`two_sample\` sets one side against another, and this contrast has ${p.terms}.`,
    label: () => "not for a difference of differences",
    hint: () => "Take it by `pooled`, or by `cells(model, pool)`.",
  }),
  CFX2519: error<{ contrast: string; families: readonly string[] }>("Contrast of two families", {
    message: (p) => `${quote(p.contrast)} is in the families ${all(p.families)}, and has one adjusted p.`,
    label: () => "in another family already",
    hint: () => "Put what is tested together into one family.",
  }),
  CFX2520: error<{ family: string; contrast: string }>("Family of one", {
    message: (p) => `The family ${quote(p.family)} has one contrast, whose p there is nothing to adjust for.`,
    label: () => "one contrast",
    hint: (p) => `Name those that are tested beside it: family ${p.family} = ${p.contrast}, another by holm`,
  }),
  CFX2521: error<{ figure: string }>("Forest without contrasts", {
    message: (p) => `The figure ${quote(p.figure)} shows contrasts, and the experiment has none.`,
    label: () => "nothing to show",
    hint: () =>
      "Declare one, such as `contrast authority = HRR[framing = experts] - HRR[framing = people] by paired(item)`.",
  }),
  CFX2522: error<{ what: string; found: string }>("Not one measure", {
    message: (p) => `${p.what} is of one measure, and ${quote(p.found)} is none.`,
    label: () => "not one measure",
    hint: () => "Such as `HRR`, or `HRR[framing = experts]` over some of the trials.",
  }),
  /** `isOfTwo`: whether the statistic needs a second measure, which is not there. */
  CFX2523: error<{ statistic: string; isOfTwo: boolean; measure: string }>(
    "Number of measures of a summary",
    {
      message: (p) =>
        p.isOfTwo
          ? `A \`${p.statistic}\` is of two measures, and this summary has one.`
          : `A \`${p.statistic}\` is of one measure, and this summary sets it against a second.`,
      label: (p) => (p.isOfTwo ? "of one measure" : "a second measure"),
      hint: (p) =>
        p.isOfTwo
          ? `Write the second behind \`against\`: ${p.statistic} ${p.measure} against AFR`
          : "Only a `correlation` and a `rank_correlation` have one.",
    },
  ),
  /** `level`: the only one that the column has there; none where the measure's own levels fix it. */
  CFX2524: error<{ column: string; measure: string; level: string | undefined }>("Summary over one cell", {
    message: (p) =>
      p.level === undefined
        ? `${quote(p.measure)} has one level of ${quote(p.column)}, so that there are no cells by it.`
        : `All trials of ${quote(p.measure)} have ${p.column} = ${p.level} here, so that there is one cell.`,
    label: () => "does not vary",
    hint: () => "Summarise over columns that vary among these trials.",
  }),
  CFX2525: error<{ measure: string; low: number; high: number; value: number; percent: boolean }>(
    "Published number out of range",
    {
      message: (p) =>
        `${quote(p.measure)} lies between ${p.low} and ${p.high}, and never is ${p.value}${p.percent ? " percent" : ""}.`,
      label: () => "out of range",
      hint: (p) =>
        !p.percent && p.value >= p.low * 100 && p.value <= p.high * 100
          ? `Did you mean \`equals ${p.value} percent\`?`
          : undefined,
    },
  ),
  /** `statistic`: one that has no weights; none where it is the interval that does not fit. */
  CFX2526: error<{ statistic: string | undefined }>("Unfitting weight", {
    message: (p) =>
      p.statistic === undefined
        ? "Wilson's interval counts trials, and these have weights."
        : `A \`${p.statistic}\` has no weights.`,
    label: (p) => (p.statistic === undefined ? "not by `wilson`" : `not for a ${p.statistic}`),
    hint: (p) =>
      p.statistic === undefined ? "Write `interval bootstrap 95`." : "Weights are for a `rate` and a `mean`.",
  }),
  CFX2527: error<{ found: string }>("Unfitting temperature", {
    message: (p) => `What logits are divided by is a number above 0, and this is ${quote(p.found)}.`,
    label: () => "not a temperature",
    hint: () =>
      "Such as `second.recalibrated(2)`, which flattens a distribution, or `.recalibrated(0.5)`, which sharpens it.",
  }),
  CFX2528: error<{ measure: string; statistic: string }>("Distribution of no numbers", {
    message: (p) =>
      `A distribution shows the numbers of single trials, and ${quote(p.measure)} is a \`${p.statistic}\`.`,
    label: () => "has no number for each trial",
    hint: () => "Draw it of a `mean` or a `quantile`; a share is a bar or a dot.",
  }),
  CFX2529: note<{ column: string; level: string | undefined }>("Random intercept of one level", {
    message: (p) =>
      `All trials have one ${quote(p.column)}${p.level === undefined ? "" : `, ${quote(p.level)}`}: how it varies is not to be seen.`,
    label: () => "does not vary",
    hint: () =>
      "A random intercept is of a column that varies; `model`, `pool` and `item` do in most designs.",
  }),
  CFX2530: error<{ factor: string; by: string }>("Slope without its term", {
    message: (p) =>
      `The slopes of ${quote(p.factor)} vary around 0, since the model has no term ${quote(p.factor)}.`,
    label: () => "not among the terms",
    hint: (p) => `Add it to the terms, or leave out the slope by ${quote(p.by)}.`,
  }),
  CFX2517: error<{ read: string; metric: string | undefined }>("No raw probability", {
    message: (p) =>
      `${p.metric === undefined ? "" : `${quote(p.metric)} needs a raw probability, and `}${quote(p.read)} scores options by the average of their tokens, which is no probability of theirs.`,
    label: () => "there is none",
    hint: () => "Score whole options by `score text`, or ask for `.p(...)`, their share among the options.",
  }),
  CFX2531: error<{ name: string; of: "items" | "measures" }>("One name for two columns", {
    message: (p) =>
      p.of === "items"
        ? `${quote(p.name)} is a column of the design and a column of the items: this could mean either.`
        : `${quote(p.name)} is a row of this table and a measure: nobody could tell the two columns apart.`,
    label: () => "the name of two columns",
    hint: (p) =>
      p.of === "items"
        ? `Give the column of the items another name in its pool, such as \`item_${p.name} = ...\`.`
        : "Give the measure another name, such as: measure NAME = METRIC",
  }),
}
