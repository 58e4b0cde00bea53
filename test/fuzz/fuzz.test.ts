/** A short walk through broken specs; `npm run fuzz` takes the long one. */
import { expect, it } from "vitest"
import { corpus, flaw } from "./checked.ts"
import { mutant } from "./mutate.ts"

const MUTANTS = 250

/** Some ten seconds where nothing else runs; a machine may have much else to do. */
const LIMIT_MS = 600_000

it(
  "whatever is done to a spec, it is checked: no crash, no hang, every span inside its file",
  () => {
    const specs = corpus()
    for (let index = 0; index < MUTANTS; index++) {
      const one = mutant(specs, 1, index)
      expect(flaw(one), `mutant ${index} of seed 1 (${one.how}):\n${one.text}`).toBeUndefined()
    }
  },
  LIMIT_MS,
)
