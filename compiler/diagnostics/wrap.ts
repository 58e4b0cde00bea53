/** Columns at which sentences are broken; frames and examples may be wider. */
const WRAP = 96

/** Lines of a text, broken at spaces. A word that is longer than a line has one of its own. */
export const wrap = (text: string): readonly string[] => {
  const lines: string[] = []
  let current = ""
  for (const word of text.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > WRAP) {
      lines.push(current)
      current = word
    } else current = current === "" ? word : `${current} ${word}`
  }
  return [...lines, current]
}
