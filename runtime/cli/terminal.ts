/**
 * The two streams of a command: results go to standard output, everything that only a person reads to standard error. Texts come from
 * specs, items, models and arguments, so what is written passes `screened` here, and escapes in it are shown instead of sent.
 */
import { visible } from "../../compiler/diagnostics/visible.ts"
import { exit } from "./exit.ts"

/**
 * What a text is: for a person; for a person and painted by a renderer of ours, which made all that it was given visible; or data for a
 * program, such as JSON or HTML, which is written as it is.
 */
export type Form = "text" | "painted" | "data"

export interface Terminal {
  /** A result. */
  readonly print: (text: string, form?: Form) => void
  /** Progress and remarks; silent with `--quiet`. */
  readonly note: (text: string, form?: Form) => void
  /** What went wrong; never silent. */
  readonly complain: (text: string, form?: Form) => void
  readonly quiet: boolean
  /** Whether a line of standard error can be drawn again, as progress is. */
  readonly redraws: boolean
  /** Columns of standard output; a fixed number where it is no terminal, so that its bytes are the same everywhere. */
  readonly columns: number
  /** Whether each stream shows colour: it is a terminal, and nobody asked for plain text. */
  readonly color: { readonly out: boolean; readonly err: boolean }
}

const PLAIN_COLUMNS = 100

export function terminal(options: { readonly quiet: boolean; readonly plain: boolean }): Terminal {
  const capable = process.env.TERM !== "dumb"
  const colored = (stream: NodeJS.WriteStream): boolean =>
    !options.plain && !process.env.NO_COLOR && capable && stream.isTTY === true
  const color = { out: colored(process.stdout), err: colored(process.stderr) }
  const complain = (text: string, form: Form = "text"): void =>
    void process.stderr.write(screened(lines(text), form, color.err))
  return {
    print: (text, form = "text") => void process.stdout.write(screened(lines(text), form, color.out)),
    note: options.quiet ? () => {} : complain,
    complain,
    quiet: options.quiet,
    redraws: capable && process.stderr.isTTY === true,
    columns: process.stdout.isTTY ? process.stdout.columns || PLAIN_COLUMNS : PLAIN_COLUMNS,
    color,
  }
}

/** A text as its stream gets it. Where nothing is painted, what a renderer gives is screened like any other text. */
export const screened = (text: string, form: Form, color: boolean): string =>
  form === "data" || (form === "painted" && color) ? text : visible(text)

const lines = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

/**
 * A reader that goes away (`cfx show ... | head`) is no error; output that cannot be written otherwise, as on a full disk, is one of
 * the environment's.
 */
export function guardStreams(): void {
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return
    process.stderr.write(`error: standard output cannot be written: ${visible(error.message)}\n`)
    process.exitCode = exit.environment
  })
}

/** Resolves when all that was written has left: `process.exit` alone would cut off a pipe on some systems. */
export async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writable) await new Promise<void>((done) => stream.write("", () => done()))
  }
  // An error of a stream is reported a turn later.
  await new Promise((done) => setImmediate(done))
}
