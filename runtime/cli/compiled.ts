/** From a spec on the disk to what the compiler makes of it, with its diagnostics shown. */
import { compile } from "../../compiler/compile.ts"
import type { Compiled, CompileOptions } from "../../compiler/compiled.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import type { Program } from "../../compiler/ir.ts"
import { absolute, diskFiles } from "../disk/files.ts"
import { assignments } from "./arguments.ts"
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

export function compiled(spec: string, options: CompileOptions = {}): Compiled {
  return compile(
    absolute(spec),
    diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` }),
    options,
  )
}

/** Compiles, shows what was found, and gives the spec back when it has no error. */
export function soundSpec(spec: string, options: CompileOptions, terminal: Terminal): Sound | undefined {
  const result = compiled(spec, options)
  showDiagnostics(result.diagnostics, terminal)
  return result.program && result.hash ? { ...result, program: result.program, hash: result.hash } : undefined
}

/** Errors are always shown, warnings and notes unless the terminal is quiet; a last line counts them. */
export function showDiagnostics(
  diagnostics: readonly Diagnostic[],
  { complain, note, color }: Terminal,
): void {
  for (const diagnostic of diagnostics) {
    const show = diagnostic.severity === "error" ? complain : note
    show(`${render(diagnostic, { color: color.err })}\n`)
  }
  const errors = diagnostics.filter(({ severity }) => severity === "error").length
  if (errors > 0) complain(counted(diagnostics))
}

/** `2 errors, 1 warning` */
export function counted(diagnostics: readonly Diagnostic[]): string {
  const numbers = (["error", "warning", "note"] as const).map((severity) => {
    const n = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
    return n === 0 ? [] : [`${n} ${severity}${n === 1 ? "" : "s"}`]
  })
  return numbers.flat().join(", ")
}

const absolutes = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, absolute(path)]))
