import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A folder that is gone after the tests of a file. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "cfx-run-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
