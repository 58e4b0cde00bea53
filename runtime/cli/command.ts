/** What a command is: its options, its help, and what it does. Each stands in a file of its own and is loaded when it is called. */
import type { Terminal } from "./terminal.ts"

export interface OptionSpec {
  readonly type: "boolean" | "string"
  /** May be given several times. */
  readonly multiple?: boolean
  readonly short?: string
  /** What stands for its value in the help. */
  readonly value?: string
  readonly about: string
}

export type Options = Readonly<Record<string, OptionSpec>>

export type Values<O extends Options> = {
  readonly [K in keyof O]?: O[K]["type"] extends "boolean"
    ? boolean
    : O[K]["multiple"] extends true
      ? readonly string[]
      : string
}

export interface Call<O extends Options> {
  readonly values: Values<O>
  readonly names: readonly string[]
  readonly terminal: Terminal
}

export interface Command<O extends Options = Options> {
  /** The words that follow the command, options left out. */
  readonly usage: string
  /** What it does, in full sentences of at most 80 columns a line. */
  readonly about: string
  /** How many files or names it takes, and what one of them is. */
  readonly takes: { readonly least: number; readonly most: number; readonly what: string }
  readonly options: O
  /** Resolves to the exit code. */
  readonly run: (call: Call<O>) => Promise<number>
}

/** Ties the options of a command to the values that its `run` is given. */
export const command = <const O extends Options>(definition: Command<O>): Command =>
  definition as unknown as Command

/** The command line was wrong (exit 2); the message is one sentence. */
export class UsageError extends Error {}

/** What every command takes. */
export const common = {
  help: { type: "boolean", short: "h", about: "this text" },
  quiet: { type: "boolean", short: "q", about: "no progress and no remarks" },
  "no-color": { type: "boolean", about: "plain text, as with NO_COLOR" },
} as const satisfies Options
