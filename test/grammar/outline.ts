/** A syntax tree in lines that a person can check against the source: names bare, texts quoted with their holes in «». */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

const partOf = (part: unknown): string => {
  if (!isRecord(part)) return ""
  if (part.kind === "chars") return String(part.text)
  return part.kind === "placeholder"
    ? `«${inline(part.path)}»`
    : `«${inline(part.name)}${part.step === undefined ? "" : `[${inline(part.step)}]`}: ${inline(part.type)}»`
}

const listed = (values: unknown): string => (Array.isArray(values) ? values.map(inline).join(", ") : "")

/** One node on one line. */
export const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? ""
  const { kind, field } = value
  if (kind === "name") return String(value.text)
  if (kind === "number") return String(value.value)
  if (kind === "text" && Array.isArray(value.parts)) return JSON.stringify(value.parts.map(partOf).join(""))
  if (kind === "member") return `${inline(value.object)}.${inline(value.property)}`
  if (kind === "binary") return `(${inline(value.left)} ${value.operator} ${inline(value.right)})`
  if (kind === "index") return `${inline(value.object)}[${inline(value.index)}]`
  if (kind === "list") return inline(value.elements)
  if (kind === "is") return `(${inline(value.subject)} is ${inline(value.state)})`
  if (kind === "membership") return `(${inline(value.subject)} in ${inline(value.levels)})`
  if (kind === "except") {
    const as = value.as === undefined ? "" : ` = ${inline(value.as)}`
    return `(${inline(value.structure)} except ${inline(value.place)}${as})`
  }
  if (kind === "pattern") return `/${value.source}/`
  if (kind === "label") return `label(${listed(value.labels)})`
  if (kind === "integer") return `integer ${inline(value.low)}..${inline(value.high)}`
  if (kind === "option") return value.of === undefined ? "option" : `option of ${inline(value.of)}`
  if (kind === "unary") return `(${value.operator} ${inline(value.operand)})`
  if (kind === "call") return `${inline(value.callee)}(${listed(value.arguments)})`
  if (kind === "restriction")
    return `${inline(value.measure)}[${listed([...(value.levels as []), ...(value.conditions as [])])}]`
  const rest = Object.entries(value)
    .filter(
      ([key, each]) => key !== "kind" && key !== "span" && !(key === "field" && typeof each === "string"),
    )
    .map(([key, each]) => `${key}=${inline(each)}`)
  const label = typeof kind === "string" ? kind : typeof field === "string" ? field : ""
  return [label, ...rest].filter((each) => each !== "").join(" ")
}

/** A declaration: its own line, then one for each thing in its lists. */
export const outline = (declaration: object): string[] => {
  const entries = Object.entries(declaration).filter(([key]) => key !== "span")
  const own = entries.filter(([, value]) => !Array.isArray(value))
  const lists = entries.filter(([, value]) => Array.isArray(value) && value.length > 0)
  return [
    own.map(([key, value]) => (key === "kind" ? String(value) : `${key}=${inline(value)}`)).join(" "),
    ...lists.flatMap(([key, value]) => [
      `  ${key}`,
      ...(value as unknown[]).map((each) => `    ${inline(each)}`),
    ]),
  ]
}
