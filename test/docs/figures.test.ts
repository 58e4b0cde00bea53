/** The page of figures shows each mark, as its spec declares it. What is drawn is held against numbers in test/report/figures. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { wellFormed } from "../report/figures/svg.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))
const docs = join(project, "docs")
const page = readFileSync(join(docs, "figures.md"), "utf8")
const entry = join(docs, "figures/gallery.cfx")
const { program, diagnostics } = compile(entry, diskFiles({ here: project, stdlib: join(project, "stdlib") }))
const experiments = program!.experiments

test("its spec has no errors, no warnings, and every mark", () => {
  expect(diagnostics).toEqual([])
  const marks = new Set(experiments.flatMap(({ figures }) => figures.map(({ mark }) => mark)))
  expect([...marks].sort()).toEqual(["bar", "distribution", "dot", "line", "matrix"])
  expect(experiments.flatMap(({ forests }) => forests)).toHaveLength(1)
})

test("it shows each figure of the spec, and no other", () => {
  const declared = experiments.flatMap(({ name, figures, forests }) =>
    [...figures, ...forests].map((figure) => `${name}-${figure.name}.svg`),
  )
  const shown = [...page.matchAll(/!\[[^\]]+\]\(figures\/([^)]+)\)/g)].map(([, file]) => file!)
  expect([...shown].sort()).toEqual([...declared].sort())
  expect(
    readdirSync(join(docs, "figures"))
      .filter((name) => name.endsWith(".svg"))
      .sort(),
  ).toEqual([...declared].sort())
  for (const file of shown) wellFormed(readFileSync(join(docs, "figures", file), "utf8"))
})

test("it quotes each declaration as it stands in the spec", () => {
  const spec = readFileSync(entry, "utf8")
  const quoted = [...page.matchAll(/```cfx\n(figure [^\n]*)\n```/g)].map(([, text]) => text!)
  expect(quoted).toHaveLength(experiments.flatMap(({ figures, forests }) => [...figures, ...forests]).length)
  for (const text of quoted) expect(spec).toContain(text)
})
