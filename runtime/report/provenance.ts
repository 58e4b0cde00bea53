/** Which texts are printed by a paper and which had to be made up, in words for every form of the report. */
import type { ExperimentIR, ProvenanceIR } from "../../compiler/ir.ts"

export interface Source {
  readonly declaration: string
  readonly kind: ProvenanceIR["kind"]
  readonly note: string
  /** `std/framings.cfx:4`: without the folders above a spec, which differ between machines. */
  readonly place: string
}

/** Of the protocol and of every stimulus of the design, each once, in the order in which the design meets them. */
export function sourcesOf(experiment: ExperimentIR): readonly Source[] {
  const found = new Map<string, Source>()
  const stimuli = experiment.cells.flatMap(({ stimulus, fills }) => [stimulus, ...Object.values(fills)])
  const all = [experiment.protocol.provenance, ...stimuli.map(({ provenance }) => provenance)]
  for (const { kind, note, origin } of all.flat()) {
    const source = { declaration: origin.declaration, kind, note, place: placeOf(origin.file, origin.line) }
    found.set(JSON.stringify(source), source)
  }
  return [...found.values()]
}

/** A place without a path: the library's name, or the file's alone. */
export function placeOf(file: string, line: number): string {
  const name = file.startsWith("std/") ? file : (file.split(/[/\\]/).at(-1) ?? file)
  return `${name}:${line}`
}
