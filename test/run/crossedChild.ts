/**
 * A process of its own that carries out a run and ends itself with SIGKILL in the middle. Arguments: the file of its request (`handed.ts`), the
 * directory, the number of the answer after which the process ends, and milliseconds from there. An answer is of a read, of a text or of an audit.
 */
import { readFileSync } from "node:fs"
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { Backend, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { run } from "../../runtime/run/run.ts"
import { restored } from "./handed.ts"

const [request = "", directory = "", at = "", after = ""] = process.argv.slice(2)

let answers = 0
const counted = <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E> =>
  Stream.tap(stream, () =>
    Effect.sync(() => {
      if (++answers === Number(at)) setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(after))
    }).pipe(Effect.andThen(Effect.sleep(1))),
  )

const dying = (model: TokenModel): TokenModel => ({
  ...model,
  score: (reads) => counted(model.score(reads)),
  scoreCold: (reads) => counted(model.scoreCold(reads)),
  generate: (texts) => counted(model.generate(texts)),
})

const layer = Layer.succeed(Backend, { load: (file) => Effect.sync(() => dying(simulatedModel(file))) })

const exit = await Effect.runPromiseExit(
  run(restored(readFileSync(request, "utf8"), directory)).pipe(Effect.provide(layer)),
)
if (Exit.isFailure(exit)) {
  process.stderr.write(`${String(Cause.squash(exit.cause))}\n`)
  process.exitCode = 3
}
