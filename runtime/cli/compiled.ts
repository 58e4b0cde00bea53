/** From a spec on the disk to what the compiler makes of it, with its diagnostics shown. */
import { compile } from "../../compiler/compile.ts"
import type { Compiled, CompileOptions } from "../../compiler/compiled.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { digest } from "../../compiler/diagnostics/digest.ts"
import { render, summary } from "../../compiler/diagnostics/render.ts"
import { suggest } from "../../compiler/diagnostics/suggest.ts"
import type { Program } from "../../compiler/ir.ts"
import { readItems } from "../../compiler/items/read.ts"
import type { Source } from "../../grammar/source.ts"
import { absolute, type DiskFiles, diskFiles } from "../disk/files.ts"
import { assignments } from "./arguments.ts"
import { UsageError } from "./command.ts"
import { exit } from "./exit.ts"
import { packageRoot } from "./package.ts"
import type { Terminal } from "./terminal.ts"

/** A spec without errors. */
export type Sound = Compiled & { readonly program: Program; readonly hash: string }

export const replacements = {
  model: {
    type: "string",
    multiple: true,
    value: "NAME=FILE",
    about: "read this GGUF file as the spec's model NAME",
  },
  items: {
    type: "string",
    multiple: true,
    value: "NAME=FILE",
    about: "read this file as the spec's pool NAME, by the pool's own mapping",
  },
} as const

/** @throws UsageError when an option is not NAME=FILE */
export const compileOptions = (values: {
  readonly model?: readonly string[]
  readonly items?: readonly string[]
}): CompileOptions => ({
  models: absolutes(assignments("--model", values.model)),
  items: absolutes(assignments("--items", values.items)),
})

/** What came of a spec, and whether a file that it needs is there and is no text. */
export type Read = Compiled & { readonly garbled: boolean }

export function compiled(spec: string, options: CompileOptions = {}): Read {
  const files = disk()
  const result = compile(absolute(spec), files, options)
  return { ...result, garbled: files.garbled.size > 0 }
}

const disk = (): DiskFiles => diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` })

/**
 * A spec that may be run, or the exit code where it has errors; what was found is shown.
 * @throws UsageError when `--model` or `--items` names what the spec does not have
 */
export function soundSpec(spec: string, options: CompileOptions, terminal: Terminal): Sound | number {
  const result = compiled(spec, options)
  const { program, hash } = result
  if (program === undefined || hash === undefined) {
    const unread = unreadPools(options, terminal)
    if (unread !== undefined) return unread
    showDiagnostics(result.diagnostics, terminal)
    return refused(result)
  }
  showDiagnostics(result.diagnostics, terminal)
  if (program.experiments.length === 0) {
    terminal.complain(`error: ${spec} declares no experiment: it is a library, and there is nothing to run`)
    return exit.spec
  }
  known("--model", options.models, program.models, spec)
  known("--items", options.items, program.pools, spec)
  return { ...result, program, hash }
}

/** Where all that is wrong is a data file that is not there, it is the environment that failed; one that is no text has errors. */
export function refused({ diagnostics, garbled }: Pick<Read, "diagnostics" | "garbled">): number {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  return !garbled && errors.every(({ code }) => code === "CFX3001") ? exit.environment : exit.spec
}

/** Why a file is no pool, whatever its rows are; a mapping that no row has leaves out all else that the compiler will say. */
function misfit(source: Source): string | undefined {
  const { problems } = readItems(source, { question: [], options: [], gold: [] })
  for (const problem of problems) {
    if (problem.kind === "empty_pool") return "it holds no items"
    if (problem.kind === "unknown_format")
      return `its form goes by the end of its name, which can be ${problem.known.join(", ")}`
  }
  return undefined
}

/** Reads what `--items` names, so that its faults are told of the option and not of the spec's own path; the exit code, if any. */
function unreadPools({ items = {} }: CompileOptions, { complain }: Terminal): number | undefined {
  const files = disk()
  const codes = Object.entries(items).flatMap(([name, path]) => {
    const read = files.read(path)
    const why = "problem" in read ? read.problem : misfit({ name: path, text: read.text })
    if (why === undefined) return []
    complain(`error: --items ${name}=${files.show(path)}: ${why}`)
    return ["problem" in read && !files.garbled.has(path) ? exit.environment : exit.spec]
  })
  return codes.length === 0 ? undefined : Math.max(...codes)
}

/** @throws UsageError unless the spec has this name */
export function among(option: string, name: string, names: readonly string[], spec: string): void {
  if (names.includes(name)) return
  const near = suggest(name, names)
  throw new UsageError(
    `${option} ${name}: ${spec} has ${near ? `no such name; did you mean ${near}?` : names.join(", ")}`,
  )
}

function known(
  option: string,
  given: CompileOptions["models"],
  declared: readonly { readonly name: string }[],
  spec: string,
): void {
  const names = declared.map(({ name }) => name)
  for (const name of Object.keys(given ?? {})) among(option, name, names, spec)
}

/** Errors are always shown, warnings and notes unless the terminal is quiet; a last line counts them. */
export function showDiagnostics(
  diagnostics: readonly Diagnostic[],
  { complain, note, color }: Terminal,
): void {
  const { shown, left } = digest(diagnostics)
  for (const diagnostic of shown) {
    const show = diagnostic.severity === "error" ? complain : note
    show(`${render(diagnostic, { color: color.err })}\n\n`, "painted")
  }
  for (const line of left) complain(line)
  if (diagnostics.some(({ severity }) => severity === "error")) complain(summary(diagnostics))
}

const absolutes = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, absolute(path)]))
