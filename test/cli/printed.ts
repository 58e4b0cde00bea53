/** Texts with numbers that another kind of processor computed: what is said is the same, and the last digit of a number may be its neighbour. */
const NUMBER = /[+-]?\d+(?:\.\d+)?/g
/** Bars are drawn to an eighth of a character from numbers that stand beside them. */
const BAR = /[\u2580-\u259f]+/g

/** What is said around the numbers. */
const frame = (text: string): string => text.replace(BAR, "").replace(NUMBER, "#").replace(/ +/g, " ")

const decimals = (number: string): number => number.split(".")[1]?.length ?? 0

export interface Otherwise {
  readonly here: string
  readonly there: string
}

/**
 * Whether two texts say the same: `frames` are to be equal, and `apart` lists the numbers that differ by more than `units` of the last digit that is
 * printed.
 */
export function comparedPrints(here: string, there: string, units: number) {
  const numbers = (text: string): readonly string[] => text.match(NUMBER) ?? []
  const others = numbers(there)
  const apart = numbers(here).flatMap((number, index): readonly Otherwise[] => {
    const other = others[index] ?? ""
    const unit = 10 ** -Math.min(decimals(number), decimals(other))
    return Math.abs(Number(number) - Number(other)) <= 1.01 * units * unit
      ? []
      : [{ here: number, there: other }]
  })
  return { frames: [frame(here), frame(there)] as const, apart }
}
