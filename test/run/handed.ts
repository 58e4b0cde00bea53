/** A run's request as a file, for processes that have no compiler at hand. */
import type { RunRequest } from "../../runtime/run/run.ts"
import { silently } from "./request.ts"

export const handed = ({ compiled, engine, mode }: RunRequest): string => {
  const { program, hash, items, sources } = compiled
  return JSON.stringify({ program, hash, items: [...items], sources: [...sources], engine, mode })
}

/** Audits included, as a run of a person. */
export const restored = (text: string, directory: string): RunRequest => {
  const { program, hash, items, sources, engine, mode } = JSON.parse(text)
  const compiled = {
    program,
    hash,
    items: new Map(items),
    sources: new Map(sources),
    absent: new Map(),
    diagnostics: [],
  } as RunRequest["compiled"]
  const { audit: _, ...quietly } = silently
  return { compiled, directory, engine, mode, ...quietly }
}
