/** What tells the reads of an item apart: two trials whose read has one key put the same to the same model, and it is asked once. */
import { modelIn } from "../facts.ts"
import { canonicalJson } from "../hash.ts"
import type { CellIR, ExperimentIR, HoleIR, TargetIR, TurnIR } from "../ir.ts"
import { pushedBy } from "../lines.ts"
import { placeboOf } from "../target.ts"
import type { Open } from "../trial.ts"
import { type CellVariants, type Interned, seedOf, textsOf } from "../variants.ts"
import type { Group } from "./groups.ts"
import { type Symbolic, SymbolicItem } from "./symbols.ts"

/** A trial of any item of a group. */
export interface Place {
  readonly group: Group
  readonly model: string
  readonly cell: CellIR
  readonly variant: CellVariants
  /** The wrong option that it is about, by its place in the pool's order. */
  readonly choice?: number
}

export interface Key {
  readonly key: string
  /** Who is asked; none for what is found in a text. */
  readonly asked?: string
  /** Whether the prompt is one for each item. */
  readonly isOfItem: boolean
}

/** What a hole needs in every cell: the texts before it, oldest first, and the part of its own turn. */
interface Path {
  readonly hole: HoleIR
  readonly line: readonly number[]
}

/** What stands in a prompt: the reads, by name, and whether the option that the trial is about does. */
interface Standing {
  readonly holes: readonly string[]
  readonly target: boolean
}

interface Before extends Standing {
  readonly texts: readonly Symbolic[]
}

/** What has been worked out for any item of a group. */
interface OfGroup {
  readonly item: SymbolicItem
  readonly symbols: Map<string, Symbolic>
  readonly befores: Map<string, Before>
}

/** Keys of an experiment's reads. Texts are numbered over all its groups. */
export class Keys {
  readonly #experiment: ExperimentIR
  readonly #paths: ReadonlyMap<string, Path>
  readonly #texts: Interned
  readonly #types = new Map<HoleIR, number>()
  readonly #byGroup = new WeakMap<Group, OfGroup>()

  constructor(experiment: ExperimentIR, texts: Interned) {
    this.#experiment = experiment
    this.#texts = texts
    const { turns, holes } = experiment.protocol
    const lineOf = (name: string): readonly number[] => {
      const index = turns.findIndex((turn) => turn.name === name)
      const before = turns[index]?.continues
      return before === undefined ? [index] : [...lineOf(before), index]
    }
    this.#paths = new Map(holes.map((hole) => [hole.name, { hole, line: lineOf(hole.turn) }]))
  }

  /** The keys of a trial's reads, by hole in the order given, which must be that of the waves; none for a read that can never be taken. */
  of(place: Place, holes: readonly HoleIR[]): ReadonlyMap<string, Key> {
    const keys = new Map<string, Key>()
    for (const { name } of holes) {
      const key = this.#keyOf(this.#paths.get(name) as Path, place, keys)
      if (key !== undefined) keys.set(name, key)
    }
    return keys
  }

  /** What stands in the prompt of a hole. */
  standingIn(hole: string, place: Place): Standing {
    const { line, hole: declared } = this.#paths.get(hole) as Path
    return declared.type === "extract" || declared.type === "rule"
      ? { holes: [declared.from], target: false }
      : this.#before(line, declared, place)
  }

