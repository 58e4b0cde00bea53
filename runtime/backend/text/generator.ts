/**
 * Writes many texts at a time: prompts on a sequence of their own, which is rewound from one to the next, so that each distinct prefix is evaluated
 * once; what it holds is then copied to a free sequence for each text of the prompt, and all these go on together, a token a step. A text is the same
 * bytes as its naive twin's (`writtenAlone.ts`), whatever is written beside it.
 */
import { Stream } from "effect"
import { EnvironmentFailure } from "../../failure.ts"
import type { Lane, TextAnswer, TextRequest, Token } from "../backend.ts"
import type { Drawer } from "../evaluator.ts"
import { type Alphabet, GrowingText } from "./growingText.ts"
import { inTrieOrder, keptChunks, mostDrawers, type PromptGroup } from "./order.ts"
import { rowsAgree } from "./rowsAgree.ts"
import { samplingOf } from "./sampling.ts"
import { rowPlace, type Snapshot, stepParts, type TextEngine } from "./textEngine.ts"
import { writtenAlone } from "./writtenAlone.ts"

/** Where texts are written. */
export interface Room {
  readonly engine: TextEngine
  /** Tokens that each sequence can hold. */
  readonly cells: number
  readonly close: () => Promise<void>
}

export interface GeneratorOptions {
  readonly alphabet: Alphabet
  /** Texts that are written at the same time, at most. */
  readonly most: number
  /** False: the naive twin. */
  readonly sharing: boolean
  /** Opens a room of so many sequences, or three at least where memory is short, and at least so many cells in each. */
  readonly openRoom: (sequences: number, cells: number) => Promise<Room>
  /** Stands between the texts and the engine. */
  readonly wrap?: (engine: TextEngine) => TextEngine
  readonly onFailure: (error: unknown) => EnvironmentFailure
}

export interface Generator extends Pick<Lane, "generate"> {
  /** Waits until no text is being written, and closes the room. */
  readonly close: () => Promise<void>
}

/** Answers that wait for a slow reader, at most, while the engine goes on. */
const waiting = 64

export function generator(options: GeneratorOptions): Generator {
  const { alphabet, most, sharing, openRoom, onFailure } = options
  let room: Room | undefined
  /** Sequences that were asked for when it was opened. */
  let asked = 0
  /** Whether texts may be written together; found out for each room, until one where they may not. */
  let agree: boolean | undefined
  let busy: Promise<void> = Promise.resolve()
  let closed = false

  /** A room in which these texts have a place, which is only ever closed for a larger one. */
  const roomFor = async (texts: readonly TextRequest[]): Promise<Room> => {
    const cells = Math.max(...texts.map(cellsOf))
    const together = Math.max(2, agree === false || !sharing ? 0 : Math.min(most, texts.length))
    const sequences = together + 1
    if (room !== undefined && room.cells >= cells && asked >= sequences) return room
    const before = room
    room = undefined
    if (agree === true) agree = undefined
    await before?.close()
    asked = Math.max(sequences, asked)
    room = await openRoom(asked, Math.max(cells, before?.cells ?? 0))
    return room
  }

  async function* answers(
    texts: readonly TextRequest[],
    writing: (tokens: number) => void,
  ): AsyncGenerator<TextAnswer> {
    const before = busy
    let release = (): void => {}
    busy = new Promise((resolve) => {
      release = resolve
    })
    await before
    try {
      if (texts.length === 0) return
      if (closed) throw new Error("the model has been closed")
      const { engine: raw } = await roomFor(texts)
      const engine = options.wrap?.(raw) ?? raw
      if (sharing && agree === undefined && texts.length > 1)
        agree = await rowsAgree(engine, engine.sequences - 1, texts[0]!.chunks.flat())
      if (sharing && agree === true) yield* writtenTogether(engine, options, texts, writing)
      else for (const text of texts) yield await writtenAlone(engine, alphabet, text, writing)
    } finally {
      release()
    }
  }

  return {
    generate: (texts, writing = () => {}) =>
      Stream.fromAsyncIterable({ [Symbol.asyncIterator]: () => answers(texts, writing) }, (error) =>
        error instanceof EnvironmentFailure ? error : onFailure(error),
      ).pipe(Stream.buffer({ capacity: waiting })),
    close: async () => {
      closed = true
      await busy
      await room?.close()
      room = undefined
    },
  }
}

