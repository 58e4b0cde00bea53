/** CFX245x to CFX249x: how an experiment fills its protocol, crosses its factors, carves its grid, and what it assumes. */
import { type Example, file, inExperiment, page } from "./page.ts"

/** A protocol with a slot for the arms, and another one or a role. */
const protocol = (name: string, field: string, turn: string): string => `
  protocol ${name} {
    slot block
    ${field}
    options "{label}. {text}" join "\\n"
    turn first {
      user "{item.question} {item.options}"
      assistant "Answer: {a0: option}"
    }
    ${turn}
  }
`

const TONE = protocol(
  "toned",
  "slot tone",
  `turn second continues first {
      user "{block} {tone} {item.question} {item.options}"
      assistant "Answer: {a1: option}"
    }`,
)

const served = (logprobs: number): string => `
  model served = server "http://localhost:8080/v1" {
    name "served"
    logprobs ${logprobs}
  }
`

/** A protocol whose second answer is read in this way. */
const spelled = (setting: string): string =>
  protocol(
    "spelled",
    "",
    `turn second continues first {
      user "{block} {item.question} {item.options}"
      assistant "Answer: {a1: option}"
      read a1 { ${setting} }
    }`,
  )

const ARGUED = protocol(
  "argued",
  "role source",
  `turn argue by source {
      user "Argue for {target.text}: {item.question}"
      assistant "{argument: text}"
      read argument { max 60 }
    }
    turn second continues first {
      user "{argument} {block} {item.question} {item.options}"
      assistant "Answer: {a1: option}"
    }`,
)

const arms = (factors: string): string => `arms {
  reask = plain_reask
  length = length_control
  pressure = assertion(${factors})
}
`

const PLAIN = "framing in { no_source, people }, structure = all_wrong, order = identity"

/** An experiment over three steps of pressure, with this dose. */
const stepped = (dose: string): Example =>
  inExperiment(
    `protocol pressed
measure last_HRR = HRR(second = a3)
measure HRR
arms {
  pressure = assertion(${PLAIN.replace("{ no_source, people }", "{ people, no_source }")}, dose = ${dose}, paraphrase = verbatim)
}
allow CFX4001 "the first read is the baseline"
allow CFX4002 "the first read is the baseline"`,
    `
    protocol pressed {
      slot block
      options "{label}. {text}" join "\\n"
      turn first {
        user "{item.question} {item.options}"
        assistant "Answer: {a0: option}"
      }
      turn press[t] repeat 3 continues first {
        user "{block[t]} {item.question} {item.options}"
        assistant "Answer: {a[t]: option}"
      }
    }`,
  )

/** An experiment over a protocol of a library that names a model of its own. */
const imported = (library: string, declarations: string, fields: string): Example => {
  const example = inExperiment(`protocol graded\n${fields}`, declarations)
  const line = `import { graded } from "./${library}.cfx"\n`
  return {
    ...example,
    shown: `${line}\n${example.shown}`,
    spec: line + example.spec,
    files: { [`${library}.cfx`]: GRADED },
  }
}

const GRADED = `model grader = gguf "other.gguf" { bytes 20 }

protocol graded {
  slot block
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question} {item.options}"
    assistant "Answer: {a0: option}"
  }
  turn comment by grader {
    user "Say something about: {item.question}"
    assistant "{remark: text}"
    read remark { max 60 }
  }
  turn second continues first {
    user "{block} {remark} {item.question} {item.options}"
    assistant "Answer: {a1: option}"
  }
}
`

