/** CFX243x: whether a stimulus fits the protocol and the items of an experiment that uses it. */
import { inExperiment, page } from "./page.ts"

const pressed = (slot: string): string => `
protocol pressed {
  slot block
  options "{label}. {text}" join "\\n"

  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }

  turn press[t] repeat 2 continues first {
    user "${slot}"
    assistant "{a[t]: option}"
  }
}
`

const remembering = (pool: string): string => `protocol remembering {
  slot block
  draw past = 1 others from ${pool}
  options "{label}. {text}" join "\\n"

  turn first {
    user "{past[1].question}\\n{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }

  turn second continues first {
    user "{block}"
    assistant "{a1: option}"
  }
}
`

const sizes = (small: string): string =>
  `model small = gguf "small.gguf" {${small}}\nmodel large = gguf "large.gguf" { size 7 }\n`

export const fit = {
  CFX2430: page(
    "A text, the gate of a turn, or an `only when` or `except when` names a column of the item that a pool of the experiment does not have.",
    "Every place of a prompt is filled from the item, one of a drawn item from the pool that it is drawn from. A condition would come to nothing for each item of the pool: a gate would stay closed, and `only when` would keep them all. One that asks for the pool first, as `pool == exam and item.year > 2000`, asks the others for nothing. The columns of a pool are what its mapping names besides `question`, `options`, `labels`, `gold` and `id`.",
    inExperiment(
      "arms { reask = plain_reask  hint = by_subject  length = length_control }",
      'block by_subject {\n  text "This is a question about {item.subject}."\n}\n',
    ),
    inExperiment(
      "items { exam }\narms { reask = plain_reask  hint = by_subject  length = length_control }",
      'items exam = "pool.jsonl" {\n  question = question\n  options = options\n  gold = gold\n  subject = file()\n}\n\nblock by_subject {\n  text "This is a question about {item.subject}."\n}\n',
    ),
  ),
  CFX2431: page(
    "A stimulus names an item of a draw that the protocol does not have.",
    "Which other items are drawn, and how many, a protocol says; what fills its slots can name them.",
    inExperiment(
      "arms { reask = plain_reask  history = earlier  length = length_control }",
      'block earlier {\n  text "You were asked before: {past[1].question}"\n}\n',
    ),
    inExperiment(
      "protocol remembering\narms { reask = plain_reask  history = earlier  length = length_control }",
      `protocol remembering {
  slot block
  draw past = 2 others
  options "{label}. {text}" join "\\n"

  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }

  turn second continues first {
    user "{block}"
    assistant "{a1: option}"
  }
}

block earlier {
  text "You were asked before: {past[1].question}"
}
`,
    ),
  ),
  CFX2432: page(
    "A stimulus says which step it is of, and stands where nothing is repeated.",
    "`{t}` is the number of the step of a repeated turn.",
    inExperiment(
      "arms { reask = plain_reask  counted = warning  length = length_control }",
      'block warning {\n  text "I ask you for the {t}. time. Are you sure?"\n}\n',
    ),
    inExperiment(
      "protocol pressed\narms { counted = warning }\nmeasure late = HRR(second = a2)",
      `${pressed("{block}").trim()}

block warning {
  text "I ask you for the {t}. time. Are you sure?"
}
`,
    ),
  ),
  CFX2433: page(
    "A protocol asks for something that changes from step to step, and a stimulus is the same at all of them.",
    "`{block[t]}` is the text of the step; `{block}` may be the same whenever the turn takes place.",
    inExperiment(
      "protocol pressed\narms { pressure = again }\nmeasure late = HRR(second = a2)",
      `${pressed("{block[t]}").trim()}

block again {
  text "Are you sure?"
}
`,
    ),
    inExperiment(
      "protocol pressed\narms { pressure = growing }\nmeasure late = HRR(second = a2)",
      `${pressed("{block[t]}").trim()}

block growing {
  texts "Are you sure?" "I do not think so. Are you sure?"
}
`,
    ),
  ),
  CFX2436: page(
    "A stimulus lists the options of an item, and the protocol does not say how options are listed.",
    "Every character of a prompt is declared, those between options too.",
    inExperiment(
      "protocol bare\ntarget random_wrong\narms { listed = with_options }",
      `protocol bare {
  slot block

  turn first {
    user "{item.question}"
    assistant "{a0: option}"
  }

  turn second continues first {
    user "{block}"
    assistant "{a1: option}"
  }
}

block with_options {
  text "These are the options: {item.options}"
}
`,
    ),
    inExperiment(
      "protocol listing\ntarget random_wrong\narms { listed = with_options }",
      `protocol listing {
  slot block
  options "{label}. {text}" join "\\n"

  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }

  turn second continues first {
    user "{block}"
    assistant "{a1: option}"
  }
}

block with_options {
  text "These are the options: {item.options}"
}
`,
    ),
  ),
  CFX2437: page(
    "A protocol draws items from a pool that the experiment does not name.",
    "A protocol is shared by experiments about different items, so it is the experiment that says which pools there are.",
    inExperiment(
      "protocol remembering\narms { reask = plain_reask  length = length_control }",
      remembering("others_pool"),
    ),
    inExperiment(
      "protocol remembering\narms { reask = plain_reask  length = length_control }",
      remembering("pool"),
    ),
  ),
  CFX2439: page(
    "The gate of a turn, or an `only when` or `except when`, asks for an attribute that a model of the experiment does not have.",
    "It would come to nothing for every trial of that model: a gate would stay closed, and `only when` would keep them all. A condition that asks for the model first, as `model != small and model.size > 5`, asks it for nothing.",
    inExperiment("models { small, large }\nexcept when arm == length and model.size > 5", sizes("")),
    inExperiment(
      "models { small, large }\nexcept when arm == length and model.size > 5",
      sizes(" size 1.5 "),
    ),
  ),
}
