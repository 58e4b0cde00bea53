/** Takes the words after a command's name apart, and says in a sentence which of them is wrong. */
import { parseArgs } from "node:util"
import { suggest } from "../../compiler/diagnostics/suggest.ts"
import { type Command, common, type Options, UsageError, type Values } from "./command.ts"

export interface Parsed {
  readonly values: Values<Options>
  readonly common: Values<typeof common>
  readonly names: readonly string[]
}

/** @throws UsageError */
export function parse(
  { options, takes }: Pick<Command, "options" | "takes">,
  words: readonly string[],
): Parsed {
  const all: Options = { ...options, ...common }
  const { values, positionals: names } = taken(all, words)
  const asked = values as Values<typeof common>
  if (!asked.help) {
    const empty = Object.keys(values).find((name) => (values as Record<string, unknown>)[name] === "")
    if (empty !== undefined) throw new UsageError(`--${empty} needs a value`)
    if (names.length < takes.least) throw new UsageError(`${takes.what} is missing`)
    if (names.length > takes.most) {
      throw new UsageError(
        takes.most === 0 ? `it takes no ${names[0]}` : `one word too many: ${names[takes.most]}`,
      )
    }
  }
  return { values: values as Values<Options>, common: asked, names }
}

function taken(options: Options, words: readonly string[]) {
  try {
    return parseArgs({ args: [...bound(options, words)], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(sentence((error as Error).message, options))
  }
}

/** A number below 0 behind an option that takes a value is that value, of which the option can then say what is wrong with it: no option begins with a digit. */
function bound(options: Options, words: readonly string[]): readonly string[] {
  const end = words.indexOf("--")
  const said: string[] = []
  for (const [at, word] of words.entries()) {
    const before = words[at - 1]
    const isBehind = at > 0 && (end === -1 || at < end) && /^-\.?\d/.test(word)
    const taking = isBehind && Object.keys(options).find((name) => takesValue(name, options, before))
    if (typeof taking === "string") said[said.length - 1] = `--${taking}=${word}`
    else said.push(word)
  }
  return said
}

const takesValue = (name: string, options: Options, word: string | undefined): boolean =>
  options[name]?.type === "string" && (word === `--${name}` || word === `-${options[name].short}`)

function sentence(message: string, options: Options): string {
  const unknown = /^Unknown option '(-+)([^']*)'/.exec(message)
  if (unknown) {
    const [, dashes, name = ""] = unknown
    const near = suggest(name, Object.keys(options))
    return `there is no option ${dashes}${name}${near ? `; did you mean ${spelt(near, options)}?` : ""}`
  }
  const named = /^Option '(?:-\w, )?(--[\w-]+)/.exec(message)?.[1]
  if (named && message.includes("does not take")) return `${named} takes no value`
  if (named) return `${spelt(named.slice(2), options)} needs a value`
  return message.split("\n")[0]!.replace(/\.$/, "")
}

/** An option as a person writes it: `-o`, where its long form is that letter. */
export const spelt = (name: string, options: Options): string =>
  options[name]?.short === name ? `-${name}` : `--${name}`

/**
 * `NAME=VALUE` options, as a record.
 * @throws UsageError when one has another form, or a name comes twice
 */
export function assignments(option: string, given: readonly string[] = []): Readonly<Record<string, string>> {
  const entries = given.map((text): readonly [string, string] => {
    const at = text.indexOf("=")
    if (at < 1 || at === text.length - 1) throw new UsageError(`${option} takes NAME=VALUE, not ${text}`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) !== index)
  if (twice) throw new UsageError(`${option} ${twice[0]} is given twice`)
  return Object.fromEntries(entries)
}

/** @throws UsageError unless the text is a whole number of at least 1 */
export function count(option: string, text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(`${option} takes a whole number from 1, not ${text}`)
  }
  return value
}
