/** What can be known of a server before a run. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { ServedIR } from "../../../compiler/ir.ts"
import { inspect } from "../../../runtime/backend/http/inspect.ts"
import { send } from "./fakeServer.ts"
import { failureOf, serverFor } from "./setup.ts"

const inspected = (path: string, served: Partial<ServedIR> = {}) =>
  Effect.runPromise(inspect({ name: "m", path, served: { name: "tiny", ...served } }, { env: {} }))

describe("an inspection", () => {
  it("tells what a server can do", async () => {
    const { address } = await serverFor({ next: () => ({ A: 0.5, B: 0.3, C: 0.2 }) })
    expect(await inspected(address)).toEqual({
      address,
      keyed: false,
      took: expect.any(Number),
      answeredAs: "tiny-2026",
      names: ["tiny"],
      listed: 3,
      counts: true,
      continues: true,
    })
  })

  it("tells what it cannot", async () => {
    const { address, sent } = await serverFor({
      misbehave: (response, { path }) =>
        path.endsWith("/models")
          ? send(response, 404, "not here")
          : send(response, 200, { choices: [{ message: { content: "A" } }] }),
    })
    expect(await inspected(address)).toEqual({
      address,
      keyed: false,
      took: expect.any(Number),
      listed: 0,
      counts: false,
      continues: false,
    })
    expect(sent).toHaveLength(2)
  })

  it("asks a server that is declared to list nothing for nothing of the kind", async () => {
    const { address, sent } = await serverFor()
    expect(await inspected(address, { logprobs: 0 })).toMatchObject({ listed: 0 })
    expect(sent[0]?.body).not.toHaveProperty("logprobs")
  })

  it("fails where the server does", async () => {
    const { address } = await serverFor({ misbehave: (r) => send(r, 404, { error: { message: "no tiny" } }) })
    expect((await failureOf(inspected(address))).what).toContain("it answered 404: no tiny")
  })
})
