/**
 * JSON files that end in a sum of themselves. What reads back whole is what cfx wrote, so that its fields need no second look; what was
 * edited, cut or exchanged is found out before anything is made of it.
 */
import { sha256 } from "../../compiler/hash.ts"
import { parsed } from "../disk/json.ts"

/** What a file holds, or in words (a clause that names the file) why it cannot be used. */
export type Found<T> = { readonly value: T } | { readonly problem: string; readonly missing: boolean }

/** The text of a file: the value's fields, and last their sum. `name` is the file's, so that no sealed file passes for another. */
export const sealed = (name: string, value: object): string =>
  `${JSON.stringify({ ...value, sum: sumOf(name, value) }, null, 2)}\n`

/** The value that `sealed` wrote. The sum is of what is said: how the JSON is laid out, and its line breaks, do not matter. */
export function unsealed<T extends object>(name: string, text: string | undefined): Found<T> {
  if (text === undefined) return { problem: `there is no ${name}`, missing: true }
  const { sum, ...value } = { sum: undefined, ...(parsed(text) as object | undefined) }
  if (sum !== sumOf(name, value)) {
    return { problem: `${name} is damaged or was edited: it is not what cfx wrote`, missing: false }
  }
  return { value: value as T }
}

/** Sum of a text file; line breaks of Windows count as any. */
export const contentSum = (text: string): string => sha256(text.replaceAll("\r\n", "\n"))

const sumOf = (name: string, value: object): string => sha256(`${name}\n${JSON.stringify(value)}`)
