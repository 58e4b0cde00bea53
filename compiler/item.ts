/** One question of a pool, as it was used. Options keep the order of their file; answers are recorded by index into them. */
export interface Item {
  readonly id: string
  readonly question: string
  readonly options: readonly string[]
  readonly labels: readonly string[]
  /** Index into `options`, from 0. */
  readonly gold: number
}
