/**
 * How fast texts are written, one at a time and eight: `npm run bench:generation`. Tokens/s are of written tokens over the time from the first batch to
 * the last text; the ceiling is the time that the engine spends in these batches, with nothing drawn, copied or decided between them.
 * Rounds alternate, and medians are printed. CFX_BENCH_ROUNDS and CFX_BENCH_MODELS (pocket, smollm2) make it shorter.
 */
import { join } from "node:path"
import type { ModelFile } from "../runtime/backend/backend.ts"
import { smollm2 } from "../test/real/smollm2.ts"
import { median } from "./measures.ts"
import { draws, type Span, words, written } from "./texts.ts"

const rounds = Number(process.env.CFX_BENCH_ROUNDS ?? 3)
const chosen = (process.env.CFX_BENCH_MODELS ?? "pocket,smollm2").split(",")

async function main(): Promise<void> {
  if (chosen.includes("pocket"))
    await bench("pocket respondent", {
      name: "pocket",
      path: join(process.cwd(), "stdlib/models/pocket/pocket.gguf"),
    })
  if (chosen.includes("smollm2")) {
    const fetched = await smollm2()
    if ("missing" in fetched) console.log(`SmolLM2 is not measured: ${fetched.missing}`)
    else await bench("SmolLM2-135M-Instruct Q4_1", fetched)
  }
}

async function bench(title: string, file: ModelFile): Promise<void> {
  const spans = new Map<number, Span[]>([
    [1, []],
    [8, []],
  ])
  for (let round = 0; round < rounds; round++)
    for (const [together, found] of spans) found.push(await written(file, together))
  const rate = ({ tokens, wall }: Span): number => (1000 * tokens) / wall
  console.log(`${title}, ${words.length} prompts, ${draws} draws each, median of ${rounds}`)
  for (const [together, found] of spans) {
    const [{ tokens, prompts }] = found as [Span]
    console.log(
      `  ${together} at a time: ${median(found.map(rate)).toFixed(0)} tokens/s (${tokens} written, ${prompts} evaluated for prompts); ` +
        `wall over the engine's batches ${median(found.map(({ wall, batches }) => wall / batches)).toFixed(3)}`,
    )
  }
  const gains = spans.get(8)!.map((eight, round) => rate(eight) / rate(spans.get(1)![round]!))
  console.log(`  8 at a time over 1: ${median(gains).toFixed(2)}`)
}

await main()
