/** Whether an engine can do what a program asks of it, and has the files for that: found before the first read is sent, and not hours later. */
import { existsSync } from "node:fs"
import { isAddress } from "../../compiler/address.ts"
import type { ModelIR, Program } from "../../compiler/ir.ts"
import { noFile, noPart } from "../backend/unable.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { partsOf } from "../hub/split.ts"
import type { Engine } from "./plan.ts"

type Opened = Pick<ModelIR, "name" | "engine">

/** Why a model cannot be opened; undefined where its file is there, and for a server. `file`: absolute, or the address as declared. */
export function unopenable({ name, engine }: Opened, file: string): EnvironmentFailure | undefined {
  if (engine === "server") return undefined
  return isAddress(file) ? undefined : noFileAt(name, file)
}

/** The same in a few words that leave out the model's name. */
export function whyUnopenable({ engine }: Opened, file: string): string | undefined {
  if (engine === "server") return undefined
  if (isAddress(file)) return undefined
  const missing = missingPart(file)
  return missing === undefined ? undefined : `there is no file ${missing}`
}

const missingPart = (file: string): string | undefined => partsOf(file).find((part) => !existsSync(part))

function noFileAt(name: string, file: string): EnvironmentFailure | undefined {
  const missing = missingPart(file)
  if (missing === undefined) return undefined
  return missing === file ? noFile(name, file) : noPart(name, missing, partsOf(file).length)
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
