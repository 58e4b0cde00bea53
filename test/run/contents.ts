import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Every file of a run but `run.json`, which alone may differ between two runs, by name. The ledger's lines count as a set. */
export const contents = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name !== "run.json" && statSync(join(directory, name)).isFile())
      .sort()
      .map((name) => {
        const text = readFileSync(join(directory, name), "utf8")
        return [name, name === "ledger.jsonl" ? text.split("\n").sort().join("\n") : text]
      }),
  )
