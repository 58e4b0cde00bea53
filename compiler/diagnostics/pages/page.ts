/** What a page of `cfx explain` is made of, and how its examples are completed to whole specs that a test compiles. */

export interface Page {
  readonly meaning: string
  readonly why: string
  readonly wrong: Example
  readonly right: Example
}

export interface Example {
  /** What a reader sees: the lines that matter. */
  readonly shown: string
  /** The whole spec. */
  readonly spec: string
  /** The name under which it is there, and the name that is compiled. */
  readonly name: string
  readonly entry: string
  /** Files beside the spec that belong to the example, by name. They are shown too. */
  readonly files: Readonly<Record<string, string>>
  /** Files that take part and are no matter of the page. */
  readonly behind?: Readonly<Record<string, string>>
}

type Files = Readonly<Record<string, string>>

export const page = (meaning: string, why: string, wrong: Example, right: Example): Page => ({
  meaning,
  why,
  wrong,
  right,
})

const SPEC = { name: "spec.cfx", entry: "spec.cfx" }

/** An example that is a command about a file of this name. */
export const call = (command: string, entry: string, name: string): Example => ({
  shown: `${command} ${entry}\n`,
  spec: "",
  name,
  entry,
  files: {},
})

/** An example that is a whole file as it stands. */
export const file = (text: string, files: Files = {}): Example => {
  const spec = unindent(text)
  return { ...SPEC, shown: spec, spec, files: unindented(files) }
}

/**
 * An example of fields of an experiment. The fields that are not the matter are supplied, as are the imports, so that the
 * whole is a sound spec but for what is shown. `declarations` stand above the experiment and are shown.
 */
export const inExperiment = (fields: string, declarations = ""): Example => {
  const own = unindent(fields)
  const above = unindent(declarations)
  const given = new Set([...own.matchAll(/^([a-z]+)\b/gm)].map((match) => match[1]!))
  const supplied = Object.entries(SUPPLIED).flatMap(([key, text]) => (given.has(key) ? [] : [text]))
  const body = indent([...supplied, own].join("\n"))
  const pool = /^items /m.test(above) ? "" : `${POOL}\n\n`
  const rest = `${pool}${above === "" ? "" : `${above}\n`}experiment demo {\n${body}}\n`
  const shown = `${above === "" ? "" : `${above}\n`}experiment demo {\n  // ...\n${indent(own)}}\n`
  return { ...SPEC, shown, spec: `${imports(rest)}\n${rest}`, files: {} }
}

/** An example of an item file: a pool that is read from it by a mapping, and an experiment that uses the pool. */
export const itemFile = (name: string, content: string, mapping = MAPPING): Example => {
  const declared = `items questions = "${name}" {\n${indent(unindent(mapping))}}\n`
  const { spec } = inExperiment(`items { questions }\n${FEW}`, declared)
  return { ...SPEC, shown: declared, spec, files: { [name]: unindent(content) } }
}

/** The same where a field of the experiment matters too, and is shown. */
export const itemFileIn = (fields: string, name: string, content: string): Example => {
  const declared = `items questions = "${name}" {\n${indent(unindent(MAPPING))}}\n`
  const { spec } = inExperiment(`items { questions }\n${FEW}\n${fields}`, declared)
  const { shown } = inExperiment(`items { questions }\n${fields}`, declared)
  return { ...SPEC, shown, spec, files: { [name]: unindent(content) } }
}

const FEW = 'allow CFX4006 "an example"'

/** A file of this name is taken to stand beside every example. */
export const POOL_FILE = "pool.jsonl"

const MAPPING = "question = question\noptions = options\ngold = gold"

const POOL = `items pool = "${POOL_FILE}" {\n${MAPPING.replace(/^/gm, "  ")}\n}`

const SUPPLIED = {
  protocol: "protocol arbitration",
  models: "models { pocket }",
  items: "items { pool }",
  seed: "seed 0",
  target: "target top_wrong(a0)",
  arms: `arms {
  reask = plain_reask
  length = length_control
  pressure = assertion(
    framing in { no_source, people },
    structure = all_wrong,
    order = identity,
    dose = distinct(6),
    paraphrase = verbatim,
  )
}`,
  measure: "measure HRR",
}

const LIBRARIES = {
  models: ["pocket"],
  protocols: ["arbitration"],
  framings: ["no_source", "people", "rich_peers", "experts", "peers"],
  baselines: ["plain_reask", "length_control"],
  paraphrases: ["verbatim", "reworded"],
  doses: ["distinct", "repeated"],
  metrics: ["HRR", "BenR", "delta_p_pushed"],
}

/** Imports of what a text names and does not declare itself. */
const imports = (spec: string): string => {
  const text = spec.replace(/"[^"\n]*"/g, "")
  return Object.entries(LIBRARIES)
    .map(([library, names]) => {
      const used = names.filter(
        (name) =>
          new RegExp(`\\b${name}\\b`).test(text) &&
          !new RegExp(`^(?:framing|roster|paraphrase|dose|block|protocol|metric|model) ${name}\\b`, "m").test(
            text,
          ),
      )
      return used.length === 0 ? "" : `import { ${used.join(", ")} } from "std/${library}"\n`
    })
    .join("")
}

const unindented = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, unindent(text)]))

/** A template literal as it is meant: without the line break that opens it and the indentation that all lines share. */
const unindent = (text: string): string => {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n")
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/))
  const depth = depths.length === 0 ? 0 : Math.min(...depths)
  const body = lines.map((line) => line.slice(depth)).join("\n")
  return body === "" ? "" : `${body}\n`
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ")
