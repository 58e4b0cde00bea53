/** CFX25xx: expressions of the whole language, and analyses beyond a difference of two measures. */
import { file, inExperiment, page } from "./page.ts"

/** Two contrasts. */
const pair = [
  "measure HRR",
  "contrast length = HRR[arm = length] - HRR[arm = reask] by paired(item)",
  "contrast attribution = HRR[framing = people] - HRR[framing = no_source] by paired(item)",
].join("\n")

/** Three. */
const three = `${pair}\ncontrast naming = HRR[framing = people] - HRR[arm = reask] by paired(item)`

/** A metric over a text, in a file of its own. */
const ofText = (field: string) =>
  file(`
    metric brevity(reply = reply) {
      ${field}
      interval wilson 95
    }`)

export const analysis = {
  CFX2500: page(
    "An expression calls a function that the language does not have.",
    "Functions are few and fixed, so that a metric means the same in every library.",
    ofText("rate word(reply) <= 20"),
    ofText("rate words(reply) <= 20"),
  ),
  CFX2501: page(
    "A condition asks whether a read came out in a way in which none does.",
    "A read is a value, invalid (no usable answer), refused (a text with a declared marker of refusal) or skipped (not asked, since its gate was closed or something that it needs had no value).",
    ofText("rate reply is missing"),
    ofText("rate reply is refused"),
  ),
  CFX2502: page(
    "A read of labels is compared with a text that is none of its labels.",
    "The comparison would be false for every trial, mostly for a slip of spelling.",
    judged('when v0 == "sme"'),
    judged('when v0 == "same"'),
  ),
  CFX2503: page(
    "A read of labels is compared with the gold answer, and none of its labels is known to be right.",
    "A judge may say which of its labels counts as the gold answer; without that, `yes` and `no` have no truth in them.",
    judged("when v0 == item.gold", ""),
    judged("when v0 == item.gold", "gold same"),
  ),
  CFX2504: page(
    "An expression asks for the confidence of an answer that was found in a text.",
    "Only a read that is taken from the model's distribution has probabilities. A text that it wrote holds an answer and no more.",
    extracted("when a0.confidence < 0.9"),
    extracted("when a0 == item.gold"),
  ),
  CFX2506: page(
    "A measure gives a metric a read by a parameter that the metric does not have.",
    "Parameters are how one metric serves any protocol; a misspelt one would leave the read that was meant without a part in it.",
    inExperiment("measure early = HRR(secnd = a1)"),
    inExperiment("measure early = HRR(second = a1)"),
  ),
  CFX2507: page(
    "A quantile is not between 0 and 1.",
    "`quantile 0.5 of x` is the median of x, `quantile 0.9 of x` what nine in ten do not exceed.",
    quantile(50),
    quantile(0.5),
  ),
  CFX2508: page(
    "A contrast is taken by cells of a column whose levels tell its sides apart.",
    "By cells, the difference is taken within each cell and then averaged over them; a cell that one side is never in has no difference.",
    inExperiment(contrast("cells(framing)")),
    inExperiment(contrast("cells(model, pool)")),
  ),
  CFX2510: page(
    "A contrast is taken in a way that its measure does not allow.",
    "Pairs of trials have differences of rates and means, not of quantiles; a logistic model is of what is true or false.",
    inExperiment(lengths("mixed_logistic", "delta_p_pushed")),
    inExperiment(lengths("mixed_logistic")),
  ),
  CFX2511: page(
    "A logistic model is fitted to a measure that is not a rate.",
    "Its logit is of the probability that something is true of a trial.",
    inExperiment("measure delta_p_pushed\nmodel_fit odds { logit delta_p_pushed ~ arm random [item] }"),
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm random [item] }"),
  ),
  CFX2512: page(
    "A term of a model is neither a column of the design nor a number of the trial.",
    "An answer has no place on a scale, and a constant is the intercept already.",
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm + a0 random [item] }"),
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm + a0.confidence random [item] }"),
  ),
  CFX2513: page(
    "The slopes of a factor differ by a column that has no random intercept.",
    "A slope that varies by model around a fixed intercept would put the models' own levels into their slopes.",
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm random [item] slopes [arm by pool] }"),
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm random [item] slopes [arm by item] }"),
  ),
  CFX2514: page(
    "A matrix is drawn of one factor.",
    "Its rows are the levels of one factor, its columns those of another.",
    inExperiment("measure HRR\nfigure cross { matrix HRR by framing where arm == pressure }"),
    inExperiment("measure HRR\nfigure cross { matrix HRR by framing color pool where arm == pressure }"),
  ),
  CFX2515: page(
    "A margin of equivalence is not above 0, or so wide that every result lies within it.",
    "A claim of no difference is as strong as its margin is narrow.",
    inExperiment(`${lengths("pooled")}\nexpect length equivalent within 3`),
    inExperiment(`${lengths("pooled")}\nexpect length equivalent within 3 pp`),
  ),
  CFX2518: page(
    "A difference of differences is taken between two samples.",
    "`two_sample` compares items that came out one way with items that came out another: it has two groups, and no more.",
    inExperiment(`${twice("two_sample")}`),
    inExperiment(`${twice("pooled")}`),
  ),
  CFX2519: page(
    "A contrast is in two families.",
    "Adjusted p values hold for the family that they were adjusted in; a contrast of two would have two of them.",
    inExperiment(`${three}\nfamily one = attribution, length by holm\nfamily other = naming, length by holm`),
    inExperiment(`${three}\nfamily all_of_them = attribution, naming, length by holm`),
  ),
  CFX2520: page(
    "A family has one contrast.",
    "Adjusting is for several tests, of which one may come out by chance.",
    inExperiment(`${pair}\nfamily alone = length by holm`),
    inExperiment(`${pair}\nfamily both = length, attribution by holm`),
  ),
  CFX2521: page(
    "A forest is drawn in an experiment without contrasts.",
    "A forest shows contrasts, one below the other, with their intervals.",
    inExperiment("measure HRR\nfigure increments { forest }"),
    inExperiment(`${lengths("pooled")}\nfigure increments { forest length }`),
  ),
  CFX2522: page(
    "A summary, or a published number, is said of something else than one measure.",
    "A summary is one number over the measure's cells, and a published number is held against one measure; a difference is a contrast.",
    inExperiment("measure HRR\nexpect HRR[arm = length] - HRR[arm = reask] equals 9.4 percent within 1 pp"),
    inExperiment("measure HRR\nexpect HRR[arm = length] equals 19.7 percent within 1 pp"),
  ),
  CFX2523: page(
    "A correlation has one measure, or another summary has two.",
    "A correlation is of two measures over the same cells; a median or a range is of one.",
    inExperiment("measure HRR\nmeasure BenR\nsummary r = correlation HRR over framing"),
    inExperiment("measure HRR\nmeasure BenR\nsummary r = correlation HRR against BenR over framing"),
  ),
  CFX2524: page(
    "A summary is over a column that does not vary among its trials.",
    "A median, a range or a correlation over one cell is that cell's number, or nothing.",
    inExperiment("measure HRR\nsummary middle = median HRR[framing = people] over framing"),
    inExperiment("measure HRR\nsummary middle = median HRR[arm = pressure] over framing"),
  ),
  CFX2525: page(
    "A published number lies outside of what its measure can be.",
    "Rates are fractions of 1. A percentage says so, and so does a difference of percentages: `79.4 percent within 0.5 pp`.",
    inExperiment("measure HRR\nexpect HRR[framing = people] equals 57.4 within 0.5"),
    inExperiment("measure HRR\nexpect HRR[framing = people] equals 57.4 percent within 0.5 pp"),
  ),
  CFX2526: page(
    "A metric has weights that its statistic or its interval does not know.",
    "Weights make some trials count for more, in a share or a mean. Wilson's interval counts trials as equal; resampled items keep their weights.",
    weighted("wilson"),
    weighted("bootstrap"),
  ),
  CFX2527: page(
    "A confidence is rescaled by a temperature that is not above 0.",
    "Logits are divided by the temperature: 1 changes nothing, 2 flattens the distribution, 0.5 sharpens it. The answer stays as it is.",
    recalibrated("0"),
    recalibrated("2"),
  ),
  CFX2528: page(
    "A distribution is drawn of a measure that has no number for each trial.",
    "Of a rate each trial is true or false, which is a share and no distribution.",
    inExperiment("measure HRR\nfigure spread { distribution HRR by framing where arm == pressure }"),
    inExperiment(
      "measure delta_p_pushed\nfigure spread { distribution delta_p_pushed by framing where arm == pressure }",
    ),
  ),
  CFX2529: page(
    "A model has a random intercept of a column with one level.",
    "How much the levels of a column vary cannot be told from one of them.",
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm random [item, pool] }"),
    inExperiment("measure HRR\nmodel_fit odds { logit HRR ~ arm random [item] }"),
  ),
  CFX2530: page(
    "A model has slopes of a factor that is none of its terms.",
    "Slopes say how an effect differs between the levels of a column. Without the term, the effect itself is held to be 0.",
    inExperiment(
      "measure HRR\nmodel_fit odds { logit HRR ~ a0.confidence random [item] slopes [arm by item] }",
    ),
    inExperiment(
      "measure HRR\nmodel_fit odds { logit HRR ~ arm + a0.confidence random [item] slopes [arm by item] }",
    ),
  ),
  CFX2517: page(
    "An expression asks for the raw probability of an option in a read that scores options by the average of their tokens.",
    "The product of the probabilities of a text's tokens is the probability of the text. Their geometric mean makes texts of different lengths comparable, and is a probability of nothing.",
    scored("text_per_token"),
    scored("text"),
  ),
  CFX2531: page(
    "A name stands for two columns: a measure is called as a row of its table is, or the items and the design have a column of one name.",
    "Whoever reads a table goes by the names of its columns.",
    inExperiment("measure arm = HRR\ntable by_arm { rows arm columns arm }"),
    inExperiment("measure revised = HRR\ntable by_arm { rows arm columns revised }"),
  ),
}

