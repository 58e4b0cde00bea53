/** CFX23xx: metrics and their types, contrasts, tables, figures and expectations. */
import { file, inExperiment, page } from "./page.ts"

const CONTRAST = "contrast attribution = HRR[framing = people] - HRR[framing = no_source] by paired(item)"

export const measures = {
  CFX2301: page(
    "An expression has another type than is needed where it stands: a rate is over truth values, a mean over numbers, a condition is a truth value. A `ratio` and the first part of a `difference` take both: what is true counts 1, what is false 0.",
    "Without the check a rate over an answer would be computed from whatever the answer's name happened to convert to.",
    file(`
      metric final(second = a1) {
        rate second
        interval wilson 95
      }`),
    file(`
      metric final(second = a1) {
        rate second == item.gold
        interval wilson 95
      }`),
  ),
  CFX2302: page(
    "The two sides of a comparison can never be equal, or have no order.",
    "An answer is an option, and is compared with options: `item.gold`, `target`, `pushed`, or another read.",
    file(`
      metric sure(first = a0) {
        rate first == 0.9
        interval wilson 95
      }`),
    file(`
      metric sure(first = a0) {
        rate first.confidence >= 0.9
        interval wilson 95
      }`),
  ),
  CFX2303: page(
    "A value does not have the property that is asked of it.",
    "A read of options has an answer, a confidence and a probability for each option; a read of an integer has a value.",
    file(`
      metric certainty(first = a0) {
        mean first.confidense
        interval bootstrap 95
      }`),
    file(`
      metric certainty(first = a0) {
        mean first.confidence
        interval bootstrap 95
      }`),
  ),
  CFX2304: page(
    "A metric gives two statistics, such as a rate and a mean.",
    "A metric is one number per cell, so it has one statistic.",
    file(`
      metric moved(first = a0, second = a1) {
        rate second != first
        mean second.confidence - first.confidence
        interval wilson 95
      }`),
    file(`
      metric moved(first = a0, second = a1) {
        rate second != first
        interval wilson 95
      }

      metric confidence_change(first = a0, second = a1) {
        mean second.confidence - first.confidence
        interval bootstrap 95
      }`),
  ),
  CFX2305: page(
    "The method of an interval does not fit the statistic.",
    "Wilson's interval is for a share of successes; a mean is resampled by item.",
    file(`
      metric certainty(first = a0) {
        mean first.confidence
        interval wilson 95
      }`),
    file(`
      metric certainty(first = a0) {
        mean first.confidence
        interval bootstrap 95
      }`),
  ),
  CFX2306: page(
    "The level of an interval is not a percentage between 50 and 100.",
    "`interval wilson 95` is the usual 95 % interval.",
    file(`
      metric changed(first = a0, second = a1) {
        rate second != first
        interval wilson 0.95
      }`),
    file(`
      metric changed(first = a0, second = a1) {
        rate second != first
        interval wilson 95
      }`),
  ),
  CFX2307: page(
    "A contrast, a table or a figure uses a metric that the experiment does not measure.",
    "`measure` lists what an experiment reports, with its denominators; the rest is drawn from that list.",
    inExperiment("table main { rows arm columns HRR, BenR average pooled }"),
    inExperiment(`
      measure HRR
      measure BenR
      table main { rows arm columns HRR, BenR average pooled }`),
  ),
  CFX2308: page(
    "A contrast is not one measure minus another, nor a difference of such differences.",
    "As many measures are added as are taken away, so that a contrast is 0 where nothing differs.",
    inExperiment("contrast attribution = HRR[framing = people] by paired(item)"),
    inExperiment(CONTRAST),
  ),
  CFX2309: page(
    "Both sides of a contrast are the same measure over the same trials.",
    "The difference is 0 whatever the models answer. Mostly a level was copied and not changed.",
    inExperiment("contrast attribution = HRR[framing = people] - HRR[framing = people] by paired(item)"),
    inExperiment(CONTRAST),
  ),
  CFX2310: page(
    "An expectation names a contrast that the experiment does not have.",
    "`expect` states, before the run, what a contrast should come to.",
    inExperiment(`${CONTRAST}\nexpect atribution > 0`),
    inExperiment(`${CONTRAST}\nexpect attribution > 0`),
  ),
  CFX2311: page(
    "An expectation is not a comparison of a contrast, or of an end of its interval, with a number by `<`, `<=`, `>` or `>=`.",
    "It must hold or not hold once the run is done: `cfx run` ends with exit code 100 when it does not. Estimates are fractions of 1: 0.05 is five percentage points.",
    inExperiment(`${CONTRAST}\nexpect attribution`),
    inExperiment(`${CONTRAST}\nexpect attribution > 0`),
  ),
  CFX2312: page(
    "A metric takes a value from a read that the experiment's protocol does not have.",
    "Parameters name the reads that a metric is about. A metric for another protocol extends it with other reads.",
    inExperiment(
      "measure late",
      `
      metric late(third = a2) {
        rate third == item.gold
        interval wilson 95
      }`,
    ),
    inExperiment(
      "measure late",
      `
      metric late(second = a1) {
        rate second == item.gold
        interval wilson 95
      }`,
    ),
  ),
  CFX2313: page(
    "The way in which the interval of a contrast is taken is not known.",
    "`paired(item)` compares within items that both sides have; `pooled` compares over all trials.",
    inExperiment("contrast attribution = HRR[framing = people] - HRR[framing = no_source] by paird(item)"),
    inExperiment(CONTRAST),
  ),
  CFX2314: page(
    "An expression uses a name that has no value where it stands.",
    "A metric knows its parameters, `item.gold`, `target` and `pushed`; a condition knows the columns of the design.",
    file(`
      metric changed(first = a0, second = a1) {
        rate secnd != first
        interval wilson 95
      }`),
    file(`
      metric changed(first = a0, second = a1) {
        rate second != first
        interval wilson 95
      }`),
  ),
  CFX2316: page(
    "A comparison comes out the same whatever the models answer, since its bound lies outside of what the number can be.",
    "Rates, probabilities, confidences and masses are fractions of 1, in the report's tables shown as percentages; so 60 percentage points are 0.6. A difference of two rates lies between -1 and 1.",
    inExperiment(`${CONTRAST}\nexpect attribution > 60`),
    inExperiment(`${CONTRAST}\nexpect attribution > 0.6`),
  ),
  CFX2315: page(
    "Something stands in an expression that is not a value: a list, or a measure inside of a metric.",
    "Expressions are about one trial: what was read in it, and which levels it has.",
    file(`
      metric changed(first = a0, second = a1) {
        rate first != [second]
        interval wilson 95
      }`),
    file(`
      metric changed(first = a0, second = a1) {
        rate first != second
        interval wilson 95
      }`),
  ),
}
