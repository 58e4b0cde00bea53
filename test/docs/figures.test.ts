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

test("each declaration that it quotes compiles by itself, in its experiment of the spec", () => {
  const spec = readFileSync(entry, "utf8")
  const quoted = [...page.matchAll(/```cfx\n([\s\S]*?)```/g)].map(([, text]) => text!.trim())
  const disk = diskFiles({ here: project, stdlib: join(project, "stdlib") })
  const withoutFigures = spec.replace(/^ *figure .*\n/gm, "")
  for (const text of quoted) {
    const experiment = spec
      .slice(0, spec.indexOf(text))
      .match(/^experiment \w+ \{/gm)
      ?.at(-1)
    expect(experiment, text).toBeDefined()
    const alone = withoutFigures.replace(experiment!, `${experiment}\n  ${text}`)
    const files = { ...disk, read: (path: string) => (path === entry ? { text: alone } : disk.read(path)) }
    const { program: made, diagnostics: found } = compile(entry, files)
    expect(
      found.filter(({ severity }) => severity === "error"),
      text,
    ).toEqual([])
    const [, name] = /^figure (\w+)/.exec(text)!
    const figures = made!.experiments.flatMap((one) => [...one.figures, ...one.forests])
    expect(figures.map((one) => one.name)).toEqual([name])
  }
})
