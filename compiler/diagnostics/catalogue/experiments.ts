/** CFX245x to CFX249x: how an experiment fills its protocol, crosses its factors, carves its grid, and what it assumes. */
import { article, count, didYouMean, either, quote, suggestion } from "../words.ts"
import { error } from "./entry.ts"

export const experiments = {
  CFX2450: error<{ slot: string; protocol: string; first: boolean }>("Slot that nothing fills", {
    message: (p) =>
      `The protocol ${quote(p.protocol)} has the slot ${quote(p.slot)}, and nothing in this experiment says what stands there.`,
    label: (p) => `${quote(p.slot)} stays open`,
    hint: (p) =>
      p.first
        ? `Write \`arms { ... }\`, or \`factor ${p.slot} in { ... }\`.`
        : `Write such as: factor ${p.slot} in { none, "a text" }`,
  }),
  CFX2451: error<{ role: string; protocol: string }>("Role that no model takes", {
    message: (p) =>
      `In the protocol ${quote(p.protocol)} a model speaks as ${quote(p.role)}, and nothing in this experiment says which.`,
    label: (p) => `nobody is ${quote(p.role)}`,
    hint: (p) =>
      `Write \`factor ${p.role} in models\` for each model of the experiment, or \`factor ${p.role} = model\` for the studied one.`,
  }),
  /** `of`: what the factor would be, to go by its levels. */
  CFX2452: error<{
    factor: string
    protocol: string
    of: "slot" | "role"
    known: readonly string[]
  }>("Factor of nothing", {
    message: (p) =>
      p.known.length === 0
        ? `The protocol ${quote(p.protocol)} has neither a slot nor a role that a factor could fill.`
        : `${quote(p.factor)} is neither a slot nor a role of the protocol ${quote(p.protocol)}.`,
    label: () => "no such slot or role",
    hint: (p) => {
      const meant = didYouMean(p.factor, p.known)
      if (meant !== undefined) return meant
      const add =
        p.of === "slot"
          ? `Add \`slot ${p.factor}\` to the protocol, and \`{${p.factor}}\` to the text where it should stand.`
          : `Add \`role ${p.factor}\` to the protocol, and \`by ${p.factor}\` to the turn in which it is asked.`
      const left = suggestion(p.factor, p.known)
      return left === undefined ? add : `${left} For another, ${add[0]?.toLowerCase()}${add.slice(1)}`
    },
  }),
  CFX2453: error<{ slot: string; protocol: string }>("Slot of the arms", {
    message: (p) =>
      `${quote(p.slot)} is the first slot of the protocol ${quote(p.protocol)}, which the arms fill: a factor cannot fill it as well.`,
    label: () => "the arms fill this slot",
    hint: () => "Delete the factor, or leave `arms` out.",
  }),
  CFX2454: error<{ factor: string; of: "slot" | "role"; found: string }>("Not what a factor can take", {
    message: (p) =>
      p.of === "slot"
        ? `A level of the slot ${quote(p.factor)} is a block, \`none\`, a number or a text, and this is ${p.found}.`
        : `A level of the role ${quote(p.factor)} is a model, or \`model\` for the studied one, and this is ${p.found}.`,
    label: (p) => (p.of === "slot" ? "cannot stand in a slot" : "cannot speak"),
  }),
  CFX2455: error<{ wording: string; framing: string; known: readonly string[] }>("Unknown wording", {
    message: (p) => `The framing ${quote(p.framing)} has no wording ${quote(p.wording)}.`,
    label: () => "no such wording",
    hint: (p) => suggestion(p.wording, p.known),
  }),
  CFX2456: error<{ what: string; made: string; dose: string; lines: number }>(
    "Lines that do not fit the dose",
    {
      message: (p) =>
        `${quote(p.what)} is made for ${p.made}, and ${quote(p.dose)} has ${count(p.lines, "line")}.`,
      label: (p) => count(p.lines, "line"),
      hint: () => "Give both the same number of lines.",
    },
  ),
  CFX2457: error<{ what: string; given: number; turn: string; steps: number }>("Not one for each step", {
    message: (p) =>
      p.steps === 1
        ? `${p.what} is for a turn that is repeated, and ${quote(p.turn)} takes place once.`
        : `${p.what} is for ${count(p.given, "step")}, and the turn ${quote(p.turn)} takes place ${p.steps} times.`,
    label: (p) => (p.steps === 1 ? "no steps here" : `${p.given} for ${p.steps} steps`),
    hint: (p) => (p.steps === 1 ? undefined : "Give one for each step, or repeat the turn as often."),
  }),
  /** `alone`: it is the only target, so that no condition can name it. */
  CFX2458: error<{ target: string; structure: string; arm: string; alone: boolean }>(
    "Right answer pushed as a wrong one",
    {
      message: (p) =>
        `${quote(p.target)} is the right answer, and under ${quote(p.structure)} the lines of ${quote(p.arm)} push the target as a wrong one.`,
      label: () => "never a wrong answer",
      hint: (p) =>
        p.alone
          ? "Take another target, or write `structure = all_correct`."
          : `Write \`except when target == ${p.target} and structure == ${p.structure}\`, or take another target.`,
    },
  ),
  CFX2459: error<{ found: string; known: readonly string[] }>("Unknown order of options", {
    message: (p) => `${quote(p.found)} is no order in which options are shown. It can be ${either(p.known)}.`,
    label: () => "no such order",
    hint: (p) => didYouMean(p.found, p.known),
  }),
  CFX2460: error<{ found: string; most: number }>("Unfitting number of replicates", {
    message: (p) => `\`replicates\` is a whole number from 1 to ${p.most}, and this is ${p.found}.`,
    label: () => "not a number of replicates",
  }),
  CFX2461: error<{ name: string; known: readonly string[] }>("Unknown assumption", {
    message: (p) => `${quote(p.name)} is nothing that can be assumed: it is no measure of this experiment.`,
    label: () => "no such measure",
    hint: (p) => suggestion(p.name, p.known),
  }),
  CFX2462: error<{ what: string; expected: string; found: string }>("Unfitting assumption", {
    message: (p) => `${p.what} is ${p.expected}, and this is ${p.found}.`,
    label: (p) => `must be ${p.expected}`,
  }),
  CFX2463: error<{ level: string; of: string; known: readonly string[] }>("Assumption about nothing", {
    message: (p) =>
      `What is assumed of ${quote(p.of)} is told for ${quote(p.level)}, which this design does not have.`,
    label: () => "not in the design",
    hint: (p) => suggestion(p.level, p.known),
  }),
  CFX2464: error<{ experiment: string }>("No trial is left", {
    message: (p) =>
      `The conditions of ${quote(p.experiment)} leave out every trial, so there would be nothing to ask.`,
    label: () => "nothing passes",
  }),
  CFX2465: error<{ name: string; taken: string }>("Two columns of one name", {
    message: (p) =>
      `A column of the design is called ${quote(p.name)} already: it is ${p.taken}. Tables and conditions could not tell the two apart.`,
    label: () => "this name is taken",
    hint: () => "Give the slot or the role of the protocol another name.",
  }),
  /** `why`: of an address of the web. */
  CFX2466: error<{ engine: string; found: string; why?: string }>("Not an address of a model", {
    message: (p) => {
      if (p.why === undefined)
        return `${quote(p.found)} does not say which file of which revision of a repository is meant.`
      return `A ${p.engine === "server" ? "server" : "file on the web"} is named by its address, and ${quote(p.found)} cannot be taken: ${p.why}.`
    },
    label: () => "not found by this",
    hint: (p) =>
      p.engine === "server"
        ? 'Write such as: server "http://localhost:8080/v1", and name the environment variable that holds a key: key "OPENAI_API_KEY"'
        : p.why !== undefined
          ? 'Write such as: gguf "https://host/path/model.gguf"'
          : 'Write such as: gguf "hf:user/repo/file.gguf#revision", with the revision `unlocked` until `cfx lock` pins it.',
  }),
  CFX2467: error<{ name: string; file: string }>("Two models of one name", {
    message: (p) =>
      `Two models take part as ${quote(p.name)}: this one, and another that the protocol names so (${p.file}).`,
    label: () => "this name is taken",
    hint: (p) => `Import one of them under another name: import { ${p.name} as other } from "..."`,
  }),
  CFX2468: error<{ what: string; kind: string }>("Not by the options' probabilities", {
    message: (p) =>
      `${p.what} ranks wrong options by their probability, and this read gives none: it is ${article(p.kind)}.`,
    label: () => "no probabilities here",
    hint: () => "Take a read `{x: option}`, or the target `random_wrong`, `each_wrong` or `option(N)`.",
  }),
  CFX2469: error<{ model: string; read: string }>("Probabilities that a server does not list", {
    message: (p) =>
      `${quote(p.model)} is declared with \`logprobs 0\`: its server lists no probabilities, and ${quote(p.read)} is read off them.`,
    label: (p) => `cannot be asked for ${quote(p.read)}`,
    hint: () =>
      "Let it write a text and `extract` the answer from that, or say how many `logprobs` the server lists.",
  }),
  CFX2470: error<{ model: string; read: string; score: string }>("Whole texts on a server", {
    message: (p) =>
      `${quote(p.read)} recognises its options by their whole texts (\`score ${p.score}\`), and ${quote(p.model)} is on a server: it lists probabilities of the token that comes next, and not of given texts.`,
    label: (p) => `cannot score the texts of ${quote(p.read)}`,
    hint: (p) =>
      `Leave \`score ${p.score}\` out, so that options are told apart by their labels, or give the model as a file: --model ${p.model}=FILE`,
  }),
}
