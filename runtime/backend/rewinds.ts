/** Whether a model's sequence can forget its end alone. That of a recurrent model, or of one that is so in part (Mamba, RWKV, Jamba), cannot. */
import type { Token } from "./backend.ts"
import { CannotRewind, type Evaluator } from "./evaluator.ts"

/** Found out by trying, on the first sequence: names of architectures go out of date. `tokens`: two at least, of any kind. */
export async function canRewind(evaluator: Evaluator, tokens: readonly Token[]): Promise<boolean> {
  const [first, second] = tokens as readonly [Token, Token]
  try {
    await evaluator.evaluate([{ sequence: 0, at: 0, chunk: [first, second], keep: [] }])
    await evaluator.evaluate([{ sequence: 0, at: 1, chunk: [second], keep: [] }])
    return true
  } catch (error) {
    if (error instanceof CannotRewind) return false
    throw error
  }
}
