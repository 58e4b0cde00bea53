/** Whether the files of models are still those that answered: a path says nothing of that, since another file may have taken its place. */
import { isAddress } from "../../compiler/address.ts"
import { EnvironmentFailure } from "../failure.ts"
import { modelSum } from "../hub/split.ts"
import type { SumWatch } from "../hub/watch.ts"
import type { Answers } from "./answers.ts"
import type { ModelState } from "./state.ts"

/**
 * The first model that has answered and whose file on this machine is another one by now. A file that is gone is none of these: who has to open it says
 * so. `before`: the models as `run.json` keeps them; where it has no sum, of a server or the simulated engine, nothing is compared.
 */
export async function otherFile(
  models: Readonly<Record<string, ModelState>>,
  before: Readonly<Record<string, ModelState>>,
  { fingerprints }: Pick<Answers, "fingerprints">,
  watch?: SumWatch,
): Promise<EnvironmentFailure | undefined> {
  for (const [name, { file }] of Object.entries(models)) {
    const answered = before[name]?.facts?.sha256
    if (answered === undefined || !fingerprints.has(name) || isAddress(file)) continue
    const sum = await modelSum(file, watch)
    if (sum === undefined || sum.sha256 === answered) continue
    return new EnvironmentFailure({
      what: `the model ${name} is not the one that answered so far: its file has another content`,
      where: `${file}: its sha256 was ${answered} and is now ${sum.sha256}`,
      todo: `put the file of before back (or give it with --model ${name}=FILE), or run into another folder with -o`,
    })
  }
  return undefined
}
