import { Effect } from "effect"
import { planOfRun, resume } from "../../run/run.ts"
import { backendOf, carriedOut, failFast, runProgress } from "../carriedOut.ts"
import { command } from "../command.ts"
import { watchOn } from "../files.ts"
import { runFolder, todo } from "../folder.ts"
import { version } from "../package.ts"

export default command({
  usage: "DIR",
  about:
    "Goes on with an interrupted run, from the copies of spec and items in its directory\nand from nothing else but the model files.",
  takes: { least: 1, most: 1, what: "DIR" },
  options: {
    ...failFast,
    json: { type: "boolean", about: "the results as JSON" },
  },
  run: async ({ values, names: [given = ""], terminal }) => {
    const directory = runFolder(given, todo.other)
    const { engine, mode } = await Effect.runPromise(planOfRun(directory))
    const progress = runProgress(terminal)
    const stops = values["fail-fast"] ?? false
    return carriedOut(
      resume({ directory, version: version(), progress, sums: watchOn(terminal), failFast: stops }),
      {
        backend: backendOf({ engine, mode }, terminal, progress.note),
        engine,
        directory,
        json: values.json ?? false,
        terminal,
      },
    )
  },
})
