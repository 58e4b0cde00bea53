/** Places in a source text. Offsets count UTF-16 units from 0; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One file as it was read: `name` is what is shown to a person and is never opened again. */
export interface Source {
  readonly name: string
  readonly text: string
}

export const join = (from: Span, to: Span): Span => ({ start: from.start, end: to.end })
