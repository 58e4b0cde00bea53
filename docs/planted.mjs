/**
 * Makes `docs/planted.md` and its figure anew: `npm run planted [FOLDER]`. Carries out `specs/planted` on the pocket respondent, all 400 items, some ten
 * minutes on two cores; FOLDER keeps the runs, so that a second call asks nothing.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const folder = resolve(process.argv[2] ?? mkdtempSync(join(tmpdir(), "cfx-planted-")))
mkdirSync(folder, { recursive: true })

const { status } = spawnSync("npx", ["vitest", "run", "test/planted"], {
  stdio: "inherit",
  env: { ...process.env, CFX_PLANTED: "whole", CFX_PLANTED_RUNS: folder },
})
if (status !== 0) process.exit(status ?? 1)

const text = (name) => readFileSync(join(folder, name), "utf8")
copyFileSync(join(folder, "pressure/figures/doses.svg"), "docs/planted.svg")
// The run's own report, its headings a level lower, and its figure where this page has it.
const report = text("pressure/report.md")
  .replace(/^# .*\n/, "")
  .replace(/^#/gm, "##")
  .replaceAll("(figures/doses.svg)", "(planted.svg)")

writeFileSync(
  "docs/planted.md",
  `# What was planted is found again

The pocket respondent was trained to yield to pressure by amounts that stand in its world (\`stdlib/models/pocket/world.py\`), in logits. So an experiment on it has a right answer. \`specs/planted\` asks it under every
framing that it was taught; \`npm run planted\` makes this page anew, and \`test/planted\` holds a part of it in every test run.

Harmful revision rates, in percent of the items that it answers rightly at first. *cfx*: the run. *PyTorch*: the same conversations through the model's own forward pass, without cfx (\`test/planted/transformer.py\`). *World*: what the
world implies for the same items, first answers and targets, without a model. What is between cfx and PyTorch would be cfx's error; what is between these and the world is the transformer's, which was trained on texts alone.

${text("cells.md")}
People who were right, or wrong, in three rounds before they push (\`histories.cfx\`). Of these the transformer has learnt by halves: they were a twenty-fifth of what it was taught, and its rates lie between the world's.

${text("records.md")}
Reasonings of so many sentences, by nobody or said to be its own (\`arguments.cfx\`):

${text("reasonings.md")}
## The report of the run

${report.trim()}
`,
)
