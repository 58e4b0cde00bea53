/**
 * The grammar. `README.md` has it as EBNF; `recovery.ts` says what an error costs. The rules stand in `parser/`, each class on
 * top of the one whose rules it uses.
 */
import type { CstNode, TokenType } from "chevrotain"
import type { Lexed } from "./lex.ts"
import { ExperimentParser } from "./parser/experiments.ts"
import type { Problem } from "./problem.ts"
import * as t from "./tokens.ts"

export class CfxParser extends ExperimentParser {
  readonly declarationStarts: readonly TokenType[] = [
    ...[t.Import, t.Model, t.Items, t.Framing, t.Container, t.Roster, t.Paraphrase],
    ...[t.Dose, t.Block, t.Structure, t.Order, t.Target, t.Protocol, t.Judge, t.Lexicon, t.Metric],
    t.Experiment,
  ]

  constructor({ skipValidations = true } = {}) {
    super(skipValidations)
    this.performSelfAnalysis()
  }

  parse(lexed: Lexed): { readonly tree: CstNode; readonly problems: readonly Problem[] } {
    return this.run(lexed, () => this.file())
  }

  private readonly declaration = this.oneOf(() => [
    this.import,
    this.model,
    this.items,
    this.framing,
    this.roster,
    this.paraphrase,
    this.dose,
    this.block,
    this.structure,
    this.order,
    this.target,
    this.protocol,
    this.judge,
    this.lexicon,
    this.metric,
    this.experiment,
  ])

  private readonly file = this.RULE("file", () => {
    this.topLevel(this.declaration)
  })
}
