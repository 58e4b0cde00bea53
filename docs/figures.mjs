/** Brings docs/figures.md and docs/figures/*.svg up to date: the gallery's spec is run on made-up answers, its figures copied. Run with `npm run figures`. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const docs = import.meta.dirname
const spec = join(docs, "figures/gallery.cfx")
const run = mkdtempSync(join(tmpdir(), "cfx-figures-"))

const MARKS = [
  [
    "framings-bars",
    "Bars",
    "One bar for each level, in groups by `color`, each with its interval, its number and its n. Bars of the second colour and later are hatched, so that they differ in print.",
  ],
  [
    "framings-many_bars",
    "Many bars",
    "Where names or numbers would touch, bars lie: one row each, with estimate, interval and n in columns.",
  ],
  [
    "framings-dots",
    "Dots in panels",
    "`facet` makes a panel for each level of a factor; all panels have one scale.",
  ],
  [
    "doses-lines",
    "Lines",
    "Levels that are numbers, or that hold one (`distinct(6)`), stand where their numbers are. Trials without the factor, such as baselines without a dose, stand apart under `–`, left of a gap, and no line leads to them; a key names their arms. Intervals are bands, or whiskers where there are many lines or few points, or where points stand apart.",
  ],
  [
    "framings-matrix",
    "Matrix",
    "Rows are levels of `by`, columns of `color`. The caption says which share of the variance lies between rows, between columns, and in neither. Cells of a factor against itself are outlined.",
  ],
  [
    "framings-confidence",
    "Distribution",
    "What the measure is taken of, trial by trial: a histogram for each level, with its median; more than twelve levels are boxes from the lower quartile to the upper, on a line from the 5th to the 95th percentile.",
  ],
  [
    "framings-differences",
    "Forest",
    "Contrasts, each with all of its estimators. Differences in percentage points, other differences and odds ratios have an axis each.",
  ],
]

try {
  execFileSync(process.execPath, [
    join(docs, "../dist/cfx.js"),
    "run",
    spec,
    "--backend",
    "simulated",
    "-q",
    "-o",
    join(run, "run"),
  ])
  const report = readFileSync(join(run, "run/report.md"), "utf8")
  const text = readFileSync(spec, "utf8")
  const made = readdirSync(join(run, "run/figures")).sort()
  const shown = MARKS.map(([name]) => `${name}.svg`).sort()
  if (made.join() !== shown.join())
    throw new Error(`the gallery draws ${made.join(", ")}; docs/figures.mjs describes ${shown.join(", ")}`)
  const sections = MARKS.map(([name, title, about]) => {
    const file = `figures/${name}.svg`
    copyFileSync(join(run, "run", file), join(docs, file))
    const declared = new RegExp(
      `^ *(figure ${name.replace(/^[a-z]+-/, "")} \\{[^{}]*(?:\\{[^{}]*\\}[^{}]*)*\\})`,
      "m",
    ).exec(text)[1]
    // The paragraph behind the image.
    const caption = report.split(`(${file})`)[1].split("\n\n")[1]
    return [`## ${title}`, about, `\`\`\`cfx\n${declared}\n\`\`\``, `![${title}](${file})`, caption].join(
      "\n\n",
    )
  })
  writeFileSync(join(docs, "figures.md"), `${[intro(), ...sections].join("\n\n")}\n`)
} finally {
  rmSync(run, { recursive: true, force: true })
}

function intro() {
  return [
    "# Figures",
    "A `figure` of an experiment is drawn in the report and as `figures/NAME.svg` in the run directory. The answers behind these are made up (`--backend simulated`): nothing here is a finding. The spec is [figures/gallery.cfx](figures/gallery.cfx); `npm run figures` makes this page again.",
    "A figure follows the reader's theme, light or dark; on paper it is ink on white. Series differ in colour and in hatching, symbol or dash; their colours stay apart as people without red, green or blue cones see them. Every number stands in the description that a screen reader reads.",
  ].join("\n\n")
}
