/** A spec of two models, a file and a server, from its plan to its replay. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FakeServer, fakeServer, send } from "../engine/http/fakeServer.ts"
import { cfx as call, makeFolder, removeFolder, start } from "./support.ts"

const KEY = "sk-never-to-be-seen-2718281828"

const spec = (address: string, settings = "", metric = 'rate verdict == "yes"'): string => `
import { pocket } from "std/models"
model served = server "${address}" { name "tiny" key "STUDY_KEY" ${settings} }

items kinds = "kinds.jsonl" { question = question options = options gold = gold }

protocol explained {
  options "{label}. {text}" join "\\n"
  turn ask {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn explain by served {
    user "{item.question} Someone says {a0}. Why?"
    assistant "{reply: text}"
    read reply { max 12 }
  }
  judge v0 = sound(reply) by served
}

judge sound(reply) {
  user "{item.question} Someone says: {reply} Is it right?"
  assistant "{verdict: label(yes, no)}"
  gold yes
}

metric judged(verdict = v0) { ${metric} interval wilson 95 }

experiment study {
  protocol explained
  models { pocket }
  items { kinds }
  seed 0
  target random_wrong
  measure judged
  table main { rows model columns judged average pooled }
}
`

const items = ["robin", "oak", "granite"].map((name) => ({
  question: `Which of these is a kind of ${name}?`,
  options: ["bird", "tree", "stone", "tool"],
  gold: "A",
}))

let home: string
let server: FakeServer
/** Set while the server is out of order. */
let broken = false

const env = { STUDY_KEY: KEY }
const cfx = (words: readonly string[], own: Readonly<Record<string, string>> = env) =>
  call(words, { cwd: home, env: own })
const write = (name: string, text: string): void => writeFileSync(join(home, name), text)

beforeAll(async () => {
  home = makeFolder()
  server = await fakeServer({
    text: (messages) => `It is said of ${messages[0]?.content.length} letters.`,
    next: (messages) =>
      (messages[0]?.content.length ?? 0) % 2 === 0 ? { yes: 0.7, no: 0.2 } : { no: 0.8, yes: 0.1 },
    misbehave: (response, { headers }) => {
      if (headers.authorization !== `Bearer ${KEY}`)
        return send(response, 401, { error: { message: `Incorrect API key: ${headers.authorization}` } })
      return broken && send(response, 400, { error: { message: `out of order for ${KEY}` } })
    },
  })
  write("study.cfx", spec(server.address))
  write("kinds.jsonl", items.map((item) => JSON.stringify(item)).join("\n"))
})
afterAll(async () => {
  await server.close()
  removeFolder(home)
})

/** All files of a run, but for the one that may differ; the ledger's lines count as a set. */
const filesOf = (run: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(home, run), { recursive: true, encoding: "utf8" })
      .filter((name) => name !== "run.json" && statSync(join(home, run, name)).isFile())
      .map((name) => {
        const text = readFileSync(join(home, run, name), "utf8")
        return [name, name === "ledger.jsonl" ? text.split("\n").sort().join("\n") : text]
      }),
  )

