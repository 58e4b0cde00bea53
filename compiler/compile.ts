/**
 * From a spec to its meaning. Pure and synchronous: `Files` is the one way in, and nothing is thrown on account of what is read.
 *
 *   spec ──1 load──> modules ──2 resolve──> names ──3 check──> diagnostics
 *                       │                     │
 *   item files ─────────┼───4 read items──────┼────> items ──────┐
 *                       │                     │                  │
 *                       └──────5 lower────────┴───> program ─────┴─6 design──> warnings
 *                                                      └──7 hash──> hash
 *
 * Phases 1 to 4 run whatever the ones before have found, so that all mistakes of all files come at once; what one phase has reported
 * is passed over by the next. Phases 5 to 7 run when there is no error.
 */
import type { Source } from "../grammar/source.ts"
import { check } from "./check/check.ts"
import { checkDesign } from "./check/design/design.ts"
import { checkDraws } from "./check/drawn.ts"
import { checkSamples, readPools } from "./check/pools.ts"
import { checkTargetItems } from "./check/targetItems.ts"
import type { Compiled, CompileOptions } from "./compiled.ts"
import type { Diagnostic } from "./diagnostics/diagnostic.ts"
import type { Files } from "./files.ts"
import { meaningHash } from "./hash.ts"
import type { Program } from "./ir.ts"
import type { Item } from "./item.ts"
import { load, type Module, otherLibraries } from "./load.ts"
import { lower } from "./lower/lower.ts"
import { once } from "./memo.ts"
import { type Names, resolve } from "./resolve.ts"

/** Compiles the spec at this absolute path. Names of `options` that the spec does not have are the caller's to report. */
export const compile = (entry: string, files: Files, options: CompileOptions = {}): Compiled => {
  // 1. load: the spec and every library that it needs
  const loaded = load(entry, files)
  const { modules } = loaded
  const sources = new Map(modules.map(({ path, source }) => [path, source]))
  const [spec] = modules
  if (spec === undefined) {
    return { items: new Map(), absent: new Map(), diagnostics: loaded.diagnostics, sources }
  }

  // 2. resolve: what each name stands for
  const { names, diagnostics: misnamed } = resolve(modules, () => otherLibraries(modules, files))

  // 3. check: every declaration of every file
  const mistakes = check(modules, names)

  // 4. read items: their mistakes belong to the same pass; what needs the items of a pool that is not at hand is passed over
  const pools = readPools(spec, names, files, options)
  const { items, absent } = pools
  const found = [
    ...loaded.diagnostics,
    ...misnamed.filter((one) => one.code !== "CFX2007" || !isWrong(one.source, mistakes)),
    ...mistakes,
    ...pools.diagnostics,
    ...checkSamples(spec, pools),
    ...checkDraws(spec, names, pools),
    ...checkTargetItems(spec, names, pools),
  ]
  if (found.some(({ severity }) => severity === "error")) {
    return { items, absent, diagnostics: inOrder(found, modules), sources }
  }

  // 5. lower: from what is written to what it means
  const program = lower(spec, names, options)

  // 6. design: what a reader of the results will ask
  const warnings = designOf(program, spec, names, items)

  const diagnostics = inOrder([...found, ...warnings], modules)
  // A contrast of prompts that turn out to be the same, and gold pushed as wrong: errors that only the lowered design shows.
  if (warnings.some(({ severity }) => severity === "error")) {
    return { items, absent, diagnostics, sources }
  }

  // 7. hash: when it is asked for, since most of what is compiled is only checked
  return {
    program,
    get hash() {
      return hashOf(program)
    },
    items,
    absent,
    diagnostics,
    sources,
  }
}

const hashOf = once(meaningHash)

/** Whether a file has mistakes: an import that seems unused may be what one of them should have named. */
const isWrong = (source: Source, mistakes: readonly Diagnostic[]): boolean =>
  mistakes.some((mistake) => mistake.source === source && mistake.severity === "error")

const designOf = (
  program: Program,
  spec: Module,
  names: Names,
  items: ReadonlyMap<string, readonly Item[]>,
): readonly Diagnostic[] => {
  const declared = new Map(
    spec.file.declarations.flatMap((declaration) =>
      declaration.kind === "experiment" ? [[declaration.name.text, declaration] as const] : [],
    ),
  )
  return program.experiments.flatMap((experiment) => {
    const declaration = declared.get(experiment.name)
    return declaration === undefined ? [] : checkDesign(experiment, declaration, program, spec, names, items)
  })
}

/** By file as loaded, item files last, and by place in a file. What stands at one place keeps the order of the phases. */
const inOrder = (diagnostics: readonly Diagnostic[], modules: readonly Module[]): readonly Diagnostic[] => {
  const rank = new Map<Source, number>(modules.map(({ source }, index) => [source, index]))
  for (const { source } of diagnostics) if (!rank.has(source)) rank.set(source, rank.size)
  return [...diagnostics].sort(
    (a, b) => rank.get(a.source)! - rank.get(b.source)! || a.span.start - b.span.start,
  )
}
