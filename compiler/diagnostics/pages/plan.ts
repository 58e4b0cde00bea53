/** CFX403x: what only a model's tokenizer can tell, and so only `cfx plan`. */
import { inExperiment, page } from "./page.ts"

const fields = `
  arms {
    reask = plain_reask
    length = length_control
    pressure = assertion(
      framing in { no_source, cats, cormorants },
      structure = all_wrong,
      order = identity,
      dose = distinct(6),
      paraphrase = verbatim,
    )
  }
  contrast noun = HRR[framing = cormorants] - HRR[framing = cats] by paired(item)
`

const framing = (name: string, noun: string): string => `framing ${name} {
  preamble "${noun} have shared their answers:"
  line "{assertion}"
}
`

export const plan = {
  CFX4030: page(
    "The two sides of a contrast have equally many words, and a model takes more tokens for one of them. Only `cfx plan` says so, since it needs the model's tokenizer.",
    "A minimal pair is meant to differ in one word and in nothing else. A longer text moves answers by its length alone, and models count tokens.",
    inExperiment(fields, framing("cats", "Cats") + framing("cormorants", "Cormorants")),
    inExperiment(fields.replaceAll("cormorants", "dogs"), framing("cats", "Cats") + framing("dogs", "Dogs")),
  ),
}
