/** Options that a question lists in its own text, each on a line: `(A) text`. */
export interface Lettered {
  readonly label: string
  readonly text: string
}

/**
 * In the order of the text. A line that opens with no letter in parentheses belongs to no option. Spaces and tabs around an option are layout, any other
 * character is the option's.
 */
export const lettered = (text: string): readonly Lettered[] =>
  text.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, label, option] = /^\s*\(([A-Z])\)[ \t]*(.*)$/s.exec(line) ?? []
    return label === undefined || option === undefined ? [] : [{ label, text: option.replace(/[ \t]+$/, "") }]
  })
