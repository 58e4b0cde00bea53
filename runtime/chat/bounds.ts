/** Runs a chat template, which is a program that somebody else wrote: within a number of steps and a size, else it ends in an error. */
import { type Environment, Interpreter } from "@huggingface/jinja"

/** Expressions and passes of loops, large values counted as several; a conversation of a hundred turns takes some ten thousand. */
const mostSteps = 300_000
/** Milliseconds, for what costs more than it counts: so many that no busy machine makes the difference. */
const longest = 30_000
/** UTF-16 units of a text, and elements of a list. More than any context holds. */
const mostCharacters = 1 << 24
const mostElements = 1 << 20
/** Of `range`, as in the sandbox of Python's jinja2. */
const mostNumbers = 100_000

/** What is used of the interpreter; the package's own types do not resolve. */
interface Running {
  evaluate(statement: unknown, environment: unknown): { readonly value?: unknown } | undefined
  evaluateBlock(statements: unknown, environment: unknown): unknown
  run(program: unknown): { readonly value: unknown }
}

class BoundedInterpreter extends (Interpreter as unknown as new (globals: Environment) => Running) {
  #steps = 0
  readonly #until = performance.now() + longest

  override evaluate(statement: unknown, environment: unknown): { readonly value?: unknown } | undefined {
    const value = super.evaluate(statement, environment)
    const content = value?.value
    if (typeof content === "string") {
      if (content.length > mostCharacters)
        throw new Error(`the template writes more than ${mostCharacters} characters`)
      this.#step(1 + content.length / 256)
    } else if (Array.isArray(content)) {
      if (content.length > mostElements)
        throw new Error(`the template makes a list of more than ${mostElements} elements`)
      this.#step(1 + content.length / 16)
    } else this.#step(1)
    return value
  }

  override evaluateBlock(statements: unknown, environment: unknown): unknown {
    this.#step(1)
    return super.evaluateBlock(statements, environment)
  }

  #step(cost: number): void {
    this.#steps += cost
    if (this.#steps > mostSteps || performance.now() > this.#until)
      throw new Error("the template does not come to an end")
  }
}

/** The text that a program renders. Throws an Error in the template's own words where it refuses, or in ours at a bound. */
export function runBounded(program: unknown, globals: Environment): string {
  try {
    const rendered: unknown = new BoundedInterpreter(globals).run(program).value
    if (typeof rendered !== "string") throw new Error("the template renders no text")
    return rendered
  } catch (error) {
    // A stack that overflows, a text that is longer than JavaScript has them.
    if (error instanceof RangeError) throw new Error(`the template does not come to an end: ${error.message}`)
    throw error
  }
}

/** Python's `range`. */
export function boundedRange(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop]
  if (step === 0) throw new Error("range() step must not be zero")
  if ((to - from) / step > mostNumbers) throw new Error(`range() of more than ${mostNumbers} numbers`)
  const values: number[] = []
  for (let value = from; step > 0 ? value < to : value > to; value += step) values.push(value)
  return values
}
