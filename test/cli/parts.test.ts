import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { Backend } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { soundSpec } from "../../runtime/cli/compiled.ts"
import { described } from "../../runtime/cli/doctor/models.ts"
import { engineOptions, startedWhenNeeded } from "../../runtime/cli/engine.ts"
import { invocation } from "../../runtime/cli/paths.ts"
import { planText } from "../../runtime/cli/plan/text.ts"
import { screened, terminal } from "../../runtime/cli/terminal.ts"
import { absolute, diskFiles } from "../../runtime/disk/files.ts"
import type { ModelForecast } from "../../runtime/run/forecast.ts"
import { copyOfQuickstart, folder, quickstart } from "./support.ts"

describe("what a terminal is given", () => {
  it("holds no escape but those of our own paint", () => {
    const text = "a\u001b[31mb\r\u009b1m\u202e\n"
    const shown = "a␛[31mb␍\\u{9b}1m\\u{202e}\n"
    expect(screened(text, "text", true)).toBe(shown)
    expect(screened(text, "text", false)).toBe(shown)
    expect(screened(text, "painted", false)).toBe(shown)
    expect(screened("\u001b[1mbold\u001b[22m", "painted", true)).toBe("\u001b[1mbold\u001b[22m")
  })

  it("is the bytes themselves where they are data", () => {
    expect(screened('{"a":"\u009b"}\t\r\n', "data", false)).toBe('{"a":"\u009b"}\t\r\n')
  })
})

describe("CFX_THREADS", () => {
  const asked = (text: string) => {
    const remarks: string[] = []
    const options = engineOptions({ note: (remark) => remarks.push(remark) }, text, 4)
    return { ...options, remarks }
  }

  it("may be left out, empty, or a whole number from 1", () => {
    expect(asked("")).toEqual({ remarks: [] })
    expect(asked("3")).toEqual({ threads: 3, remarks: [] })
  })

  it.each(["abc", "0", "-1", "1.5", "1e1", " 2"])("may not be %j", (text) => {
    expect(() => asked(text)).toThrow(`CFX_THREADS is ${text}; it may be a whole number from 1 to 4`)
  })

  it("is cut to the cores that there are, with a remark", () => {
    expect(asked("99")).toEqual({ threads: 4, remarks: [expect.stringMatching(/99.* 4 cores/)] })
  })
})

describe("the engine", () => {
  const counted = () => {
    const count = { started: 0, ended: 0 }
    const layer = Layer.effect(
      Backend,
      Effect.acquireRelease(
        Effect.sync(() => {
          count.started++
          return { load: (file) => Effect.succeed(simulatedModel(file)) }
        }),
        () => Effect.sync(() => count.ended++),
      ),
    )
    return { count, layer: startedWhenNeeded(layer) }
  }

  it("does not start where no model is opened", async () => {
    const { count, layer } = counted()
    await Effect.runPromise(Effect.asVoid(Backend).pipe(Effect.provide(layer)))
    expect(count).toEqual({ started: 0, ended: 0 })
  })

  it("starts once for several models, and ends after them", async () => {
    const { count, layer } = counted()
    const open = Effect.scoped(Effect.flatMap(Backend, ({ load }) => load({ name: "m", path: "/m.gguf" })))
    const during = await Effect.runPromise(
      Effect.andThen(
        open,
        Effect.map(open, () => ({ ...count })),
      ).pipe(Effect.provide(layer)),
    )
    expect(during).toEqual({ started: 1, ended: 0 })
    expect(count).toEqual({ started: 1, ended: 1 })
  })
})

describe("a command to go on with", () => {
  it.each([
    [{ npm_command: "exec", npm_lifecycle_event: "npx" }, "/p/node_modules/.bin/cfx", "npx cfx"],
    [{ npm_command: "run-script", npm_lifecycle_event: "cfx" }, "/p/dist/cfx.js", "npm run cfx --"],
    [{ npm_command: "run-script", npm_lifecycle_event: "quickstart" }, "/p/dist/cfx.js", "npx cfx"],
    [{ PATH: "/bin:/opt/bin" }, "/opt/bin/cfx", "cfx"],
    [{ PATH: "/bin" }, "/opt/my bin/cfx", "'/opt/my bin/cfx'"],
    [{}, absolute("dist/cfx.js"), "node dist/cfx.js"],
    [{}, "/opt/cfx/dist/cfx.js", "node /opt/cfx/dist/cfx.js"],
  ])("is called as this one was: %j %s", (env, script, expected) => {
    expect(invocation(env, script)).toBe(expected)
  })
})

