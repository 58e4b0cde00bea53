/** Builds the bundle once for all tests of the command line, in a place of its own: `dist` may be in use. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"
import type { TestProject } from "vitest/node"
import { bundle } from "../../rolldown.config.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The bundle's entry. */
    readonly bundle: string
  }
}

export default async function setup(project: TestProject) {
  // Under `node_modules`, so that the bundle finds its engine and, above, the standard library.
  const dir = join(import.meta.dirname, "../../node_modules/.cache", `cfx-test-${process.pid}`)
  await build(bundle(dir))
  project.provide("bundle", join(dir, "cfx.js"))
  return () => rmSync(dir, { recursive: true, force: true })
}
