/** Whether an engine can do what a program asks of it, and has the files for that: found before the first read is sent, and not hours later. */
import { existsSync } from "node:fs"
import { isAddress } from "../../compiler/address.ts"
import type { ModelIR, Program } from "../../compiler/ir.ts"
import { noFile, onHub, onServer } from "../backend/unable.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { Engine } from "./plan.ts"

type Opened = Pick<ModelIR, "name" | "engine">

/** Why a model cannot be opened; undefined where its file is there. `file`: absolute, or the address as declared. */
export function unopenable({ name, engine }: Opened, file: string): EnvironmentFailure | undefined {
  if (engine === "server") return onServer(name, file)
  if (isAddress(file)) return onHub(name, file)
  return existsSync(file) ? undefined : noFile(name, file)
}

/** The same in a few words that leave out the model's name. */
export function whyUnopenable({ engine }: Opened, file: string): string | undefined {
  if (engine === "server") return `on a server (${file}), which this version of cfx does not ask`
  if (isAddress(file)) return `its file is on a hub (${file}), from which this version of cfx does not fetch`
  return existsSync(file) ? undefined : `there is no file ${file}`
}

/** What keeps a run from being carried out. `files`: of each model of the program, by name. */
export function unable(
  { models }: Program,
  engine: Engine,
  files: Readonly<Record<string, { readonly file: string }>>,
): EnvironmentFailure | undefined {
  if (engine === "simulated") return undefined
  for (const model of models) {
    const problem = unopenable(model, files[model.name]?.file ?? model.file)
    if (problem !== undefined) return problem
  }
  return undefined
}
