/** One question of a pool, as it was used. */
export interface Item {
  readonly id: string
  readonly question: string
  /** In the order shown; as the pool has them unless `original` says otherwise. */
  readonly options: readonly string[]
  readonly labels: readonly string[]
  /** Index into `options`, from 0. */
  readonly gold: number
  /** Where each option stands in the pool's order, from 0; none where that is the order shown. */
  readonly original?: readonly number[]
  /** Further columns of the row. */
  readonly columns: Readonly<Record<string, string | number>>
  /** The studied model that this item is for; none where it is for all of them. */
  readonly only?: string
}
