import { appendFileSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { openLedger } from "../../runtime/run/ledger.ts"
import { type AnswerLine, decodeLine, encodeLine, type LedgerLine } from "../../runtime/run/ledgerLine.ts"
import { readLedger } from "../../runtime/run/readLedger.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let files = 0
const fresh = (): string => join(folder, `ledger-${files++}.jsonl`)

const answer = (key: string, probabilities: readonly number[] = [0.1, 0.9]): AnswerLine => ({
  kind: "answer",
  key,
  prompts: [`prompt of ${key}`],
  model: "respondent",
  fingerprint: "an engine",
  ask: { kind: "option", labels: ["A", "B"], follow: '"' },
  probabilities,
  mass: 0.75,
})

const write = (path: string, lines: readonly LedgerLine[]): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const ledger = yield* openLedger(path)
        for (const line of lines) yield* ledger.append(line)
        yield* ledger.close
      }),
    ),
  )

const failureOf = (run: () => unknown): EnvironmentFailure => {
  try {
    run()
  } catch (cause) {
    if (cause instanceof EnvironmentFailure) return cause
    throw cause
  }
  throw new Error("nothing failed")
}

describe("a line of the ledger", () => {
  it("keeps every double exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: 0, max: 1 })), (probabilities) => {
        const decoded = decodeLine(encodeLine(answer("k", probabilities)))
        expect("line" in decoded && (decoded.line as AnswerLine).probabilities).toEqual(
          // JSON has no negative zero, and no probability is one.
          probabilities.map((p) => p + 0),
        )
      }),
    )
  })

  it("notices any changed character", () => {
    const line = encodeLine(answer("k"))
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.constantFrom("0", "x", "}", '"'), (at, other) => {
        fc.pre(line[at] !== other)
        expect(decodeLine(line.slice(0, at) + other + line.slice(at + 1))).toHaveProperty("problem")
      }),
    )
  })
})

describe("a line with a right checksum", () => {
  it("is not taken where it lacks what its kind has", () => {
    const lines: readonly LedgerLine[] = [
      { ...answer("k"), also: [0.125], censored: { labels: [1], below: 0.01 } },
      { kind: "model", model: "m", fingerprint: "f" },
      { kind: "alias", key: "k", prompts: ["p"], model: "m", fingerprint: "f" },
      { kind: "unreadable", prompts: ["p"], model: "m", fingerprint: "f", why: "label", problem: "no" },
    ]
    for (const line of lines) {
      expect(decodeLine(encodeLine(line))).toEqual({ line })
      for (const field of Object.keys(line)) {
        // What was asked stands there for a reader of the file, and is not looked at.
        if (field === "ask") continue
        const other = encodeLine({ ...line, [field]: null } as unknown as LedgerLine)
        expect(decodeLine(other), `${line.kind}: ${field}`).toHaveProperty("problem")
      }
    }
  })
})

