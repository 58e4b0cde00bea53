/** What the declaration of a served model must say before anything can be asked. */
import { Effect } from "effect"
import type { ServedIR } from "../../../compiler/ir.ts"
import { EnvironmentFailure } from "../../failure.ts"
import type { ModelFile } from "../backend.ts"
import { type Address, addressOf } from "./address.ts"
import { keyOf } from "./secret.ts"

export interface Declared {
  readonly served: ServedIR
  readonly address: Address
}

/** Where the server is; fails where nothing can be asked there, or not as it is declared. */
export const declared = ({
  name,
  path,
  served,
  template,
}: ModelFile): Effect.Effect<Declared, EnvironmentFailure> => {
  if (served === undefined) return Effect.die(new Error(`the model ${name} is no server's`))
  const address = addressOf(path)
  if ("problem" in address)
    return Effect.fail(
      new EnvironmentFailure({
        what: `the server of model ${name} cannot be asked: ${address.problem}`,
        where: `the declaration of model ${name}`,
        todo: 'give an address such as "https://api.example.com/v1", and the key, if there is one, by `key "VARIABLE"`',
      }),
    )
  if (template === "plain")
    return Effect.fail(
      new EnvironmentFailure({
        what: `the model ${name} is declared with \`template plain\`, but a server puts messages into its own chat template`,
        where: address.shown,
        todo: "take `template plain` out of the model's declaration, or open the model's file with gguf",
      }),
    )
  return Effect.succeed({ served, address })
}

/** The same, and that its key is there: before a run sends its first request. */
export const askable = (
  file: ModelFile,
  env?: Readonly<Record<string, string | undefined>>,
): Effect.Effect<void, EnvironmentFailure> =>
  Effect.flatMap(declared(file), ({ address }) => {
    const found = keyOf(file, env)
    return "problem" in found
      ? Effect.fail(new EnvironmentFailure({ what: found.problem, where: address.shown, todo: found.todo }))
      : Effect.void
  })
