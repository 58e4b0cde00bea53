/** A process of its own that carries out the small spec, slowly enough to be stopped on the way. Arguments: directory, items, milliseconds a read. */
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { Backend } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { run } from "../../runtime/run/run.ts"
import { request } from "./request.ts"

const [directory = "", items = "", pause = ""] = process.argv.slice(2)

const slow = Layer.succeed(Backend, {
  load: (file) =>
    Effect.sync(() => {
      const model = simulatedModel(file)
      return {
        ...model,
        score: (reads) =>
          Stream.tap(model.score(reads), () => {
            process.stdout.write("answered\n")
            return Effect.sleep(Number(pause))
          }),
      }
    }),
})

const exit = await Effect.runPromiseExit(
  run(request(directory, { items: Number(items) })).pipe(Effect.provide(slow)),
)
if (Exit.isFailure(exit)) {
  process.stderr.write(`${String(Cause.squash(exit.cause))}\n`)
  process.exitCode = 3
}
