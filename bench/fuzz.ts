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
  | { readonly index: number; readonly how: string; readonly flaw: string; readonly text: string }

const PER_MESSAGE = 250

if (isMainThread) await main()
else work(workerData as Share)

async function main(): Promise<void> {
  const [count = 100_000, seed = 2] = process.argv.slice(2).map(Number)
  const step = availableParallelism()
  let done = 0
  let flaws = 0
  const started = Date.now()
  const shares = Array.from({ length: step }, (_, from) =>
    share({ seed, from, to: count, step }, (message) => {
      if ("done" in message) done += message.done
      else {
        flaws += 1
        console.log(
          `\nmutant ${message.index} of seed ${seed} (${message.how}): ${message.flaw}\n${message.text}\n`,
        )
      }
      if ("done" in message) process.stderr.write(`\r${done} of ${count}, ${flaws} flawed`)
    }),
  )
  await Promise.all(shares)
  const seconds = (Date.now() - started) / 1000
  console.log(
    `\n${count} mutants in ${seconds.toFixed(0)} s (${(count / seconds).toFixed(0)} a second): ${flaws} flawed`,
  )
  process.exitCode = flaws === 0 ? 0 : 1
}

const share = (workerData: Share, hear: (message: Message) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData })
    worker.on("message", hear)
    worker.on("error", reject)
    worker.on("exit", () => resolve())
  })

function work({ seed, from, to, step }: Share): void {
  const specs = corpus()
  let since = 0
  const say = (message: Message): void => parentPort?.postMessage(message)
  for (let index = from; index < to; index += step) {
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