function weighted(interval: string) {
  return file(`
    metric accuracy_by_size(read = a0) {
      rate read == item.gold
      weight item.weight
      interval ${interval} 95
    }`)
}

function recalibrated(temperature: string) {
  return file(`
    metric flatter_confidence(read = a0) {
      mean read.recalibrated(${temperature})
      interval bootstrap 95
    }`)
}

function quantile(at: number) {
  return file(`
    metric typical_confidence(read = a0) {
      quantile ${at} of read.confidence
      interval bootstrap 95
    }`)
}

function lengths(way: string, measure = "HRR") {
  return `measure ${measure}\ncontrast length = ${measure}[arm = length] - ${measure}[arm = reask] by ${way}`
}

/** A difference of differences. */
function twice(way: string) {
  const side = (framing: string) => `HRR[framing = ${framing}] - HRR[arm = reask]`
  return `measure HRR\ncontrast attribution = (${side("people")}) - (${side("no_source")}) by ${way}`
}

function contrast(way: string, measure = "HRR") {
  return `measure ${measure}\ncontrast attribution = ${measure}[framing = people] - ${measure}[framing = no_source] by ${way}`
}

function judged(gate: string, gold = "gold same") {
  return file(`
    judge same_answer(reply) {
      user "The reply: {reply}. The answer: {item.gold.text}. Are they the same?"
      assistant "{verdict: label(same, different)}"
      ${gold}
    }

    protocol open_ended {
      slot block
      turn first {
        user "{item.question}"
        assistant "{reply: text}"
        read reply { max 20 }
      }
      judge v0 = same_answer(reply) by grader
      turn second continues first ${gate} {
        user "{block} {item.question}"
        assistant "{again: text}"
        read again { max 20 }
      }
      role grader
    }`)
}

function extracted(gate: string) {
  return file(`
    protocol reasoned {
      slot block
      options "{label}. {text}" join "\\n"
      turn first {
        user "{item.question} {item.options}"
        assistant "{reply: text}"
        read reply { max 20 }
      }
      extract a0: option from reply matching "ANSWER: (\\w)" last
      turn second continues first ${gate} {
        user "{block} {item.question} {item.options}"
        assistant "{a1: option}"
      }
    }`)
}

function scored(score: string) {
  return file(`
    protocol told {
      slot block
      turn first {
        user "{item.question}"
        assistant "{a0: option}"
        read a0 { score ${score} }
      }
      turn second continues first when a0.raw(item.gold) < 0.5 {
        user "{block} {item.question}"
        assistant "{a1: option}"
        read a1 { score ${score} }
      }
    }`)
}