const cellsOf = ({ chunks, max }: TextRequest): number =>
  chunks.reduce((sum, chunk) => sum + chunk.length, max)

/** A text that has a token to go on with. */
interface Open {
  readonly text: GrowingText
  readonly drawer: Drawer
  /** Tokens before the next one. */
  at: number
  next: Token
  evaluated: number
}

async function* writtenTogether(
  engine: TextEngine,
  { alphabet, most }: Pick<GeneratorOptions, "alphabet" | "most">,
  texts: readonly TextRequest[],
  writing: (tokens: number) => void,
): AsyncGenerator<TextAnswer> {
  /** The last sequence is that of prompts. */
  const last = engine.sequences - 1
  const slots = new Array<Open | undefined>(Math.min(most, last)).fill(undefined)
  const prompts = promptSequence(engine, last, writing)
  const groups = inTrieOrder(texts, mostDrawers).values()
  const drawers = new Set<Drawer>()
  /** Texts of the last prompt that have no slot yet. */
  const ready: Open[] = []
  let snapshot: Snapshot | undefined

  /** Takes the token drawn last; the answer, where the text is over. */
  const take = (open: Omit<Open, "next">, token: Token | undefined): TextAnswer | undefined => {
    const answer = open.text.take(token)
    if (answer === undefined) return undefined
    open.drawer.close()
    drawers.delete(open.drawer)
    return { ...answer, evaluated: open.evaluated }
  }

  /** Evaluates the next prompt and draws the first token of each of its texts. */
  async function* begin({ chunks, texts: group }: PromptGroup): AsyncGenerator<TextAnswer> {
    const { at, evaluated, place } = await prompts.goTo(chunks)
    for (const [index, request] of group.entries()) {
      const drawer = engine.drawer(samplingOf(request))
      drawers.add(drawer)
      const text = new GrowingText(request, alphabet)
      const open = { text, drawer, at, evaluated: index === 0 ? evaluated : 0 }
      const token = await drawer.draw(place)
      const answer = take(open, token)
      if (answer !== undefined) yield answer
      else ready.push({ ...open, next: token! })
    }
    if (ready.length > 0) snapshot = await engine.snapshot(last)
  }

  try {
    for (;;) {
      for (let slot = slots.indexOf(undefined); slot >= 0; slot = slots.indexOf(undefined)) {
        while (ready.length === 0) {
          await snapshot?.free()
          snapshot = undefined
          const next = groups.next()
          if (next.done === true) break
          yield* begin(next.value)
        }
        const open = ready.shift()
        if (open === undefined) break
        await snapshot!.restore(slot)
        slots[slot] = open
      }
      if (slots.every((open) => open === undefined)) return
      const rows = slots.map((open) => open && { at: open.at, token: open.next })
      await engine.evaluate(stepParts(rows, engine.filler))
      for (const [slot, open] of slots.entries()) {
        if (open === undefined) continue
        open.at += 1
        open.evaluated += 1
        writing(1)
        const token = await open.drawer.draw(rowPlace(slot))
        const answer = take(open, token)
        if (answer === undefined) open.next = token!
        else {
          slots[slot] = undefined
          yield answer
        }
      }
    }
  } finally {
    for (const drawer of drawers) drawer.close()
    await snapshot?.free()
  }
}

/** The sequence on which prompts are evaluated, one after the other. */
function promptSequence(engine: TextEngine, sequence: number, writing: (tokens: number) => void) {
  let held: PromptGroup["chunks"] = []
  return {
    /** Goes to the end of a prompt; its last chunk is evaluated in any case, for its logits. */
    goTo: async (chunks: PromptGroup["chunks"]) => {
      const kept = keptChunks(held, chunks, engine.rewinds)
      held = []
      let at = chunks.slice(0, kept).reduce((sum, chunk) => sum + chunk.length, 0)
      const before = at
      for (const chunk of chunks.slice(kept)) {
        await engine.evaluate([{ sequence, at, chunk, keep: [chunk.length - 1] }])
        at += chunk.length
        writing(chunk.length)
      }
      held = chunks
      return { at, evaluated: at - before, place: { part: 0, offset: chunks.at(-1)!.length - 1 } }
    },
  }
}
