/** The floor's main grid (`floor.cfx`) as a run in this process, and as the command that a person would type. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { compile } from "../compiler/compile.ts"
import type { DeviceIR } from "../compiler/ir.ts"
import { type LlamaOptions, llamaBackend } from "../runtime/backend/llama.ts"
import type { Mode } from "../runtime/backend/scorer.ts"
import { diskFiles } from "../runtime/disk/files.ts"
import { progress } from "../runtime/run/progress.ts"
import { type RunOutcome, run } from "../runtime/run/run.ts"
import { newRecording, type Recording, recordInto } from "./recorder.ts"

const project = process.cwd()
export const floorSpec = join(project, "bench/floor.cfx")

type Gpu = NonNullable<DeviceIR["gpu"]>

export interface FloorOptions {
  /** A spec that is made like the grid's. */
  readonly spec?: string
  /** What the model is opened on. */
  readonly gpu?: Gpu
}

/** The grid with so many items, asked of the model in this file. @throws Error where it does not compile */
export function floorOf(items: number, model: string, { spec = floorSpec, gpu = "auto" }: FloorOptions = {}) {
  const files = diskFiles({ here: project, stdlib: join(project, "stdlib") })
  const read: typeof files.read = (path) => {
    const found = files.read(path)
    if (path !== spec || "problem" in found) return found
    const text = found.text
      .replace(/sample \d+/, `sample ${items}`)
      .replace(/import .* from "std\/models"/, `model respondent = gguf "model.gguf" {\n  gpu ${gpu}\n}`)
    return { text }
  }
  const compiled = compile(spec, { ...files, read }, { models: { respondent: model } })
  const { program, hash, diagnostics } = compiled
  if (program === undefined || hash === undefined)
    throw new Error(`the floor's grid does not compile: ${diagnostics[0]?.label}`)
  return { ...compiled, program, hash }
}

export interface FloorRun {
  /** Path of the model's file. */
  readonly model: string
  readonly items: number
  readonly mode: Mode
  readonly engine: LlamaOptions
  readonly gpu?: Gpu
  /** Reads that are taken again at the end. Left out: none, and what is recorded is what the grid asks. */
  readonly audit?: number
}

export const recordedFloor = async (run: FloorRun): Promise<Recording> => (await floorRun(run)).recording

/** One run, in a folder that is thrown away. */
export async function floorRun({
  model,
  items,
  mode,
  engine,
  gpu = "auto",
  audit = 0,
}: FloorRun): Promise<{ readonly recording: Recording; readonly outcome: RunOutcome }> {
  const recording = newRecording()
  const folder = await mkdtemp(join(tmpdir(), "cfx-bench-"))
  try {
    const request = run({
      compiled: floorOf(items, model, { gpu }),
      directory: join(folder, "run"),
      engine: "llama",
      mode,
      version: "0.0.0",
      audit,
      progress: progress({ write: () => {}, redraw: false, now: () => performance.now() }),
    })
    const backend = llamaBackend({ ...engine, mode, wrap: recordInto(recording) })
    const outcome = await Effect.runPromise(request.pipe(Effect.provide(backend)))
    return { recording, outcome }
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface Command {
  /** From its start to its end. */
  readonly seconds: number
  /** Most memory that the process had, in bytes; the model's file counts as far as it is mapped. */
  readonly peak: number
}

/** Node's `maxRSS` is in kilobytes. The command's own output goes to no one. */
const reportPeak = `data:text/javascript,process.on("exit",()=>console.error("peak",process.resourceUsage().maxRSS*1024))`

/** `cfx run` on the grid, with all that belongs to it: loading, audit, report. Takes the grid's 20 items at most. */
export async function commandOnFloor({
  model,
  items,
  mode,
}: Omit<FloorRun, "engine" | "gpu" | "audit">): Promise<Command> {
  const folder = await mkdtemp(join(tmpdir(), "cfx-bench-"))
  try {
    const start = performance.now()
    const child = spawn(
      process.execPath,
      [
        ...["--import", reportPeak, join(project, "dist/cfx.js"), "run", floorSpec],
        ...["-o", join(folder, "run"), "--limit", String(items), "--mode", mode],
        ...["--model", `respondent=${model}`],
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    )
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject)
      child.on("close", resolve)
    })
    const seconds = (performance.now() - start) / 1000
    const peak = Number(/^peak (\d+)$/m.exec(said)?.[1])
    if (code !== 0 || Number.isNaN(peak)) throw new Error(`cfx run ended with ${code}: ${said.slice(-2000)}`)
    return { seconds, peak }
  } finally {
    await rm(folder, { recursive: true })
  }
}
