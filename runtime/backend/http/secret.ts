/** Keys of servers: where one comes from, and how it is kept out of everything that is shown or written down. */
import type { ModelFile } from "../backend.ts"
import { sameAddress } from "./address.ts"

/** Characters that a header may hold and a key has: visible ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/

/** Keys that are shorter would blot out words of an answer. */
const LEAST = 6

/**
 * The key of a served model: from the environment variable that its declaration names, else `OPENAI_API_KEY` where the address is that of
 * `OPENAI_BASE_URL`. Neither: none is sent. `problem` says what is wrong with it, and never what it is.
 */
export function keyOf(
  { name, path, served }: Pick<ModelFile, "name" | "path" | "served">,
  env: Readonly<Record<string, string | undefined>> = process.env,
): { readonly key?: string } | { readonly problem: string; readonly todo: string } {
  const declared = served?.key
  const isOpenAi = env.OPENAI_BASE_URL !== undefined && sameAddress(path, env.OPENAI_BASE_URL)
  const variable = declared ?? (isOpenAi ? "OPENAI_API_KEY" : undefined)
  if (variable === undefined) return {}
  const key = env[variable]?.trim()
  if (key === undefined || key === "") {
    if (declared === undefined) return {}
    return {
      problem: `the environment variable ${variable}, which holds the key of model ${name}, is ${key === undefined ? "not set" : "empty"}`,
      todo: `set ${variable} to the key, or take \`key\` out of the model's declaration if the server needs none`,
    }
  }
  if (SENDABLE.test(key) && key.length >= LEAST) return { key }
  return {
    problem: `the environment variable ${variable}, which holds the key of model ${name}, holds ${key.length < LEAST ? "too short a text" : "characters that no key has"}`,
    todo: `set ${variable} to the key and nothing else`,
  }
}

/** Takes a key, in whatever spelling, out of what a server said. */
export function without(key: string | undefined, text: string): string {
  if (key === undefined) return text
  const spellings = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  const encoded = Buffer.from(key, "utf8").toString("base64")
  return [...spellings, encoded].reduce((clean, one) => clean.replaceAll(one, "[key]"), text)
}
