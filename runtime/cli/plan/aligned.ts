/** Columns to the right, but for the first and the last. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === row.length - 1
          ? cell.padEnd(widths[column]!)
          : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd(),
  )
}

/** `12,000`; what is no whole number with one digit after the point. */
export const number = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: Number.isInteger(value) ? 0 : 1 })

export const plural = (count: number, word: string): string =>
  `${number(count)} ${word}${count === 1 ? "" : "s"}`
