/** CFX21xx: the turns, slots and holes of a protocol. */
import { file, inExperiment, page } from "./page.ts"

export const turns = {
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
}
