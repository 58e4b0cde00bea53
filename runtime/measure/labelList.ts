/** Labels of options in one text of a table: by far the most are letters, and are read by eye. */

/** A label that holds a sign at which a list of labels is parted, here or where records are read (`records/labels.ts`), or none at all. */
const PARTED = /[\s,;|]|^$/

/** "A B C", parted by blanks; as the JSON list that it is where that would not read back, as in `["New York","Los Angeles"]`. */
export function labelsText(labels: readonly string[]): string {
  const isPlain = labels[0]?.startsWith("[") === false && !labels.some((label) => PARTED.test(label))
  return isPlain ? labels.join(" ") : JSON.stringify(labels)
}

/** The labels of such a text. */
export function labelsIn(text: string): readonly string[] {
  return text.startsWith("[") ? (JSON.parse(text) as readonly string[]) : text.split(" ")
}
