/** Regular expressions, which run in linear time on any text. */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js"

/** Why a pattern is none, and the part of it that is at fault; nothing where it is one. */
export const patternProblem = (
  source: string,
): { readonly why: string; readonly part: string } | undefined => {
  try {
    RE2JS.compile(source)
    return undefined
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { why: error.error, part: error.input ?? source }
    if (error instanceof RE2JSException) return { why: error.message, part: source }
    throw error
  }
}
