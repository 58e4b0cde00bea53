/** What a server can do, found out by a few requests for one token each: for those who want to know before a run. */
import { Effect } from "effect"
import type { EnvironmentFailure } from "../../failure.ts"
import type { ModelFile } from "../backend.ts"
import { connected, type HttpOptions } from "./connection.ts"
import { askable } from "./declared.ts"
import { nothingSpent } from "./limits.ts"
import type { Trouble } from "./trouble.ts"

export interface Inspection {
  readonly address: string
  /** Whether a key is sent. */
  readonly keyed: boolean
  /** Milliseconds of one request. */
  readonly took: number
  /** What it calls the model that answered. */
  readonly answeredAs?: string
  /** Names of its models; absent where it does not tell. */
  readonly names?: readonly string[]
  /** Alternatives of a token that it lists, out of those that are asked for. */
  readonly listed: number
  /** Whether it counts tokens. */
  readonly counts: boolean
  /** Whether it goes on with a message that the assistant has begun. */
  readonly continues: boolean
}

/** No answer of a healthy server takes longer, and a sick one is not waited for. Seconds. */
const PATIENCE = 30

export const inspect = Effect.fnUntraced(function* (
  file: ModelFile,
  options: HttpOptions = {},
): Effect.fn.Return<Inspection, EnvironmentFailure> {
  const { served } = file
  const hasty = {
    ...file,
    ...(served === undefined
      ? {}
      : { served: { ...served, retries: 1, timeout: Math.min(PATIENCE, served.timeout ?? PATIENCE) } }),
  }
  yield* askable(file, options.env)
  const { http, asking, keyed, address, failed } = yield* connected(hasty, nothingSpent(), options)
  const said = <A>(question: Effect.Effect<A, Trouble>) => Effect.mapError(question, failed)
  const started = performance.now()
  const { listed = [], usage, facts } = yield* said(asking.probe)
  const took = performance.now() - started
  const names = namesIn(yield* Effect.orElseSucceed(http.get("models"), () => undefined))
  return {
    address: address.shown,
    keyed: keyed === true,
    took,
    ...(facts.model === undefined ? {} : { answeredAs: facts.model }),
    ...(names === undefined ? {} : { names }),
    listed: listed.length,
    counts: usage !== undefined,
    continues: usage !== undefined && (yield* said(asking.continues)),
  }
})

/** `{ data: [{ id }] }` */
function namesIn(value: unknown): readonly string[] | undefined {
  const data = (value as { readonly data?: unknown } | undefined)?.data
  if (!Array.isArray(data)) return undefined
  return data.flatMap((one) => (typeof one?.id === "string" ? [one.id as string] : []))
}
