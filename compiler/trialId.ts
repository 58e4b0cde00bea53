/**
 * How trials are called: `experiment/model/pool/item/cell`, and a cell by its arm and its levels in the design's order, parted by colons. An item's id and
 * a level may be any text: what parts names is escaped in them (`\/`, `\:`, `\\`), so that no two trials have one name.
 */

/** What all trials of an item have in common. */
export interface TrialsOfItem {
  readonly experiment: string
  readonly model: string
  readonly pool: string
  /** Its id. */
  readonly item: string
}

const escaped = (name: string): string => name.replace(/[\\/:]/g, "\\$&")

/** What the names of an item's trials begin with: the name of a cell follows. */
export const trialsOfItem = ({ experiment, model, pool, item }: TrialsOfItem): string =>
  `${escaped(experiment)}/${escaped(model)}/${escaped(pool)}/${escaped(item)}/`

/** A cell by its levels, the arm first. */
export const cellName = (levels: readonly string[]): string => levels.map(escaped).join(":")

/** The trial of a cell that is about the wrong option at this place of the pool's order, from 0. */
export const ofChoice = (trial: string, place: number): string => `${trial}:option ${place + 1}`
