/** A mutant through the whole compiler, and what must hold of it whatever it is. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { compile } from "../../compiler/compile.ts"
import { render, toJson } from "../../compiler/diagnostics/render.ts"
import type { Files } from "../../compiler/files.ts"
import type { Mutant } from "./mutate.ts"

const root = join(import.meta.dirname, "../..")

/** No check of one spec may take longer. */
export const LONGEST_MS = 2000

const cfxFiles = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".cfx"))
    .sort()
    .map((name) => join(folder, name))

/** Every spec and library of the project. */
export const corpus = (): readonly string[] =>
  [...cfxFiles("specs"), ...cfxFiles("stdlib")].map((name) => readFileSync(join(root, name), "utf8"))

const known = new Map<string, ReturnType<Files["read"]>>()

/** The project's own files, read once; the mutant stands among the specs. */
const files = (text: string): Files => ({
  stdlib: join(root, "stdlib"),
  show: (path) => path.replace(`${root}/`, ""),
  read: (path) => {
    if (path === entry) return { text }
    const before = known.get(path)
    if (before !== undefined) return before
    let read: ReturnType<Files["read"]>
    try {
      read = { text: readFileSync(path, "utf8") }
    } catch {
      read = { problem: "no such file" }
    }
    known.set(path, read)
    return read
  },
  list: () => ({ problem: "no such folder" }),
  packaged: () => ({ problem: "no such package" }),
})

const entry = join(root, "specs/field/mutant.cfx")

/** Other work on the machine may hold one check up, and not each of so many. */
const TRIES = 5

/** What is wrong with how a mutant was checked, in words; nothing where all is well. */
export const flaw = (mutant: Mutant): string | undefined => {
  let fastest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && fastest > LONGEST_MS; tries++) {
    const { found, took } = checked(mutant)
    if (found !== undefined) return found
    fastest = Math.min(fastest, took)
  }
  return fastest > LONGEST_MS ? `it took ${Math.round(fastest)} ms` : undefined
}

const checked = (mutant: Mutant): { readonly found: string | undefined; readonly took: number } => {
  const started = performance.now()
  const found = mistake(mutant)
  return { found, took: performance.now() - started }
}

const mistake = ({ text }: Mutant): string | undefined => {
  try {
    const { diagnostics, program } = compile(entry, files(text))
    for (const diagnostic of diagnostics) {
      const { span, source, related } = diagnostic
      for (const place of [{ span, source }, ...related]) {
        const { start, end } = place.span
        if (
          !(
            Number.isInteger(start) &&
            Number.isInteger(end) &&
            start >= 0 &&
            start <= end &&
            end <= place.source.text.length
          )
        )
          return `${diagnostic.code}: the span ${start}..${end} is outside of ${place.source.name}`
      }
      render(diagnostic, { color: false })
      toJson(diagnostic)
    }
    const isWrong = diagnostics.some(({ severity }) => severity === "error")
    if (isWrong === (program !== undefined))
      return `a program is ${isWrong ? "made in spite of errors" : "missing without an error"}`
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  return undefined
}
