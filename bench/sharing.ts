/** Tokens evaluated on the floor's main grid (20 items) over those of the trie of all its reads, in either mode: `npm run bench:sharing`. */
import { join } from "node:path"
import type { ModelFile, TokenModel } from "../runtime/backend/backend.ts"
import { sharingOnTheFloor } from "../test/engine/floorGrid.ts"
import { withModel } from "../test/engine/support.ts"
import { smollm2 } from "../test/real/smollm2.ts"

async function main(): Promise<void> {
  const path = join(process.cwd(), "stdlib/models/pocket/pocket.gguf")
  await bench("tokens of the pocket respondent", { name: "pocket", path })
  const fetched = await smollm2()
  if ("missing" in fetched) console.log(`SmolLM2 is not measured: ${fetched.missing}`)
  else await bench("tokens of SmolLM2", fetched)
}

const bench = (title: string, file: ModelFile): Promise<void> =>
  withModel(
    async (model: TokenModel) => {
      console.log(title)
      for (const mode of ["exact", "fast"] as const) {
        const { reads, evaluated, ideal, naive } = await sharingOnTheFloor(mode, model)
        console.log(
          `  ${mode}: ${reads} reads, ${evaluated} tokens evaluated, ${ideal} at least (ratio ${(evaluated / ideal).toFixed(4)}), ${naive} without sharing (${(naive / evaluated).toFixed(2)})`,
        )
      }
    },
    { threads: 1 },
    file,
  )

await main()