  #keyOf({ hole, line }: Path, place: Place, keys: ReadonlyMap<string, Key>): Key | undefined {
    if (hole.type === "extract" || hole.type === "rule") {
      const from = keys.get(hole.from)
      return from === undefined
        ? undefined
        : { key: `${hole.name} of ${from.key}`, isOfItem: from.isOfItem || hole.type === "rule" }
    }
    const { protocol } = this.#experiment
    const turn = protocol.turns[line.at(-1) as number] as TurnIR
    const asked = askedIn(turn, place)
    const parts: (string | number)[] = [asked]
    let isOfItem = hole.type === "option"
    for (const text of this.#before(line, hole, place).texts) {
      parts.push(text.number)
      isOfItem ||= text.isOfItem
      for (const open of text.opens) {
        const fill = this.#fillOf(open, place, keys)
        if (fill === undefined) return undefined
        parts.push(fill.key)
        isOfItem ||= fill.isOfItem
      }
    }
    const ask = this.#askOf(hole, place)
    return { key: `(${parts.join(" ")} ${ask.key})`, asked, isOfItem: isOfItem || ask.isOfItem }
  }

  #askOf(
    hole: HoleIR,
    { cell, group }: Place,
  ): { readonly key: string | number; readonly isOfItem: boolean } {
    if (hole.type === "option" && hole.score !== undefined) {
      const options = this.#ofGroup(group).item.optionsOf(hole.of?.draw, cell)
      return { key: `${this.#typeOf(hole)} ${options}`, isOfItem: true }
    }
    if (hole.type !== "text" || hole.temperature === 0) return { key: this.#typeOf(hole), isOfItem: false }
    const arm = this.#experiment.independent ? canonicalJson({ ...cell.levels, arm: cell.arm }) : ""
    return { key: `${this.#typeOf(hole)} ${hole.name} ${seedOf(cell)} ${arm}`, isOfItem: true }
  }

  #typeOf(hole: HoleIR): number {
    const known = this.#types.get(hole)
    if (known !== undefined) return known
    const fresh = this.#texts.numberOf(canonicalJson(askedFor(hole)))
    this.#types.set(hole, fresh)
    return fresh
  }

  #fillOf(
    open: Open,
    place: Place,
    keys: ReadonlyMap<string, Key>,
  ): { readonly key: string; readonly isOfItem: boolean } | undefined {
    if (open.kind === "hole") return keys.get(open.hole)
    const option = optionOf(open.asserts, place, keys)
    if (option === undefined || (option === PLACEBO && open.as === "text")) return undefined
    if (option === PLACEBO) return { key: PLACEBO, isOfItem: true }
    return { key: this.#ofGroup(place.group).item.written(option, open.as, place.cell), isOfItem: true }
  }

  /** All that stands before a hole. Cells whose texts are the same have it in common. */
  #before(line: readonly number[], hole: HoleIR, place: Place): Before {
    const { befores } = this.#ofGroup(place.group)
    const key = `${hole.name} ${line.map((index) => place.variant.texts[index]?.join(",")).join(" ")}`
    const known = befores.get(key)
    if (known !== undefined) return known
    const texts = this.#textsBefore(line, hole, place)
    const opens = texts.flatMap((text) => text.opens)
    const before = {
      texts,
      holes: [...new Set(opens.flatMap((open) => (open.kind === "hole" ? [open.hole] : [])))],
      target: opens.some((open) => open.kind === "answer" && open.asserts !== "gold"),
    }
    befores.set(key, before)
    return before
  }

  /** System message, and user and assistant of each turn; of the hole's own turn what stands before it. */
  #textsBefore(line: readonly number[], hole: HoleIR, place: Place): readonly Symbolic[] {
    return line.flatMap((index, at) => {
      const turn = this.#experiment.protocol.turns[index] as TurnIR
      const own = at === line.length - 1 ? hole.name : undefined
      const [system, user, assistant] = textsOf(this.#experiment, turn)
      const [ofSystem, ofUser, ofAssistant] = place.variant.texts[index] as CellVariants["texts"][number]
      return [
        ...(at === 0 ? [this.#symbolOf(system, ofSystem, place)] : []),
        this.#symbolOf(user, ofUser, place),
        this.#symbolOf(assistant, ofAssistant, place, own),
      ]
    })
  }

  #symbolOf(
    text: ExperimentIR["protocol"]["turns"][number]["user"],
    variant: number,
    { group, cell }: Place,
    upTo?: string,
  ): Symbolic {
    const own = this.#ofGroup(group)
    const key = upTo === undefined ? String(variant) : `${variant} ${upTo}`
    const known = own.symbols.get(key)
    if (known !== undefined) return known
    const template = own.item.settle(text, cell)
    const end = template.findIndex((piece) => piece.kind === "hole" && piece.hole === upTo)
    const symbol = own.item.symbolOf(end < 0 ? template : template.slice(0, end), text, cell)
    own.symbols.set(key, symbol)
    return symbol
  }

  #ofGroup(group: Group): OfGroup {
    const known = this.#byGroup.get(group)
    if (known !== undefined) return known
    const item = new SymbolicItem(this.#experiment, group.item, this.#texts)
    const fresh: OfGroup = { item, symbols: new Map(), befores: new Map() }
    this.#byGroup.set(group, fresh)
    return fresh
  }
}

/** What of a read is asked: neither where it stands, nor what is made of its answer. */
const askedFor = (hole: HoleIR): object => {
  const { name: _name, turn: _turn, ...type } = hole
  if (type.type !== "option" && type.type !== "label" && type.type !== "integer") return type
  const { leastMass: _leastMass, generate: _generate, ...asked } = type
  return asked
}

/** The model that a turn asks. */
const askedIn = ({ name, by }: TurnIR, { cell, model }: Place): string => {
  const asked = by === undefined ? model : "model" in by ? by.model : modelIn(by.role, cell, model)
  if (asked === undefined) throw new Error(`internal: nobody is in the role of turn ${name}`)
  return asked
}

/** The next label past an item's: the same in whatever order options are shown, and without a text. */
const PLACEBO = "<placebo>"

/** Which option a place in a text stands for: its place in the pool's order, or what it is called; none where the trial has no such option. */
const optionOf = (
  asserts: (Open & { readonly kind: "answer" })["asserts"],
  place: Place,
  keys: ReadonlyMap<string, Key>,
): number | string | undefined => {
  const { cell, group } = place
  const { gold } = group.item
  if (asserts === "gold" || (asserts === "pushed" && pushedBy(cell) === "gold")) return gold
  const target = targetOf(cell.target, place, keys)
  if (asserts !== "other" || target === undefined) return target
  return "hole" in cell.target ? `other than ${target}` : `other than ${target} ${seedOf(cell)}`
}

const targetOf = (
  target: TargetIR,
  { group, cell, choice }: Place,
  keys: ReadonlyMap<string, Key>,
): number | string | undefined => {
  const { gold, options, labels } = group.item
  switch (target.kind) {
    case "gold":
      return gold
    case "random_wrong":
      return `random ${seedOf(cell)}`
    case "placebo_label":
      return placeboOf(labels) === undefined ? undefined : PLACEBO
    case "each_wrong":
      return choice
    case "option": {
      const index = target.position - 1
      return index >= options.length || (index === gold && pushedBy(cell) !== "gold") ? undefined : index
    }
    case "ranked_wrong":
    case "least_wrong": {
      const key = keys.get(target.hole)
      return key === undefined ? undefined : `${canonicalJson({ ...target, hole: "" })} in ${key.key}`
    }
  }
}