describe("a ledger", () => {
  it("reads back what was appended, in a later process", async () => {
    const path = fresh()
    await write(path, [answer("k1"), answer("k2")])
    await write(path, [
      answer("k3"),
      { kind: "alias", key: "k1", prompts: ["p"], model: "respondent", fingerprint: "an engine" },
    ])
    const { byKey, byPrompt, fingerprints, end } = readLedger(path)
    expect([...byKey]).toEqual(["k1", "k2", "k3"])
    expect(byPrompt.get("p")).toEqual({ kind: "answer", answer: byKey.get("k1") })
    expect(byPrompt.get("prompt of k2")).toMatchObject({ answer: { probabilities: [0.1, 0.9], mass: 0.75 } })
    expect(fingerprints).toEqual(new Map([["respondent", "an engine"]]))
    expect(end).toBe(readFileSync(path).length)
  })

  it("keeps the raw probabilities of labels besides, and what a server did not list", async () => {
    const path = fresh()
    const censored = { labels: [1], below: 0.01 }
    await write(path, [{ ...answer("k1"), also: [0.125], censored }, answer("k2")])
    const { byKey } = readLedger(path)
    expect(byKey.get("k1")).toMatchObject({ also: [0.125], censored })
    expect(Object.keys(byKey.get("k2") ?? {})).toEqual(["key", "probabilities", "mass", "evaluated"])
    for (const other of [
      { also: [0.25] },
      { also: [0.125] },
      { also: [0.125], censored: { labels: [0], below: 0.01 } },
    ]) {
      appendFileSync(path, `${encodeLine({ ...answer("k1"), ...other })}\n`)
      expect(failureOf(() => readLedger(path)).what).toContain("answers the same read otherwise")
      truncateSync(path, readFileSync(path, "utf8").trimEnd().lastIndexOf("\n") + 1)
    }
  })

  it("is empty where there is no file", () => {
    expect(readLedger(join(folder, "none")).byKey.size).toBe(0)
  })

  it("takes more lines than its queue holds, in order", async () => {
    const path = fresh()
    const keys = Array.from({ length: 2000 }, (_, n) => `k${n}`)
    await write(
      path,
      keys.map((key) => answer(key)),
    )
    expect([...readLedger(path).byKey]).toEqual(keys)
  })

  it("drops a torn last line wherever it was torn, and goes on after the whole ones", async () => {
    const whole = fresh()
    await write(whole, [answer("k1"), answer("k2")])
    const bytes = readFileSync(whole)
    const first = bytes.indexOf(10) + 1
    for (const end of [first + 1, first + 40, bytes.length - 1]) {
      const torn = fresh()
      writeFileSync(torn, bytes.subarray(0, end))
      expect([...readLedger(torn).byKey]).toEqual(["k1"])
      await write(torn, [answer("k2")])
      expect(readFileSync(torn)).toEqual(bytes)
    }
  })

  it("goes on after a tool that wrote it with Windows line breaks, a byte order mark and empty lines", async () => {
    const path = fresh()
    await write(path, [answer("k1"), answer("k2")])
    const text = readFileSync(path, "utf8")
    writeFileSync(path, `\uFEFF${text.replaceAll("\n", "\r\n")}\r\n\n`)
    expect([...readLedger(path).byKey]).toEqual(["k1", "k2"])
    expect(readLedger(path).end).toBe(readFileSync(path).length)
    await write(path, [answer("k3")])
    expect([...readLedger(path).byKey]).toEqual(["k1", "k2", "k3"])
  })

  it("cuts off a line that was torn between the two characters of a Windows line break", async () => {
    const path = fresh()
    await write(path, [answer("k1")])
    const kept = readFileSync(path)
    writeFileSync(path, `${kept}${encodeLine(answer("k2"))}\r`)
    await write(path, [answer("k3")])
    expect(readFileSync(path, "utf8")).toBe(`${kept}${encodeLine(answer("k3"))}\n`)
  })

  it("reads lines that lie across the pieces in which a long file is read", async () => {
    const path = fresh()
    const probabilities = Array.from({ length: 60_000 }, (_, n) => 1 / (n + 3))
    await write(path, [answer("k1", probabilities), answer("k2", probabilities)])
    expect(readFileSync(path).length).toBeGreaterThan(2 << 20)
    expect(readLedger(path).byKey.get("k2")).toMatchObject({ probabilities })
  })

  it.each([
    ["a changed number", (line: string) => line.replace("0.75", "0.76"), "checksum is wrong"],
    ["something else", () => "hello", "no checksum"],
    ["a line of spaces", () => "  ", "no checksum"],
    ["zeros", () => "\0".repeat(80), "no checksum"],
  ])("names the file and the line of %s in the middle", async (_, damage, problem) => {
    const path = fresh()
    await write(path, [answer("k1"), answer("k2"), answer("k3")])
    const lines = readFileSync(path, "utf8").split("\n")
    lines[1] = damage(lines[1] ?? "")
    writeFileSync(path, lines.join("\n"))
    const failure = failureOf(() => readLedger(path))
    expect(failure.where).toBe(`${path}:2`)
    expect(failure.what).toContain(problem)
    expect(failure.todo).toContain("remove that line")
  })

  it("names a line that answers a read otherwise, and lets pass one that repeats it", async () => {
    const path = fresh()
    await write(path, [answer("k1")])
    appendFileSync(path, `${encodeLine(answer("k1"))}\n`)
    expect(readLedger(path).byKey.size).toBe(1)
    appendFileSync(path, `${encodeLine(answer("k1", [0.2, 0.8]))}\n`)
    expect(failureOf(() => readLedger(path))).toMatchObject({
      where: `${path}:3`,
      what: expect.stringContaining("an earlier line answers the same read otherwise"),
    })
  })

  it("names a line of another engine", async () => {
    const path = fresh()
    await write(path, [answer("k1")])
    appendFileSync(path, `${encodeLine({ ...answer("k2"), fingerprint: "another" })}\n`)
    expect(failureOf(() => readLedger(path)).what).toContain("another engine")
  })

  it("names a line of a model that was opened on another engine", async () => {
    const path = fresh()
    await write(path, [{ kind: "model", model: "respondent", fingerprint: "another" }])
    appendFileSync(path, `${encodeLine(answer("k1"))}\n`)
    expect(failureOf(() => readLedger(path))).toMatchObject({
      where: `${path}:2`,
      what: expect.stringContaining("another engine"),
    })
  })

  it("is empty where models were opened and nothing was answered", async () => {
    const path = fresh()
    await write(path, [{ kind: "model", model: "respondent", fingerprint: "another" }])
    expect(readLedger(path)).toMatchObject({ end: 0, fingerprints: new Map() })
    await write(path, [{ kind: "model", model: "respondent", fingerprint: "an engine" }, answer("k")])
    expect(readLedger(path).fingerprints).toEqual(new Map([["respondent", "an engine"]]))
  })

  it("names an alias of a read that nothing answered", () => {
    const path = fresh()
    const line: LedgerLine = {
      kind: "alias",
      key: "k",
      prompts: ["p"],
      model: "m",
      fingerprint: "an engine",
    }
    writeFileSync(path, `${encodeLine(line)}\n`)
    expect(failureOf(() => readLedger(path)).where).toBe(`${path}:1`)
  })
})

