import { describe, expect, it } from "vitest"
import type { ProtocolIR, TargetIR } from "../../compiler/ir.ts"
import { waves } from "../../compiler/waves.ts"
import { arbitration, text, topWrong } from "./support.ts"

const names = (protocol: ProtocolIR, target?: TargetIR) =>
  waves(protocol, { targets: target === undefined ? [] : [target] }).map((wave) =>
    wave.map(({ name }) => name),
  )

const protocol = (
  turns: readonly (readonly [name: string, user: string, assistant: string, continues?: string])[],
): ProtocolIR => ({
  ...arbitration,
  turns: turns.map(([name, user, assistant, continues]) => ({
    name,
    user: text(user),
    assistant: text(assistant),
    ...(continues === undefined ? {} : { continues }),
  })),
  holes: turns.flatMap(([turn, , assistant]) =>
    [...assistant.matchAll(/<:(\w+)>/g)].map(([, name]) => ({
      name: name as string,
      turn,
      type: "option" as const,
    })),
  ),
})

const top: TargetIR = { kind: "ranked_wrong", hole: "a", rank: 1 }

describe("waves", () => {
  it("reads a turn's holes one after another, and a later turn's after them", () => {
    expect(names(arbitration, topWrong)).toEqual([["a0"], ["k0"], ["a1"]])
  })
  it("reads unrelated turns at once", () => {
    const two = protocol([
      ["one", "x", "<:a> <:b>"],
      ["two", "y", "<:c>"],
      ["three", "z", "<:d>", "two"],
    ])
    expect(names(two)).toEqual([
      ["a", "c"],
      ["b", "d"],
    ])
  })
  it("waits with a session of its own for the target that its block asserts", () => {
    const fresh = protocol([
      ["one", "x", "<:a> <:b>"],
      ["two", "<block>", "<:c>"],
    ])
    expect(names(fresh, top)).toEqual([["a"], ["b", "c"]])
    expect(names(fresh, { kind: "random_wrong" })).toEqual([["a", "c"], ["b"]])
  })
  it("waits for that target too where the block stands in the words that are put into the model's mouth", () => {
    const opened = protocol([
      ["one", "x", "<:a> <:b>"],
      ["two", "y", "<block> <:c>"],
      ["three", "z", "<:d>", "two"],
    ])
    expect(names(opened, top)).toEqual([["a"], ["b", "c"], ["d"]])
    const after = protocol([
      ["one", "x", "<:a> <:b>"],
      ["two", "y", "<:c> <block>"],
    ])
    expect(names(after, top)).toEqual([["a", "c"], ["b"]])
  })
  it("waits for what a user's text quotes", () => {
    const quoting = protocol([
      ["one", "x", "<:a> <:b>"],
      ["two", "You said <:b>.", "<:c>"],
    ])
    expect(names(quoting)).toEqual([["a"], ["b"], ["c"]])
  })
  it("ends where holes wait for one another", () => {
    const knot = protocol([["one", "<block>", "<:a>"]])
    expect(names(knot, top)).toEqual([["a"]])
    const loop = protocol([
      ["one", "x", "<:a>", "two"],
      ["two", "y", "<:b>", "one"],
    ])
    expect(names(loop).flat().sort()).toEqual(["a", "b"])
  })
})
