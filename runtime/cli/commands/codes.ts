import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { type Agreement, agreements, type Coding, judgeOf } from "../../coding/agreement.ts"
import { isFilled, readSheet, SheetError, sheetOf } from "../../coding/sheet.ts"
import { codedTexts, type Judged, judgedTexts } from "../../coding/texts.ts"
import { diskFailure, writeFileAtomic } from "../../disk/disk.ts"
import { absolute } from "../../disk/files.ts"
import { type KeptRun, keptRun } from "../../run/finished.ts"
import { command, UsageError } from "../command.ts"
import { exit } from "../exit.ts"
import { fileBeside, runFolder, todo } from "../folder.ts"
import { here, invocation, quoted } from "../paths.ts"
import type { Terminal } from "../terminal.ts"
import { watchOn } from "../watch.ts"

export default command({
  usage: "DIR [SHEET...]",
  about:
    "Has people code the texts that a run's judge labelled, blind to model and arm. Without a\nsheet it writes one: a CSV file with a code, a text and an empty place for the label, in\nan order that says nothing. With filled sheets it prints how far each two codings agree,\nthe judge's among them: Cohen's kappa, with an interval over items. Of a text that the\njudge labelled in several ways, each label counts as its share.",
  takes: { least: 1, most: 9, what: "DIR, then filled sheets" },
  options: {
    judge: {
      type: "string",
      value: "READ",
      about: "the read whose labels are coded, where there are several",
    },
    sample: { type: "string", value: "N", about: "so many texts; all where left out" },
    output: { type: "string", short: "o", value: "FILE", about: "the sheet; DIR/codes.csv where left out" },
    json: { type: "boolean", about: "agreement as JSON" },
  },
  run: async ({ values, names: [given = "", ...sheets], terminal }) => {
    const watch = watchOn(terminal)
    const run = await Effect.runPromise(keptRun(runFolder(given, todo.other), watch))
    const judged = judgedIn(run, values.judge)
    const texts = codedTexts(run.records, judged, run.state.plan)
    watch.end()
    if (sheets.length === 0) {
      const path =
        values.output === undefined
          ? join(run.directory, "codes.csv")
          : fileBeside(values.output, run.directory, [])
      if (existsSync(path) && isFilled(contentOf(path)))
        throw new UsageError(
          `${here(path)} holds labels, or is no empty sheet, and is not written over: name another file with -o, or give it as a filled sheet`,
        )
      writeFileAtomic(path, sheetOf(texts.values(), sampleOf(values.sample)))
      terminal.print(here(path))
      terminal.note(
        `Fill in the column label with ${judged.labels.join(", ")}, then:\n  ${invocation()} codes ${quoted(given)} ${quoted(here(path))}`,
      )
      return exit.done
    }
    const seed = run.plan.program.experiments.find(({ name }) => name === judged.experiment)?.seed ?? 0
    const filled: Coding[] = []
    for (const sheet of sheets) {
      try {
        const { labels, empty } = readSheet(here(absolute(sheet)), contentOf(sheet), texts, judged.labels)
        if (empty > 0) terminal.note(`${sheet}: ${empty} texts have no label`)
        filled.push({
          by: basename(sheet),
          labels: new Map([...labels].map(([code, label]) => [code, [label]])),
        })
      } catch (cause) {
        if (!(cause instanceof SheetError)) throw cause
        terminal.complain(`error: ${cause.message}\n  where: ${cause.where}\n  what to do: ${cause.todo}`)
        return exit.spec
      }
    }
    const found = agreements([judgeOf(judged.judge, texts.values()), ...filled], texts, judged.labels, seed)
    if (values.json)
      terminal.print(JSON.stringify({ ...judged, texts: texts.size, agreements: found }, null, 2), "data")
    else printAgreements(found, terminal)
    return exit.done
  },
})

/** @throws UsageError where it is not said which, or there is none */
function judgedIn({ plan }: KeptRun, name: string | undefined): Judged {
  const all = judgedTexts(plan.program)
  const found = name === undefined ? all : all.filter(({ judge }) => judge === name)
  if (found.length === 1) return found[0]!
  if (all.length === 0) throw new UsageError("no read of this run labels a text, so there is nothing to code")
  const known = [...new Set(all.map(({ judge }) => judge))].join(", ")
  throw new UsageError(
    name === undefined
      ? `--judge says which read is coded: ${known}`
      : found.length === 0
        ? `no read ${name} of this run labels a text; there are ${known}`
        : `${name} is a read of several experiments; run one of them with --experiment`,
  )
}

/** @throws UsageError where it is no count */
function sampleOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9]\d*$/.test(given)) throw new UsageError(`--sample takes a number from 1, not ${given}`)
  return Number(given)
}

/** @throws EnvironmentFailure where it cannot be read */
function contentOf(sheet: string): string {
  const path = absolute(sheet)
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw diskFailure(cause, "read the sheet", path)
  }
}

function printAgreements(found: readonly Agreement[], { print }: Terminal): void {
  for (const { left, right, n, items, several, agreed, kappa, low, high, level, pairs } of found) {
    const share = n === 0 ? "" : `, ${inTexts(agreed)} alike (${((100 * agreed) / n).toFixed(1)} %)`
    print(`${left} and ${right}: ${n} texts${share}`)
    if (kappa === undefined) {
      print(
        n === 0
          ? "  no kappa: no text has a label of both"
          : "  no kappa: both gave one label to all, so that agreement by chance is certain",
      )
    } else {
      const interval =
        low === undefined || high === undefined
          ? `no interval: ${items < 2 ? "all texts are of one item" : "all draws are equal"}`
          : `${level}% interval [${low.toFixed(3)}, ${high.toFixed(3)}], cluster bootstrap by item`
      print(`  kappa ${kappa.toFixed(3)}, ${interval}`)
    }
    if (several > 0)
      print(
        `  ${left} labelled ${several === 1 ? "1 text" : `${several} texts`} in several ways: each label counts as its share of the text`,
      )
    for (const pair of pairs)
      if (pair.left !== pair.right) print(`  ${pair.left} against ${pair.right}: ${inTexts(pair.count)}`)
  }
}

/** Texts and shares of texts, with two decimals at most. */
const inTexts = (count: number): string => String(Number(count.toFixed(2)))
