/** The value of a JSON text, a byte order mark before it or not; undefined where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text)
  } catch {
    return undefined
  }
}
