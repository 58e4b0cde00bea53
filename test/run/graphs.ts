/** Random designs: turns that continue and start afresh, roles, gates, texts that others read, extracts, judges, repeats, pools and labels. */
import { compile } from "../../compiler/compile.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import { stream } from "../../compiler/draw.ts"
import type { RunRequest } from "../../runtime/run/run.ts"
import { inMemory } from "../diagnostics/examples.ts"

export interface Graph {
  readonly spec: string
  readonly pool: string
}

interface Hole {
  readonly name: string
  readonly type: "option" | "label" | "integer" | "text"
}

/** A design by its number; `models` are the files that its models may have. */
export function graphOf(seed: number, models: readonly string[]): Graph {
  const chance = stream({ seed, declaration: "graph" })
  const below = (bound: number): number => chance.below(bound)
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const often = (percent: number): boolean => below(100) < percent

  const names = models.map((_, at) => `m${at}`)
  const mayPlay = names.length > 1 && often(70)
  const holes: Hole[] = []
  const turns: { readonly name: string; readonly by: string; readonly holes: readonly Hole[] }[] = []
  const reads: string[] = []
  const derived: string[] = []
  const text: string[] = []

  const holeFor = (name: string, type: Hole["type"]): string => {
    holes.push({ name, type })
    switch (type) {
      case "option":
        return `{${name}: option}`
      case "label":
        return `{${name}: label(${one(["yes, no", "true, false, unsure", "up, upper"])})}`
      case "integer":
        return `{${name}: integer ${one(["1..5", "1..10", "0..12"])}}`
      case "text":
        reads.push(
          `    read ${name} { max ${one([5, 12, 20])}${often(40) ? " temperature 0.8" : ""}${often(30) ? ' until "\\n"' : ""}${often(30) ? ' refusal "I refuse"' : ""} }`,
        )
        return `{${name}: text}`
    }
  }

  const count = 2 + below(4)
  for (let at = 0; at < count; at++) {
    const name = `t${at}`
    const parent = at > 0 && often(60) ? one(turns) : undefined
    const by = parent?.by ?? (at > 0 && mayPlay && often(50) ? " by source" : "")
    const before = holes.filter(({ type }) => type === "option" || type === "label" || type === "text")
    const options = holes.filter(({ type }) => type === "option")
    const written = holes.filter(({ type }) => type === "text")
    const gate =
      at > 0 && often(35)
        ? written.length > 0 && often(50)
          ? ` when not refused(${one(written).name})`
          : ` when ${one(options).name} ${one(["==", "!="])} item.gold`
        : ""
    const quoted = before.length > 0 && often(60) ? `Someone said: {${one(before).name}}.\\n` : ""
    const slot = at === count - 1 ? "{block}\\n" : ""
    const question = parent === undefined || often(40) ? "{item.question}\\n{item.options}" : "Well?"
    const first = at === 0 ? "option" : one(["option", "option", "label", "integer", "text", "text"] as const)
    const own = holes.length
    reads.length = 0
    const repeats = parent !== undefined && first === "option" && often(25)
    const opening = holeFor(`h${at}${repeats ? "[k]" : ""}`, first)
    const more =
      first !== "text" && !repeats && often(40)
        ? `, ${holeFor(`g${at}`, one(["integer", "label"] as const))}`
        : ""
    if (repeats) holes.pop()
    const own_ = holes.slice(own)
    const head = repeats ? `turn ${name}[k] repeat 2` : `turn ${name}`
    text.push(
      `  ${head}${parent === undefined ? (often(50) && at > 0 ? " fresh" : "") : ` continues ${parent.name}`}${by}${gate} {
    user "${repeats ? "{k}. " : ""}${slot}${quoted}${question}"
    assistant "${often(50) ? "Answer: " : ""}${opening}${more}"
${reads.join("\n")}
  }`,
    )
    if (!repeats) turns.push({ name, by, holes: own_ })
  }
  for (const [at, { name }] of holes.filter(({ type }) => type === "text").entries()) {
    if (often(60)) derived.push(`  extract e${at}: option from ${name} matching "ANSWER: (\\w)" last`)
    if (often(40)) {
      derived.push(`  judge v${at} = good(${name})${often(60) ? ` by ${one(names)}` : ""}`)
    }
    if (often(30)) {
      derived.push(`  judge r${at} = short(${name})`)
    }
  }
  const roles = text.some((turn) => turn.includes(" by source"))
  const drawn = text.some((turn) => turn.includes(" temperature "))
  const arms = one([1, 2, 3])
  const blocks = ["Please check.", "Think about it.", "Others say {target.label}."].slice(0, arms)
  const spec = `${models.map((file, at) => `model m${at} = gguf "${file}"`).join("\n")}
items sums = "pool.jsonl" { question = question options = options gold = gold }
${blocks.map((words, at) => `block b${at} { text "${words}" }`).join("\n")}
judge good(reply) {
  user "Is this good? {reply}"
  assistant "{verdict: label(yes, no)}"
  gold yes
}
judge short(reply) { matching "^.{0,40}$" then yes else no }
protocol graph {
  slot block
${roles ? "  role source\n" : ""}  options "{label}. {text}" join "${one(["\\n", "; "])}"
${often(30) ? '  system "You answer questions."\n' : ""}${text.join("\n")}
${derived.join("\n")}
}
metric accuracy(first = h0) { rate first == item.gold interval wilson 95 }
experiment study {
  protocol graph
  models { ${(roles && often(50) ? names : names.slice(0, 1)).join(", ")} }
  items { sums }
  seed ${below(1000)}
  target ${one(["random_wrong", "top_wrong(h0)", "least_wrong(h0)"])}
${roles ? `  factor source ${often(50) ? `in { ${names.join(", ")} }` : `= ${one(names)}`}\n` : ""}  arms { ${blocks.map((_, at) => `b${at} = b${at}`).join(" ")} }
${drawn && often(50) ? "  replicates 2\n" : ""}${often(30) ? "  options in { identity, reversed }\n" : ""}${drawn && often(50) ? "  independent\n" : ""}  measure accuracy
}
`
  const choices = 2 + below(4)
  const pool = Array.from({ length: 1 + below(3) }, (_, item) =>
    JSON.stringify({
      question: `What is ${item} and ${below(9)}?`,
      options: Array.from(
        { length: choices },
        (_, option) => `${one(["oak", "stone", "violin", "robin"])} ${option}`,
      ),
      gold: String.fromCharCode(65 + below(choices)),
    }),
  ).join("\n")
  return { spec, pool }
}

/** The design compiled, or what is wrong with it. */
export function compiledGraph({ spec, pool }: Graph): RunRequest["compiled"] | { readonly problem: string } {
  const result = compile("/spec/spec.cfx", inMemory({ "pool.jsonl": pool, "spec.cfx": spec }))
  const { program, hash } = result
  if (program !== undefined && hash !== undefined) return { ...result, program, hash }
  return { problem: result.diagnostics.map((one) => render(one, { color: false })).join("\n") }
}
