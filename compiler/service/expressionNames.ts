/** What the names in expressions and texts stand for. `check/types.ts` says which there may be, in the same order. */
import type { Expression, Name, Text } from "../../grammar/ast.ts"
import { levelName } from "../lower/print.ts"
import type { Meaning, Table } from "./meanings.ts"
import { namesIn } from "./nodes.ts"

/** What an expression stands among. */
export interface Around {
  /** What a bare name stands for: a column of the design, else a read or a parameter. */
  readonly value: (text: string) => readonly Meaning[]
  /** The levels of a column, as written where it gets them; none where the name is no column. */
  readonly levels: (column: string) => readonly Expression[] | undefined
  /** Whether it is a column whose levels are models, so that two of them can be compared. */
  readonly isModel: (column: string) => boolean
}

export const tellExpression = (expression: Expression, around: Around, table: Table): void => {
  const tell = (one: Expression) => tellExpression(one, around, table)
  switch (expression.kind) {
    case "name":
      // What is a reference to a declaration, such as a lexicon that is counted, is known already.
      if (table.of(expression).length === 0) table.tell(expression, around.value(expression.text))
      return
    case "member":
      tell(expression.object)
      return
    case "call":
      if (expression.callee.kind === "member") tell(expression.callee)
      expression.arguments.forEach(tell)
      return
    case "is":
      tell(expression.subject)
      return
    case "unary":
      tell(expression.operand)
      return
    case "membership": {
      const { subject, levels } = expression
      tell(subject)
      for (const level of levels) tellLevel(level, levelsOf(subject, around) ?? [], table)
      return
    }
    case "binary": {
      const { left, right } = expression
      const column = levelsOf(left, around) !== undefined ? left : right
      const other = column === left ? right : left
      const levels = levelsOf(column, around)
      const isComparison = expression.operator === "==" || expression.operator === "!="
      tell(column)
      if (!isComparison || levels === undefined || (isModel(column, around) && isModel(other, around)))
        tell(other)
      else tellLevel(other, levels, table)
      return
    }
    case "number":
    case "text":
    case "index":
    case "list":
    case "except":
    case "restriction":
      return
    default:
      expression satisfies never
  }
}

const levelsOf = (expression: Expression, { levels }: Around): readonly Expression[] | undefined =>
  expression.kind === "name" ? levels(expression.text) : undefined

const isModel = (expression: Expression, around: Around): boolean =>
  expression.kind === "name" && around.isModel(expression.text)

/** A level by what it is called: its names stand for what those stand for that are written where the column gets its levels. */
export const tellLevel = (level: Expression, levels: readonly Expression[], table: Table): void => {
  const written = levelName(level)
  const own = namesIn(level)
  for (const one of levels) {
    const names = levelName(one) === written ? namesIn(one) : []
    if (names.length !== own.length) continue
    for (const [index, name] of own.entries()) table.tell(name, table.of(names[index]!))
  }
}

type Find = (text: string) => readonly Meaning[]

/** The names that the places of a text start with: `{block}`, `{past[t].question}`, and the variable between the brackets. */
export const tellText = ({ parts }: Text, head: Find, table: Table, step: Find = () => []): void => {
  for (const part of parts) if (part.kind === "placeholder") tellPlace(part.path, head, table, step)
}

export const tellPlace = (path: Expression, head: Find, table: Table, step: Find = () => []): void => {
  const tell = (name: Name, find: Find) => table.tell(name, find(name.text))
  if (path.kind === "name") tell(path, head)
  else if (path.kind === "member") tellPlace(path.object, head, table, step)
  else if (path.kind === "index") {
    tell(path.object, head)
    if (path.index.kind === "name") tell(path.index, step)
  }
}
