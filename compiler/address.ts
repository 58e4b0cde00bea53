/** Where models are to be had: whether that is an address at all, and one that can be asked or fetched. */

/** `hf:...` or `https://...`: a name of a scheme has two letters at least, a drive of Windows one. */
export const isAddress = (file: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(file)

/** Words in names of parameters that carry secrets, such as `apiKey` and `X-Amz-Signature`. */
const ofSecret =
  /^(api|access)?(key|token|secret|sig|signature|code|pass|password|passwd|auth|authorization|credential)s?$/i

const wordsOf = (name: string): readonly string[] =>
  name.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[^\p{L}\p{N}]+/u)

/** A declared address of the web, or in words why it is none, or one that must not be written down. The words go on from "`ADDRESS` is none: ". */
export function webAddress(text: string): URL | { readonly problem: string } {
  const url = parsed(text)
  if (url === undefined) return { problem: "it is no address" }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { problem: `only http and https are spoken, not ${url.protocol.slice(0, -1)}` }
  // A parser of addresses mends what a person would not have meant: further slashes, slashes the other way, an empty user, spaces.
  if (!/^https?:\/\/[^/?#@:]/i.test(text) || /[\s\\]/.test(text)) return { problem: "it is no address" }
  if (url.port === "0") return { problem: "nothing can be asked at port 0" }
  if (text.includes("#"))
    return { problem: "what follows its # is never sent: leave it out, or write %23 for a # that is meant" }
  if (url.username !== "" || url.password !== "")
    return { problem: "a user name or password stands in it, where it would be kept with every run" }
  const secret = [...url.searchParams.keys()].find((name) =>
    wordsOf(name).some((word) => ofSecret.test(word)),
  )
  if (secret !== undefined)
    return { problem: `the parameter ${secret} stands in it, whose value would be kept with every run` }
  return url
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
