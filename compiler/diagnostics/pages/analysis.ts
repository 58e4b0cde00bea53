/** CFX25xx: expressions of the whole language, and analyses beyond a difference of two measures. */
import { file, page } from "./page.ts"

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
