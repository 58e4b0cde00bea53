/** From a spec on the disk to what the compiler makes of it, with its diagnostics shown. */
import { compile } from "../../compiler/compile.ts"
import type { Compiled, CompileOptions } from "../../compiler/compiled.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { digest } from "../../compiler/diagnostics/digest.ts"
import { render, summary } from "../../compiler/diagnostics/render.ts"
import { suggest } from "../../compiler/diagnostics/suggest.ts"
import type { Program } from "../../compiler/ir.ts"
import { absolute, type DiskFiles, diskFiles } from "../disk/files.ts"
import { assignments } from "./arguments.ts"
import { UsageError } from "./command.ts"
import { exit } from "./exit.ts"
import { packageRoot } from "./package.ts"
import { invocation, quoted } from "./paths.ts"
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

/** Whether a spec has no errors. */
export const isSound = (compiled: Compiled): compiled is Sound => compiled.program !== undefined

/** What came of a spec, and whether a file that it needs is there and is no text. */
export type Read = Compiled & { readonly garbled: boolean }

/** The disk as a command sees it. Specs that are compiled from one share what is read of their libraries. */
export const here = (): DiskFiles => diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` })

export function compiled(spec: string, options: CompileOptions = {}, files: DiskFiles = here()): Read {
  const result = compile(absolute(spec), files, options)
  return Object.assign(result, { garbled: files.garbled.size > 0 })
}

/**
 * A spec that may be run, or the exit code where it has errors; what was found is shown.
 * @throws UsageError when `--model` or `--items` names what the spec does not have
 */
export function soundSpec(spec: string, options: CompileOptions, terminal: Terminal): Sound | number {
  const result = compiled(spec, options)
  showDiagnostics(result.diagnostics, terminal)
  if (!isSound(result)) return refused(result)
  const { program } = result
  if (program.experiments.length === 0) {
    terminal.complain(`error: ${spec} declares no experiment: it is a library, and there is nothing to run`)
    return exit.spec
  }
  known("--model", options.models, program.models, spec)
  known("--items", options.items, program.pools, spec)
  return result
}

/**
 * What of a spec can be asked: experiments of records alone can only be scored, and are left out with a remark. The exit code where nothing else is there,
 * or where it is one of these that is wanted.
 */
export function askable(
  sound: Sound,
  wanted: string | undefined,
  spec: string,
  { complain, note }: Pick<Terminal, "complain" | "note">,
): Sound | number {
  const { experiments } = sound.program
  const alone = experiments.filter(({ records }) => records?.alone === true).map(({ name }) => name)
  if (alone.length === 0) return sound
  const how = `score it with: ${invocation()} score ${quoted(spec)} --records FILE`
  if (alone.length === experiments.length || (wanted !== undefined && alone.includes(wanted))) {
    const which = wanted === undefined ? alone.join(", ") : wanted
    complain(
      `error: experiment ${which} is made of records alone: it has no protocol, models and items that could be asked; ${how}`,
    )
    return exit.spec
  }
  note(`Left out, since records alone cannot be asked: ${alone.join(", ")}; ${how}`)
  const asked = experiments.filter(({ name }) => !alone.includes(name))
  return { ...sound, program: { ...sound.program, experiments: asked } }
}

/** Where all that is wrong is a data file that is not there, it is the environment that failed; one that is no text has errors. */
export function refused({ diagnostics, garbled }: Pick<Read, "diagnostics" | "garbled">): number {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  return !garbled && errors.every(({ code }) => code === "CFX3001") ? exit.environment : exit.spec
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
