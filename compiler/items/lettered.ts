/** Options that a question lists in its own text, each on a line: `(A) text`. */
export interface Lettered {
  readonly label: string
  readonly text: string
}

/** In the order of the text. A line that opens with no letter in parentheses belongs to no option. */
export const lettered = (text: string): readonly Lettered[] =>
  text.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, label, option] = /^\s*\(([A-Z])\)\s*(.*)$/.exec(line) ?? []
    return label === undefined || option === undefined ? [] : [{ label, text: option.trim() }]
  })
