/**
 * A spec with everything that a run may have to pick up again: two models that write for each other and read each other, a gate, an extract, a judge,
 * a sampled text, a read that is compared with texts, and an audit of each model.
 */
export const crossed = `model ada = gguf "ada.gguf"
model bea = gguf "bea.gguf"
protocol persuasion {
  role source
  options "{label}. {text}" join "\\n"
  turn argue by source {
    user "Argue for {target.label}.\\n{item.question}\\n{item.options}"
    assistant "{argument: text}"
    read argument { max 40 }
  }
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}, {k0: integer 1..10}"
    read a0 { generate 3 max 8 }
  }
  turn second continues first when not refused(argument) {
    user "Someone says: {argument}"
    assistant "{a1: option}"
  }
  turn why continues second when a1 != a0 {
    user "Why did you change your mind? End with ANSWER: and a letter."
    assistant "{reason: text}"
    read reason { max 30 temperature 0.7 }
  }
  extract said: option from reason matching "ANSWER: (\\w)" last
  judge v0 = sound(reason) by bea
}
judge sound(reason) {
  user "Is this sound? {reason}"
  assistant "{verdict: label(yes, no)}"
  gold yes
}
metric flips(first = a0, second = a1) { rate second != first interval wilson 95 }
metric convincing(verdict = v0) { rate verdict == item.gold interval wilson 95 }
experiment study {
  protocol persuasion
  models { ada, bea }
  items { sums }
  seed 0
  target random_wrong
  factor source in models
  replicates 2
  measure flips
  measure convincing
  table main { rows model, source columns flips, convincing average pooled }
}
`
