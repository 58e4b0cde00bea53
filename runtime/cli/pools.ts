/** The items of a spec's pools, for the commands that look at trials: as read, or made up where a simulated engine is to answer them. */
import type { AbsentPool } from "../../compiler/compiled.ts"
import type { PoolIR, PoolSourceIR, Program } from "../../compiler/ir.ts"
import { inventItems } from "../../compiler/items/invent.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { Engine } from "../run/plan.ts"
import type { Sound } from "./compiled.ts"
import type { Terminal } from "./terminal.ts"

export interface WithPools {
  readonly spec: Sound
  /** Names of the pools whose items are made up. */
  readonly invented: readonly string[]
}

/** The pools that a program's experiments need and whose data are not at hand. */
export const absentPools = (
  { pools }: Program,
  { absent }: Pick<Sound, "absent">,
): readonly (PoolIR & AbsentPool)[] =>
  pools.flatMap((pool) => {
    const why = absent.get(pool.name)
    return why === undefined ? [] : [{ ...pool, ...why }]
  })

/**
 * The spec with items for every pool that a program of its experiments needs. For the simulated engine they are made up where they are not at hand, and a
 * remark says so.
 * @throws EnvironmentFailure for any other engine
 */
export function withPools(spec: Sound, program: Program, engine: Engine, { note }: Terminal): WithPools {
  const absent = absentPools(program, spec)
  const [first] = absent
  if (first === undefined) return { spec, invented: [] }
  if (engine !== "simulated") throw notAtHand(first)
  // All of the spec's, whatever experiment is chosen, so that runs of one spec into one folder are about the same items.
  const items = new Map(spec.items)
  const all = absentPools(spec.program, spec)
  for (const pool of all) items.set(pool.name, inventItems(pool, spec.program.experiments))
  const names = absent.map(({ name, why }) => `${name} (${why})`).join(", ")
  note(`Items are made up, since their data are not at hand: ${names}.`)
  return { spec: { ...spec, items }, invented: all.map(({ name }) => name) }
}

const notAtHand = ({ name, source, why }: PoolIR & AbsentPool): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the items of pool ${name} are not at hand: ${why}`,
    where: placeOf(source),
    todo: `give a file with --items ${name}=FILE, or try the spec out with --backend simulated, which makes items up`,
  })

/** Where a pool's data would be. */
export function placeOf(source: PoolSourceIR): string {
  switch (source.kind) {
    case "files":
      return source.files.join(", ")
    case "hub":
      return source.address
    case "run":
      return source.folder
  }
}
