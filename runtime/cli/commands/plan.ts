import { statSync } from "node:fs"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { summary } from "../../../compiler/diagnostics/render.ts"
import type { LoadedModel } from "../../backend/backend.ts"
import { writeFileAtomic } from "../../disk/disk.ts"
import { partsOf } from "../../hub/split.ts"
import { atPins } from "../../lock/pinned.ts"
import { whyUnopenable } from "../../run/able.ts"
import { type Cohort, cohortsOf } from "../../run/cohorts.ts"
import { files } from "../../run/directory.ts"
import { forecast, inOrder } from "../../run/forecast.ts"
import { Foreseen } from "../../run/foreseen.ts"
import { itemsUsed, selectExperiment } from "../../run/plan.ts"
import { readLedger } from "../../run/readLedger.ts"
import { planOfRun } from "../../run/run.ts"
import { count } from "../arguments.ts"
import { command } from "../command.ts"
import { among, askable, compileOptions, replacements, showDiagnostics, soundSpec } from "../compiled.ts"
import { engines } from "../engine.ts"
import { exit } from "../exit.ts"
import { newFile, runFolder, todo } from "../folder.ts"
import { heldForRun } from "../locked.ts"
import { modeOf, modeOption } from "../mode.ts"
import { notFetched, withEach } from "../models.ts"
import { here } from "../paths.ts"
import { pairWarnings, unequalPairs } from "../plan/pairs.ts"
import { counted, joined, type PlanReport, planJson } from "../plan/plan.ts"
import { speedOf } from "../plan/speed.ts"
import { planText } from "../plan/text.ts"

export default command({
  usage: "SPEC",
  about:
    "Tells what a run would ask before it runs: trials, calls by turn and through gates, and for\neach model whose file is at hand reads, distinct reads, tokens before and after sharing of\nprefixes, time and memory, and what a run directory has answered.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    o: { type: "string", short: "o", value: "FILE", about: "write the plan there" },
    run: { type: "string", value: "DIR", about: "the run directory (default: runs/NAME-OF-SPEC)" },
    experiment: { type: "string", value: "E", about: "only this experiment of the spec" },
    limit: { type: "string", value: "N", about: "only N items of each pool" },
    ...replacements,
    ...modeOption,
    json: { type: "boolean", about: "the plan as JSON" },
  },
  run: async ({ values, names: [name = ""], terminal }) => {
    const limit = values.limit === undefined ? {} : { limit: count("--limit", values.limit) }
    const engine = engines(terminal, modeOf(values.mode))
    const target = values.o === undefined ? undefined : newFile(values.o)
    const directory = runFolder(values.run ?? `runs/${basename(name, ".cfx")}`, todo.other)
    // A run that is named must be there; the one that would be made may not be yet.
    if (values.run !== undefined) await Effect.runPromise(planOfRun(directory))
    const given = compileOptions(values)
    const sound = soundSpec(name, given, terminal)
    if (typeof sound === "number") return sound
    const spec = askable(sound, values.experiment, name, terminal)
    if (typeof spec === "number") return spec
    if (values.experiment !== undefined) {
      const known = spec.program.experiments.map((experiment) => experiment.name)
      among("--experiment", values.experiment, known, name)
    }
    const held = await heldForRun(name, spec, given, terminal, false)
    if (typeof held === "number") return held
    const program = selectExperiment(spec.program, values.experiment)
    const items = itemsUsed(program, spec.items)
    const answers = readLedger(join(directory, files.ledger))
    const models = atPins(program.models, held.files ?? {})
    const unfetched = await notFetched(models, engine)
    const uncounted = models.flatMap((model) => {
      const why = whyUnopenable(model, model.file) ?? unfetched.get(model.name)
      return why === undefined ? [] : [{ model: model.name, why }]
    })
    const foreseen = new Foreseen()
    const atHand = inOrder(program).flatMap((asked) =>
      models.filter(({ name }) => name === asked && !uncounted.some(({ model }) => model === name)),
    )
    const found = await withEach(atHand, engine, (loaded, { name, file }) =>
      Effect.map(speedOfFile(loaded, cohortsOf(program, items, limit).get(name) ?? []), (speed) => ({
        forecast: forecast(program, items, new Map([[name, loaded]]), {
          ...limit,
          answers,
          foreseen,
          ...(speed === undefined ? {} : { speeds: new Map([[name, speed]]) }),
          ...(loaded.kind === "chat"
            ? {}
            : { bytes: new Map([[name, bytesAt(String(loaded.facts.file ?? file))]]) }),
        }),
        pairs: loaded.kind === "chat" ? [] : unequalPairs(program, items, loaded),
      })),
    )
    const plan: PlanReport = {
      ...counted(program, spec, limit),
      ...joined(found.map(({ forecast }) => forecast)),
      uncounted,
      warnings: pairWarnings(
        found.flatMap(({ pairs }) => pairs),
        spec.sources,
      ),
    }
    if (!values.json) {
      showDiagnostics(plan.warnings, terminal)
      const told = summary([...sound.diagnostics, ...plan.warnings])
      if (told !== "") terminal.note(`${name}: ${told}`)
    }
    const text = values.json ? planJson(spec.hash, plan) : planText(plan)
    if (target === undefined) terminal.print(text, values.json ? "data" : "text")
    else {
      writeFileAtomic(target, text)
      terminal.note(`plan: ${here(target)}`)
    }
    return plan.models.some(({ unreadable }) => unreadable.length > 0) ? exit.reads : exit.done
  },
})

/** Of all files of a model. */
const bytesAt = (file: string): number => partsOf(file).reduce((sum, part) => sum + statSync(part).size, 0)

/** A server is not asked for a plan, so that its speed is not known. */
const speedOfFile = (model: LoadedModel, cohorts: readonly Cohort[]) =>
  model.kind === "chat" ? Effect.succeed(undefined) : speedOf(model, cohorts)
