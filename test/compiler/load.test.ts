import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { standardLibraries } from "../../compiler/standard.ts"
import { inMemory } from "../diagnostics/examples.ts"
import { base, edit } from "./base.ts"
import { briefs, compileText } from "./files.ts"

const withImports = (imports: string, ...changes: readonly (readonly [string, string])[]) =>
  `${imports}\n${edit(...changes)}`

describe("imports", () => {
  it("bring names, under an alias where there is one", () => {
    const spec = withImports(
      'import { plain_reask as retry } from "std/baselines"\nimport { mine } from "./lib/mine.cfx"',
      ["reask = again", "reask = retry"],
      ["paraphrase = plain", "paraphrase = mine"],
    )
    const files = {
      "lib/mine.cfx":
        'import { other } from "../other.cfx"\nparaphrase mine { "{answer}!" }\nframing used extends other {}',
      "other.cfx": 'framing other { line "{assertion}" }',
    }
    const compiled = compileText(spec, files)
    expect(briefs(compiled)).toEqual([])
    expect([...compiled.sources.keys()]).toEqual([
      "/spec/main.cfx",
      "/std/baselines.cfx",
      "/spec/lib/mine.cfx",
      "/spec/other.cfx",
    ])
  })

  it("read a file once, however many import it", () => {
    const spec = withImports(
      'import { a } from "./a.cfx"\nimport { b } from "./b.cfx"',
      ["reask = again", "reask = a"],
      ["length = padding", "length = b"],
    )
    const files = {
      "a.cfx":
        'import { c } from "./c.cfx"\nblock a { text "Again." }\nroster x { "A" }\nframing fa extends c {}',
      "b.cfx":
        'import { c } from "./c.cfx"\nblock b { text "One two three four five six seven eight nine ten eleven." }\nframing fb extends c {}',
      "c.cfx": 'framing c { line "{bad}" }',
    }
    expect(briefs(compileText(spec, files))).toEqual(["CFX2101 {bad} (c.cfx)"])
  })

  const problems = (
    title: string,
    imports: string,
    files: Readonly<Record<string, string>>,
    ...expected: readonly string[]
  ) => {
    it(title, () =>
      expect(briefs(compileText(withImports(imports, ["reask = again", "reask = x"]), files))).toEqual(
        expected,
      ),
    )
  }
  const x = 'block x { text "Again." }'
  problems("a file that is not there", 'import { x } from "./x.cfx"', {}, 'CFX2004 "./x.cfx"')
  problems("a library that is not there", 'import { x } from "std/x"', {}, 'CFX2004 "std/x"')
  problems("a path that is none", 'import { x } from "x"', {}, 'CFX2004 "x"')
  problems("a file without its ending", 'import { x } from "./x"', { "x.cfx": x }, 'CFX2004 "./x"')
  problems("a path with a placeholder", 'import { x } from "./{x}.cfx"', {}, 'CFX2105 "./{x}.cfx"')
  problems(
    "a name that the library lacks",
    'import { x } from "./x.cfx"',
    { "x.cfx": 'block y { text "Y" }' },
    "CFX2006 x",
  )
  problems(
    "a name that is not used",
    'import { x, y } from "./x.cfx"',
    { "x.cfx": `${x} block y { text "Y" }` },
    "CFX2007 y",
  )
  problems(
    "a name that the spec declares too",
    'import { x, again } from "./x.cfx"',
    { "x.cfx": `${x} ${x.replace("x", "again")}` },
    "CFX2003 again",
  )
  problems(
    "files that import one another",
    'import { x } from "./x.cfx"',
    {
      "x.cfx": `import { z } from "./y.cfx"\n${x}\nframing w extends z {}`,
      "y.cfx": 'import { x } from "./x.cfx"\nframing z { line "{assertion}" }',
    },
    "CFX2007 x (y.cfx)",
    'CFX2005 "./x.cfx" (y.cfx)',
  )
  problems(
    "a library with a syntax error",
    'import { x } from "./x.cfx"',
    { "x.cfx": 'block x { text "Again." @ }' },
    "CFX1001 @ (x.cfx)",
  )

  it("a path that is nearly right is named", () => {
    const hints = (path: string) =>
      compileText(`import { plain_reask } from "${path}"`).diagnostics.flatMap(({ code, hint }) =>
        code === "CFX2004" ? [hint] : [],
      )
    expect(hints("std/baseline")).toEqual(["Did you mean `std/baselines`?"])
    expect(hints("std/baselines.cfx")).toEqual(["Did you mean `std/baselines`?"])
    expect(hints("std/metrcs")).toEqual(["Did you mean `std/metrics`?"])
    expect(hints("std/pressure")[0]).toMatch(/^There are `std\/authority`, .* and \d+ more\.$/)
    expect(hints("./mine.cfx")[0]).toMatch(/^A library of the standard library is/)
  })

  it("every library of the standard library can be named", () => {
    const folder = new URL("../../stdlib/", import.meta.url)
    const there = readdirSync(folder).filter((name) => name.endsWith(".cfx"))
    expect(there.map((name) => name.replace(/\.cfx$/, "")).sort()).toEqual([...standardLibraries])
  })

  const hintOf = (...changes: readonly (readonly [string, string])[]) =>
    compileText(edit(...changes)).diagnostics.map(({ code, hint }) => `${code} ${hint}`)

  it("a name of the standard library is pointed to, though nothing is imported from there", () => {
    expect(hintOf(["dose = voices(4)", "dose = distinct(4)"])).toEqual([
      'CFX2001 It is declared in a library: import { distinct } from "std/doses"',
    ])
    expect(
      hintOf(["{ bare, crowd, panel,", "{ bare, people, panel,"], ["framing = crowd,", "framing = panel,"]),
    ).toEqual(['CFX2001 It is declared in a library: import { people } from "std/framings"'])
    expect(
      hintOf(["measure HRR", "measure BenR"], ["HRR, shift average", "shift average"]).slice(0, 1),
    ).toEqual(['CFX2001 It is declared in a library: import { BenR } from "std/metrics"'])
    expect(hintOf(["columns HRR,", "columns BenR,"])).toEqual([
      'CFX2307 Add `measure BenR` to the experiment, and the metric to the imports: import { BenR } from "std/metrics"',
    ])
  })

  it("a misspelt name is looked for there too, after the names that are at hand", () => {
    expect(hintOf(["reask = again", "reask = plain_reaks"])).toEqual([
      'CFX2001 Did you mean `plain_reask` from a library? import { plain_reask } from "std/baselines"',
    ])
    expect(hintOf(["reask = again", "reask = agian"])).toEqual(["CFX2001 Did you mean `again`?"])
  })

  it("a name that its import misspells is one mistake, however it is used", () => {
    const use = (name: string) =>
      briefs(
        compileText(
          `import { plain_reaks } from "std/baselines"\n${edit(["reask = again", `reask = ${name}`])}`,
        ),
      )
    expect(use("plain_reaks")).toEqual(["CFX2006 plain_reaks"])
    expect(use("plain_reask")).toEqual(["CFX2006 plain_reaks"])
    expect(use("elsewhere")).toEqual(["CFX2006 plain_reaks", "CFX2001 elsewhere"])
  })

  it("a name that stands in another library is pointed to", () => {
    const [found] = compileText(`import { people } from "std/doses"\n${base}`).diagnostics
    expect(`${found?.code} ${found?.hint}`).toBe(
      'CFX2006 It is declared in another library: import { people } from "std/framings"',
    )
  })

  it("what extends a name that is not there is no candidate for it", () => {
    const hints = compileText("metric a extends lost { }\nmetric b extends a { }\nmetric c { }").diagnostics
    expect(hints.filter(({ code }) => code === "CFX2001").map(({ hint }) => hint)).toEqual(["There is `c`."])
  })

  it("a name that a library of the spec declares is pointed to", () => {
    const spec = withImports(
      'import { plain_reask } from "std/baselines"',
      ["reask = again", "reask = plain_reask"],
      ["length = padding", "length = length_control"],
    )
    const [found] = compileText(spec).diagnostics
    expect(found?.hint).toBe('It is declared in a library: import { length_control } from "std/baselines"')
  })

  it("a name that seems unused is not told of beside a mistake that may be why", () => {
    const spec = withImports('import { distinct } from "std/doses"', ["dose = voices(4)", "dose = 4"])
    expect(briefs(compileText(spec))).toEqual(["CFX2216 4"])
  })

  it("a spec that is not there", () => {
    const compiled = compile("/spec/none.cfx", inMemory({}))
    expect(briefs(compiled)).toEqual(["CFX2018  (none.cfx)"])
    expect(compiled.program).toBeUndefined()
  })

  it("a library is a spec without experiments", () => {
    const compiled = compile("/std/framings.cfx", inMemory({}))
    expect(briefs(compiled)).toEqual([])
    expect(compiled.program?.experiments).toEqual([])
  })
})

describe("syntax errors", () => {
  it("are told with all else that is wrong", () => {
    const spec = edit(['"Think again."', '"Think {again."'], ["voices(4)", "voices(0)"])
    expect(briefs(compileText(spec)).map((line) => line.slice(0, 7))).toEqual(["CFX1003", "CFX2208"])
  })

  it("make no further mistakes of the names that they swallow", () => {
    const found = briefs(compileText(base.replace("framing bare {", "framing bare")))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^CFX1/)
  })
})
