/** The floor's main grid over made-up items: 14 conditions x `items` x 6 models. What benches of reports and of measures run, simulated. */

const models = ["one", "two", "three", "four", "five", "six"]
const pools = {
  arc: 5,
  mmlu_pro: 5,
  truthfulqa: 5,
  geometric: 2.5,
  logical: 2.5,
  temporal: 2.5,
  tracking: 2.5,
}

/** Trials of an item under a model. */
export const conditions = 14

/** `items`: over all seven pools, 2500 in the paper. The model of logits is left out: what a fit takes is measured by a bench of its own. */
export const reportSpec = (items: number): string => `
import { arbitration } from "std/protocols"
import { no_source, people, rich_peers, experts } from "std/framings"
import { plain_reask, length_control } from "std/baselines"
import { verbatim } from "std/paraphrases"
import { distinct } from "std/doses"
import { HRR, BenR, delta_p_pushed } from "std/metrics"

${models.map((name) => `model ${name} = gguf "${name}.gguf"`).join("\n")}
${Object.entries(pools)
  .map(
    ([name, part]) => `items ${name} = "hf://datasets/bench/${name}@unlocked#all/test" {
  question = question
  options = options
  gold = gold
  size ${Math.round((items * part) / 25)}
  choices 4
}`,
  )
  .join("\n")}

experiment main_grid {
  protocol arbitration
  models { ${models.join(", ")} }
  items { ${Object.keys(pools).join(", ")} }
  seed 0
  target top_wrong(a0)
  arms {
    reask = plain_reask
    length = length_control
    pressure = assertion(
      framing in { no_source, people, rich_peers, experts },
      structure in { all_wrong, mixed, all_correct },
      order = identity,
      dose = distinct(6),
      paraphrase = verbatim,
    )
  }
  measure HRR
  measure BenR
  measure delta_p_pushed
  contrast authority =
    HRR[framing = experts, structure = all_wrong] - HRR[framing = no_source, structure = all_wrong]
    by paired(item), pooled, cells(model, pool)
  table table_1 { rows arm, structure, framing columns HRR, BenR, delta_p_pushed average pooled }
  table by_cell { rows model, pool, structure columns HRR, BenR average macro(model, pool) }
  figure figure_1 { bar HRR by framing where structure == all_wrong }
  figure figure_3 { bar HRR by model color framing where structure == all_wrong }
  expect authority > 0
  allow CFX4017 "one wording of each framing"
}
`
