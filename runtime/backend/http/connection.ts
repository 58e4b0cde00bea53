/** A served model within reach: its server, its limits and what can be asked of it. */
import { Effect } from "effect"
import { EnvironmentFailure } from "../../failure.ts"
import type { ModelFile } from "../backend.ts"
import type { Address } from "./address.ts"
import { type Client, client } from "./client.ts"
import { type Declared, declared } from "./declared.ts"
import { CONCURRENCY, limitsOf, type Spent } from "./limits.ts"
import { questions } from "./questions.ts"
import { keyOf } from "./secret.ts"
import { lasting, type Trouble } from "./trouble.ts"

export interface HttpOptions {
  /** The environment that holds the keys. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Hears of waits that a person would notice. */
  readonly note?: (text: string) => void
}

export interface Connection extends Declared {
  readonly http: Client
  readonly asking: ReturnType<typeof questions>
  readonly concurrency: number
  /** Grows with what the server says of itself. */
  readonly facts: Readonly<Record<string, string | number | boolean>>
  /** Whether a key is sent; trouble where one should be, and is not there. */
  readonly keyed: boolean | Trouble
  readonly failed: (trouble: Trouble) => EnvironmentFailure
}

/** Asks nothing yet. `spent` is counted up. */
export const connected = Effect.fnUntraced(function* (
  file: ModelFile,
  spent: Spent,
  { env, note }: HttpOptions = {},
): Effect.fn.Return<Connection, EnvironmentFailure> {
  const { name } = file
  const { served, address } = yield* declared(file)
  const { concurrency = CONCURRENCY } = served
  const found = keyOf(file, env)
  const limits = limitsOf(served, spent)
  const http = client({
    address,
    served,
    ...("key" in found && found.key !== undefined ? { key: found.key } : {}),
    limits,
    waiting: ({ what }, milliseconds) =>
      note?.(`model ${name}: ${what}; trying again in ${Math.ceil(milliseconds / 1000)} s`),
  })
  const facts = { engine: "http", address: address.shown, servedName: served.name, concurrency }
  return {
    served,
    address,
    http,
    asking: questions(file, http, limits, facts),
    concurrency,
    facts,
    keyed: "problem" in found ? lasting(found.problem, found.todo) : found.key !== undefined,
    failed: (trouble) => failedAt(name, address, trouble),
  }
})

const failedAt = (name: string, { shown }: Address, { what, todo }: Trouble): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the server of model ${name} was asked in vain: ${what}`,
    where: shown,
    todo,
  })
