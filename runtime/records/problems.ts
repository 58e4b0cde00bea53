/** What is wrong with rows: counted by what it is, with some of its places. Nothing is left out of a count. */
import type { RecordsIR, RecordsPolicy, RecordsProblem } from "../../compiler/ir.ts"
import { recordsPolicies } from "../../compiler/lower/records.ts"

/** `unreadable`: a row that is not of its file's format. `gold`: a gold answer that the pool's is not. `answer`: an answer that is not the most probable. */
export type Found = RecordsProblem | "unreadable" | "gold" | "answer"

export interface Finding {
  readonly problem: Found
  /** What is wrong, in a sentence without a place: "`expert` is no level of framing". */
  readonly what: string
  readonly policy: RecordsPolicy
  /** Rows. */
  readonly count: number
  /** Places of the first of them: "answers.csv:12", of a contradiction "answers.csv:12 against answers.csv:9". */
  readonly places: readonly string[]
}

/** Places that are kept of each. */
const SHOWN = 5

/** Findings that differ in their words are kept apart up to so many; the rest is counted together. */
const KINDS = 200

export class Problems {
  readonly #policies: RecordsIR["policies"]
  readonly #found = new Map<string, { -readonly [K in keyof Finding]: Finding[K] } & { places: string[] }>()

  constructor({ policies }: Pick<RecordsIR, "policies">) {
    this.#policies = policies
  }

  policyOf(problem: Found): RecordsPolicy {
    if (problem === "gold" || problem === "answer") return "keep"
    if (problem === "unreadable") return this.#policies.missing ?? "stop"
    return this.#policies[problem] ?? (recordsPolicies[problem][0] as RecordsPolicy)
  }

  /** Counts it, and says what becomes of the row. */
  add(problem: Found, what: string, place: string): RecordsPolicy {
    const policy = this.policyOf(problem)
    const key = `${problem}\n${what}`
    const isNew = !this.#found.has(key) && this.#found.size >= KINDS
    const words = isNew ? "and more of this kind, each in words of its own" : what
    const known = this.#found.get(isNew ? `${problem}\n` : key)
    if (known === undefined)
      this.#found.set(isNew ? `${problem}\n` : key, {
        problem,
        what: words,
        policy,
        count: 1,
        places: [place],
      })
    else {
      known.count += 1
      if (known.places.length < SHOWN) known.places.push(place)
    }
    return policy
  }

  /** In the order in which they were met. */
  get all(): readonly Finding[] {
    return [...this.#found.values()]
  }

  /** Those for which nothing is scored. */
  get stopping(): readonly Finding[] {
    return this.all.filter(({ policy }) => policy === "stop")
  }
}