describe("a disk that fills up", () => {
  /** Takes `room` bytes, in small bites, then none. */
  const full = (room: number): typeof writeSync => {
    let left = room
    return ((file: number, bytes: Uint8Array, offset: number, length: number) => {
      const size = Math.min(length, left, 100)
      if (size === 0) {
        throw Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" })
      }
      left -= size
      return writeSync(file, bytes, offset, size)
    }) as typeof writeSync
  }

  it("fails with what to do, keeps whole lines only, and can be continued", async () => {
    const path = fresh()
    const lines = Array.from({ length: 600 }, (_, n) => answer(`k${n}`))
    const exit = await Effect.runPromiseExit(
      Effect.scoped(
        Effect.gen(function* () {
          const ledger = yield* openLedger(path, full(30_000))
          for (const line of lines) yield* ledger.append(line)
          yield* ledger.close
        }),
      ),
    )
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("the disk is full")
    const kept = readLedger(path)
    expect(kept.end).toBe(readFileSync(path).length)
    await write(
      path,
      lines.filter(({ key }) => !kept.byKey.has(key)),
    )
    expect(readLedger(path).byKey.size).toBe(600)
  })
})

describe("a line that cannot be written down", () => {
  it("is a defect that nobody overlooks", async () => {
    const line = { ...answer("k1"), mass: 1n as unknown as number }
    await expect(write(fresh(), [line])).rejects.toThrow("BigInt")
  })
})

describe("an interruption", () => {
  it("waits for what was appended", async () => {
    const path = fresh()
    const fiber = Effect.runFork(
      Effect.scoped(
        Effect.gen(function* () {
          const ledger = yield* openLedger(path)
          for (let n = 0; n < 100; n++) yield* ledger.append(answer(`k${n}`))
          yield* Effect.never
        }),
      ),
    )
    fiber.interruptUnsafe()
    await new Promise((done) => fiber.addObserver(done))
    expect(readLedger(path).byKey.size).toBe(100)
  })

  it("leaves a ledger that was cut back to nothing usable", async () => {
    const path = fresh()
    await write(path, [answer("k1")])
    truncateSync(path, 3)
    expect(readLedger(path).end).toBe(0)
    await write(path, [answer("k1")])
    expect(readLedger(path).byKey.size).toBe(1)
  })
})
