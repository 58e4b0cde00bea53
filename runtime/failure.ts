import { Data } from "effect"

/** The environment failed (exit 3): a file, the engine, the disk. Says what happened, where, and what to do next. */
export class EnvironmentFailure extends Data.TaggedError("EnvironmentFailure")<{
  readonly what: string
  readonly where: string
  readonly todo: string
}> {
  override get message(): string {
    return `${this.what}\n  where: ${this.where}\n  what to do: ${this.todo}`
  }
}
