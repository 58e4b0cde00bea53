/** The editor extension as it is packaged: everything that its manifest names is in it, and nothing was fetched for it. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { strFromU8, unzipSync } from "fflate"
import { expect, it } from "vitest"
import { root } from "./support.ts"

it("`npm run vscode` makes a .vsix with all that its manifest names", () => {
  const said = execFileSync("npm", ["run", "--silent", "--offline", "vscode"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  })
  const written = said.trim().split("\n").at(-1)!
  const files = unzipSync(new Uint8Array(readFileSync(join(root, written))))
  const text = (name: string) => strFromU8(files[name]!)
  const { main, contributes } = JSON.parse(text("extension/package.json"))
  const [language] = contributes.languages
  const [grammar] = contributes.grammars
  for (const named of [main, language.configuration, grammar.path]) {
    expect(Object.keys(files)).toContain(`extension/${named.replace("./", "")}`)
  }
  expect(text("extension.vsixmanifest")).toContain('Path="extension/package.json"')
  expect(JSON.parse(text("extension/syntaxes/cfx.tmLanguage.json")).scopeName).toBe(grammar.scopeName)
  expect(text("extension/extension.cjs")).toContain("LanguageClient")
})
