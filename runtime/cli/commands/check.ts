import { type JsonDiagnostic, summary, toJson } from "../../../compiler/diagnostics/render.ts"
import { command } from "../command.ts"
import { compiled, isSound, refused, showDiagnostics } from "../compiled.ts"
import { exit } from "../exit.ts"
import { driftJson, held } from "../locked.ts"

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
    for (const spec of names) {
      const read = compiled(spec)
      garbled ||= read.garbled
      for (const diagnostic of read.diagnostics) seen.set(JSON.stringify(toJson(diagnostic)), diagnostic)
      if (isSound(read))
        drifts.push(...((await held(spec, read, {}, terminal))?.drifts.map(driftJson(spec)) ?? []))
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
