/** Reads `ledger.jsonl` back, and says which line is wrong when one is. */
import { closeSync, openSync, readSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { diskFailure } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import { type EngineAnswer, isWritten } from "../read/reading.ts"
import { AnswerStore } from "./answerStore.ts"
import type { Again, Answers, Occasion } from "./answers.ts"
import { type AnswerLine, type AuditLine, decodeLine, type LedgerLine, type TextLine } from "./ledgerLine.ts"
import { unwatched, type Watch } from "./watch.ts"

/** A ledger in memory: answers by prompt and by read, and the length in bytes of what was whole. */
export interface LedgerState extends Answers {
  readonly fingerprints: Map<string, string>
  readonly byKey: AnswerStore["byKey"]
  readonly store: AnswerStore
  readonly audits: Map<string, Readonly<Partial<Record<Occasion, Again>>>>
  /** Bytes up to the end of the last whole line. What follows is a line that was torn when its writer was killed. */
  end: number
}

function emptyLedger(): LedgerState {
  const store = new AnswerStore()
  const { byPrompt, byKey } = store
  const readOf = (prompt: string): number => store.readOf(prompt)
  const readAt = (read: number): EngineAnswer => store.readAt(read)
  return { fingerprints: new Map(), store, byPrompt, byKey, readOf, readAt, audits: new Map(), end: 0 }
}

/**
 * Reads the file at `path`; a missing file is an empty ledger, and so is one in which nothing was answered: whatever models were opened,
 * others may take their places. `progress` is told of the lines. Checksums are of what a line says, so a tool that wrote the file with Windows line breaks, a byte order mark or
 * empty lines has done no harm. Throws `EnvironmentFailure` that names the file and the line.
 */
export function readLedger(path: string, progress: Watch = unwatched): LedgerState {
  const state = emptyLedger()
  let number = 0
  for (const { text, bytes } of wholeLines(path)) {
    number++
    progress.at("reading the ledger: line", number)
    const content = contentOf(text, number)
    const problem = content === "" ? undefined : take(state, content)
    if (problem !== undefined) throw badLine(path, number, problem)
    state.end += bytes
  }
  return state.byPrompt.size === 0 ? emptyLedger() : state
}

/** The lines of a ledger that `readLedger` has read without a complaint. */
export function* ledgerLines(path: string): Generator<LedgerLine> {
  let number = 0
  for (const { text } of wholeLines(path)) {
    number++
    const content = contentOf(text, number)
    const decoded = content === "" ? undefined : decodeLine(content)
    if (decoded === undefined) continue
    if ("problem" in decoded) throw badLine(path, number, decoded.problem)
    yield decoded.line
  }
}

/** Whether answers stand in the file at `path`, or anything that cannot be read. */
export function holdsAnswers(path: string): boolean {
  try {
    return readLedger(path).byPrompt.size > 0
  } catch {
    return true
  }
}

const contentOf = (text: string, number: number): string => {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text
  return number === 1 && line.startsWith("\uFEFF") ? line.slice(1) : line
}

function take(state: LedgerState, content: string): string | undefined {
  const decoded = decodeLine(content)
  return "problem" in decoded ? decoded.problem : enter(state, decoded.line)
}

/**
 * Takes a line into the state. Returns what is wrong with it: a read, or a prompt, that an earlier line answers otherwise, an alias of
 * a read that nothing answered, or a model on two engines.
 */
export function enter(state: LedgerState, line: LedgerLine): string | undefined {
  const engine = state.fingerprints.get(line.model)
  if (engine !== undefined && engine !== line.fingerprint) {
    return `the model ${line.model} is on another engine than in the lines before`
  }
  state.fingerprints.set(line.model, line.fingerprint)
  if (line.kind === "model") return undefined
  if (line.kind === "unreadable") {
    for (const prompt of line.prompts) {
      const known = state.byPrompt.get(prompt)
      if (known?.kind === "answer") return "an earlier line answers this prompt"
      state.store.refuse(prompt, { kind: "unreadable", problem: line.problem, why: line.why })
    }
    return undefined
  }
  if (line.kind === "audit") return enterAudit(state, line)
  const known = state.byKey.get(line.key)
  const said = line.kind === "alias" ? undefined : answerOf(line)
  if (known !== undefined && said !== undefined && !same(known, said)) {
    return "an earlier line answers the same read otherwise"
  }
  if (known === undefined && said === undefined)
    return "no earlier line answers the read that this one points to"
  if (known === undefined && said !== undefined) state.store.answer(said)
  for (const prompt of line.prompts) {
    const before = state.byPrompt.get(prompt)
    if (before?.kind === "answer" && before.answer.key !== line.key) {
      return "an earlier line answers the same prompt with another read"
    }
    state.store.point(prompt, line.key)
  }
  return undefined
}

/** Whether answers have all that a line says: taken in, it would change nothing. */
export function holds(answers: Answers, line: LedgerLine): boolean {
  if (line.kind === "audit") {
    const { key, occasion, kind: _, model, fingerprint, ...again } = line
    return isDeepStrictEqual(answers.audits.get(key)?.[occasion], again)
  }
  if (answers.fingerprints.get(line.model) !== line.fingerprint) return false
  if (line.kind === "model") return true
  const found = line.prompts.map((prompt) => answers.byPrompt.get(prompt))
  if (line.kind === "unreadable") return found.every((one) => one?.kind === "unreadable")
  const known = answers.byKey.get(line.key)
  if (known === undefined || (line.kind !== "alias" && !same(known, answerOf(line)))) return false
  return found.every((one) => one?.kind === "answer" && one.answer.key === line.key)
}

function enterAudit({ byKey, audits }: LedgerState, line: AuditLine): string | undefined {
  const { key, occasion, kind: _, model, fingerprint, ...again } = line
  const known = byKey.get(key)
  if (known === undefined || isWritten(known) !== "text" in again)
    return "no earlier line answers the read that this one audits"
  const before = audits.get(key) ?? {}
  if (before[occasion] !== undefined) return "an earlier line audits the same read in the same way"
  audits.set(key, { ...before, [occasion]: again })
  return undefined
}

function answerOf(line: AnswerLine | TextLine): EngineAnswer {
  if (line.kind === "text") {
    const { key, text, tokens, stop, invalid } = line
    return { key, text, tokens, stop, evaluated: 0, ...(invalid === undefined ? {} : { invalid }) }
  }
  const { key, probabilities, mass, also, censored, invalid } = line
  return {
    key,
    probabilities,
    mass,
    evaluated: 0,
    ...(also === undefined ? {} : { also }),
    ...(censored === undefined ? {} : { censored }),
    ...(invalid === undefined ? {} : { invalid }),
  }
}

function same(known: EngineAnswer, said: EngineAnswer): boolean {
  if (isWritten(known) || isWritten(said)) {
    if (!isWritten(known) || !isWritten(said)) return false
    return (
      known.text === said.text &&
      known.tokens === said.tokens &&
      known.stop === said.stop &&
      known.invalid === said.invalid
    )
  }
  return (
    known.mass === said.mass &&
    known.invalid === said.invalid &&
    sameNumbers(known.probabilities, said.probabilities) &&
    sameNumbers(known.also, said.also) &&
    known.censored?.below === said.censored?.below &&
    sameNumbers(known.censored?.labels, said.censored?.labels)
  )
}

const sameNumbers = (known: readonly number[] = [], said: readonly number[] = []): boolean =>
  known.length === said.length && known.every((p, i) => p === said[i])

function badLine(path: string, line: number, problem: string): EnvironmentFailure {
  return new EnvironmentFailure({
    what: `the ledger cannot be trusted: ${problem}`,
    where: `${path}:${line}`,
    todo: "remove that line and run the same command again (what it answered is asked anew), or start over in another folder with -o",
  })
}

/** The lines that end in a line break, read a piece at a time: a ledger may be longer than a string can be. */
function* wholeLines(path: string): Generator<{ readonly text: string; readonly bytes: number }> {
  let file: number
  try {
    file = openSync(path, "r")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return
    throw diskFailure(cause, "read the ledger", path)
  }
  try {
    const piece = Buffer.alloc(1 << 20)
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const size = readSync(file, piece, 0, piece.length, null)
      if (size === 0) return
      const bytes = Buffer.concat([rest, piece.subarray(0, size)])
      let start = 0
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        yield { text: bytes.toString("utf8", start, end), bytes: end + 1 - start }
        start = end + 1
      }
      rest = bytes.subarray(start)
    }
  } catch (cause) {
    throw diskFailure(cause, "read the ledger", path)
  } finally {
    closeSync(file)
  }
}
