/** What the names of protocols and judges stand for. */
import type { Dose, HoleType, Judge, Protocol, Turn } from "../../grammar/ast.ts"
import type { Bound } from "../resolve.ts"
import { tellExpression, tellPlace, tellText } from "./expressionNames.ts"
import { partMeaning, partsNamed, type Table } from "./meanings.ts"
import { namesIn } from "./nodes.ts"
import { columnNamed, readsNamed, type Used } from "./uses.ts"

/** `uses`: the experiments that follow the protocol, whose designs have the levels that its gates compare columns with. */
export const tellProtocol = (protocol: Bound<Protocol>, uses: readonly Used[], table: Table): void => {
  const { fields, turns } = protocol.declaration
  const read = readsNamed(protocol, table.names)
  const place = (text: string) => [...partsNamed(protocol, ["slot", "draw"], text), ...read(text)]
  const role = (text: string) => partsNamed(protocol, ["role"], text)
  const column = (text: string) =>
    columnNamed(
      text,
      protocol,
      uses.map(({ experiment }) => experiment),
    )
  for (const field of fields) {
    if (field.field === "draw" && field.pool !== undefined) {
      for (const level of column("pool")?.levels ?? [])
        if (level.kind === "name" && level.text === field.pool.text) table.tell(field.pool, table.of(level))
    } else if (field.field === "system") tellText(field.text, place, table)
    else if (field.field === "extract") table.tell(field.from, read(field.from.text))
    else if (field.field === "judge") {
      for (const text of field.arguments) if (text.kind === "name") table.tell(text, read(text.text))
      if (field.by !== undefined) table.tell(field.by, role(field.by.text))
    }
  }
  for (const turn of turns) tellTurn(turn)

  function tellTurn({ repeat, continues, by, when, fields }: Turn): void {
    const variable = (text: string) =>
      repeat?.variable.text === text ? [partMeaning("variable", repeat.variable, protocol)] : []
    if (continues !== undefined) table.tell(continues, partsNamed(protocol, ["turn"], continues.text))
    if (by !== undefined) table.tell(by, role(by.text))
    if (when !== undefined) {
      const around = {
        value: (text: string) => column(text)?.meanings ?? read(text),
        levels: (text: string) => column(text)?.levels,
        isModel: (text: string) => column(text)?.isModel === true,
      }
      tellExpression(when, around, table)
    }
    const inTurn = (text: string) => [...place(text), ...variable(text)]
    for (const field of fields) {
      if (field.field === "read") {
        table.tell(field.hole, read(field.hole.text))
        continue
      }
      tellText(field.text, inTurn, table, variable)
      for (const part of field.text.parts) {
        if (part.kind !== "hole") continue
        if (part.step !== undefined) table.tell(part.step, variable(part.step.text))
        tellType(part.type)
      }
    }

    function tellType(type: HoleType): void {
      if (type.kind === "option" && type.of !== undefined)
        tellPlace(type.of, (text) => partsNamed(protocol, ["draw"], text), table, variable)
    }
  }
}

export const tellJudge = (judge: Bound<Judge>, table: Table): void => {
  for (const field of judge.declaration.fields)
    if (field.field === "system" || field.field === "user" || field.field === "assistant")
      tellText(field.text, (text) => partsNamed(judge, ["parameter"], text), table)
}

export const tellDose = (dose: Bound<Dose>, table: Table): void => {
  for (const { value } of dose.declaration.fields)
    for (const name of namesIn(value)) table.tell(name, partsNamed(dose, ["parameter"], name.text))
}
