/**
 * Prompts of any item: what is an item's own is a mark instead of a text, so that two cells whose prompts are equal here put the same before a model
 * for every item.
 */
import type { CellIR, ExperimentIR, TextIR } from "../ir.ts"
import type { Item } from "../item.ts"
import { assertedBy } from "../lines.ts"
import { type Setting, settle, stimulusIn } from "../settle.ts"
import { shownItem, toShown } from "../shown.ts"
import { stimuliOf, textsOfStimulus } from "../stimulusTexts.ts"
import type { Open, Piece, Template, Trial } from "../trial.ts"
import { type Interned, seedOf } from "../variants.ts"

/** Stands before all that is an item's own. Items hold no such character: texts of a spec cannot, and a mark is never sent. */
const MARK = "\u0001"

/** A text of any item. Equal numbers are equal texts, open places included. */
export interface Symbolic {
  readonly number: number
  readonly opens: readonly Open[]
  /** Whether something of the item stands in it. */
  readonly isOfItem: boolean
}

const marked = (name: string, like: Pick<Item, "options" | "gold">, columns: readonly string[]): Item => ({
  id: name,
  question: `${MARK}${name} question`,
  options: like.options.map((_, index) => `${MARK}${name} option ${index}`),
  labels: like.options.map((_, index) => `${MARK}${name} label ${index}`),
  gold: like.gold,
  columns: Object.fromEntries(columns.map((column) => [column, `${MARK}${name} ${column}`])),
})

/** Orders that a stream draws for each item, as a text: equal where they are the same draw. */
const drawOf = (cell: CellIR): string => `shuffled ${seedOf(cell)}`

/** An item as a cell shows it. An order that is drawn for each item is a mark too: here it must not come out as another by chance. */
const shown = (like: Item, cell: CellIR, columns: readonly string[]): Item => {
  const item = marked("item", like, columns)
  if (cell.options.kind !== "shuffled") {
    return shownItem(item, cell.options, { seed: 0, replicate: 1, pool: "", item: "" })
  }
  const tag = ` ${drawOf(cell)}`
  return {
    ...item,
    options: item.options.map((option) => option + tag),
    labels: item.labels.map((label) => label + tag),
  }
}

const columnsIn = (texts: readonly TextIR[]): readonly string[] => [
  ...new Set(
    texts
      .flat()
      .flatMap((piece) =>
        (piece.kind === "item" || piece.kind === "other") && typeof piece.field === "object"
          ? [piece.field.column]
          : [],
      ),
  ),
]

const textsIn = ({ protocol, cells }: ExperimentIR): readonly TextIR[] => [
  protocol.system ?? [],
  ...protocol.turns.flatMap(({ system, user, assistant }) => [system ?? [], user, assistant]),
  ...cells.flatMap(stimuliOf).flatMap(textsOfStimulus),
]

/** Settles texts of an experiment for any item with as many options as `like`. */
export class SymbolicItem {
  readonly #experiment: ExperimentIR
  readonly #like: Item
  readonly #texts: Interned
  readonly #columns: readonly string[]
  readonly #settings = new Map<CellIR, Setting>()

  constructor(experiment: ExperimentIR, like: Item, texts: Interned) {
    this.#experiment = experiment
    this.#like = like
    this.#texts = texts
    this.#columns = columnsIn(textsIn(experiment))
  }

  settle(text: TextIR, cell: CellIR): Template {
    return settle(text, this.#settingOf(cell))
  }

  /**
   * How a cell writes an option: one at a place of the pool's order, or one that is only known by name. Labels of options at places are equal where
   * the options are shown at the same place.
   */
  written(option: number | string, as: "label" | "text", cell: CellIR): string {
    if (as === "text") return `<text of ${option}>`
    if (cell.options.kind === "shuffled") return `<label of ${option} ${drawOf(cell)}>`
    const { item } = this.#settingOf(cell)
    return typeof option === "number"
      ? `<label ${toShown(item, option)}>`
      : `<label of ${option} ${item.original?.join(",") ?? ""}>`
  }

  /** The options of the item, or of a drawn one, in the order in which a cell shows them: what is asked where whole texts are read. */
  optionsOf(draw: string | undefined, cell: CellIR): string {
    const { item } = this.#settingOf(cell)
    return draw === undefined ? item.options.join(" ") : `${draw} ${seedOf(cell)}`
  }

  /** A settled text, or a part of it, as a number. */
  symbolOf(template: Template, text: TextIR, cell: CellIR): Symbolic {
    const written = template.map(spelt).join("") + this.#shuffles(text, cell)
    return {
      number: this.#texts.numberOf(written),
      opens: template.filter((piece) => piece.kind !== "text"),
      isOfItem: written.includes(MARK),
    }
  }

  #settingOf(cell: CellIR): Setting {
    const known = this.#settings.get(cell)
    if (known !== undefined) return known
    const { protocol } = this.#experiment
    const others: Trial["others"] = Object.fromEntries(
      protocol.draws.map(({ name, count }) => [
        name,
        Array.from({ length: count }, (_, index) =>
          marked(`${name}[${index + 1}] ${seedOf(cell)}`, this.#like, this.#columns),
        ),
      ]),
    )
    const setting = { protocol, cell, pool: "", item: shown(this.#like, cell, this.#columns), others }
    this.#settings.set(cell, setting)
    return setting
  }

  /** Lines in an order that is drawn for each item. */
  #shuffles(text: TextIR, cell: CellIR): string {
    const { protocol } = this.#experiment
    const isShuffled = text.some((piece) => {
      if (piece.kind !== "slot") return false
      const stimulus = stimulusIn(piece.slot, protocol, cell)
      return stimulus.kind === "assertion" && stimulus.order === "shuffled" && assertedBy(stimulus).size > 1
    })
    return isShuffled ? `${MARK}shuffled ${seedOf(cell)}` : ""
  }
}

const spelt = (piece: Piece): string => {
  switch (piece.kind) {
    case "text":
      return piece.text
    case "hole":
      return "\u0002"
    case "answer":
      return "\u0003"
  }
}
