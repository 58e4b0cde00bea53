/** CFX4xxx: the design can run, but something that its reader will ask for is not in it. */
import { inExperiment, page } from "./page.ts"

const assertion = (framings: string, dose = "= distinct(6)"): string => `pressure = assertion(
    framing in { ${framings} },
    structure = all_wrong,
    order = identity,
    dose ${dose},
    paraphrase = verbatim,
  )`

const arms = (...list: string[]): string => `arms {\n  ${list.join("\n  ")}\n}\n`

const REASK = "reask = plain_reask"
const LENGTH = "length = length_control"
const BOTH = assertion("no_source, people")
const FLOOR = assertion("no_source").replace("pressure", "floor")
const CROWD = assertion("people").replace("pressure", "crowd")

export const warnings = {
  CFX4001: page(
    "No arm asks again and says nothing else.",
    "Models change some answers just because they are asked twice. Only a plain re-ask tells that from yielding.",
    inExperiment(arms(LENGTH, BOTH)),
    inExperiment(arms(REASK, LENGTH, BOTH)),
  ),
  CFX4002: page(
    "No arm adds about as much text as the assertions do without asserting an answer.",
    "More context between question and question changes answers by itself. A length control tells that from what the text says.",
    inExperiment(arms(REASK, BOTH)),
    inExperiment(arms(REASK, LENGTH, BOTH)),
  ),
  CFX4003: page(
    "All framings name a source, and none shows the bare assertion.",
    "What a person, a peer or an expert adds is a difference from the same text without a speaker. Without that floor the text's own pull is put down to the source.",
    inExperiment(arms(REASK, LENGTH, assertion("people, experts"))),
    inExperiment(arms(REASK, LENGTH, assertion("no_source, people, experts"))),
  ),
  CFX4004: page(
    "A contrast compares framings that are shown at different doses.",
    "Six lines push harder than two whoever says them: the difference may be the dose's.",
    inExperiment(
      `${arms(REASK, LENGTH, FLOOR.replace("distinct(6)", "distinct(4)"), CROWD)}contrast authority = HRR[framing = people] - HRR[framing = no_source] by pooled`,
    ),
    inExperiment(
      `${arms(REASK, LENGTH, FLOOR, CROWD)}contrast authority = HRR[framing = people] - HRR[framing = no_source] by pooled`,
    ),
  ),
  CFX4005: page(
    "The two sides of a contrast differ in more than one factor.",
    "The difference cannot be put down to one of them.",
    inExperiment(
      `
      arms {
        reask = plain_reask
        length = length_control
        pressure = assertion(
          framing in { no_source, people },
          structure in { all_wrong, all_correct },
          order = identity,
          dose = distinct(6),
          paraphrase = verbatim,
        )
      }
      contrast mixed_up = HRR[framing = people, structure = all_wrong] - HRR[framing = no_source, structure = all_correct] by pooled`,
    ),
    inExperiment(
      `
      arms {
        reask = plain_reask
        length = length_control
        pressure = assertion(
          framing in { no_source, people },
          structure in { all_wrong, all_correct },
          order = identity,
          dose = distinct(6),
          paraphrase = verbatim,
        )
      }
      contrast attribution = HRR[framing = people, structure = all_wrong] - HRR[framing = no_source, structure = all_wrong] by pooled`,
    ),
  ),
  CFX4006: page(
    "A pool brings fewer than 30 items to an experiment.",
    "With so few, intervals are wide and say little; a pilot can allow it and say so.",
    inExperiment("items { pool sample 10 }"),
    inExperiment("items { pool sample 30 }"),
  ),
  CFX4008: page(
    "A contrast subtracts one measure from another, and its sides differ in their trials too.",
    "A difference of two rates with different denominators, over different trials, has no single reading.",
    inExperiment(`
      measure HRR
      measure BenR
      contrast gain = HRR[framing = people] - BenR[framing = no_source] by pooled`),
    inExperiment(`
      measure HRR
      measure BenR
      contrast gain = HRR[framing = people] - BenR[framing = people] by pooled`),
  ),
  CFX4007: page(
    "An experiment allows a warning that it does not give.",
    "The reason is printed in the report, where it would excuse something that is not there.",
    inExperiment(`allow CFX4002 "a pilot"`),
    inExperiment("seed 0"),
  ),
}
