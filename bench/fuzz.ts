/**
 * The long walk through broken specs: `npm run fuzz [COUNT [SEED]]`, 100,000 mutants of seed 2 unless said otherwise, shared over the cores. Prints
 * the mutants that crash, hang or are given a place outside of their file, and exits 1 if there are any.
 */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { corpus, flaw } from "../test/fuzz/checked.ts"
import { mutant } from "../test/fuzz/mutate.ts"

interface Share {
  readonly seed: number
  readonly from: number
  readonly to: number
  readonly step: number
}

type Message =
  | { readonly done: number }
  | { readonly at: number }
  | { readonly index: number; readonly how: string; readonly flaw: string; readonly text: string }

const PER_MESSAGE = 250

/** A worker that says nothing for so long hangs in the mutant that it last named. */
const HANGS_MS = 60_000

if (isMainThread) await main()
else work(workerData as Share)

async function main(): Promise<void> {
  const [count = 100_000, seed = 2] = process.argv.slice(2).map(Number)
  const step = availableParallelism()
  let done = 0
  let flaws = 0
  const started = Date.now()
  const report = (index: number, how: string, flaw: string, text: string): void => {
    flaws += 1
    console.log(`\nmutant ${index} of seed ${seed} (${how}): ${flaw}\n${text}\n`)
  }
  const specs = corpus()
  const shares = Array.from({ length: step }, (_, from) =>
    share(
      { seed, from, to: count, step },
      (message) => {
        if ("done" in message) {
          done += message.done
          process.stderr.write(`\r${done} of ${count}, ${flaws} flawed`)
        } else report(message.index, message.how, message.flaw, message.text)
      },
      (index) => {
        const { how, text } = mutant(specs, seed, index)
        report(index, how, "it hangs; the rest of this share is left out", text)
      },
    ),
  )
  await Promise.all(shares)
  const seconds = (Date.now() - started) / 1000
  console.log(
    `\n${done} mutants in ${seconds.toFixed(0)} s (${(done / seconds).toFixed(0)} a second): ${flaws} flawed`,
  )
  process.exitCode = flaws === 0 ? 0 : 1
}

function share(
  data: Share,
  hear: (message: Exclude<Message, { at: number }>) => void,
  hangs: (index: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data })
    let at = data.from
    let patience: NodeJS.Timeout | undefined
    worker.on("message", (message: Message) => {
      if (!("at" in message)) return hear(message)
      at = message.at
      clearTimeout(patience)
      patience = setTimeout(() => {
        hangs(at)
        void worker.terminate()
      }, HANGS_MS)
    })
    worker.on("error", reject)
    worker.on("exit", () => {
      clearTimeout(patience)
      resolve()
    })
  })
}

function work({ seed, from, to, step }: Share): void {
  const specs = corpus()
  let since = 0
  const say = (message: Message): void => parentPort?.postMessage(message)
  for (let index = from; index < to; index += step) {
    say({ at: index })
    const one = mutant(specs, seed, index)
    const found = flaw(one)
    if (found !== undefined) say({ index, how: one.how, flaw: found, text: one.text })
    since += 1
    if (since === PER_MESSAGE) {
      say({ done: since })
      since = 0
    }
  }
  say({ done: since })
}
