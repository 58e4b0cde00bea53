/** CFX21xx: what stands between braces in a text, and the turns and holes of a protocol. */
import { file, inExperiment, page } from "./page.ts"

export const templates = {
  CFX2101: page(
    "A placeholder has a name that nothing gives a value to where the text stands.",
    "A line of a framing knows `{assertion}`, `{answer}`, `{i}` and `{speaker}`; a turn knows the protocol's slot and the item. A placeholder that stays empty would reach the model as braces.",
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {number}: {assertion}"
      }`),
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {i}: {assertion}"
      }`),
  ),
  CFX2102: page(
    "A line names its `{speaker}`, and the framing has no roster to take names from.",
    "Who speaks is part of the stimulus, so the names are declared.",
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "{speaker}: {assertion}"
      }`),
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "{speaker}: {assertion}"
      }`),
  ),
  CFX2103: page(
    "Something is declared that no text reads, so it would change no prompt.",
    "A field without effect is mostly a placeholder that was forgotten; results would be laid to something that no model saw.",
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "Voice {i}: {assertion}"
      }`),
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "{speaker}: {assertion}"
      }`),
  ),
  CFX2104: page(
    "Some levels of a factor do not read another factor. Their trials render to the same prompt, which is asked once and counts once.",
    "It is worth knowing before reading a table: those cells hold one observation under several names.",
    inExperiment(`
      arms {
        reask = plain_reask
        length = length_control
        pressure = assertion(
          framing in { no_source, rich_peers },
          structure = all_wrong,
          order = identity,
          dose = distinct(6),
          paraphrase in { verbatim, reworded },
        )
      }`),
    inExperiment(`
      arms {
        reask = plain_reask
        length = length_control
        pressure = assertion(
          framing in { no_source, people },
          structure = all_wrong,
          order = identity,
          dose = distinct(6),
          paraphrase in { verbatim, reworded },
        )
      }`),
  ),
  CFX2105: page(
    "A text that is used as it stands holds a placeholder.",
    "Nothing is filled in there: names of speakers, notes on where a stimulus comes from and file names are plain.",
    file(`roster peers { "Alice" "Person {i}" }`),
    file(`roster peers { "Alice" "Bob" }`),
  ),
  CFX2106: page(
    "A hole such as `{a0: option}` stands in a text that no model continues.",
    "A read is a place in an answer: it belongs into the `assistant` text of a turn.",
    file(`
      block doubt {
        text "Are you sure about {a0: option}?"
      }`),
    file(`
      block doubt {
        text "Are you sure?"
      }`),
  ),
  CFX2107: page(
    "A protocol gives two reads the same name.",
    "Each read is a column of the results and a value in metrics.",
    file(`
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "Are you sure?"
          assistant "{a0: option}"
        }
      }`),
    file(`
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "Are you sure?"
          assistant "{a1: option}"
        }
      }`),
  ),
  CFX2108: page(
    "A text uses what was read at a hole, but stands before that hole in the conversation.",
    "A turn can only mention answers that have been given.",
    file(`
      protocol remind {
        options "{label}. {text}" join "\\n"

        turn first {
          user "You will say {a0}. {item.question}\\n{item.options}"
          assistant "{a0: option}"
        }
      }`),
    file(`
      protocol remind {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "You said {a0}. Are you sure?"
          assistant "{a1: option}"
        }
      }`),
  ),
  CFX2109: page(
    "Turns continue one another in a circle.",
    "A turn's conversation begins with the turn that it continues; one of them must open it.",
    file(`
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first continues second {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "Are you sure?"
          assistant "{a1: option}"
        }
      }`),
    file(`
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "Are you sure?"
          assistant "{a1: option}"
        }
      }`),
  ),
  CFX2110: page(
    "A turn continues another one that the protocol does not have.",
    "What a model has already read and said is part of its prompt.",
    file(`
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues frist {
          user "Are you sure?"
          assistant "{a1: option}"
        }
      }`),
    file(`
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "Are you sure?"
          assistant "{a1: option}"
        }
      }`),
  ),
  CFX2111: page(
    "A protocol declares a slot, and none of its turns holds it.",
    "An arm fills the slot. If no turn reads it, all arms send the same prompts and every difference between them is 0.",
    file(`
      protocol ask {
        slot block
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }
      }`),
    file(`
      protocol ask {
        slot block
        options "{label}. {text}" join "\\n"

        turn first {
          user "{block}\\n{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }
      }`),
  ),
  CFX2112: page(
    "An experiment has arms, and its protocol has no slot that they could fill.",
    "Arms differ in what stands in the slot, and in nothing else.",
    inExperiment(
      `
      protocol twice`,
      `
      protocol twice {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "Are you sure?"
          assistant "{a1: option}"
        }
      }`,
    ),
    inExperiment(
      `
      protocol twice`,
      `
      protocol twice {
        slot challenge
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }

        turn second continues first {
          user "{challenge}"
          assistant "{a1: option}"
        }
      }`,
    ),
  ),
  CFX2113: page(
    "A protocol declares more than one slot.",
    "An arm is one stimulus. The slot's text may stand in several turns.",
    file(`
      protocol ask {
        slot before
        slot after
        options "{label}. {text}" join "\\n"

        turn first {
          user "{before}\\n{item.question}\\n{item.options}\\n{after}"
          assistant "{a0: option}"
        }
      }`),
    file(`
      protocol ask {
        slot before
        options "{label}. {text}" join "\\n"

        turn first {
          user "{before}\\n{item.question}\\n{item.options}"
          assistant "{a0: option}"
        }
      }`),
  ),
  CFX2114: page(
    "No turn of a protocol holds a read.",
    "A protocol is there to read answers: without a hole nothing is asked of a model.",
    file(`
      protocol ask {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "The answer is"
        }
      }`),
    file(`
      protocol ask {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "The answer is {a0: option}"
        }
      }`),
  ),
  CFX2115: page(
    "The ends of an `integer` hole do not make a range.",
    "Each whole number of the range is scored as the model's next text, so there must be at least two and not thousands.",
    file(`
      protocol ask {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}, with a confidence of {k0: integer 10..1}"
        }
      }`),
    file(`
      protocol ask {
        options "{label}. {text}" join "\\n"

        turn first {
          user "{item.question}\\n{item.options}"
          assistant "{a0: option}, with a confidence of {k0: integer 1..10}"
        }
      }`),
  ),
  CFX2116: page(
    "A text is empty where something must be said.",
    "An empty line of a framing, or an empty block, is an arm without a stimulus.",
    file(`
      block silence {
        text ""
      }`),
    file(`
      block silence {
        text "..."
      }`),
  ),
}