export const experiments = {
  CFX2450: page(
    "A slot of the protocol is filled neither by the arms nor by a factor.",
    "What stands in a slot is part of the prompt: it is said in the experiment, if need be that nothing stands there.",
    inExperiment("protocol toned", TONE),
    inExperiment("protocol toned\nfactor tone = none", TONE),
  ),
  CFX2451: page(
    "A model speaks in the protocol in a role, and the experiment does not say which.",
    "Who speaks may differ from who is studied. That both are one model is a level like any other, and never an accident.",
    inExperiment("protocol argued", ARGUED),
    inExperiment("protocol argued\nfactor source = model", ARGUED),
  ),
  CFX2452: page(
    "A factor has a name that is neither a slot nor a role of the protocol.",
    "A factor changes the conversation at a place of the protocol. One without a place would make equal trials under different names.",
    inExperiment('protocol toned\nfactor tones in { none, "Be brief." }\nfactor tone = none', TONE),
    inExperiment('protocol toned\nfactor tone in { none, "Be brief." }', TONE),
  ),
  CFX2453: page(
    "A factor fills the first slot of the protocol, which the arms fill already.",
    "Arms stand in the first slot. An experiment without arms may fill it by a factor.",
    inExperiment('protocol toned\nfactor block in { none, "Be brief." }\nfactor tone = none', TONE),
    inExperiment('protocol toned\nfactor tone in { none, "Be brief." }', TONE),
  ),
  CFX2454: page(
    "A level of a factor is nothing that its slot or its role can take.",
    "A slot takes text: a declared block, a text or a number in place, or `none`. A role takes a model.",
    inExperiment('protocol argued\nfactor source in { model, "a stranger" }', ARGUED),
    inExperiment("protocol argued\nfactor source in { model, pocket }", ARGUED),
  ),
  CFX2455: page(
    "A wording is asked of a framing that has wordings, and not this one.",
    "A wording is a variant that a framing declares: `wording NAME { ... }`. The framing as it stands is its wording `base`.",
    inExperiment(
      arms(
        "framing = rumour, wording in { base, second }, structure = all_wrong, order = identity, dose = repeated(3), paraphrase = verbatim",
      ),
      `
      framing rumour {
        line "{assertion}"
        wording other { line "They say: {assertion}" }
      }`,
    ),
    inExperiment(
      arms(
        "framing = rumour, wording in { base, other }, structure = all_wrong, order = identity, dose = repeated(3), paraphrase = verbatim",
      ),
      `
      framing rumour {
        line "{assertion}"
        wording other { line "They say: {assertion}" }
      }`,
    ),
  ),
  CFX2456: page(
    "A structure or an order is written out for another number of lines than a dose has.",
    "A list says what each line asserts, so it needs one entry for each. `all_wrong except last` fits any number.",
    inExperiment(
      arms(
        "framing in { no_source, people }, structure = [wrong, wrong, gold], order = identity, dose = distinct(4), paraphrase = verbatim",
      ),
    ),
    inExperiment(
      arms(
        "framing in { no_source, people }, structure = [wrong, wrong, gold], order = identity, dose = distinct(3), paraphrase = verbatim",
      ),
    ),
  ),
  CFX2457: page(
    "A list of texts or of doses is not as long as its turn is repeated.",
    "A list holds one for each step of a repeated turn: step 1 shows the first, step 2 the second.",
    stepped("[distinct(1), distinct(2)]"),
    stepped("[distinct(1), distinct(2), distinct(3)]"),
  ),
  CFX2458: page(
    "The target is the gold answer, and the lines of an arm push the target as a wrong one.",
    "Lines of `all_wrong` assert the target. If that is the right answer they assert it, under a name that says the opposite.",
    inExperiment("target gold"),
    inExperiment("target random_wrong"),
  ),
  CFX2459: page(
    "`options` names an order that there is not.",
    "Options are shown as the pool has them, reversed, rotated, shuffled by a seeded draw for each item, or with the gold one first.",
    inExperiment("options in { identity, reverse }"),
    inExperiment("options in { identity, reversed }"),
  ),
  CFX2460: page(
    "`replicates` is not a whole number from 1 up.",
    "Every trial is run so many times, each with draws of its own.",
    inExperiment("options shuffled\nreplicates 0"),
    inExperiment("options shuffled\nreplicates 2"),
  ),
  CFX2461: page(
    "`assume` speaks of something that is neither a measure of the experiment nor one of its own words.",
    "Beside `accuracy`, `refusal` and `spread`, what is assumed is the level of a measure. A misspelt one would be assumed of nothing. From rates, means between bounds, counts, sums and ratios `cfx diagnose` simulates power; of quantiles, kappa and AUROC, and of measures whose condition is about a number of a read, a pilot run says more (`cfx run SPEC --limit 30`).",
    inExperiment("assume { accuracy 0.8 HR { reask 0.1 } }"),
    inExperiment("assume { accuracy 0.8 HRR { reask 0.1 } }"),
  ),
  CFX2462: page(
    "What is assumed is not a share from 0 to 1, not a deviation, or not told level by level.",
    "Shares are fractions: 70 % is 0.7.",
    inExperiment("assume { accuracy 70 }"),
    inExperiment("assume { accuracy 0.8 }"),
  ),
  CFX2463: page(
    "What is assumed of a measure is told for a level that the design does not have.",
    "It would be assumed of no trial.",
    inExperiment("assume { HRR { reask 0.1 crowd 0.6 } }"),
    inExperiment("assume { HRR { reask 0.1 people 0.6 } }"),
  ),
  CFX2464: page(
    "The conditions of an experiment leave out every trial.",
    "`only when` keeps what is not against it, `except when` leaves out what it holds for; together they leave nothing here.",
    inExperiment("only when model != pocket"),
    inExperiment("only when model == pocket"),
  ),
  CFX2465: page(
    "A slot or a role that a factor fills has the name of another column of the design.",
    "Conditions, tables and contrasts name a column. With two of one name, what they say would be decided by chance.",
    inExperiment(
      'protocol toned\nfactor dose in { none, "Be brief." }',
      TONE.replaceAll("tone}", "dose}").replace("slot tone", "slot dose"),
    ),
    inExperiment('protocol toned\nfactor tone in { none, "Be brief." }', TONE),
  ),
  CFX2466: page(
    "A model's place is written in a way that does not lead to it.",
    "A file on a hub is named with its repository and its revision, a server by its address. `cfx lock` pins a revision that is `unlocked`. No password or key may stand in an address: a spec is kept with each of its runs.",
    file('model big = gguf "hf:someone/big"'),
    file('model big = gguf "hf:someone/big/big-q4.gguf#unlocked" { family "Big" }'),
  ),
  CFX2467: page(
    "Two models take part in an experiment under one name: one that the spec names and one that its protocol does.",
    "Plans, records and tables go by the name.",
    imported("judge", 'model grader = gguf "grader.gguf" { bytes 10 }\n', "models { grader }"),
    imported("judge", "", "models { pocket }"),
  ),
  CFX2468: page(
    "A target ranks the wrong options by their probability in a read that gives none.",
    "What is found in a text is one answer and no distribution.",
    inExperiment(
      "protocol told\ntarget top_wrong(a0)",
      protocol(
        "told",
        'extract a0: option from reply matching "ANSWER: (.)" last',
        `turn zero {
      user "{item.question} {item.options}"
      assistant "{reply: text}"
      read reply { max 60 }
    }
    turn second continues zero {
      user "{block} {item.question} {item.options}"
      assistant "Answer: {a1: option}"
    }`,
      ).replace(/ {4}turn first \{[^}]*\}[^}]*\}[^}]*\}[^}]*\}\n/, ""),
    ),
    inExperiment("target top_wrong(a0)"),
  ),
  CFX2469: page(
    "A model on a server that lists no probabilities is asked for what is read off them.",
    "An option, a label and an integer are read off the probabilities of the next token. A server that lists none (`logprobs 0`) can still write texts: the answer is then found in what it wrote.",
    inExperiment("models { served }", served(0)),
    inExperiment("models { served }", served(20)),
  ),
  CFX2470: page(
    "A read recognises options by their whole texts, and a model on a server is asked for it.",
    "The probability of a text is that of all its tokens, given one after another. A server lists what it holds most probable for the next token only.",
    inExperiment("protocol spelled\nmodels { served }", `${spelled("score text")}${served(20)}`),
    inExperiment("protocol spelled\nmodels { served }", `${spelled("score label")}${served(20)}`),
  ),
}
