/** A study with all that a lock pins: a spec with a library of its own, one of a package, a data file and a model. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"

const root = join(import.meta.dirname, "../..")

/** Writes it into an empty folder. */
export function writeStudy(home: string): void {
  cpSync(join(root, "stdlib/starter/questions.yaml"), join(home, "questions.yaml"))
  cpSync(join(root, "stdlib/models/pocket/pocket.gguf"), join(home, "pocket.gguf"))
  const starter = readFileSync(join(root, "stdlib/starter/experiment.cfx"), "utf8")
  const spec = starter
    .replace(
      'import { pocket } from "std/models"\n',
      'import { crowd } from "./lib.cfx"\nimport { rumour } from "pkg:cfx-rumour/rumour.cfx"\n',
    )
    .replace("items questions", 'model pocket = gguf "pocket.gguf"\n\nitems questions')
    .replace("experts, students }", "experts, students, crowd, rumour }")
  writeFileSync(join(home, "experiment.cfx"), spec)
  writeFileSync(
    join(home, "lib.cfx"),
    '/// A crowd.\nframing crowd { preamble "A crowd says:" line "Voice {i}: {assertion}" reconstructed "invented" }\n',
  )
  const rumour = join(home, "node_modules/cfx-rumour")
  mkdirSync(rumour, { recursive: true })
  writeFileSync(join(rumour, "package.json"), '{"name": "cfx-rumour", "version": "1.0.0"}')
  writeFileSync(
    join(rumour, "rumour.cfx"),
    'framing rumour { preamble "Rumour has it:" line "Source {i}: {assertion}" reconstructed "invented" }\n',
  )
}

/** Changes a place of a file of the study. */
export function change(home: string, name: string, from: string, to: string): void {
  const text = readFileSync(join(home, name), "utf8")
  expect(text).toContain(from)
  writeFileSync(join(home, name), text.replace(from, to))
}
