import { Data } from "effect"

/** A read has no usable answer, in a run that stops at the first one (`--fail-fast`). */
export class ReadFailure extends Data.TaggedError("ReadFailure")<{
  /** The item and the hole, in words. */
  readonly about: string
  readonly why: string
}> {}