describe("a file and a server", () => {
  it("are planned: what the server is asked is counted, and its tokens estimated; nothing is sent, and no key is needed", async () => {
    const { code, out } = await cfx(["plan", "study.cfx"], {})
    expect(code).toBe(0)
    expect(out).toContain("model pocket: 3 trials")
    expect(out).toMatch(/model served: 3 trials[\s\S]*on a server: what its cache saves is not known/)
    expect(out).toMatch(/all +6 +~\d+ +0 +~\d+ +~\d+/)
    expect(out).toContain("only a server can count its tokens (4 characters are taken for one)")
    expect(server.sent).toEqual([])
  })

  it("are shown: the server's turns as messages", async () => {
    const { code, out } = await cfx(["show", "study.cfx", "--assume", "a0=B"], {})
    expect(code).toBe(0)
    expect(out).toContain("[user]")
    expect(out).toMatch(/Someone says .*B.*Why\?/)
    expect(out).toContain("v0: one of yes no")
    expect(server.sent).toEqual([])
  })

  it("are looked at by the doctor", async () => {
    const { out } = await cfx(["doctor", "study.cfx"])
    expect(out).toMatch(
      /ok +served: server +http:\/\/127.0.0.1:\d+\/v1 answers in \d+ ms, with the key in STUDY_KEY/,
    )
    expect(out).toMatch(/ok +served: name +tiny, which the server lists, and answers as tiny-2026/)
    expect(out).toMatch(/ok +served: probabilities +of the 2 most probable tokens, 20 asked for/)
    expect(out).toMatch(/ok +served: begun turns +the server goes on/)
    const without = await cfx(["doctor", "study.cfx"], {})
    expect(without.code).toBe(3)
    expect(without.out).toMatch(/fails +model served +the environment variable STUDY_KEY.*is not set/)
    const wrong = await cfx(["doctor", "study.cfx"], { STUDY_KEY: "sk-quite-another" })
    expect(wrong.out).toMatch(/fails +model served +.*401: Incorrect API key: Bearer \[key\]/)
  })

  it("do not run without the key: nothing is sent and nothing left behind", async () => {
    const before = server.sent.length
    const { code, err } = await cfx(["run", "study.cfx", "-o", "keyless"], {})
    expect(code).toBe(3)
    expect(err).toContain("STUDY_KEY")
    expect(server.sent).toHaveLength(before)
    expect(existsSync(join(home, "keyless"))).toBe(false)
  })

  it("run, and the key is in no file and no output", async () => {
    const { code, out, err } = await cfx(["run", "study.cfx", "-o", "whole"])
    expect(err).toContain("report: whole/report.html")
    expect(code).toBe(0)
    for (const text of [
      out,
      err,
      ...Object.values(filesOf("whole")),
      readFileSync(join(home, "whole/run.json"), "utf8"),
    ])
      expect(text).not.toContain(KEY)
    expect(JSON.parse(readFileSync(join(home, "whole/run.json"), "utf8")).models.served.facts).toMatchObject({
      engine: "http",
      servedName: "tiny",
      systemFingerprint: "fp_1",
    })
  })

  it("stop where the server refuses, in its words and without the key, and go on from there", async () => {
    broken = true
    const stopped = await cfx(["run", "study.cfx", "-o", "stopped"])
    broken = false
    expect(stopped.code).toBe(3)
    expect(stopped.err).toContain("it answered 400: out of order for [key]")
    expect(stopped.err).not.toContain(KEY)
    const { code } = await cfx(["resume", "stopped"])
    expect(code).toBe(0)
    expect(filesOf("stopped")).toEqual(filesOf("whole"))
  })

  it("stop where the budget is spent, and go on by resume", async () => {
    write("small.cfx", spec(server.address, "max_calls 4  concurrency 1"))
    const stopped = await cfx(["run", "small.cfx", "-o", "small"])
    expect(stopped.code).toBe(3)
    expect(stopped.err).toContain("the budget is spent: 4 requests since the run was started, and max_calls")
    expect(stopped.err).toContain("cfx resume")
    let code: number | null = 3
    for (let more = 0; code === 3 && more < 5; more += 1) code = (await cfx(["resume", "small"])).code
    expect(code).toBe(0)
  })

  it("are killed, and go on to the same files", async () => {
    const { child, ended } = start(["run", "study.cfx", "-o", "killed"], { cwd: home, env })
    const before = server.sent.length
    while (server.sent.length < before + 2) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill("SIGKILL")
    await ended
    const { code } = await cfx(["run", "study.cfx", "-o", "killed"])
    expect(code).toBe(0)
    expect(filesOf("killed")).toEqual(filesOf("whole"))
  })

  it("are replayed without either: the same files but for reports, which say so, and other measures over the same answers", async () => {
    const before = server.sent.length
    const { code } = await cfx(
      ["run", "study.cfx", "--backend", "replay", "--from", "whole", "-o", "again"],
      {},
    )
    expect(code).toBe(0)
    const { "report.md": md, "report.html": html, ...again } = filesOf("again")
    expect(filesOf("whole")).toMatchObject(again)
    for (const report of [md, html])
      expect(report).toContain("Replayed: answers are taken from an earlier run.")
    write("other.cfx", spec(server.address, "", 'rate verdict == "no"'))
    const other = await cfx(
      ["run", "other.cfx", "--backend", "replay", "--from", "whole", "-o", "other", "--json"],
      {},
    )
    expect(other.code).toBe(0)
    const share = (text: string): number => JSON.parse(text).results[0].estimate
    const whole = JSON.parse(readFileSync(join(home, "whole/results.json"), "utf8"))[0].estimate
    expect(share(other.out) + whole).toBeCloseTo(1, 12)
    expect(server.sent).toHaveLength(before)
  })

  it("are not replayed where a prompt was never asked", async () => {
    write("changed.cfx", spec(server.address).replace("Is it right?", "Is it quite right?"))
    const { code, err } = await cfx(
      ["run", "changed.cfx", "--backend", "replay", "--from", "whole", "-o", "changed"],
      {},
    )
    expect(code).toBe(3)
    expect(err).toContain(
      "3 reads are not among the answers that are to be replayed; the first is v0 of trial",
    )
    expect(existsSync(join(home, "changed"))).toBe(false)
  })

  it.each([
    [["--backend", "replay"], "name its folder with --from DIR"],
    [["--from", "whole"], "--from goes with --backend replay"],
    [["--backend", "replay", "--from", "whole", "--mode", "exact"], "leave --mode out"],
    [["--backend", "replays"], "--backend takes llama or simulated or replay"],
  ])("command lines such as %j are wrong", async (words, why) => {
    const { code, err } = await cfx(["run", "study.cfx", ...words])
    expect(code).toBe(2)
    expect(err).toContain(why)
  })
})
