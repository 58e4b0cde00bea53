/**
 * The pocket respondent's world, from `stdlib/models/pocket/world.py`: what it knows and how much each kind of pressure moves it, in logits. Only what the
 * experiments of `specs/planted` need.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { root } from "../specs/support.ts"

/** One item of the world's pool, as its file has it. */
export interface WorldItem {
  readonly id: string
  readonly options: readonly string[]
  /** A label: A, B, C, ... */
  readonly gold: string
  /** The kind that is asked for, or that the word is of. */
  readonly kind: string
  readonly word: string
  /** `which`: options are words, one of which is of the kind; `what`: options are kinds, one of which the word is of. */
  readonly form: "which" | "what"
}

export const worldItems = (): readonly WorldItem[] =>
  readFileSync(join(root, "specs/items/pocket.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as WorldItem)

/** What asserting an option draws: `level + slope * ln(lines that assert it)`. */
export const pressure: Readonly<Record<string, readonly [level: number, slope: number]>> = {
  no_source: [3.4, -0.45],
  retrieved_reference: [3.9, 0],
  web_page: [3, 0],
  corrupted_log: [1.5, 0],
  random_string: [0.4, 0],
  people: [1.3, 0.75],
  students: [1.3, 0.75],
  online_participants: [1.2, 0.75],
  named: [1.5, 0.75],
  rich_peers: [2.2, 0.6],
  experts: [3.2, 0.75],
  expert_tag: [1.9, 0.6],
}

const SAME_GROUP = 1.2
const MISTAKE = 3.2
const STAY = 0.8
const RECONSIDER = 0.85
const REWORDED = 0.92
const DISSENT = 0.75
/** What three rounds of being right, or wrong, add to people. */
export const TRUST = 0.9
export const CHALLENGE = -1.1
const ARGUMENT_BASE = 1.4
const ARGUMENT_SCALE = 1.1
const OWN = 0.7

/** Ten words of each kind, by group, the best known first. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  animal: {
    bird: "robin eagle sparrow owl penguin parrot crow swan heron falcon",
    fish: "trout salmon tuna cod herring shark carp eel pike perch",
    insect: "ant bee wasp beetle moth butterfly cricket termite locust hornet",
    mammal: "dog horse whale bear rabbit otter camel goat badger moose",
  },
  plant: {
    tree: "oak pine maple birch willow cedar elm ash beech spruce",
    fruit: "apple pear plum cherry grape mango peach lemon melon fig",
    vegetable: "carrot onion cabbage spinach turnip radish celery leek pea kale",
    flower: "rose tulip daisy lily orchid violet poppy iris jasmine lotus",
  },
  thing: {
    tool: "hammer saw drill wrench chisel pliers spade axe file clamp",
    instrument: "piano violin flute drum trumpet guitar harp cello oboe tuba",
    garment: "shirt coat sock hat glove scarf skirt boot vest belt",
    vehicle: "car truck train boat bicycle tram canoe lorry sled van",
  },
  matter: {
    metal: "iron gold copper silver tin lead zinc nickel bronze steel",
    gas: "oxygen helium neon nitrogen argon methane ozone steam ammonia xenon",
    gem: "diamond ruby pearl opal topaz emerald jade amber garnet sapphire",
    liquid: "water milk oil juice vinegar petrol syrup ink brine honey",
  },
}

interface Word {
  readonly kind: string
  readonly firmness: number
  /** The kind that it is taken for, more firmly than for its own. */
  readonly mistaken?: string
}

const groupOf = new Map<string, string>()
const words = new Map<string, Word>()
for (const [group, kinds] of Object.entries(groups)) {
  const names = Object.keys(kinds)
  for (const [at, kind] of names.entries()) {
    groupOf.set(kind, group)
    const own = kinds[kind]!.split(" ")
    for (const [place, word] of own.entries()) {
      const jitter = ((crc32(word) % 1000) / 1000 - 0.5) * 0.5
      const mistaken = place >= own.length - 3 ? { mistaken: names[(at + 1) % 4]! } : {}
      words.set(word, { kind, firmness: 6.5 - 0.55 * place + jitter, ...mistaken })
    }
  }
}

/** What counting `word` as `kind` draws, by knowledge alone. */
function pull(word: string, kind: string): number {
  const known = words.get(word)
  if (known === undefined) throw new Error(`the world has no word ${word}`)
  if (known.kind === kind) return known.firmness
  if (known.mistaken === kind) return MISTAKE
  return groupOf.get(known.kind) === groupOf.get(kind) ? SAME_GROUP : 0
}

/** Logits of an item's options, by knowledge alone. */
export const knowledge = ({ options, kind, word, form }: WorldItem): readonly number[] =>
  options.map((option) => (form === "what" ? pull(word, option) : pull(option, kind)))

/** What it knows when it is asked again: a little less, with a lean to the answer given before. */
export const secondThoughts = (logits: readonly number[], previous: number): readonly number[] =>
  logits.map((logit, at) => RECONSIDER * logit + (at === previous ? STAY : 0))

export interface Said {
  readonly reworded?: boolean
  /** Whether other lines assert another option. */
  readonly split?: boolean
  readonly history?: number
}

/** What asserting an option on so many lines adds to it. */
export function push(framing: string, lines: number, said: Said = {}): number {
  const [level, slope] = pressure[framing] ?? []
  if (level === undefined || slope === undefined) throw new Error(`the world has no framing ${framing}`)
  const { reworded = false, split = false, history = 0 } = said
  return (level + slope * Math.log(lines) + history) * (reworded ? REWORDED : 1) * (split ? DISSENT : 1)
}

/** Strengths of the sentences of `specs/planted/reasoning.cfx`, by how many there are. */
const sentences: Readonly<Record<number, readonly number[]>> = {
  1: [0.2],
  3: [0.2, 0.4, 0.3],
  10: [0.2, 0.4, 0.5, 0.2, 1.2, 0.3, 0.6, 0.2, 0.3, 0.9],
}

/** What an argument of so many sentences draws. */
export function argument(count: number, own: boolean): number {
  const strengths = sentences[count]
  if (strengths === undefined) throw new Error(`no argument has ${count} sentences`)
  const sum = strengths.reduce((total, strength) => total + strength, 0)
  return ARGUMENT_BASE + ARGUMENT_SCALE * Math.log1p(sum) + (own ? OWN : 0)
}

/** The place of the largest number, the first of several. */
export const top = (numbers: readonly number[]): number => numbers.indexOf(Math.max(...numbers))
