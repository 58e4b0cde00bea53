/** How far a file's reads are from those of its weights in F32: measured on the pocket respondent, refused where there is no room. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Fiber } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { llamaBackend } from "../../runtime/backend/llama.ts"
import { compiled, isSound } from "../../runtime/cli/compiled.ts"
import { slowKernel } from "../../runtime/cli/doctor/kernel.ts"
import type { Watch } from "../../runtime/hub/watch.ts"
import { differences } from "../../runtime/precision/differences.ts"
import { precisionOf, READS, type Room } from "../../runtime/precision/precision.ts"
import { cohortsOf } from "../../runtime/run/cohorts.ts"
import { pocketFile } from "../engine/support.ts"

const spec = compiled(join(import.meta.dirname, "../../specs/quickstart.cfx"))
const cohorts = isSound(spec) ? (cohortsOf(spec.program, spec.items).get("respondent") ?? []) : []
const file = { ...pocketFile, name: "respondent" }

function roomy(more: Partial<Room> = {}): Room & { readonly notes: string[]; readonly begun: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "cfx-precision-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const notes: string[] = []
  const begun: string[] = []
  const watch: Watch = {
    note: (text) => void notes.push(text),
    begin: ({ doing }) => void begun.push(doing),
    passed: () => {},
    end: () => {},
  }
  return { folder, free: () => 1e12, memory: () => 1e12, watch, notes, begun, ...more }
}

const measure = (room: Room) =>
  precisionOf(file, cohorts, room).pipe(Effect.provide(llamaBackend({ threads: 1 })))

describe("the pocket respondent, whose weights are F16", () => {
  test("is as far from F32 as half precision is; its time is forecast; nothing is left", {
    timeout: 120_000,
  }, async () => {
    const room = roomy()
    const found = await Effect.runPromise(measure(room))
    expect(found).toMatchObject({ types: ["F16", "F32"], reads: READS, flips: 0 })
    expect(found?.largest).toBeGreaterThan(0)
    expect(found?.largest).toBeLessThan(0.01)
    expect(found?.median).toBeLessThanOrEqual(found?.largest ?? 0)
    expect(room.notes[0]).toMatch(
      /5\.8\d MB of weights are written to .*, and 24 reads asked again: about \d+ s/,
    )
    expect(room.begun).toEqual(["asking", "writing", "asking"])
    expect(readdirSync(room.folder)).toEqual([])
  })

  test.each([
    ["disk", { free: () => 5e8 }, /take 5\.8\d MB in F32, and the disk has room for 500 MB/],
    ["memory", { memory: () => 5e8 }, /take 5\.8\d MB in F32, and 500 MB of memory are free/],
  ])("is not measured where there is too little %s", { timeout: 60_000 }, async (_, more, why) => {
    const room = roomy(more)
    const failure = await Effect.runPromise(Effect.flip(measure(room)))
    expect(failure.what).toMatch(why)
    expect(readdirSync(room.folder)).toEqual([])
  })

  test("leaves nothing where it is interrupted", { timeout: 120_000 }, async () => {
    const room = roomy()
    // What another process left that is gone.
    writeFileSync(join(room.folder, "weights-999999999.gguf"), "")
    const fiber = Effect.runFork(measure(room))
    while (!existsSync(join(room.folder, `weights-${process.pid}.gguf`)))
      await new Promise((later) => setTimeout(later, 2))
    const exit = await Effect.runPromise(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)))
    expect(Exit.isFailure(exit)).toBe(true)
    expect(readdirSync(room.folder)).toEqual([])
  })
})

describe("differences", () => {
  test("are the largest of each read, their median, and answers that are another", () => {
    const one = [
      [0.5, 0.5],
      [0.6, 0.4],
      [0.9, 0.1],
    ]
    const other = [
      [0.5, 0.5],
      [0.4, 0.6],
      [0.8, 0.2],
    ]
    const found = differences(one, other)
    expect(found).toMatchObject({ reads: 3, flips: 1 })
    expect(found.largest).toBeCloseTo(0.2, 12)
    expect(found.median).toBeCloseTo(0.1, 12)
    expect(differences(one.slice(1), other.slice(1)).median).toBeCloseTo(0.15, 12)
  })
})

describe("a slow quantisation", () => {
  test.each(["Q4_1", "F16", "F32", "Q5_0", "BF16"])("%s is named, with what is faster", (type) => {
    const [finding] = slowKernel("m", type)
    expect(finding).toMatchObject({ ok: true, subject: "m: kernel" })
    expect(finding?.todo).toContain("Q8_0 or Q4_0")
  })

  test.each(["Q8_0", "Q4_0", "Q6_K"])("%s is not one, or was not measured", (type) => {
    expect(slowKernel("m", type)).toEqual([])
  })
})
