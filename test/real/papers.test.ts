/**
 * The specs of both papers as they are published, carried out by SmolLM2-135M-Instruct: reads, containers, nouns, doses, open
 * questions, explanations, and arguments between two models.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { Result } from "../../runtime/measure/result.ts"
import { writePools } from "../papers/pools.ts"
import {
  carryOut,
  compiledFor,
  filesFor,
  type Published,
  plannedFor,
  pocket,
  resultsOf,
  rowsIn,
  rowsOf,
} from "../papers/support.ts"
import { smollm2 } from "./smollm2.ts"

const fetched = await smollm2()
const smol = "missing" in fetched ? "" : fetched.path
const folder = mkdtempSync(join(tmpdir(), "cfx-real-papers-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const items = writePools(join(folder, "pools"))

type Case = readonly [spec: string, limit: number, readsOnly: boolean]

/** Items of each pool that make about ten, and whether all is read and nothing is written. Hours on two cores: `CFX_PAPERS=whole` asks for them. */
const whole: readonly Case[] = [
  ["floor/main", 2, true],
  ["floor/containers", 2, true],
  ["floor/minimal_pairs", 5, true],
  ["floor/dose", 5, true],
  ["floor/confidence", 2, true],
  ["floor/open_ended", 5, false],
  ["floor/justification", 2, false],
  ["who-flips/stability", 10, false],
]

/** What the usual run takes: one item of each pool. */
const few: readonly Case[] = [
  ["floor/minimal_pairs", 1, true],
  ["floor/open_ended", 1, false],
  ["who-flips/stability", 1, false],
]

const specs = process.env.CFX_PAPERS === "whole" ? whole : few

const excludedIn = ({ excluded }: Result): number => Object.values(excluded).reduce((sum, n) => sum + n, 0)

describe.skipIf("missing" in fetched)("the papers' specs on SmolLM2-135M-Instruct", () => {
  test.each(specs)("%s, %i items of each pool", async (name, limit, readsOnly) => {
    // Arguments of the small model are shown to SmolLM2, and the other way round.
    const models = filesFor(smol, { closed_b: pocket })
    const published: Published = { spec: `specs/${name}.cfx`, models, items, limit }
    const compiled = compiledFor(published)
    const { program } = compiled
    const first = program.experiments[0]!.models[0] as string
    const others = program.models
      .map((model) => model.name)
      .filter((one) => /^(gpt_4o_mini|closed_b)$/.test(one))
    const foreseen = await plannedFor(published, compiled, [first, ...others])
    const directory = join(folder, name.replace("/", "-"))
    const outcome = await carryOut(published, compiled, directory)
    expect(outcome).toMatchObject({ complete: true, audits: [] })

    const rows = rowsOf(directory)
    for (const result of resultsOf(directory)) {
      // Of trials alone in their group, as of none, there is no number, and the result says why.
      if (result.estimate === undefined) expect(result.method, JSON.stringify(result)).toMatch(/(^|: )none: /)
      else expect(result.n, JSON.stringify(result)).toBeGreaterThan(0)
      if (result.kind !== "measure" || result.where !== undefined || result.average !== undefined) continue
      expect(result.n + excludedIn(result), JSON.stringify(result)).toBe(rowsIn(rows, result).length)
    }

    const sum = (key: "sharedTokens" | "writtenTokens") =>
      foreseen.models.reduce((total, model) => total + model[key], 0)
    const { evaluated = 0, asked = 0, seconds = 0 } = outcome.session ?? {}
    console.log(
      `${name}: ${asked} asked, ${evaluated} tokens in ${seconds.toFixed(0)} s; foreseen ${sum("sharedTokens")} and ${sum("writtenTokens")} written at most`,
    )
    if (readsOnly) expect(Math.abs(sum("sharedTokens") / evaluated - 1)).toBeLessThan(0.03)
    else expect(sum("sharedTokens") + sum("writtenTokens")).toBeGreaterThanOrEqual(evaluated)
  })
})
