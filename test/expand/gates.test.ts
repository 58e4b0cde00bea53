/** Turns that take place under a condition, and the order in which reads can be taken. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { derivedAt } from "../../compiler/derive.ts"
import { expand } from "../../compiler/expand.ts"
import type { ExprIR, HoleIR, ProtocolIR, TargetIR, TurnIR } from "../../compiler/ir.ts"
import { askAt, conversationAt, type Readings } from "../../compiler/prompt.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { waves, wavesOf } from "../../compiler/waves.ts"
import { both, counterargument, equals, level, named, not, refused, rightAt } from "./designs.ts"
import { answer, block, cell, experiment, item, protocolOf, said, text, textHole, turn } from "./support.ts"

const trialOf = (protocol: ProtocolIR, parts: Parameters<typeof experiment>[0] = {}): Trial =>
  expand(
    experiment({ protocol, target: { kind: "option", position: 1 }, ...parts }),
    new Map([["kinds", [item()]]]),
  )[0] as Trial

const right = answer("B", [0, 1, 0, 0], 1)
const wrong = answer("A", [1, 0, 0, 0], 0)
const argument: Reading = { status: "text", text: "Because.", tokens: 3, stop: "end" }
const weak: Reading = { status: "refused", text: "I_AM_WEAK", tokens: 3, marker: "I_AM_WEAK" }

const gated = (when: ExprIR): ProtocolIR =>
  protocolOf(
    [
      turn("first", "<item.question>", "<:a0>"),
      turn("argue", "Why not?", "<:argument>"),
      turn("second", "<:argument>", "<:a1>", { when }),
      turn("third", "Sure?", "<:a2>", { continues: "second" }),
    ],
    { argument: textHole({ refusal: ["I_AM_WEAK"] }) },
  )

const whyNot = (when: ExprIR, hole: string, readings: Readings): string | undefined => {
  const conversation = conversationAt(trialOf(gated(when)), hole, readings)
  return "skipped" in conversation ? conversation.skipped : undefined
}

describe("a gate", () => {
  const when = both(rightAt("a0"), not(refused("argument")))

  it("lets through what it is true of", () => {
    expect(whyNot(when, "a1", { a0: right, argument })).toBeUndefined()
  })
  it("is closed where it is false, and so are the turns that go on from there", () => {
    expect(whyNot(when, "a1", { a0: wrong, argument })).toBe("the gate of second is closed")
    expect(whyNot(when, "a2", { a0: wrong, argument })).toBe("the gate of second is closed")
    expect(whyNot(when, "a1", { a0: right, argument: weak })).toBe("the gate of second is closed")
    expect(whyNot(when, "argument", { a0: wrong })).toBeUndefined()
  })
  it("is closed, with the reason, where a read that it needs has no value", () => {
    const invalid: Reading = { status: "invalid", why: "NaN" }
    expect(whyNot(when, "a1", { a0: invalid, argument })).toBe(
      "the gate of second needs a0: a0 is invalid: NaN",
    )
    expect(whyNot(when, "a1", { a0: invalid, argument: weak })).toBe("the gate of second is closed")
    expect(
      whyNot(equals({ kind: "confidence", hole: "a0" }, { kind: "confidence", hole: "a0" }), "a1", {
        a0: { status: "answer", value: "B", index: 1 },
        argument,
      }),
    ).toBe("the gate of second has no value")
  })
  it("may be over the design alone", () => {
    const designed = gated(equals(level("framing"), named("people")))
    const at = (framing: string) =>
      conversationAt(trialOf(designed, { cells: [cell("a", block(""), { framing })] }), "a1", { argument })
    expect(at("people")).toHaveProperty("turns")
    expect(at("experts")).toEqual({ skipped: "the gate of second is closed" })
  })
  it("may look at the option that the trial is about", () => {
    const when = equals({ kind: "answer", hole: "a0" }, { kind: "target" })
    expect(whyNot(when, "a1", { a0: wrong, argument })).toBeUndefined()
    expect(whyNot(when, "a1", { a0: right, argument })).toBe("the gate of second is closed")
  })
  it("says what it looks at that the trial lacks", () => {
    const known = { a0: right, argument }
    const gold = { target: { kind: "option", position: 2 } } as const
    const at = (when: ExprIR) => {
      const conversation = conversationAt(trialOf(gated(when), gold), "a1", known)
      return "skipped" in conversation ? conversation.skipped : undefined
    }
    const wanted = { kind: "answer", hole: "a0" } as const
    // In the words of a text that shows the target, so that the two are counted together.
    expect(at(equals(wanted, { kind: "target" }))).toBe("no target: the target is the gold option")
    expect(at(equals(wanted, { kind: "pushed" }))).toBe("no target: the target is the gold option")
    expect(at(equals({ kind: "column", column: "subject" }, named("law")))).toBe(
      "the gate of second needs item.subject, which the item lacks",
    )
    expect(at(equals(level("framing"), named("people")))).toBe(
      "the gate of second needs framing, which the arm lacks",
    )
  })
  it("is told apart from a text that was refused and is quoted", () => {
    expect(whyNot(rightAt("a0"), "a1", { a0: right, argument: weak })).toBe("argument was refused")
  })
})

describe("what is asked", () => {
  it("is a text with all that bounds it, and one draw where it is not sampled", () => {
    expect(askAt(trialOf(gated(rightAt("a0"))), "argument")).toEqual({
      kind: "text",
      max: 100,
      until: [],
      temperature: 0,
      topP: 1,
      draw: "0",
    })
  })
  it("is one draw for arms and studied models that share a prompt, unless arms are independent", () => {
    const sampled = protocolOf([turn("first", "<item.question>", "<:reply> <:more>")], {
      reply: textHole({ temperature: 0.7 }),
      more: textHole({ temperature: 0.7 }),
    })
    const cells = [
      cell("a", block("")),
      cell("b", block("")),
      cell("b", block(""), {}, { replicate: 2 }),
      cell("b", block(""), {}, { seed: 1 }),
    ]
    const draws = (independent: boolean, hole = "reply") =>
      expand(
        experiment({ protocol: sampled, cells, models: ["m", "n"], independent }),
        new Map([["kinds", [item()]]]),
      ).map((trial) => {
        const ask = askAt(trial, hole)
        return ask.kind === "text" ? ask.draw : ""
      })
    const [a, b, replicate, seed, ...other] = draws(false)
    expect(a).toBe(b)
    expect(new Set([b, replicate, seed]).size).toBe(3)
    expect(other).toEqual([a, b, replicate, seed])
    expect(new Set(draws(true)).size).toBe(4)
    expect(draws(false, "more")[0]).not.toBe(a)
  })
  it("is a label of its own, or an option of another item", () => {
    const protocol = protocolOf(
      [turn("history", "<past[1].question>", "<:h>"), turn("judge", "Same?", "<:v>.")],
      {
        h: { type: "option", of: { draw: "past", index: 1 } },
        v: { type: "label", labels: ["yes", "no"] },
      },
      { draws: [{ name: "past", count: 1 }] },
    )
    const items = [item(), item({ id: "other", labels: ["1", "2", "3", "4"] })]
    const trial = expand(experiment({ protocol }), new Map([["kinds", items]]))[0] as Trial
    expect(askAt(trial, "h")).toMatchObject({ kind: "option", labels: ["1", "2", "3", "4"] })
    expect(askAt(trial, "v")).toEqual({ kind: "label", labels: ["yes", "no"], follow: "." })
    expect(() =>
      askAt(
        trialOf(counterargument, {
          cells: [cell("a", block(""), {}, { fills: { k: block("1") }, roles: { source: "m" } })],
        }),
        "a0",
      ),
    ).toThrow("no model is asked")
  })
  it("is written back as it was written", () => {
    const protocol = protocolOf(
      [
        turn("first", "<item.question>", "I say <:reply>"),
        turn("second", "Sure?", "<:a1>", { continues: "first" }),
      ],
      { reply: textHole() },
    )
    const reply: Reading = { status: "text", text: " it is\nB. ", tokens: 4, stop: "end" }
    const conversation = conversationAt(trialOf(protocol), "a1", { reply })
    expect("turns" in conversation && said(conversation.turns[0]?.assistant ?? [])).toBe("I say  it is\nB. ")
  })
})

describe("waves", () => {
  const names = (protocol: ProtocolIR, options: Parameters<typeof waves>[1] = {}) =>
    waves(protocol, options).map((wave) => wave.map(({ name }) => name))

  it("wait for gates, for texts that are searched, and for what a judge is shown", () => {
    expect(names(counterargument)).toEqual([["argument", "reply0"], ["a0"], ["reply1"], ["a1"]])
    const judged = protocolOf(
      [turn("first", "x", "<:reply>"), turn("judge", "<:reply>", "<:v>", { by: { role: "judge" } })],
      { reply: textHole() },
    )
    expect(names(judged)).toEqual([["reply"], ["v"]])
  })
  it("wait for what a system message quotes, and for a target that a gate looks at", () => {
    const quoting = protocolOf([turn("a", "x", "<:a>"), turn("b", "y", "<:b>", { system: text("<:a>") })])
    expect(names(quoting)).toEqual([["a"], ["b"]])
    const gate = equals({ kind: "answer", hole: "b" }, { kind: "target" })
    const aimed = protocolOf([
      turn("a", "x", "<:a>"),
      turn("b", "y", "<:b>"),
      turn("c", "z", "<:c>", { when: gate }),
    ])
    expect(names(aimed, { targets: [{ kind: "least_wrong", hole: "a" }] })).toEqual([["a", "b"], ["c"]])
  })
  it("wait for what a stimulus quotes, and for the targets of all cells", () => {
    const protocol = protocolOf([
      turn("a", "x", "<:a>"),
      turn("b", "y", "<:b>"),
      turn("c", "<block>", "<:c>"),
    ])
    const study = experiment({
      protocol,
      cells: [
        cell("one", block("As you said, <:b>"), {}, { target: { kind: "gold" } }),
        cell("two", block("No."), {}, { target: { kind: "ranked_wrong", hole: "a", rank: 1 } }),
      ],
    })
    expect(wavesOf(study).map((wave) => wave.map(({ name }) => name))).toEqual([["a", "b"], ["c"]])
  })

  /** A protocol in which a turn continues, quotes and asks for what stands before it only. */
  const anyProtocol: fc.Arbitrary<ProtocolIR> = fc
    .array(
      fc.record({
        continues: fc.option(fc.nat(8), { nil: undefined }),
        quotes: fc.option(fc.nat(8), { nil: undefined }),
        gate: fc.option(fc.nat(8), { nil: undefined }),
        holes: fc.integer({ min: 0, max: 2 }),
        extract: fc.boolean(),
        judge: fc.boolean(),
        slot: fc.boolean(),
      }),
      { minLength: 1, maxLength: 7 },
    )
    .map((shapes) => {
      const readable = (upTo: number): readonly string[] =>
        shapes
          .slice(0, upTo)
          .flatMap(({ holes, extract }, at) => [
            ...Array.from({ length: holes }, (_, index) => `h${at}${"abc"[index]}`),
            ...(extract && holes > 0 ? [`x${at}`] : []),
          ])
      const pick = (from: readonly string[], index: number | undefined): string | undefined =>
        index === undefined || from.length === 0 ? undefined : from[index % from.length]
      const turns = shapes.map(({ continues, quotes, gate, holes, judge, slot }, at): TurnIR => {
        const quoted = pick(readable(at), quotes)
        const asked = pick(readable(at), gate)
        const before = continues === undefined || at === 0 ? undefined : `t${continues % at}`
        return turn(
          `t${at}`,
          `${quoted === undefined ? "hello" : `<:${quoted}>`}${slot ? " <block>" : ""}`,
          Array.from({ length: holes }, (_, index) => `<:h${at}${"abc"[index]}>`).join(" and "),
          {
            ...(before === undefined ? {} : { continues: before }),
            ...(judge ? { by: { role: "judge" } } : {}),
            ...(asked === undefined ? {} : { when: { kind: "state", hole: asked, state: "value" } as const }),
          },
        )
      })
      const types = Object.fromEntries(
        shapes.flatMap(({ holes, extract }, at) => {
          const from = `h${at}${"abc"[holes - 1]}`
          return extract && holes > 0
            ? [
                [from, textHole()],
                [`x${at}`, { type: "extract", from, pattern: "B", which: "first", as: { type: "option" } }],
              ]
            : []
        }),
      )
      return protocolOf(turns, types, { roles: ["judge"] })
    })

  it("come to every read once, and each finds what it needs, in any protocol", () => {
    const readingOf = (hole: HoleIR): Reading =>
      hole.type === "text" ? { status: "text", text: "B", tokens: 1, stop: "end" } : right
    fc.assert(
      fc.property(anyProtocol, fc.constantFrom("option", "ranked_wrong"), (protocol, kind) => {
        // The read that a target is taken from must not wait for the target.
        const opening = protocol.turns.filter(
          ({ continues, user }) => continues === undefined && user.every((piece) => piece.kind !== "slot"),
        )
        const hole = waves(protocol)[0]?.find(
          ({ type, turn }) => type === "option" && opening.some(({ name }) => name === turn),
        )?.name
        const target: TargetIR =
          kind === "ranked_wrong" && hole !== undefined
            ? { kind: "ranked_wrong", hole, rank: 1 }
            : { kind: "option", position: 1 }
        const cells = [cell("a", block("<target.label>"), {}, { roles: { judge: "n" } })]
        const study = experiment({ protocol, cells, target })
        const order = wavesOf(study)
        const flat = order.flat()
        expect([...flat].map(({ name }) => name).sort()).toEqual(
          protocol.holes.map(({ name }) => name).sort(),
        )
        const [trial] = expand(study, new Map([["kinds", [item()]]]))
        const readings: Record<string, Reading> = {}
        for (const wave of order) {
          const now: Record<string, Reading> = {}
          for (const hole of wave) {
            const derived = derivedAt(trial as Trial, hole.name, readings)
            if (derived === undefined) {
              expect(conversationAt(trial as Trial, hole.name, readings)).toHaveProperty("turns")
            } else expect(derived.status).toBe("answer")
            now[hole.name] = derived ?? readingOf(hole)
          }
          Object.assign(readings, now)
        }
      }),
      { numRuns: 100 },
    )
  })
})
