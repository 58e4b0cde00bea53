import { existsSync } from "node:fs"
import { type JsonDiagnostic, summary, toJson } from "../../../compiler/diagnostics/render.ts"
import { absolute } from "../../disk/files.ts"
import { lockPath } from "../../lock/place.ts"
import { command } from "../command.ts"
import { compiled, here, isSound, refused, type Sound, showDiagnostics } from "../compiled.ts"
import { exit } from "../exit.ts"
import type { Terminal } from "../terminal.ts"

/** What moved since the lock beside a spec was written. What reads a lock is loaded where there is one. */
async function driftsOf(spec: string, sound: Sound, terminal: Terminal): Promise<readonly JsonDiagnostic[]> {
  if (!existsSync(lockPath(absolute(spec)))) return []
  const { driftJson, held } = await import("../locked.ts")
  return (await held(spec, sound, {}, terminal))?.drifts.map(driftJson(spec)) ?? []
}

export default command({
  usage: "SPEC...",
  about:
    "Reads each spec with its libraries and items, and reports every error and every\ndoubtful choice of design, each with its place. Asks no model.",
  takes: { least: 1, most: Number.POSITIVE_INFINITY, what: "SPEC" },
  options: { json: { type: "boolean", about: "an array of diagnostics on standard output" } },
  run: async ({ values, names, terminal }) => {
    // A library that two specs share is reported once.
    const seen = new Map<string, ReturnType<typeof compiled>["diagnostics"][number]>()
    let garbled = false
    const drifts: JsonDiagnostic[] = []
    const files = here()
    for (const spec of names) {
      const read = compiled(spec, {}, files)
      garbled ||= read.garbled
      for (const diagnostic of read.diagnostics) seen.set(JSON.stringify(toJson(diagnostic)), diagnostic)
      if (isSound(read)) drifts.push(...(await driftsOf(spec, read, terminal)))
      // A file that was cut to nothing is sound, and hardly what is meant.
      const [own] = read.sources.values()
      if (own?.text.trim() === "") terminal.note(`${spec} is empty: it declares nothing`)
    }
    const diagnostics = [...seen.values()]
    if (values.json) terminal.print(JSON.stringify([...diagnostics.map(toJson), ...drifts], null, 2), "data")
    else {
      showDiagnostics(diagnostics, terminal)
      if (drifts.length === 0 && !diagnostics.some(({ severity }) => severity === "error")) {
        terminal.note(`${names.join(", ")}: ${summary(diagnostics) || "no errors, no warnings"}`)
      }
    }
    return diagnostics.some(({ severity }) => severity === "error")
      ? refused({ diagnostics, garbled })
      : drifts.length > 0
        ? exit.drift
        : exit.done
  },
})
