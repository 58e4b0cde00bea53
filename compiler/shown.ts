/** In which order an item's options are shown. Labels keep their places: what moves is the options under them. */
import { stream } from "./draw.ts"
import type { OptionOrderIR } from "./ir.ts"
import type { Item } from "./item.ts"

/** What a draw that belongs to an item is keyed by, besides what draws. */
export interface ItemKey {
  readonly seed: number
  readonly pool: string
  readonly item: string
  /** From 1. */
  readonly replicate: number
}

/** The stream of what draws for an item. The first replicate's key says nothing of replicates: asking for more moves no draw of it. */
export const streamOf = (declaration: string, { seed, pool, item, replicate }: ItemKey) =>
  stream({
    seed,
    declaration: `${declaration} ${pool}`,
    item,
    ...(replicate === 1 ? {} : { replicate }),
  })

/** The numbers from 0 up to and without `count` in an order drawn from a stream (Fisher-Yates). */
export const shuffledPlaces = (
  count: number,
  { below }: { readonly below: (bound: number) => number },
): readonly number[] => {
  const places = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const other = below(last + 1)
    const kept = places[last] as number
    places[last] = places[other] as number
    places[other] = kept
  }
  return places
}

const permuted = (item: Item, places: readonly number[]): Pick<Item, "options" | "gold"> => ({
  options: places.map((place) => item.options[place] as string),
  gold: places.indexOf(item.gold),
})

/**
 * An item with its options in an order of its own that the pool and the item's name alone decide: the order of the pool from then on.
 * For pools whose source lists the gold option at a fixed place (`shuffle options`).
 */
export const shuffleOptions = (pool: string, item: Item): Item => {
  const key = { seed: 0, declaration: `options of ${pool}`, item: item.id }
  return { ...item, ...permuted(item, shuffledPlaces(item.options.length, stream(key))) }
}

const placesOf = (item: Item, order: OptionOrderIR, key: ItemKey): readonly number[] => {
  const places = item.options.map((_, index) => index)
  switch (order.kind) {
    case "identity":
      return places
    case "reversed":
      return places.toReversed()
    case "rotate": {
      const by = ((order.by % places.length) + places.length) % places.length
      return [...places.slice(by), ...places.slice(0, by)]
    }
    case "shuffled":
      return shuffledPlaces(places.length, streamOf("options", key))
    case "gold_first":
      return [item.gold, ...places.filter((place) => place !== item.gold)]
  }
}

/**
 * An item as a trial shows it. `rotate` by n begins with the option at place n, counted from 0; `shuffled` is the same for all arms, models and
 * experiments of a seed. Where nothing moves, the item itself.
 */
export const shownItem = (item: Item, order: OptionOrderIR, key: ItemKey): Item => {
  const places = placesOf(item, order, key)
  if (places.every((place, index) => place === index)) return item
  return { ...item, ...permuted(item, places), original: places }
}

/** Where an option of the order shown stands in the pool's order. */
export const toPool = ({ original }: Item, shown: number): number => original?.[shown] ?? shown

/** Where an option of the pool's order is shown. */
export const toShown = ({ original }: Item, place: number): number =>
  original === undefined ? place : original.indexOf(place)

/** Values by option in the order shown, in the pool's order. */
export const inPoolOrder = <T>({ original }: Item, shown: readonly T[]): readonly T[] =>
  original === undefined ? shown : original.map((_, place) => shown[original.indexOf(place)] as T)