describe("a file that is not UTF-8", () => {
  it("is told from one that cannot be read, with its first wrong byte", () => {
    const home = folder()
    const path = join(home, "latin.csv")
    writeFileSync(path, Buffer.concat([Buffer.from("id,é\n1,caf"), Buffer.from([0xe9, 0x0a])]))
    const files = diskFiles({ here: home, stdlib: home })
    expect(files.read(join(home, "none.csv"))).toEqual({ problem: "no such file" })
    expect(files.garbled.size).toBe(0)
    expect(files.read(path)).toEqual({ problem: "it is not UTF-8 text: byte 0xE9 in line 2" })
    expect([...files.garbled]).toEqual([path])
  })

  it("may end within a character", () => {
    const home = folder()
    writeFileSync(join(home, "cut.csv"), Buffer.from("a\né").subarray(0, 3))
    const files = diskFiles({ here: home, stdlib: home })
    expect(files.read(join(home, "cut.csv"))).toEqual({
      problem: "it is not UTF-8 text: byte 0xC3 in line 2",
    })
  })
})

describe("an item file with nothing to read", () => {
  const bytes = Buffer.from([0x7b, 0x0a, 0xff, 0x00])
  const complaints = (spec: string, items: Readonly<Record<string, string>> = {}) => {
    const said: string[] = []
    const complain = (text: string): number => said.push(text)
    const color = { out: false, err: false }
    const code = soundSpec(spec, { items }, { ...terminal({ quiet: true, plain: true }), complain, color })
    return { code, said: said.join("") }
  }

  it("is an error of the file where it is no text", () => {
    const home = copyOfQuickstart()
    writeFileSync(join(home, "specs/items/kinds.yaml"), bytes)
    const { code, said } = complaints(join(home, "specs/quickstart.cfx"))
    expect(code).toBe(1)
    expect(said).toContain("byte 0xFF in line 2")
  })

  it.each([
    ["none.csv", undefined, 3, "no such file"],
    ["pool.jsonl", bytes, 1, "it is not UTF-8 text: byte 0xFF in line 2"],
  ])("is told of the option where --items names it: %s", (name, content, exit, why) => {
    const path = join(folder(), name)
    if (content !== undefined) writeFileSync(path, content)
    const { code, said } = complaints(quickstart, { kinds: path })
    expect(code).toBe(exit)
    expect(said.replaceAll("\n", " ")).toContain(`\`${path}\`: ${why}`)
    expect(said).toContain("--items kinds=FILE")
  })
})

describe("a plan of what is all answered", () => {
  const model = (answered: number, sharedTokens: number): ModelForecast => {
    const counts = {
      ...{ reads: 9, skipped: 0, distinct: 5, answered, elsewhere: 0, writtenTokens: 0 },
      ...{ promptTokens: sharedTokens, sharedTokens },
    }
    const waves = [{ ...counts, wave: 1, holes: ["a0"], exact: true }]
    return {
      model: "m",
      trials: 9,
      ...counts,
      waves,
      sameAs: [],
      audit: { reads: 0, tokens: 0, writtenTokens: 0 },
      unreadable: [],
      template: [],
      seconds: sharedTokens / 1000,
    }
  }
  const text = (one: ModelForecast): string =>
    planText({
      experiments: [],
      models: [one],
      uncounted: [],
      pools: [],
      assumption: "nothing",
      warnings: [],
    })

  it("says so instead of a speed", () => {
    expect(text(model(5, 0))).toContain("all of it is answered: a run asks nothing")
    expect(text(model(5, 0))).not.toContain("tokens/s")
    expect(text(model(2, 4000))).toContain("about 4 s, at 1,000 tokens/s as just measured")
  })
})

describe("a model that llama.cpp cannot size", () => {
  it("is described without a question mark", () => {
    expect(described("llama ?B F16")).toBe("llama F16")
    expect(described("llama 1B Q8_0")).toBe("llama 1B Q8_0")
  })
})
