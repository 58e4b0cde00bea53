import { join } from "node:path"
import { Cause, Effect, Exit } from "effect"
import { llamaBackend } from "../../backend/llama.ts"
import { absolute } from "../../disk/files.ts"
import { atPins } from "../../lock/pinned.ts"
import { command } from "../command.ts"
import { compileOptions, replacements, soundSpec } from "../compiled.ts"
import { shown, wrong } from "../doctor/finding.ts"
import { machine } from "../doctor/machine.ts"
import { models } from "../doctor/models.ts"
import { precision } from "../doctor/precision.ts"
import { engineOptions } from "../engine.ts"
import { exit } from "../exit.ts"
import { fetching } from "../files.ts"
import { interruptible } from "../interrupt.ts"
import { pinsBeside } from "../locked.ts"
import { packageRoot } from "../package.ts"

export default command({
  usage: "[SPEC]",
  about:
    "Looks at Node, the disk and the engine, and at each model of SPEC: its file and sum,\nchat template, label tokens, and one read. Each line is ok or says what to do.\nWithout SPEC it looks at the model that comes with cfx.",
  takes: { least: 0, most: 1, what: "SPEC" },
  options: {
    ...replacements,
    precision: {
      type: "boolean",
      about: "compare reads with those of the same weights in F32 (written to a file)",
    },
    json: { type: "boolean", about: "the lines as an array of objects" },
  },
  run: async ({ values, names: [given], terminal }) => {
    const engine = fetching(llamaBackend(engineOptions(terminal)), terminal)
    const spec = given ?? join(packageRoot(), "specs", "quickstart.cfx")
    const found = soundSpec(spec, compileOptions(values), terminal)
    if (typeof found === "number") return found
    const declared = atPins(found.program.models, pinsBeside(spec, found))
    const looked = await interruptible(
      Effect.gen(function* () {
        const first = yield* models(found, declared)
        return [...first, ...(values.precision ? yield* precision(found, declared, terminal) : [])]
      }).pipe(
        Effect.provide(engine),
        Effect.catchTag("EnvironmentFailure", ({ what, where, todo }) =>
          Effect.succeed([wrong("engine", `${what} (${where})`, todo)]),
        ),
      ),
      () => terminal.complain("\nstopping (once more to stop at once)"),
    )
    if (Exit.isFailure(looked)) {
      if (!Cause.hasInterruptsOnly(looked.cause)) throw Cause.squash(looked.cause)
      return exit.interrupted
    }
    const findings = [...machine(absolute("runs")), ...looked.value]
    if (values.json) terminal.print(JSON.stringify(findings, null, 2), "data")
    else terminal.print(shown(findings))
    return findings.every(({ ok }) => ok) ? exit.done : exit.environment
  },
})
