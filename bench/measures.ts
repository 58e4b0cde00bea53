/** How benches sum up what they measure. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median, and all values in order: how much they scatter says what the median is worth. */
export const shown = (values: readonly number[]): string =>
  `${median(values).toFixed(3)} (${[...values]
    .sort((a, b) => a - b)
    .map((value) => value.toFixed(3))
    .join(" ")})`

/** A figure beside the goal that it is held to. */
export const held = (value: number, { most, least }: { most?: number; least?: number }): string => {
  const met = (most === undefined || value <= most) && (least === undefined || value >= least)
  return `goal ${most === undefined ? `>= ${least}` : `<= ${most}`}: ${met ? "met" : "missed"}`
}

/** Says what is measured now, where somebody watches: a bench takes minutes. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else process.stderr.write(`${text}\n`)
}

/** Removes what `progress` says, before something else is printed. */
export function print(text: string): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K")
  console.log(text)
}
