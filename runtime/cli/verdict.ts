/** What a run's exit code comes from, in words and as a number. */
import type { Result } from "../measure/result.ts"
import type { RunOutcome } from "../run/conclude.ts"
import { describeFailedRead, isTooMany } from "../run/failedReads.ts"
import { failureKinds } from "../run/failureKinds.ts"
import { exit, gravest } from "./exit.ts"
import type { Terminal } from "./terminal.ts"

export type Judged = Pick<RunOutcome, "failed" | "shares" | "audits" | "unmet" | "stopped">

/** Lines of a list that are written; the report has all of them. */
const NAMED = 10

/** Says on standard error what the exit code of an outcome comes from. */
export function explainCode(
  { failed, shares, audits, unmet }: Judged,
  { complain }: Pick<Terminal, "complain">,
): void {
  if (failed.length > 0) {
    const kinds = failureKinds(failed).map(({ example, reads }) =>
      reads === 1 ? describeFailedRead(example) : `${reads} reads, such as ${describeFailedRead(example)}`,
    )
    const tolerated = shares
      .filter(({ tolerate }) => tolerate > 0)
      .map(
        (share) =>
          `${share.failed} of ${share.of} reads of experiment ${share.experiment} failed; up to ${percent(share.tolerate)} are tolerated${isTooMany(share) ? "" : ": the run counts as whole"}`,
      )
    complain(listed(`${failed.length} reads have no usable answer:`, [...kinds, ...tolerated]))
  }
  if (audits.length > 0)
    complain(listed(`${audits.length} reads came out otherwise when they were taken again:`, audits))
  for (const result of unmet) {
    const verdict = result.held === false ? "did not hold" : "could not be judged"
    complain(`expect ${result.name}: ${verdict}${beside(result)} (experiment ${result.experiment})`)
  }
}

/** Of a number that was published: ", since it is 0.375 where 0.52 was published, give or take 0.005". */
function beside({ published, estimate, method }: Result): string {
  if (published === undefined) return ""
  const { value, within } = published
  return estimate === undefined
    ? `, since there is no number here to set beside ${value}: ${method}`
    : `, since it is ${Number(estimate.toPrecision(4))} where ${value} was published, give or take ${within}`
}

const listed = (head: string, lines: readonly string[]): string => {
  const more = lines.length > NAMED ? [`and ${lines.length - NAMED} more`] : []
  return [head, ...[...lines.slice(0, NAMED), ...more].map((line) => `  ${line.replaceAll("\n", "␊")}`)].join(
    "\n",
  )
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(6))}%`

export const codeOf = ({ stopped, shares, audits, unmet }: Judged): number =>
  gravest([
    ...(stopped !== undefined || shares.some(isTooMany) || audits.length > 0 ? [exit.reads] : []),
    ...(unmet.length > 0 ? [exit.expect] : []),
  ])
