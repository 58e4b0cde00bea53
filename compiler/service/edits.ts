/** Places of texts that get other characters, and what that makes of the texts. */
import type { Span } from "../../grammar/source.ts"
import type { Files } from "../files.ts"
import type { Module } from "../load.ts"
import type { Location } from "./definition.ts"

/** Places that all get the same characters. */
export interface Edits {
  readonly places: readonly Location[]
  readonly text: string
}

const startsFirst = (a: Location, b: Location): number => a.span.start - b.span.start

const placesIn = ({ places }: Edits, path: string): readonly Location[] =>
  places.filter((place) => place.path === path).sort(startsFirst)

/** Where an offset of a file comes to stand. */
export const shifted = (edits: Edits, path: string, offset: number): number =>
  placesIn(edits, path)
    .filter(({ span }) => span.start < offset)
    .reduce((sum, { span }) => sum + edits.text.length - lengthOf(span), offset)

const lengthOf = ({ start, end }: Span): number => end - start

/** The files as they would be with these edits made. */
export const edited = (files: Files, modules: readonly Module[], edits: Edits): Files => {
  const texts = new Map(modules.map(({ path, source }) => [path, textOf(source.text, edits, path)]))
  return {
    ...files,
    read: (path) => {
      const text = texts.get(path)
      return text === undefined ? files.read(path) : { text }
    },
  }
}

const textOf = (text: string, edits: Edits, path: string): string =>
  placesIn(edits, path).reduceRight(
    (whole, { span }) => whole.slice(0, span.start) + edits.text + whole.slice(span.end),
    text,
  )
