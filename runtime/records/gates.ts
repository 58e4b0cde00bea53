/** Gates of a plan's turns, judged by what a row tells of the reads before them. */
import { evaluate } from "../../compiler/evaluate.ts"
import { factsOf } from "../../compiler/facts.ts"
import { whyClosed } from "../../compiler/gate.ts"
import type { ExprIR, HoleIR, ProtocolIR, TurnIR } from "../../compiler/ir.ts"
import { nodesOf } from "../../compiler/looks.ts"
import { lack, type Readings } from "../../compiler/target.ts"
import type { Trial } from "../../compiler/trial.ts"
import { lineageOf } from "../../compiler/waves.ts"

export class Gates {
  readonly #holes: ReadonlyMap<string, HoleIR>
  /** By read, the turns with a gate that it comes after, the oldest first. */
  readonly #gated: ReadonlyMap<string, readonly TurnIR[]>

  constructor({ holes, turns }: ProtocolIR) {
    const byName = new Map(turns.map((turn) => [turn.name, turn]))
    this.#holes = new Map(holes.map((hole) => [hole.name, hole]))
    this.#gated = new Map(
      holes.map(({ name, turn }) => {
        const own = byName.get(turn)
        const line = own === undefined ? [] : lineageOf(own, byName)
        return [name, line.filter(({ when }) => when !== undefined)]
      }),
    )
  }

  /** Whether a read comes after any gate. */
  areBefore({ name }: HoleIR): boolean {
    return (this.#gated.get(name) ?? []).length > 0
  }

  /**
   * Why a read was not taken, in a run's words; undefined where its gates are open, and where the records do not tell what one looks at. `told`: what they
   * tell of the reads before it, as shown.
   */
  whySkipped(trial: Trial, hole: HoleIR, told: Readings): string | undefined {
    if ("from" in hole) {
      const source = this.#holes.get(hole.from)
      const why = source === undefined ? undefined : this.whySkipped(trial, source, told)
      return why === undefined ? undefined : lack(hole.from, { status: "skipped", why })
    }
    for (const { name, when } of this.#gated.get(hole.name) ?? []) {
      const why = whyClosed(trial, name, told)
      if (why !== undefined && when !== undefined && !this.#isUntold(when, trial, told)) return why
    }
    return undefined
  }

  /** Whether a gate has no value because of what a run would know and the records do not tell. */
  #isUntold(when: ExprIR, trial: Trial, told: Readings): boolean {
    return (
      evaluate(when, factsOf(trial, told)) === undefined &&
      nodesOf(when).some((node) => this.#lacks(node, trial, told))
    )
  }

  #lacks(node: ExprIR, trial: Trial, told: Readings): boolean {
    if (node.kind === "pushed") return this.#lacksPushed(trial, told)
    if (node.kind === "sequence") return node.holes.some((hole) => told[hole] === undefined)
    if (!("hole" in node)) return false
    const reading = told[node.hole]
    if (reading === undefined) return true
    switch (node.kind) {
      case "confidence":
      case "recalibrated":
      case "p":
        return this.#lacksProbabilities(node.hole, told)
      case "mass":
      case "raw":
        return (
          this.#lacksProbabilities(node.hole, told) ||
          (reading.status === "value" && Number.isNaN(reading.mass))
        )
      case "measured":
        return node.of === "tokens" && reading.status === "text" && Number.isNaN(reading.tokens)
      default:
        return false
    }
  }

  #lacksPushed({ cell, written }: Trial, told: Readings): boolean {
    const said = written?.pushed ?? written?.target
    if (said !== undefined) return said.kind === "none"
    return "hole" in cell.target && this.#lacksProbabilities(cell.target.hole, told)
  }

  /** Of what is found in a text, a run has none either. */
  #lacksProbabilities(name: string, told: Readings): boolean {
    const hole = this.#holes.get(name)
    const isFound = hole !== undefined && "from" in hole
    return told[name] === undefined || (told[name].status === "answer" && !isFound)
  }
}
