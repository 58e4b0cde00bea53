/**
 * Every name of a spec, renamed. A new name that stands nowhere gives the same spec: what is said of it and what it means are the same once the old name
 * stands for the new. A name that stands elsewhere gives what the new one gives, or is refused with a reason.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import type { Compiled } from "../../compiler/compiled.ts"
import type { Files } from "../../compiler/files.ts"
import { type Analysis, analyse } from "../../compiler/service/analysis.ts"
import { namesIn } from "../../compiler/service/nodes.ts"
import type { PartKind } from "../../compiler/service/parts.ts"
import { renameAt } from "../../compiler/service/rename.ts"
import { tableOf } from "../../compiler/service/symbols.ts"
import type { DeclarationKind, Name } from "../../grammar/ast.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { base } from "../compiler/base.ts"
import { brief } from "../compiler/files.ts"
import { changed, filesOf } from "./renaming.ts"

/** Stands in no spec. */
const FRESH = "named_anew"

interface Spec {
  readonly path: string
  readonly files: Files
  readonly analysis: Analysis
}

const specOf = (path: string, files: Files): Spec => ({ path, files, analysis: analyse(path, files)! })

const inBase = specOf("/spec/main.cfx", filesOf({ "main.cfx": base }))

const project = join(import.meta.dirname, "../..")
const disk = diskFiles({ here: project, stdlib: join(project, "stdlib") })
const onDisk = (name: string): Spec => specOf(join(project, name), disk)

/** The spec that the page of the language is: it has all that a spec can have. */
const page = (): Spec => {
  const text = readFileSync(join(project, "docs/language.md"), "utf8")
  const whole = [...text.matchAll(/```cfx\n([\s\S]*?)```/g)].map(([, block]) => block!).join("\n")
  const path = join(project, "docs/language.cfx")
  return specOf(path, { ...disk, read: (one) => (one === path ? { text: whole } : disk.read(one)) })
}

/** The names that the spec itself declares, each with what it is. */
const declaredIn = ({ analysis }: Spec): readonly { readonly name: Name; readonly what: string }[] =>
  namesIn(analysis.module.file).flatMap((name) =>
    tableOf(analysis)
      .of(name)
      .flatMap((meaning) => {
        if (meaning.name !== name) return []
        if (meaning.kind === "part") return [{ name, what: meaning.what }]
        return [
          { name, what: meaning.bound.module === analysis.module ? meaning.bound.declaration.kind : "alias" },
        ]
      }),
  )

/** The spec with a name changed, compiled; or why it is not changed. */
const renamedIn = (
  { path, files, analysis }: Spec,
  name: Name,
  to: string,
): { readonly compiled: Compiled } | { readonly problem: string } => {
  const renaming = renameAt(analysis, name.span.start, to, { files, importersOf: () => [] })
  if ("problem" in renaming) return renaming
  const text = changed(
    analysis.module.source.text,
    renaming.edits.filter((edit) => edit.path === path),
    to,
  )
  return { compiled: compile(path, { ...files, read: (one) => (one === path ? { text } : files.read(one)) }) }
}

/** What a spec means and what is said of it, with one name in place of another. */
const knownOf = ({ program, diagnostics }: Compiled, from: string, to: string) => {
  const plain = (value: unknown) => JSON.stringify(value).replaceAll(from, to)
  return { program: plain(program), diagnostics: plain(diagnostics.map(brief)) }
}

/** `most`: of each kind so many names, where a spec has many. */
const outcomesIn = (spec: Spec, most = Number.POSITIVE_INFINITY) => {
  const before = compile(spec.path, spec.files)
  expect(before.program).toBeDefined()
  const refused: string[] = []
  const renamed = new Set<string>()
  const declared = declaredIn(spec)
  const chosen = declared.filter(
    (one) => declared.filter(({ what }) => what === one.what).indexOf(one) < most,
  )
  for (const { name, what } of chosen) {
    const after = renamedIn(spec, name, FRESH)
    if ("problem" in after) refused.push(`${what} ${name.text}: ${after.problem}`)
    else {
      renamed.add(what)
      expect(knownOf(after.compiled, FRESH, name.text), `${what} ${name.text}`).toEqual(
        knownOf(before, FRESH, name.text),
      )
    }
  }
  return { refused, renamed: [...renamed].sort() }
}

const declarations: readonly DeclarationKind[] = [
  ...(["model", "items", "framing", "roster", "paraphrase", "dose", "block", "structure"] as const),
  ...(["order", "target", "protocol", "judge", "lexicon", "metric", "experiment"] as const),
]

const parts: readonly PartKind[] = [
  ...(["read", "turn", "variable", "slot", "role", "draw", "parameter", "wording", "arm"] as const),
  ...([
    "factor",
    "level",
    "measure",
    "contrast",
    "summary",
    "family",
    "model fit",
    "table",
    "figure",
  ] as const),
]

const ofStandard = (read: string): string =>
  `read ${read}: \`${read}\` is named at std/metrics.cfx:4 too, and that belongs to the standard library`

const ofRun = "read argument: `argument` is a read of a finished run, which has given it its name"

describe("every name that a spec declares gets a new one, and the spec stays what it is", () => {
  it("in the small one", () => {
    expect(outcomesIn(inBase).refused).toEqual([])
  })

  it("in one that has all there is, and there each kind of name", () => {
    const { refused, renamed } = outcomesIn(page(), 3)
    expect(renamed).toEqual([...declarations, "alias", ...parts].sort())
    expect(refused).toEqual([ofRun, ofStandard("a0")])
  })

  it.each([
    "specs/quickstart.cfx",
    "specs/floor/main.cfx",
    "specs/floor/inference.cfx",
    "specs/field/10-devils_advocate.cfx",
    "specs/field/14-persona.cfx",
    "specs/who-flips/stability.cfx",
  ])("in %s", (name) => {
    expect(outcomesIn(onDisk(name)).refused).toEqual([])
  })
})

describe("what is not renamed is refused with the reason", () => {
  it("a read that a metric of the standard library takes", () => {
    expect(outcomesIn(onDisk("specs/records/answers.cfx")).refused).toEqual(["a0", "a1"].map(ofStandard))
  })

  it("a read of a finished run", () => {
    expect(outcomesIn(onDisk("specs/field/13-maxflip.cfx")).refused).toEqual([ofRun])
  })
})

describe("a name that stands elsewhere in the spec", () => {
  /** One of each kind, and words of the language among the texts. */
  const names = [
    "m",
    "pool",
    "crowd",
    "plain",
    "voices",
    "again",
    "ask",
    "block",
    "second",
    "a1",
    "shift",
    "k",
    "e",
  ]
  const texts = [...names, "pressure", "who", "main", "framing", "arm", "item", "gold", "mixed", "identity"]

  it.each(names)("is refused for %s, or gives what a new one gives", (text) => {
    const { name } = declaredIn(inBase).find((one) => one.name.text === text)!
    const fresh = renamedIn(inBase, name, FRESH)
    if ("problem" in fresh) throw new Error(fresh.problem)
    for (const to of texts.filter((one) => one !== text)) {
      const found = renamedIn(inBase, name, to)
      if ("problem" in found) expect(found.problem).toMatch(/^renaming /)
      else
        expect(JSON.stringify(found.compiled.program), to).toBe(
          JSON.stringify(fresh.compiled.program).replaceAll(FRESH, to),
        )
    }
  })
})
