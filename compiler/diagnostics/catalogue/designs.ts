/** CFX4009 to CFX4029: the design can run, but something that its reader will ask for is not in it. */
import { all, allow, count, quote, series, suggestion } from "../words.ts"
import { warning } from "./entry.ts"

const voices = (alone: boolean): string => (alone ? "one voice" : "several voices")

interface Profile {
  readonly words: number
  /** From 0; -1 where the answer stands in no word. */
  readonly answer: number
}

const profile = ({ words, answer }: Profile): string =>
  `${count(words, "word")} ${answer < 0 ? "without the answer" : `with the answer at word ${answer + 1}`}`

export const designs = {
  CFX4009: warning<{ arms: readonly string[]; words: number; control: number }>(
    "Length control shorter than assertions",
    {
      message: (p) =>
        `Assertions of ${all(p.arms)} come to ${count(p.words, "word")}, and the longest arm that asserts nothing to ${p.control}: an effect of more text cannot be told from one of what is said.`,
      label: () => "the length control is too short",
      hint: () => `Add an arm of about that length that asserts nothing. ${allow("CFX4009")}`,
    },
  ),
  /** `alone`: whether the lines of a dose are said by one voice, so that its twin has several. */
  CFX4010: warning<{
    doses: readonly { readonly level: string; readonly lines: number; readonly alone: boolean }[]
  }>("Lines and voices grow together", {
    message: (p) => {
      const twins = ([false, true] as const).flatMap((alone) => {
        const levels = p.doses.filter((dose) => dose.alone === alone).map(({ level }) => level)
        const lack = `${levels.length === 1 ? "has" : "have"} no twin of as many lines by ${voices(!alone)}`
        return levels.length === 0 ? [] : [`${all(levels)} ${lack}`]
      })
      return `${series(twins, "and")}: an effect of repetition cannot be told from one of agreement.`
    },
    label: (p) => {
      const [first, ...others] = p.doses
      const alike = first !== undefined && others.every(({ alone }) => alone === first.alone)
      return alike ? `no twin by ${voices(!first.alone)}` : "no twins by one and by several voices"
    },
    hint: (p) => {
      const [first] = p.doses
      const twin = first === undefined ? "" : `${first.alone ? "distinct" : "repeated"}(${first.lines})`
      return `Add the twin, such as ${quote(twin)} for ${quote(first?.level ?? "")} (from "std/doses"). ${allow("CFX4010")}`
    },
  }),
  CFX4011: warning<{ label: string; items: number; having: number; total: number }>(
    "Placebo label that is real elsewhere",
    {
      message: (p) =>
        `The placebo of ${count(p.items, "item")} is ${quote(p.label)}, which is a real option of ${p.having} of the ${p.total} items: there the label means something else.`,
      label: (p) => `${quote(p.label)} is an option of other items`,
      hint: () => `Take pools whose items have as many options. ${allow("CFX4011")}`,
    },
  ),
  CFX4012: warning<{ measure: string; items: number; total: number }>("Few eligible items", {
    message: (p) =>
      `By what is assumed, ${quote(p.measure)} is taken over about ${count(p.items, "item")} of ${p.total}: with fewer than 30, intervals say little.`,
    label: (p) => `about ${count(p.items, "item")}`,
    hint: () => `Ask about more items. ${allow("CFX4012")}`,
  }),
  /** `metric`: as the experiment names it; `own`: whether the spec declares it, so that the policy can be written there. */
  CFX4013: warning<{ measure: string; read: string; metric: string; own: boolean }>(
    "Extraction without a policy",
    {
      message: (p) =>
        `${quote(p.measure)} looks at ${quote(p.read)}, which is found in a text, and does not say what becomes of texts in which nothing is found.`,
      label: () => "texts without an answer are left out",
      hint: (p) =>
        p.own
          ? `Write \`invalid exclude\`, \`wrong\` or \`error\` into the metric. ${allow("CFX4013")}`
          : `${quote(p.metric)} is imported: measure one of your own, such as \`metric mine extends ${p.metric} { invalid wrong }\` (or \`exclude\`, or \`error\`). ${allow("CFX4013")}`,
    },
  ),
  CFX4014: warning<{ factor: string; levels: readonly string[]; same: number; items: number }>(
    "One text under two levels for some items",
    {
      message: (p) =>
        `For ${p.same} of ${count(p.items, "item")}, ${all(p.levels)} of ${quote(p.factor)} come to the same text: there they cannot differ.`,
      label: () => "the same text for some items",
      hint: () =>
        `Leave those items out by \`where\`, or tell the levels apart in words. ${allow("CFX4014")}`,
    },
  ),
  CFX4015: warning<{ framings: readonly [string, string]; line: number; left: Profile; right: Profile }>(
    "Answer at another word",
    {
      message: (p) =>
        `Line ${p.line} of ${quote(p.framings[0])} has ${profile(p.left)}, and that of ${quote(p.framings[1])} ${profile(p.right)}: more than the source differs.`,
      label: () => "the lines of twins are not alike",
      hint: () =>
        `Word both so that they have as many words, and the answer at the same one. ${allow("CFX4015")}`,
    },
  ),
  CFX4016: warning<{
    what: string
    left: readonly string[]
    right: readonly string[]
    lines: readonly number[]
  }>("Containers and framings of different length", {
    message: (p) =>
      `${quote(p.what)} compares ${all(p.left)} with ${all(p.right)} at different numbers of lines (${series([...new Set(p.lines)].map(String), "and")}): the difference may be the number's.`,
    label: () => "not as many lines",
    hint: () => `Give containers and framings the same dose. ${allow("CFX4016")}`,
  }),
  CFX4017: warning<{ what: string; framings: readonly string[] }>("One wording of each framing", {
    message: (p) =>
      `${quote(p.what)} infers something about ${all(p.framings)} from one wording each: an effect of the framing cannot be told from one of the words chosen for it.`,
    label: () => "one wording is a sample of one",
    hint: () =>
      `Give framings several wordings (\`wording NAME { ... }\`) and cross them (\`wording in { base, NAME }\`). ${allow("CFX4017")}`,
  }),
  CFX4018: warning<{ contrast: string; claims: readonly string[]; margin: number }>(
    "No difference without a margin",
    {
      message: (p) =>
        `That ${quote(p.contrast)} makes no difference is claimed by ${all(p.claims)}: an estimate near zero, or an interval around it, does not show that.`,
      label: () => "not an equivalence test",
      hint: (p) =>
        `Write \`expect ${p.contrast} equivalent within ${p.margin > 0 ? p.margin : 0.03}\`, with the margin that would matter. ${allow("CFX4018")}`,
    },
  ),
  CFX4019: warning<{ paper: string; stimuli: readonly string[] }>("Stimuli of unknown source", {
    message: (p) =>
      `The experiment names ${p.paper}, and ${all(p.stimuli)} ${p.stimuli.length === 1 ? "does" : "do"} not say whether ${p.stimuli.length === 1 ? "its" : "their"} words are printed there.`,
    label: () => "neither verbatim nor reconstructed",
    hint: () =>
      `Write \`verbatim "where"\` or \`reconstructed "what"\` into the declaration. ${allow("CFX4019")}`,
  }),
  CFX4020: warning<{ pool: string; items: number; place: number; label: string }>(
    "Gold always at one place",
    {
      message: (p) =>
        `In all ${p.items} items of ${quote(p.pool)} the right answer is option ${p.place} (${quote(p.label)}): a model that prefers a place is always right, or always wrong.`,
      label: (p) => `always ${quote(p.label)}`,
      hint: () => `Write \`shuffle options\` into the pool. ${allow("CFX4020")}`,
    },
  ),
  CFX4021: warning<{ read: string; judges: readonly string[] }>("Judge of its own answers", {
    message: (p) =>
      `${quote(p.read)} is judged by ${p.judges.includes("model") ? "the studied model itself" : `${all(p.judges)}, which ${p.judges.length === 1 ? "is" : "are"} studied too`}: models favour their own texts.`,
    label: () => "judges itself",
    hint: () => `Let a model judge that is not studied: \`judge ... by NAME\`. ${allow("CFX4021")}`,
  }),
  CFX4022: warning<{ measure: string; read: string; arms: readonly string[] }>(
    "Condition on a read that some arms lack",
    {
      message: (p) =>
        `${quote(p.measure)} conditions on ${quote(p.read)}, which is never read in ${all(p.arms)}: there it has no denominator, and nothing can be compared with it.`,
      label: (p) => `${quote(p.read)} is not read everywhere`,
      hint: () => `Read it in every arm, or condition on a read that all arms have. ${allow("CFX4022")}`,
    },
  ),
  CFX4023: warning<{ what: string; value: string; known: readonly string[] }>(
    "Comparison with a value that nothing has",
    {
      message: (p) =>
        `${quote(p.what)} is compared with ${quote(p.value)}, which it never is here, so that this matches no trial.`,
      label: (p) => `no ${quote(p.what)} is this`,
      hint: (p) => `${suggestion(p.value, p.known) ?? ""} ${allow("CFX4023")}`.trim(),
    },
  ),
  /** `within`: whether some way takes differences within items; `other`: whether some way does not. */
  CFX4024: warning<{ contrast: string; sides: number; within: boolean; other: boolean }>(
    "Trials on both sides",
    {
      message: (p) => {
        const within =
          "a difference within an item is smaller than that of the trials that are on one side alone"
        const other = "nothing is compared with something else, and there is no number"
        const so =
          p.within && p.other
            ? `within items ${within.replace("a difference within an item", "a difference")}; taken otherwise, ${other}`
            : p.within
              ? within
              : other
        return `Some trials are on ${p.sides === 2 ? "both sides" : "two sides"} of ${quote(p.contrast)}: ${so}.`
      },
      label: () => "the sides share trials",
      hint: () =>
        `Restrict each side to trials of its own, such as \`HRR[framing = experts] - HRR[framing != experts]\`. ${allow("CFX4024")}`,
    },
  ),
}
