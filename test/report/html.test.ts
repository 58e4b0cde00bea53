import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import { htmlReport } from "../../runtime/report/html.ts"
import { markdownReport } from "../../runtime/report/markdown.ts"
import { SORTING } from "../../runtime/report/sortable.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { contrast } from "./contrast.ts"
import { poisoned } from "./poisoned.ts"
import { filesOf, inputOf } from "./sample.ts"

const page = htmlReport(inputOf())

/** Elements in the order in which they open; throws where one is not closed, or is closed twice. */
function elements(html: string): readonly string[] {
  const empty = new Set(["meta", "br", "img", "wbr"])
  const seen: string[] = []
  const open: string[] = []
  const withoutStyles = html
    .replace(/<style>[\s\S]*?<\/style>/g, "")
    .replace(`<script>${SORTING}</script>`, "<script></script>")
    .replace("<!doctype html>", "")
  for (const [, slash, name, alone] of withoutStyles.matchAll(
    /<(\/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*?(\/?)>/g,
  )) {
    if (slash === "") {
      seen.push(name!)
      if (!empty.has(name!) && alone === "") open.push(name!)
    } else if (open.pop() !== name) throw new Error(`</${name}> closes another element`)
  }
  if (open.length > 0) throw new Error(`left open: ${open.join()}`)
  return seen
}

describe("report.html", () => {
  test("is well formed, with every id once and every reference met", () => {
    expect(elements(page).length).toBeGreaterThan(100)
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, list] of page.matchAll(/ aria-labelledby="([^"]+)"/g)) {
      for (const id of list!.split(" ")) expect(ids).toContain(id)
    }
    for (const [, id] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(id)
  })

  test("is well formed with several experiments, models and colours, each section under its experiment's name", () => {
    const { program, records } = inputOf()
    const models = ["small", "large"]
    const first = program.experiments[0]!
    const figures = [{ ...first.figures[0]!, color: "model", mark: "dot" as const }]
    const experiments = ["one", "two"].map((name) => ({ ...first, name, models, figures }))
    const all = experiments.flatMap(({ name }) =>
      models.flatMap((model) =>
        records.map((record) => ({
          ...record,
          experiment: name,
          model,
          trial: `${name}/${model}/${record.trial}`,
        })),
      ),
    )
    const both = htmlReport(inputOf({ program: { ...program, experiments }, records: all }))
    expect(elements(both).length).toBeGreaterThan(elements(page).length)
    const ids = [...both.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    expect(new Set(ids).size).toBe(ids.length)
    for (const title of ["one: Contrasts", "two: Figure", "two: Single trials", "two: Prompts as sent"])
      expect(both).toContain(title)
    expect(both).toContain("experts, large: ")
    // One item under two models is one cluster and no independent pair.
    expect(both).toContain(">200 pairs<")
    expect(both).not.toContain("p by exact McNemar")
    expect(both).toContain("Student&#39;s t over items, since several pairs share an item")
  })

  test("has words that stand out from their ground by 4.5 to 1, in both themes (WCAG 2.2, 1.4.3)", () => {
    const [light, dark] = [...page.matchAll(/:root \{([^}]*)\}/g)].map(
      ([, declared]) =>
        new Map(
          [...declared!.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name, color]) => [name!, color!]),
        ),
    )
    const grounds = {
      page: ["ink", "faint", "link", "good", "bad", "read-line"],
      soft: ["ink"],
      stimulus: ["ink"],
      item: ["ink"],
      read: ["ink"],
      target: ["ink"],
      template: ["faint"],
    }
    for (const theme of [light!, dark!]) {
      for (const [ground, words] of Object.entries(grounds)) {
        for (const word of words)
          expect(
            contrast(theme.get(word)!, theme.get(ground)!),
            `${word} on ${ground}`,
          ).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  test("has one script, which sorts its tables and which its policy knows by its hash; needs no network, and forbids it", () => {
    const [script, ...others] = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!)
    expect(others).toEqual([])
    const hash = createHash("sha256").update(script!).digest("base64")
    expect(page).toContain(
      `content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:"`,
    )
    expect(script).not.toMatch(/fetch|XMLHttp|import|innerHTML|eval/)
    expect(page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|url\(|@import|src=/,
    )
  })

  test("says what was asked and of whom, and the numbers, and how many each counts", () => {
    expect(page).toContain("<h1>Does a wrong answer need a speaker?</h1>")
    for (const words of [
      "respondent",
      "120 (kinds)",
      "cebaac6056b597483f71d359876809ec18419b31e190ec0a26d7ba1572025af8",
      "HRR[framing = experts] - HRR[framing = no_source]",
      ">100 pairs<",
      "20 condition unmet",
      "exact McNemar",
      "n = 100",
      "reconstructed",
      "one dose is enough for a first look",
      "cfx run quickstart.cfx",
    ]) {
      expect(page).toContain(words)
    }
    expect(page).toMatch(
      /<span class="verdict held">held<\/span> <span>expected <code>authority &gt; 0<\/code> \(it is 0\.650, \+65\.0 pp\)/,
    )
  })

  test("has tables that a screen reader can walk: captions, and heads with a scope", () => {
    const tables = page.match(/<table[\s\S]*?<\/table>/g)!
    expect(tables.length).toBeGreaterThan(5)
    for (const table of tables) {
      expect(table).toContain("<caption>")
      expect(table.match(/<th /g)).toEqual(table.match(/<th scope="(col|row)"/g)?.map(() => "<th "))
    }
    const main = tables[1]!
    // Every row says what it is about by itself: sorted, it stands elsewhere.
    expect(main.match(/<th scope="row"[^>]*>pressure<\/th>/g)).toHaveLength(4)
    expect(main.match(/<th scope="row" role="rowheader" class="again"[^>]*>pressure<\/th>/g)).toHaveLength(3)
    expect(main).toContain('<span aria-hidden="true">–</span><span class="unseen">none</span>')
  })

  test("leads from the head of each column to what it counts and which trials those are, with its unit", () => {
    const main = page.match(/<table[\s\S]*?<\/table>/g)![1]!
    for (const [at, name] of ["HRR", "BenR", "delta_p_pushed"].entries()) {
      expect(main.replaceAll("<wbr>", "")).toContain(`<a href="#measure-${at + 1}">${name}</a>`)
      expect(main).toContain(`<a href="#counts-1-${at + 1}">n<`)
      expect(page).toContain(`<h3 id="measure-${at + 1}">${name}</h3>`)
      expect(page).toContain(` id="counts-1-${at + 1}">`)
    }
    expect(main.match(/<span class="unit">[^<]*/g)).toEqual([
      '<span class="unit">% · ',
      '<span class="unit">% · ',
      '<span class="unit">probability · ',
    ])
  })

  test("can sort every number by its full value, and puts what has none last", () => {
    const cells = [...page.matchAll(/<td class="number[^"]*" data-sort="([^"]*)"/g)].map(
      ([, value]) => value!,
    )
    expect(cells.length).toBeGreaterThan(20)
    for (const value of cells) expect(value === "" || Number.isFinite(Number(value))).toBe(true)
    expect(page).not.toMatch(/<td class="number[^"]*"(?! data-sort)/)
  })

  test("shows one whole prompt for each cell, to the character, each span with its origin", () => {
    const [, section] = page.split('<section id="prompts"')
    const prompts = [
      ...section!
        .split("</section>")[0]!
        .matchAll(/<details[^>]*><summary>([\s\S]*?)<small>[\s\S]*?<pre dir="ltr">([\s\S]*?)<\/pre>/g),
    ]
    const samples = inputOf().prompts
    expect(prompts).toHaveLength(samples.length)
    for (const [at, sample] of samples.entries()) {
      const text = prompts[at]![2]!.replace(/<span class="hole"[\s\S]*?<\/span>/, "").replace(/<[^>]*>/g, "")
      const decoded = text
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
      expect(decoded).toBe(sample.rendered.map((segment) => segment.text).join(""))
    }
    const pressed = prompts[2]![2]!
    expect(pressed).toContain('<span class="from from-target" title="the pushed answer">B</span>')
    expect(pressed).toContain('<span class="from from-stimulus" title="no_source, std/framings.cfx:12">')
    expect(pressed).toContain('<span class="from from-read" title="the model&#39;s answer a0">A</span>')
    expect(pressed).toContain('<span class="from from-protocol" title="arbitration, std/protocols.cfx:9">')
  })

  test("says so before anything else when no model was asked, the run was cut short, or is not finished", () => {
    const { records } = inputOf()
    const waiting = { status: "skipped", why: "not asked yet" } as const
    const unfinished = records.map((record, at) =>
      at < 7 ? { ...record, readings: { a0: waiting, a1: waiting } } : record,
    )
    const cut = htmlReport(inputOf({ backend: "simulated", limit: 5, records: unfinished }))
    expect(cut).toContain("No model was asked")
    expect(cut).toContain("at most 5 items of each pool")
    expect(cut).toContain("7 trials of 720 still have reads to ask")
    expect(cut).toContain("cfx run quickstart.cfx --limit 5 --backend simulated")
    const other = htmlReport(inputOf({ replaced: { models: ["respondent"], items: ["kinds"] } }))
    expect(other).toContain("cfx run quickstart.cfx --model respondent=FILE --items kinds=FILE")
    expect(other).toContain("respondent, kinds read another file than the spec names")
    expect(page).not.toContain('class="notice"')
  })

  test("of one pair has its p and an interval of almost any difference, and of none says that it is pairs that lack", () => {
    const { records } = inputOf()
    const alone = htmlReport(inputOf({ records: records.filter(({ item }) => item === "kinds-001") }))
    expect(alone).toMatch(
      />\[−79\.3, 79\.3\]<[\s\S]*?>1\.000<sup class="note"><a href="#contrasts-note-(\w)">\1<\/a><\/sup>[\s\S]*<li id="contrasts-note-\1"><span class="letter">\1<\/span> test: exact McNemar/,
    )
    const [, none] = htmlReport(inputOf({ records: [] })).split('data-name="contrast">authority')
    expect(none).toContain("no pair entered")
    expect(terminalReport(inputOf({ records: [] }), { columns: 80, color: false })).toContain(
      "authority: no value (0 pairs; none: no pair entered)",
    )
  })

  test("lists the reads that came to no value", () => {
    const failed = [
      {
        experiment: "quickstart",
        model: "respondent",
        hole: "a1",
        why: "too <long>",
        count: 3,
        items: [
          { pool: "kinds", item: "oak" },
          { pool: "kinds", item: "robin" },
        ],
      },
    ]
    expect(htmlReport(inputOf({ failed }))).toContain(
      "<code>a1</code> of respondent: too &lt;long&gt; (3 trials: oak, robin of kinds)",
    )
    expect(page).toContain("<p>Every read came to a value.</p>")
  })

  test("tells in HTML and Markdown why reads were skipped, but for those that a stopped run has not asked", () => {
    const why = "no target: the item has no option 9"
    const skipped = inputOf().records.map((record, at) => {
      const reading = { status: "skipped", why: at < 100 ? why : "not asked yet" } as const
      return at < 150 ? { ...record, readings: { ...record.readings, a1: reading } } : record
    })
    const input = inputOf({ records: skipped })
    for (const text of [htmlReport(input), markdownReport(input)]) {
      expect(text).toContain(
        "a1 of respondent was skipped in 100 trials: no target: the item has no option 9",
      )
      expect(text).not.toContain("trials: not asked yet")
    }
    for (const reason of ["not asked yet", "no target: the item has no option 9"])
      expect(htmlReport(input)).toContain(
        `<th scope="col" role="columnheader" data-name="${reason}" class="number"><span class="head">${reason}</span></th>`,
      )
  })

  test("says of a table in which trials share items what its intervals go by", () => {
    const { program } = inputOf()
    const tables = [{ name: "arms", rows: ["arm"], columns: ["HRR"], average: "pooled" as const }]
    const pooled = inputOf({
      program: { ...program, experiments: [{ ...program.experiments[0]!, tables }] },
    })
    const words =
      "95% Wilson intervals, over effective trials (in parentheses behind n) where trials share items"
    for (const text of [htmlReport(pooled), markdownReport(pooled)]) expect(text).toContain(words)
    expect(htmlReport(pooled)).toMatch(
      /title="Wilson over \d+\.\d effective trials, since trials share items/,
    )
    expect(page).not.toContain("effective trials")
  })

  test("calls the prompt of a design of one cell, and its table, by a name", () => {
    const { program, records, prompts } = inputOf()
    const [experiment] = program.experiments
    const [{ arm: _arm, ...levels }, one] = [{ arm: "reask" }, experiment!.cells[0]!]
    const solo: ExperimentIR = {
      ...experiment!,
      factors: [],
      cells: [{ ...one, arm: "all", levels }],
      contrasts: [],
      expects: [],
      tables: [],
      figures: [],
    }
    const input = inputOf({
      program: { ...program, experiments: [solo] },
      records: records.filter((record) => record.levels.arm === "reask").map((one) => ({ ...one, levels })),
      prompts: [{ ...prompts[0]!, levels }],
    })
    expect(markdownReport(input)).toContain("**all trials** (item kinds-001")
    const html = htmlReport(input)
    expect(html).toContain("<summary>all trials<small>")
    expect(html).toContain('aria-label="all cells"')
  })

  test("prints what an experiment's own doc says, unless it is the title", () => {
    const { program } = inputOf()
    const [first] = program.experiments
    const doc = "Asked in the spring.\n\nOf one model."
    const formsOf = (parts: Partial<Program>) => {
      const input = inputOf({ program: { ...program, ...parts } })
      return [htmlReport(input), markdownReport(input)] as const
    }
    // Of one experiment, under a title of the spec's.
    const [html, markdown] = formsOf({ experiments: [{ ...first!, doc }] })
    expect(html).toContain("<p>Asked in the spring.</p>\n<p>Of one model.</p>")
    expect(markdown).toContain("## quickstart\n\nAsked in the spring.\n\nOf one model.\n\n")
    // Where it stands above, it does not stand below.
    const [, untitled] = formsOf({ doc: "", experiments: [{ ...first!, doc }] })
    expect(untitled).toMatch(/^# Asked in the spring\n\nOf one model\.\n/)
    expect(untitled.match(/Asked in the spring/g)).toHaveLength(1)
    expect(untitled.match(/Of one model/g)).toHaveLength(1)
    // An experiment of which nothing is compared has a doc, too.
    const bare = { ...first!, doc, contrasts: [], expects: [] }
    expect(formsOf({ experiments: [bare] })[0]).toContain("<p>Asked in the spring.</p>")
  })

  test("has no two headings alike in Markdown where a spec has no doc", () => {
    const { program } = inputOf()
    const bare = markdownReport(inputOf({ program: { ...program, doc: "" } }))
    expect(bare.match(/^#+ .*$/gm)!.slice(0, 2)).toEqual(["# quickstart", "## Results"])
    const headings = markdownReport(inputOf()).match(/^#+ .*$/gm)!
    expect(headings.slice(0, 2)).toEqual(["# Does a wrong answer need a speaker?", "## quickstart"])
  })

  test("shows no path: of a file only its name", () => {
    const { prompts } = inputOf()
    const from = {
      kind: "declaration",
      declaration: "mine",
      file: "/home/someone/secret/mine.cfx",
      line: 3,
    } as const
    const sample = { ...prompts[0]!, rendered: [{ kind: "text", text: "x", from } as const] }
    for (const text of Object.values(filesOf(inputOf({ prompts: [sample] }))))
      expect(text).not.toContain("someone")
    expect(htmlReport(inputOf({ prompts: [sample] }))).toContain('title="mine, mine.cfx:3"')
  })
})

describe("text that means harm", () => {
  const files = filesOf(poisoned())

  test("stays text in HTML and SVG: no element, no attribute, no unseen character", () => {
    for (const name of ["report.html", "figures/floor.svg"]) {
      const text = files[name]!
      expect(text.replace(`<script>${SORTING}</script>`, "")).not.toContain("<script")
      expect(text).not.toContain("<|im_end|>")
      for (const unseen of ["\u0000", "\u202E"]) expect(text).not.toContain(unseen)
      expect(text).toContain("&lt;/script&gt;")
      expect(elements(text).filter((name) => name === "script")).toHaveLength(name === "report.html" ? 1 : 0)
    }
    expect(elements(files["report.html"]!).length).toBeGreaterThan(100)
  })

  test("stays text in Markdown: outside code no bare angle bracket, inside a fence that it cannot end", () => {
    const markdown = files["report.md"]!
    for (const unseen of ["\u0000", "\u202E"]) expect(markdown).not.toContain(unseen)
    const prose = markdown
      .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, "")
      .replace(/(?<![\\`])(`+)(?!`)[\s\S]*?[^`\\]\1(?!`)/g, "")
    expect(prose).not.toMatch(/(?<!\\)<\/?script/)
  })
})

describe("report.md", () => {
  const markdown = markdownReport(inputOf())

  test("has the tables, the figure and a prompt of each cell", () => {
    expect(markdown).toMatch(/^# Does a wrong answer need a speaker\?\n/)
    expect(markdown).toContain("![Harmful revision rate")
    expect(markdown).toContain("](figures/floor.svg)")
    expect(markdown.match(/^```text$/gm)).toHaveLength(6)
    expect(markdown).toContain("- expected `authority > 0`: **held**")
    expect(markdown).toContain(
      "Pooled over trials; in brackets HRR, BenR: 95% Wilson intervals; delta_p_pushed: 95% percentile intervals from a cluster bootstrap by item, 2000 draws.",
    )
    expect(markdown).toMatch(
      /^\| authority \| `HRR\[framing = experts\] - HRR\[framing = no_source\]` \| paired by item \|.*\| \\\[[\d., ]+\\\] \| \\< 0\.001 \| exact McNemar \| 100 pairs \|/m,
    )
    const rows = markdown.split("\n").filter((line) => line.startsWith("| pressure |"))
    expect(rows).toHaveLength(4)
    const cells = rows.map((row) => row.split(" | ").length)
    expect(new Set(cells)).toEqual(new Set([11]))
  })
})
