/** Renders a model's own chat template (Jinja). Same input, same text, on any day: functions that ask the time get a fixed one. */
import { Environment, parse, tokenize } from "@huggingface/jinja"
import { boundedRange, runBounded } from "./bounds.ts"

export type Role = "system" | "user" | "assistant"

export interface Message {
  readonly role: Role
  readonly content: string
}

export interface TemplateVariables {
  readonly bosToken: string
  readonly eosToken: string
  /** Ends with the opening of the assistant's turn. */
  readonly generate: boolean
  /** Of the template's own, such as `enable_thinking`. */
  readonly declared?: Readonly<Record<string, string | number | boolean>>
}

/** What a base model is sent: its turns, one below the other. */
export const plainTemplate = "{% for message in messages %}{{ message['content'] + '\\n' }}{% endfor %}"

/** The day that templates are told it is. A prompt shows it wherever a template writes it. */
export const fixedDay = { year: 2024, month: 7, day: 26 } as const

/**
 * The text of these messages. Throws an Error in the template's own words where it refuses them
 * (no system role, roles that do not alternate) or cannot be read.
 */
export function renderTemplate(
  template: string,
  messages: readonly Message[],
  variables: TemplateVariables,
): string {
  const globals = new Environment()
  for (const [name, value] of Object.entries(constants)) globals.set(name, value)
  for (const [name, value] of Object.entries(variables.declared ?? {})) globals.set(name, value)
  globals.set("messages", messages)
  globals.set("add_generation_prompt", variables.generate)
  globals.set("bos_token", variables.bosToken)
  globals.set("eos_token", variables.eosToken)
  return runBounded(programOf(template), globals)
}

export type TemplateProgram = ReturnType<typeof parse>

/** Programs of templates that were parsed, at most. */
const remembered = 16
const programs = new Map<string, TemplateProgram>()

/** A template as it is run; throws an Error where it cannot be parsed. White space at blocks goes as in the transformers library. */
export function programOf(template: string): TemplateProgram {
  const known = programs.get(template)
  if (known !== undefined) return known
  const program = parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true }))
  if (programs.size >= remembered) programs.clear()
  programs.set(template, program)
  return program
}

const constants = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  // As the transformers library gives them where a conversation has neither: templates ask whether they are there, or whether they are none.
  tools: null,
  documents: null,
  range: boundedRange,
  raise_exception: (message: unknown): never => {
    throw new Error(String(message))
  },
  strftime_now: formatFixedDay,
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]

function formatFixedDay(format: string): string {
  const month = months[fixedDay.month - 1]!
  const fields: Readonly<Record<string, string>> = {
    "%Y": String(fixedDay.year),
    "%m": String(fixedDay.month).padStart(2, "0"),
    "%d": String(fixedDay.day).padStart(2, "0"),
    "%B": month,
    "%b": month.slice(0, 3),
    "%H": "00",
    "%M": "00",
    "%S": "00",
    "%%": "%",
  }
  return format.replace(/%[a-zA-Z%]/g, (field) => fields[field] ?? field)
}
