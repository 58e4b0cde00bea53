/** Why a number is not there, as the method of its result says. */
import type { Result } from "../measure/result.ts"

type Said = Pick<Result, "method">

/** "no pair entered": of a result without an estimate. */
export const whyNoValue = ({ method }: Said): string =>
  method.replace(/^judged by [^:]+: /, "").replace(/^none: /, "")

/** "no interval, since one item does not vary"; undefined where the method says nothing of it. */
export const whyNoInterval = (result: Said): string | undefined => pieceOf(result, /^no interval\b/)

/** "no verdict, since this estimate is in logits, and ...". */
export const whyNoVerdict = (result: Said): string | undefined => pieceOf(result, /^no verdict\b/)

/** Methods are put together of pieces between semicolons. */
const pieceOf = ({ method }: Said, begins: RegExp): string | undefined =>
  method.split("; ").find((piece) => begins.test(piece))
