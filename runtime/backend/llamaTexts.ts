/** Where texts are written on node-llama-cpp: a context beside that of the reads, with a sequence for each text and one for prompts. */
import type { LlamaContext, LlamaModel } from "node-llama-cpp"
import type { Token } from "./backend.ts"
import { openDecoder } from "./llamaDecoder.ts"
import type { Room } from "./text/generator.ts"

/** Sequences hold a multiple of this many tokens. */
const cellSteps = 256

export interface TextRoomOptions {
  readonly model: LlamaModel
  readonly openContext: (sequences: number, contextSize: number) => Promise<LlamaContext>
  readonly threads: () => number
  readonly rewinds: boolean
  readonly filler: Token
}

export const textRooms =
  ({ model, openContext, threads, rewinds, filler }: TextRoomOptions) =>
  async (sequences: number, cells: number): Promise<Room> => {
    const context = await openContext(sequences, Math.ceil(cells / cellSteps) * cellSteps)
    const decoder = openDecoder(model, context, sequences)
    decoder.setThreads(threads())
    return {
      engine: { ...decoder, filler, rewinds },
      cells: context.contextSize,
      close: async () => {
        decoder.close()
        await context.dispose()
      },
    }
  }
