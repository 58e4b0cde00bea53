/** Why a read was skipped, in words that trials share, so that they can be counted by them. */

/** Why a read has no value where a run was stopped before it. */
export const NOT_ASKED = "not asked yet"

/**
 * "not asked yet", "no target: the target is the gold option", "skipped: a0 is invalid". Whatever led up to a read that was not asked, it
 * is the run that has to go on; and what is wrong with an invalid read is told where failed reads are, since it may name the very prompt.
 */
export function skippedWords(why: string): string {
  if (why.endsWith(NOT_ASKED)) return NOT_ASKED
  const cause = why.replace(/( is invalid): .*$/s, "$1")
  return cause.startsWith("no target: ") ? cause : `skipped: ${cause}`
}
