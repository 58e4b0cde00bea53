import type { HoleType, Name, Protocol } from "../../grammar/ast.ts"
import type { DrawIR, HoleIR, HoleTypeIR, PieceIR, ProtocolIR, TextIR, TurnIR } from "../ir.ts"
import { onceForBound } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import { lowerExpression } from "./expression.ts"
import { lowerJudgeTurn, lowerRule } from "./judge.ts"
import { type Place, placeIn } from "./place.ts"
import { itemFill, optionFill, otherFill, pushFill } from "./placeholders.ts"
import { labelText } from "./print.ts"
import { type ExtractRead, listsOf, type Move, movesOf, type Read, type ReadInfo, readName } from "./reads.ts"
import { gateScope } from "./scope.ts"
import { distributionSettings, scoreOf, textSettings } from "./settings.ts"
import { type Fill, lowerPlain, lowerProvenance, lowerText, originOf } from "./text.ts"
import { drawsOf, protocolField, rolesOf, type Step, slotsOf, turnText } from "./turns.ts"

export * from "./turns.ts"

const texts = (names: readonly Name[]): readonly string[] => names.map(({ text }) => text)

/** The meaning of a protocol: turns unrolled, judges among them, each text with its places named. */
export const lowerProtocol = onceForBound((bound: Bound<Protocol>, names): ProtocolIR => {
  const protocol = bound.declaration
  const moves = movesOf(bound, names)
  const reads = moves.flatMap((move) => (move.kind === "step" ? move.reads : [move.read]))
  const options = protocolField(protocol, "options")
  const system = protocolField(protocol, "system")
  return {
    name: protocol.name.text,
    slots: texts(slotsOf(protocol)),
    roles: texts(rolesOf(protocol)),
    draws: drawsOf(protocol).map(
      ({ name, count, pool }): DrawIR => ({
        name: name.text,
        count: count.value,
        ...(pool === undefined ? {} : { pool: pool.text }),
      }),
    ),
    listing: {
      each: options === undefined ? [] : lowerText(options.each, bound, optionFill),
      join: options === undefined ? "" : lowerPlain(options.join),
      origin: originOf(bound, (options ?? protocol).span),
    },
    answers: protocolField(protocol, "answers")?.as.text === "text" ? "text" : "label",
    ...(system === undefined ? {} : { system: lowerText(system.text, bound, turnFill(protocol, reads)) }),
    turns: moves.flatMap((move) => lowerMove(move, reads, bound, names)),
    holes: reads.flatMap((read) => lowerRead(read) ?? []),
    lists: listsOf(reads),
    provenance: lowerProvenance(bound),
    origin: originOf(bound, protocol.name.span),
  }
})

/** What fills a text of a protocol: slots, reads, the item, other items, and in a step of a repeated turn its number. */
export const turnFill = (protocol: Protocol, reads: readonly ReadInfo[], step?: Step): Fill => {
  const slots = texts(slotsOf(protocol))
  const draws = drawsOf(protocol)
  const variable = step?.turn.repeat?.variable.text
  const number = step?.step
  const at = (name: string): number | undefined => (name === variable ? number : undefined)
  return (place, origin): PieceIR | undefined => {
    const { head, index, rest } = place
    const own = typeof index === "string" ? at(index) : undefined
    if (rest.length === 0 && slots.includes(head)) {
      if (index !== undefined && own === undefined) return undefined
      return { kind: "slot", slot: head, ...(number === undefined ? {} : { step: number }), origin }
    }
    if (rest.length === 0 && head === variable && index === undefined)
      return { kind: "text", text: String(number), origin }
    const hole = readAt(place, reads, own)
    if (hole !== undefined) return { kind: "hole", hole, origin }
    if (draws.some(({ name }) => name.text === head)) return otherFill(at)(place, origin)
    return itemFill(place, origin) ?? pushFill(place, origin)
  }
}

/** The read that a place names: `a0`, or `a[t]` at a step. */
export const readAt = (
  { head, index, rest }: Place,
  reads: readonly ReadInfo[],
  step: number | undefined,
): string | undefined => {
  if (rest.length > 0 || typeof index === "number") return undefined
  const found =
    index === undefined
      ? reads.find(({ name }) => name === head)
      : reads.find(({ name, list }) => step !== undefined && list === head && name === `${head}${step}`)
  return found?.name
}

