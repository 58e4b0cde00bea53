/** "How to reproduce this": what a report says is run as it stands, and comes to the same bytes. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cfx, copyOfQuickstart, folder } from "./support.ts"

/** The command in a report, in words, without its `cfx`. */
function commandOf(report: string): readonly string[] {
  const [, command = ""] = /## How to reproduce this\n\n```sh\ncfx (.*)\n```/.exec(report) ?? []
  return (command.match(/'[^']*'|[^ ]+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"))
}

const made = (directory: string) => ({
  report: readFileSync(join(directory, "report.md"), "utf8"),
  bytes: ["results.json", "trials.csv", "report.html"].map((name) =>
    readFileSync(join(directory, name), "utf8"),
  ),
})

/** Calls cfx, and then what its report says. `files`: what stands for FILE. */
async function twice(cwd: string, words: readonly string[], files: string = "") {
  const first = await cfx([...words, "-o", "first"], { cwd })
  expect(first.code, first.err).toBe(0)
  const { report, bytes } = made(join(cwd, "first"))
  const command = commandOf(report)
  const again = await cfx([...command.map((word) => word.replace(/=FILE$/, `=${files}`)), "-o", "again"], {
    cwd,
  })
  expect(again.code, again.err).toBe(0)
  expect(made(join(cwd, "again")).bytes).toEqual(bytes)
  return { report, command }
}

const recorded = (name: string, file = ""): string => `experiment ${name} {
  records ${file === "" ? "" : `"${file}" `}{
    item = id
    gold = key
    labels { A, B }
    a0: option = before
    a1: option = after
  }
  measure HRR
}
`
const rows = "id,key,before,after\n1,A,A,B\n2,A,A,A\n3,B,B,B\n"

function records(text: string, file: string): string {
  const cwd = folder()
  writeFileSync(join(cwd, "my spec.cfx"), `import { HRR } from "std/metrics"\n${text}`)
  writeFileSync(join(cwd, file), rows)
  return cwd
}

describe("the command of a report", () => {
  test("names the one experiment that was run of several, which the report says too", async () => {
    const cwd = copyOfQuickstart()
    const specs = join(cwd, "specs")
    const text = readFileSync(join(specs, "quickstart.cfx"), "utf8").replace("  expect authority > 0\n", "")
    const other = text.slice(text.indexOf("experiment quickstart")).replace("quickstart", "other")
    writeFileSync(join(specs, "two.cfx"), `${text}\n${other}`)
    const run = ["run", "two.cfx", "--experiment", "other", "--limit", "3", "--backend", "simulated"]
    const { report, command } = await twice(specs, run)
    expect(command).toEqual(run)
    expect(report).toContain("of those that the spec has, other alone was run")
  })

  test("names the one experiment that was scored of several, and quotes what a shell would part", async () => {
    const cwd = records(recorded("first") + recorded("second"), "my records.csv")
    const score = ["score", "my spec.cfx", "--experiment", "first", "--records", "first=my records.csv"]
    const { report, command } = await twice(cwd, score)
    expect(command).toEqual(score)
    expect(report).toContain("cfx score 'my spec.cfx' --experiment first --records 'first=my records.csv'")
    expect(report).toContain("of those that have records, first alone was scored")
  })

  test("says whose records a file has where its name could be taken for that", async () => {
    const cwd = records(recorded("only"), "only=1.csv")
    const { command } = await twice(cwd, ["score", "my spec.cfx", "--records", "only=only=1.csv"])
    expect(command).toEqual(["score", "my spec.cfx", "--records", "only=only=1.csv"])
  })

  test("has a place for the items that took those of the spec", async () => {
    const cwd = folder()
    const quickstart = copyOfQuickstart()
    mkdirSync(join(cwd, "items"))
    cpSync(join(quickstart, "specs/items/kinds.yaml"), join(cwd, "items/kinds.yaml"))
    writeFileSync(
      join(cwd, "items/few.yaml"),
      "- {id: s1, question: A bird?, options: [robin, oak], gold: A}\n- {id: s2, question: A tree?, options: [robin, oak], gold: B}\n",
    )
    writeFileSync(
      join(cwd, "planned.cfx"),
      `import { pocket as respondent } from "std/models"
items kinds = "items/kinds.yaml" { id = id question = question options = options gold = gold }
metric acc(first = a0) { rate first == item.gold interval wilson 95 }
protocol once {
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
}
experiment solo {
  protocol once
  models { respondent }
  items { kinds }
  seed 0
  measure acc
  records { item = id a0 = before }
}
`,
    )
    writeFileSync(join(cwd, "answers.csv"), "id,before\ns1,A\ns2,A\n")
    const score = ["score", "planned.cfx", "--items", "kinds=items/few.yaml", "--records", "answers.csv"]
    const { report, command } = await twice(cwd, score, "items/few.yaml")
    expect(command).toEqual(["score", "planned.cfx", "--items", "kinds=FILE", "--records", "answers.csv"])
    expect(report).toContain("FILE: kinds read another file than the spec names")
  })
})
