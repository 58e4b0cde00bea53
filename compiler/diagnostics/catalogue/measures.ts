/** CFX23xx: metrics and their types, contrasts, tables, figures and expectations. */
import { suggest } from "../suggest.ts"
import { all, article, completed, didYouMean, either, quote, suggestion } from "../words.ts"
import { error } from "./entry.ts"

/** What every item has, which is no column that could be compared. */
const fieldsOfRows = new Set(["id", "question", "options", "labels", "gold"])

export const measures = {
  CFX2301: error<{ what: string; expected: string; found: string }>("Wrong type", {
    message: (p) => `${p.what} must be ${article(p.expected)}, and this is ${article(p.found)}.`,
    label: (p) => `${article(p.found)}, not ${article(p.expected)}`,
    hint: (p) =>
      p.expected === "truth value"
        ? "Compare it with something, such as `second != item.gold`."
        : p.expected === "number" && (p.found === "option" || p.found === "option read")
          ? "A read has the numbers `.confidence`, `.mass` and `.p(option)`."
          : p.expected === "number" && p.found === "truth value"
            ? "Truth values are what a `rate` and a `count` are taken of; a `ratio` and a `difference` take them as 1 and 0."
            : undefined,
  }),
  CFX2302: error<{ operator: string; left: string; right: string }>("Cannot compare", {
    message: (p) => `\`${p.operator}\` cannot compare ${article(p.left)} with ${article(p.right)}.`,
    label: (p) => `${article(p.left)} and ${article(p.right)}`,
  }),
  CFX2303: error<{ property: string; of: string; known: readonly string[] }>("No such property", {
    message: (p) =>
      `${article(p.of)[0]?.toUpperCase()}${article(p.of).slice(1)} has no ${quote(p.property)}.`,
    label: (p) => `not a property of ${article(p.of)}`,
    hint: (p) =>
      p.known.length === 0 ? undefined : (suggestion(p.property, p.known) ?? `It has ${either(p.known)}.`),
  }),
  CFX2304: error<{ metric: string }>("Two statistics", {
    message: (p) => `${quote(p.metric)} is one statistic, and cannot be two.`,
    label: () => "a second statistic",
    hint: () => "Make it two metrics.",
  }),
  CFX2305: error<{ method: string; statistic: string; fits: readonly string[] }>("Unfitting interval", {
    message: (p) => `\`${p.method}\` does not give an interval for a \`${p.statistic}\`.`,
    label: (p) => `not for a ${p.statistic}`,
    hint: (p) => `For a \`${p.statistic}\`, write ${either(p.fits)}.`,
  }),
  CFX2306: error<{ level: number }>("Unfitting level of confidence", {
    message: (p) =>
      `The level of an interval is a percentage above 50 and below 100, and this is ${p.level}.`,
    label: () => "not between 50 and 100",
    hint: (p) =>
      p.level > 0 && p.level < 1 ? `Did you mean ${Number((p.level * 100).toPrecision(12))}?` : undefined,
  }),
  CFX2307: error<{
    measure: string
    experiment: string
    /** Whether the spec has a metric of this name, else where it could be imported from. */
    declared: boolean
    importable: string | undefined
    known: readonly string[]
  }>("Measure not taken", {
    message: (p) => `${quote(p.experiment)} does not measure ${quote(p.measure)}.`,
    label: () => "not measured here",
    hint: (p) => {
      const add = `Add \`measure ${p.measure}\` to the experiment`
      if (p.declared) return `${add}.`
      return p.importable === undefined
        ? suggestion(p.measure, p.known)
        : `${add}, and the metric to the imports: import { ${p.measure} } from "${p.importable}"`
    },
  }),
  CFX2308: error<{ contrast: string }>("Not a difference", {
    message: (p) =>
      `The contrast ${quote(p.contrast)} must be one measure minus another, or such a difference minus another.`,
    label: () => "not a difference of measures",
    hint: () =>
      "Such as `HRR[framing = experts] - HRR[framing = no_source]`, or `(A - B) - (C - D)` of four such measures.",
  }),
  CFX2309: error<{ same: "trials" | "prompts" }>("Contrast with itself", {
    message: (p) =>
      p.same === "trials"
        ? "Both sides of this contrast are the same measure of the same trials: it is always 0."
        : "Both sides of this contrast put the same prompts before the models, word for word: it is always 0.",
    label: () => "the same on both sides",
    hint: (p) =>
      p.same === "trials"
        ? undefined
        : "The levels in which they differ make no difference here, such as the number of speakers in a framing that names none.",
  }),
  CFX2310: error<{ contrast: string; known: readonly string[] }>("Unknown contrast", {
    message: (p) => `The experiment has no contrast ${quote(p.contrast)}.`,
    label: () => "no such contrast",
    hint: (p) =>
      suggestion(p.contrast, p.known) ??
      "What is expected is said of a contrast. Declare one, such as `contrast authority = HRR[framing = experts] - HRR[framing = people] by paired(item)`.",
  }),
  CFX2311: error<{ operator: string | undefined }>("Not an expectation", {
    message: () => "An expectation compares a contrast with a number by `<`, `<=`, `>` or `>=`.",
    label: (p) => (p.operator === undefined ? "not a comparison with a number" : `not by \`${p.operator}\``),
    hint: (p) =>
      p.operator === undefined
        ? "Such as `expect authority > 0`, or `expect authority.low > 0` for the lower end of its interval."
        : "An estimate is never exactly a number. To expect next to no difference, expect both ends of its interval to be small: `expect authority.low > -0.03` and `expect authority.high < 0.03`.",
  }),
  /** `given`: whether the experiment names the read, and not the metric by itself. */
  CFX2312: error<{
    given: boolean
    hole: string
    metric: string
    parameter: string
    protocol: string
    known: readonly string[]
  }>("Read not in the protocol", {
    message: (p) =>
      `${quote(p.metric)} takes its ${quote(p.parameter)} from the read ${quote(p.hole)}, and ${quote(p.protocol)} has none of that name.`,
    label: (p) => `needs a read ${quote(p.hole)}`,
    hint: (p) => {
      const meant = suggestion(p.hole, p.known)
      const [first] = p.known
      if (p.given || meant === undefined || first === undefined) return meant
      return `${meant} Such as: measure ${p.metric} = ${p.metric}(${p.parameter} = ${suggest(p.hole, p.known) ?? first})`
    },
  }),
  CFX2313: error<{ found: string; known: readonly string[] }>("Unknown way of averaging", {
    message: (p) => `The interval of a contrast cannot be taken by ${quote(p.found)}.`,
    label: () => "no such way",
    hint: (p) => completed(p.found, p.known) ?? `Write ${either(p.known)}.`,
  }),
  /**
   * `metric`: the one whose expression it is, whether the name is that of a factor, its parameters as they are written, and what else it names
   * without a parameter. `beside`: the column or the read with whose texts the name is compared. `of`: what else could be meant by it: a
   * column of a row that is not mapped, a column of the item.
   */
  CFX2314: error<{
    name: string
    known: readonly string[]
    metric?:
      | {
          readonly name: string
          readonly isFactor: boolean
          readonly parameters: readonly string[]
          readonly others: readonly string[]
        }
      | undefined
    beside?: string | undefined
    of?: "row" | "item" | undefined
  }>("Unknown value", {
    message: (p) =>
      p.metric === undefined || p.metric.others.length === 0
        ? `${quote(p.name)} is not a value that this expression can use.`
        : `${all([p.name, ...p.metric.others])} are not values that this metric can use.`,
    label: () => "unknown value",
    hint: (p) => {
      if (p.metric?.isFactor === true) return "Factors can be compared in the `where` of a table or a figure."
      if (p.beside !== undefined)
        return `If it is a text that ${quote(p.beside)} may hold, write it in quotation marks: ${quote(`"${p.name}"`)}.`
      if (p.of === "item") return `A column of the item is written ${quote(`item.${p.name}`)}.`
      const meant = didYouMean(p.name, p.known)
      if (meant !== undefined) return meant
      if (p.metric !== undefined) {
        const reads = [p.name, ...p.metric.others].map((name) => `${name} = ${name}`)
        const whole = `metric ${p.metric.name}(${[...p.metric.parameters, ...reads].join(", ")})`
        return `A read must be a parameter of the metric: ${whole}`
      }
      if (p.of === "row") {
        const column = fieldsOfRows.has(p.name) ? p.name.slice(0, 1) : p.name
        return `Only mapped columns can be compared. Map it in the pool as one of its own: ${quote(`${column} = ${p.name}`)}.`
      }
      return suggestion(p.name, p.known)
    },
  }),
  CFX2316: error<{
    subject: string
    low: number
    high: number
    bound: number
    holds: boolean
    of: "fraction" | "estimate"
  }>("Comparison that says nothing", {
    message: (p) =>
      `${quote(p.subject)} lies between ${p.low} and ${p.high}, so this ${p.holds ? "always" : "never"} holds.`,
    label: (p) => `${p.holds ? "always" : "never"} holds`,
    hint: (p) => {
      const isPercentage = Math.abs(p.bound) > 1 && p.low >= -1 && p.high <= 1
      if (!isPercentage) return undefined
      const meant = Number((p.bound / 100).toPrecision(12))
      const inside = meant > p.low && meant < p.high
      const unit = p.of === "estimate" ? `${p.bound} percentage points` : `${p.bound} %`
      const known = p.of === "estimate" ? "Estimates are" : "Probabilities and confidences are"
      return inside ? `${known} fractions of 1: ${unit} is ${meant}.` : `${known} fractions of 1.`
    },
  }),
  CFX2315: error<{ what: string }>("Not an expression of values", {
    message: (p) => `${p.what} cannot stand in an expression of values.`,
    label: () => "cannot stand here",
  }),
}
