/** Where texts are written on node-llama-cpp: a context beside that of the reads, with a sequence for each text and one for prompts. */
import type { LlamaContext, LlamaModel } from "node-llama-cpp"
import type { Token } from "./backend.ts"
import { openDecoder } from "./llamaDecoder.ts"
import { roundedCells } from "./longRope.ts"
import type { Room } from "./text/generator.ts"

export interface TextRoomOptions {
  readonly model: LlamaModel
  readonly openContext: (sequences: number, contextSize: number) => Promise<LlamaContext>
  readonly threads: () => number
  readonly rewinds: boolean
  readonly filler: Token
  /** Tokens that a sequence holds, whatever is written, for the engine to compute as it does in the context of the reads. */
  readonly least: number
}

export const textRooms =
  ({ model, openContext, threads, rewinds, filler, least }: TextRoomOptions) =>
  async (sequences: number, cells: number): Promise<Room> => {
    const context = await openContext(sequences, roundedCells(Math.max(cells, least)))
    // Where memory is short it has fewer sequences than were asked for.
    const decoder = openDecoder(model, context, context.totalSequences)
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