const lowerMove = (
  move: Move,
  reads: readonly ReadInfo[],
  bound: Bound<Protocol>,
  names: Names,
): readonly TurnIR[] => {
  if (move.kind === "step") return [lowerStep(move.step, reads, bound, names)]
  const { name, from } = move.read
  if (from.kind !== "judge" || from.judge === undefined || move.read.turn !== name) return []
  const { by } = from.field
  return [
    {
      name,
      ...(by === undefined ? {} : { by: asked(by, bound.declaration) }),
      ...lowerJudgeTurn(from.judge, name, from.texts),
    },
  ]
}

/** Who is asked: the model in a role, or a model by its name. */
const asked = (by: Name, protocol: Protocol): NonNullable<TurnIR["by"]> =>
  texts(rolesOf(protocol)).includes(by.text) ? { role: by.text } : { model: by.text }

const lowerStep = (step: Step, reads: readonly ReadInfo[], bound: Bound<Protocol>, names: Names): TurnIR => {
  const protocol = bound.declaration
  const { turn, name, continues } = step
  const text = (field: "system" | "user" | "assistant"): TextIR | undefined => {
    const written = turnText(turn, field)
    const fill = turnFill(protocol, reads, step)
    return written && lowerText(written, bound, fill, (hole) => readName(hole, step.step))
  }
  const system = continues === undefined ? text("system") : undefined
  const { by, when } = turn
  const scope = gateScope(reads, texts(slotsOf(protocol)), texts(rolesOf(protocol)), names)
  return {
    name,
    ...(continues === undefined ? {} : { continues }),
    ...(by === undefined ? {} : { by: asked(by, protocol) }),
    ...(when === undefined ? {} : { when: lowerExpression(when, scope) }),
    ...(system === undefined ? {} : { system }),
    user: text("user") ?? [],
    assistant: text("assistant") ?? [],
  }
}

const lowerRead = (read: Read): HoleIR | undefined => {
  const { from } = read
  const place = { name: read.name, turn: read.turn }
  switch (from.kind) {
    case "hole":
      return { ...place, ...lowerHole(from.hole.type, from.hole.name.text, from.step) }
    case "extract":
      return { ...place, ...lowerExtract(from) }
    case "judge": {
      const judge = from.judge?.declaration
      const [text] = from.texts
      if (judge === undefined || text === undefined) return undefined
      if (read.turn !== read.name) {
        const rule = lowerRule(judge, text)
        return rule === undefined ? undefined : { ...place, ...rule }
      }
      const gold = read.gold === undefined ? {} : { gold: read.gold }
      return { ...place, type: "label", labels: read.labels ?? [], ...gold }
    }
  }
}

const lowerHole = (type: HoleType, name: string, { turn, step }: Step): HoleTypeIR => {
  switch (type.kind) {
    case "option": {
      const place = type.of === undefined ? undefined : placeIn(type.of)
      const score = scoreOf(turn, name)
      const read = { ...distributionSettings(turn, name), ...(score === undefined ? {} : { score }) }
      if (place === undefined) return { type: "option", ...read }
      const { head, index = 1 } = place
      const of = { draw: head, index: typeof index === "number" ? index : (step ?? 1) }
      return { type: "option", of, ...read }
    }
    case "label":
      return { type: "label", labels: type.labels.map(labelText), ...distributionSettings(turn, name) }
    case "integer":
      return {
        type: "integer",
        low: type.low.value,
        high: type.high.value,
        ...distributionSettings(turn, name),
      }
    case "text":
      return { type: "text", ...textSettings(turn, name) }
  }
}

const lowerExtract = ({ field, text }: ExtractRead): HoleTypeIR => {
  const { type, pattern, which } = field
  const as =
    type.kind === "label"
      ? ({ type: "label", labels: type.labels.map(labelText) } as const)
      : type.kind === "integer"
        ? ({ type: "integer", low: type.low.value, high: type.high.value } as const)
        : ({ type: "option" } as const)
  return { type: "extract", from: text, pattern: pattern.source, which, as }
}
