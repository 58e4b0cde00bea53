/**
 * What a read says against the raw probabilities of all spellings of its labels, one token at a time from an empty sequence: spellings are listed, and
 * multiplied, without the tree in which the engine is asked for them.
 */
import { describe, expect, test } from "vitest"
import type { TokenModel } from "../../runtime/backend/backend.ts"
import type { Evaluator } from "../../runtime/backend/evaluator.ts"
import { alsoOf, labelsOf, type ReadAsk } from "../../runtime/read/reading.ts"
import { tokensOf } from "../../runtime/read/steps.ts"
import { conversationOf, prepared, scoreAll, withModel } from "./support.ts"

const follow = '"'
const label = (...labels: readonly string[]): ReadAsk => ({ kind: "label", labels, follow })
const asks: readonly (readonly [string, ReadAsk])[] = [
  ["one token each", label("A", "B", "C")],
  ["shared first tokens", label("(A)", "(B)", "(C)")],
  ["a shared word that merges with a blank", label("the bird", "the fish")],
  ["a shared letter that merges with a blank", label("A. bird", "A. fish", "B. tree")],
  ["each the beginning of the next", label("1", "10", "100")],
  ["words of which one begins another", label("yes", "yesterday", "no")],
  ["integers of a shared digit", { kind: "integer", low: 10, high: 19, follow }],
  ["letters, and a placebo", { kind: "label", labels: ["A", "B"], follow, also: ["C"] }],
  [
    "words, and a placebo that begins like one of them",
    { kind: "label", labels: ["the bird", "a fish"], follow, also: ["the tree"] },
  ],
  [
    "words that begin alike, and a placebo that does not",
    { kind: "label", labels: ["the bird", "the fish"], follow, also: ["a tree"] },
  ],
]

interface Spelling {
  readonly label: number
  /** From where the read is taken. */
  readonly tokens: readonly number[]
}

/** A label after this text, and where it merges with that, also as its own tokens after the text's own. */
function spellingsOf(
  { vocabulary: { tokenize } }: TokenModel,
  texts: readonly string[],
  before: string,
): { readonly back: number; readonly spellings: readonly Spelling[] } {
  const base = tokenize(before)
  const keeps = (tokens: readonly number[]): number => {
    const at = base.findIndex((token, index) => token !== tokens[index])
    return at === -1 ? base.length : at
  }
  const found = texts.flatMap((text, index) => {
    const merged = { label: index, tokens: [...tokenize(before + text), ...tokenize(follow)] }
    const [quote = Number.NaN, ...own] = tokenize(`"${text}"`)
    expect(quote).toBe(tokenize('"')[0])
    return keeps(merged.tokens) === base.length
      ? [merged]
      : [merged, { label: index, tokens: [...base, ...own] }]
  })
  const shared = Math.min(...found.map(({ tokens }) => keeps(tokens)))
  return {
    back: base.length - shared,
    spellings: found.map((one) => ({ ...one, tokens: one.tokens.slice(shared) })),
  }
}

const beginAlike = (spellings: readonly Spelling[], tokens: readonly number[]): readonly Spelling[] =>
  spellings.filter((one) => tokens.every((token, index) => one.tokens[index] === token))

/** The tokens of a spelling that count: until nothing else is spelt so, and in a single spelling only those in which labels part. */
function counted(
  { tokens }: Spelling,
  among: readonly Spelling[],
  twice: boolean,
): readonly { readonly before: readonly number[]; readonly token: number; readonly others: Set<number> }[] {
  return tokens.flatMap((token, at) => {
    const before = tokens.slice(0, at)
    const open = beginAlike(among, before)
    const others = new Set(open.map((one) => one.tokens[at]!))
    const counts = at === 0 || others.size > 1 || (twice && open.length > 1)
    return counts ? [{ before, token, others }] : []
  })
}

describe("labels on the pocket respondent have the raw probabilities of all their spellings", () => {
  test.each(["Answer: ", 'Answer: "', ""])(
    "after %j",
    async (said) => {
      let engine: Evaluator | undefined
      const wrap = (raw: Evaluator): Evaluator => {
        engine = raw
        return raw
      }
      await withModel(
        async (model) => {
          const conversation = conversationOf([["Which is a bird?\nA. robin\nB. oak", said]])
          const known = new Map<string, number>()
          /** Of a token after a conversation's, from an empty sequence. */
          const rawOf = async (prompt: readonly number[], token: number): Promise<number> => {
            const key = [...prompt, token].join(",")
            if (!known.has(key)) {
              await engine!.evaluate([{ sequence: 0, at: 0, chunk: prompt, keep: [prompt.length - 1] }])
              known.set(key, (await engine!.choose({ part: 0, offset: prompt.length - 1 }, [token])).mass)
            }
            return known.get(key)!
          }
          const reads = asks.map(([name, ask]) => ({ name, ask, read: prepared(model, conversation, ask) }))
          const requests = reads.map(({ read }) => read.request)
          const planned = tokensOf(model.steps(requests, []))
          const { answers, evaluated } = await scoreAll(model, requests)
          expect(evaluated).toBe(planned)
          for (const [index, { name, ask, read }] of reads.entries()) {
            const own = labelsOf(ask).length
            const { back, spellings } = spellingsOf(model, [...labelsOf(ask), ...alsoOf(ask)], said)
            const prompt = read.request.chunks.flat()
            expect(prompt.length + back, name).toBe(read.tokens)
            const mine = spellings.filter((one) => one.label < own)
            const raw = new Array<number>(own + alsoOf(ask).length).fill(0)
            const weights = new Array<number>(own).fill(0)
            for (const spelling of spellings) {
              let [product, restricted] = [1, 1]
              const among = spelling.label < own ? mine : spellings
              for (const { before, token, others } of counted(spelling, among, back > 0)) {
                const at = [...prompt, ...before]
                const p = await rawOf(at, token)
                let sum = 0
                for (const other of others) sum += await rawOf(at, other)
                product *= p
                restricted *= back > 0 ? p : p / sum
              }
              raw[spelling.label]! += product
              if (spelling.label < own) weights[spelling.label]! += restricted
            }
            const answer = answers[index]!
            const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
            expect(answer.mass / sum(raw.slice(0, own)), `${name}: mass`).toBeCloseTo(1, 2)
            for (const [at, weight] of weights.entries())
              expect(answer.probabilities[at], `${name}: ${labelsOf(ask)[at]}`).toBeCloseTo(
                weight / sum(weights),
                3,
              )
            for (const [at, one] of raw.slice(own).entries())
              expect(answer.also![at]! / one, `${name}: ${alsoOf(ask)[at]}`).toBeCloseTo(1, 2)
          }
        },
        { threads: 1, wrap },
      )
    },
    120_000,
  )
})
