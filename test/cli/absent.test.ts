/** Data and models that are not at hand: what each command makes of them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CallOptions, cfx as call, folder, makeFolder, removeFolder } from "./support.ts"

/** Nothing is fetched, whatever network there is. */
const cfx = (words: readonly string[], options: CallOptions) =>
  call(words, { ...options, env: { ...options.env, CFX_OFFLINE: "1" } })

/** Two models, one of them in a role; a pool on a hub; a text and what is found in it. */
const spec = `/// A source argues, the others answer.
model answering = gguf "hf:user/repo/answering.gguf#unlocked"
model arguing = server "http://127.0.0.1:65531/v1" { name "m" }

items quiz = "hf://datasets/org/quiz@unlocked#all/test" {
  question = question
  options = choices
  gold = answer
  subject = subject
  size 1200
  choices 4
  strata subject 6
}

protocol persuasion {
  role source
  options "{label}. {text}" join "\\n"
  turn argue by source {
    user "Argue for {target.label}: {item.question}\\n{item.options}"
    assistant "{argument: text}"
    read argument { max 60 refusal "NO" }
  }
  turn ask when not refused(argument) {
    user "{argument}\\n{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
}

metric accuracy(first = a0) { rate first == item.gold interval wilson 95 }

experiment study {
  protocol persuasion
  models { answering }
  items { quiz sample 20 per subject }
  seed 0
  target random_wrong
  factor source = arguing
  measure accuracy
  table main { rows subject columns accuracy average pooled }
  assume { refusal 0.25 }
}
`

let home: string
beforeAll(() => {
  home = makeFolder()
  writeFileSync(join(home, "study.cfx"), spec)
})
afterAll(() => removeFolder(home))

describe("a spec whose pool is on a hub and whose models are nowhere", () => {
  it("is planned: trials, and calls through gates", async () => {
    const { code, out } = await cfx(["plan", "study.cfx"], { cwd: home })
    expect(code).toBe(0)
    expect(out).toContain("experiment study: 120 trials")
    expect(out).toContain("120 items of quiz (as published)")
    expect(out).toMatch(/quiz is not at hand \(.*hub.*\)/)
    expect(out).toMatch(/argue +120 +120 +argument \(writes\)/)
    expect(out).toMatch(/ask +120 +90 +a0/)
    expect(out).toContain("expected through gates, as the spec assumes (refusal 0.25)")
    expect(out).toMatch(
      /tokens are not counted for answering: the file of model answering is not on this machine/,
    )
  })

  it("is planned as JSON", async () => {
    const { code, out } = await cfx(["plan", "study.cfx", "--json"], { cwd: home })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      experiments: [
        {
          experiment: "study",
          trials: 120,
          items: { quiz: 120 },
          published: ["quiz"],
          turns: [
            { turn: "argue", calls: 120 },
            { turn: "ask", calls: 120, expected: 90 },
          ],
          byModel: { answering: { calls: 120 }, arguing: { calls: 120 } },
        },
      ],
      models: [],
      uncounted: [{ model: "answering" }],
      pools: [{ pool: "quiz", where: "hf://datasets/org/quiz@unlocked#all/test" }],
    })
  })

  it("does not run: the pool is named, with what helps", async () => {
    const { code, err } = await cfx(["run", "study.cfx"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("the items of pool quiz are not at hand")
    expect(err).toContain("--items quiz=FILE")
    expect(err).toContain("--backend simulated")
    expect(existsSync(join(home, "runs"))).toBe(false)
  })

  it("runs on the simulated engine, which says that items and answers are made up", async () => {
    const { code, err } = await cfx(
      ["run", "study.cfx", "--backend", "simulated", "--limit", "5", "-o", "sim"],
      {
        cwd: home,
      },
    )
    expect(err).toMatch(/Items are made up, since their data are not at hand: quiz/)
    expect(err).toContain("The answers are simulated")
    expect(code).toBe(0)
    expect(readFileSync(join(home, "sim/report.html"), "utf8")).toContain("The data of quiz were not at hand")
    const [head = "", ...rows] = readFileSync(join(home, "sim/trials.csv"), "utf8").trim().split("\n")
    expect(rows).toHaveLength(5)
    expect(head).toContain("argument")
    // The report can be made again, and the run goes on, from the folder alone.
    expect((await cfx(["report", "sim"], { cwd: home })).code).toBe(0)
    expect((await cfx(["resume", "sim"], { cwd: home })).err).toContain("all reads were answered before")
  })

  it("is shown with a made-up template", async () => {
    const { code, out, err } = await cfx(
      ["show", "study.cfx", "--backend", "simulated", "--assume", "argument=Trust me."],
      { cwd: home },
    )
    expect(code).toBe(0)
    expect(err).toContain("Items are made up")
    expect(out).toContain("turn argue, asked of arguing")
    expect(out).toContain("argument │ Trust me.")
    const bare = await cfx(["show", "study.cfx"], { cwd: home })
    expect(bare.code).toBe(3)
    expect(bare.err).toContain("--items quiz=FILE")
  })

  it("is shown as the simulated run read it", async () => {
    const { code, out } = await cfx(["show", "study.cfx", "--backend", "simulated", "--run", "sim"], {
      cwd: home,
    })
    expect(code).toBe(0)
    expect(out).not.toContain("assumed, since no run says")
  })
})

describe("with the items at hand", () => {
  const withItems = async (...words: readonly string[]) => {
    const own = folder()
    writeFileSync(join(own, "study.cfx"), spec)
    const rows = Array.from({ length: 60 }, (_, n) => ({
      question: `Question ${n}?`,
      choices: ["one", "two", "three", "four"],
      answer: "B",
      subject: `s${n % 2}`,
    }))
    writeFileSync(join(own, "quiz.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
    return cfx([...words, "--items", "quiz=quiz.jsonl"], { cwd: own })
  }

  it("the doctor names the hub and the server", async () => {
    const { code, out } = await withItems("doctor", "study.cfx")
    expect(code).toBe(3)
    expect(out).toMatch(/fails +model answering +.*not on this machine.*CFX_OFFLINE/)
    expect(out).toMatch(/fails +model arguing +.*nothing listens there/)
  })
})
