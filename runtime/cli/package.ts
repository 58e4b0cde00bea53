/** Where this package lies on the disk: the clone, or a folder of `node_modules`. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The nearest folder above this file that holds the standard library; the file itself may lie in `dist` or in the source. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "stdlib", "models.cfx"))) {
    const above = dirname(folder)
    if (above === folder) throw new Error("the standard library is not where cfx was installed")
    folder = above
  }
  return folder
}

export function version(): string {
  const description: unknown = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"))
  return (description as { readonly version: string }).version
}
