/** What this version of cfx cannot do with a model, said before a run sends its first read. */
import { EnvironmentFailure } from "../failure.ts"

const tryOut = "try the spec out with --backend simulated"

export const noFile = (name: string, path: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the file of model ${name} does not exist`,
    where: path,
    todo: `check the path, give another with --model ${name}=FILE, or ${tryOut}`,
  })

export const noPart = (name: string, path: string, parts: number): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the model ${name} is in ${parts} files, and this one does not exist`,
    where: path,
    todo: "put it beside the others, or download the model again",
  })
