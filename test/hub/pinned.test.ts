import { expect, test } from "vitest"
import type { ModelIR } from "../../compiler/ir.ts"
import { pinnedFiles } from "../../runtime/lock/pinned.ts"
import { COMMIT } from "./server.ts"

const SUM = "ab".repeat(32)

const model = (name: string, file: string, more: Partial<ModelIR> = {}): ModelIR => ({
  name,
  engine: "gguf",
  file,
  attributes: {},
  doc: "",
  origin: { declaration: name, file: "s.cfx", line: 1 },
  ...more,
})

const unlocked = "hf:a/b/c.gguf#unlocked"
const entry = { source: unlocked, revision: COMMIT, bytes: 7, sha256: SUM }

test("a model on the hub is opened at the locked commit, with the locked size and sum", () => {
  expect(pinnedFiles([model("m", unlocked)], { models: { m: entry } })).toEqual({
    m: { file: `hf:a/b/c.gguf#${COMMIT}`, bytes: 7, sha256: SUM },
  })
})

test.each([
  ["a file on this machine", model("m", "/x.gguf"), { ...entry, source: "x.gguf" }],
  ["an address that was changed since", model("m", "hf:a/b/d.gguf#unlocked"), entry],
  [
    "a file that the command line gave for the lock",
    model("m", unlocked),
    { ...entry, given: true as const },
  ],
  ["a model that the lock does not have", model("toString", unlocked), entry],
])("%s stays as it is declared", (_, declared, locked) => {
  expect(pinnedFiles([declared], { models: { m: locked } })).toEqual({})
})

test("a lock that pins no revision keeps the sum that it has", () => {
  const { m } = pinnedFiles([model("m", unlocked)], { models: { m: { ...entry, revision: "unlocked" } } })
  expect(m).toEqual({ file: unlocked, bytes: 7, sha256: SUM })
})
