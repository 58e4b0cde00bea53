/** How each construct is laid out. A construct that is not named here has its parts on one line, with spaces between. */
import type { CstElement, CstNode, IToken } from "chevrotain"
import { has, inOrder, isNode, tokens } from "../cst.ts"
import { type Grouped, grouped, isChain, isNegated } from "../precedence.ts"
import { Checksum, Colon, Minus, RCurly, TextEnd } from "../tokens.ts"
import { type Comments, hasEmptyLine, ownLines } from "./comments.ts"
import { Core, isComma, type Layout } from "./core.ts"
import {
  blank,
  type Doc,
  group,
  hard,
  indent,
  line,
  print,
  separated,
  softLine,
  space,
  verbatim,
  wideLine,
} from "./doc.ts"
import { layoutText } from "./text.ts"

/** What has a body in which each entry stands on a line of its own. */
const bodies = [
  ...["model", "items", "framing", "wording", "paraphrase", "dose", "block"],
  ...["protocol", "turn", "judge", "metric", "experiment", "arms", "assume", "records"],
]
/** What has a body of short entries, which share a line when they fit. */
const compactBodies = ["attributes", "read", "assumedLevels"]
/** Entries that are parted from their neighbours by an empty line. */
const roomy = new Set(["turn"])
const binary = ["expression", "columns"]
const adjacent = ["column", "path", "step", "index", "recordedPart"]
const bracedLists = ["importedNames", "modelNames", "pools", "levels", "recordedLevels", "recordedLabels"]
const tightLists = [
  ...["parameterNames", "parameters", "callArguments", "assertionArguments", "levelFilters"],
  ...["elements", "labels", "judgedReads", "randomFactors", "slopes"],
]

/** What breaks into lines with an indentation of its own. */
const ownIndent = new Set([...bracedLists, ...tightLists, ...compactBodies, "text", "assertion"])

/** Words that open a clause of a table, a figure or a fit. */
const clauseStarts = ["Rows", "Columns", "Average", "Where", "By", "Color", "Facet", "Random", "Slopes"]
/** The same of a summary, which has no braces. */
const summaryClauses = ["Against", "Over", "By", "Where"]
/** What stands in a mapping of records right behind a name. */
const joined = ["recordedPart", "callArguments"]
/** What a metric takes of two expressions. */
const ofTwo = ["Ratio", "Kappa", "Auroc", "Difference"]

const layoutsOf = (core: Core): Record<string, Layout> => {
  const { layout, spaced, tight } = core

  const operations = (part: Grouped): Doc => {
    if (isNegated(part)) return [layout(part.not), indent(space, operations(part.operand))]
    if (!isChain(part)) return layout(part)
    const first = operations(part.first)
    return group(
      first,
      part.rest.map(({ operator, operand }) => [line, layout(operator), space, operations(operand)]),
    )
  }
  const operation: Layout = (node) => operations(grouped(node))

  /** `all_wrong except last`, `past[1]`, `-first.p(pushed)`. */
  const operand: Layout = (node) =>
    inOrder(node).map((element) =>
      isNode(element) && element.name === "exception" ? [space, layout(element)] : layout(element),
    )

  /** `keyword a, b` */
  const commaSeparated = (elements: readonly CstElement[]): Doc[] =>
    elements.map((element, index) => {
      const gap = index === 0 || isComma(element) ? "" : space
      return [gap, layout(element)]
    })

  /** `keyword name = a, b` with the values, from the one at `from` on, on as many lines as they take. */
  const valuesFrom =
    (from: number): Layout =>
    (node) => {
      const elements = inOrder(node)
      const start = separated(elements.slice(0, from).map(layout), space)
      return [start, from === 0 ? "" : space, indent(core.filled(elements.slice(from)))]
    }

  /** A hash goes to a line of its own before the names are parted. */
  const imported: Layout = (node) =>
    inOrder(node).map((element, index) => {
      const isChecksum = !isNode(element) && element.tokenType === Checksum
      if (isChecksum) return group(indent(line, layout(element)))
      return [index === 0 ? "" : space, layout(element)]
    })

  const contrast: Layout = (node) => {
    const elements = inOrder(node)
    const by = elements.indexOf(tokens(node, "By")[0]!)
    const start = separated(elements.slice(0, 3).map(layout), space)
    const value = elements.slice(3, by).map(layout)
    return group(start, indent(line, group(value), line, commaSeparated(elements.slice(by))))
  }

  /** `summary name = median AUROC over model, pool where ...`: where it does not fit on a line, its clauses stand below. */
  const summary: Layout = (node) => {
    const elements = inOrder(node)
    const starts = new Set(summaryClauses.flatMap((word) => tokens(node, word)))
    const start = separated(elements.slice(0, 3).map(layout), space)
    const rest = elements.slice(3).map((element) => {
      if (isComma(element)) return layout(element)
      return [!isNode(element) && starts.has(element) ? line : space, layout(element)]
    })
    return group(start, indent(rest))
  }

  /** `equals -1.5 percent` */
  const signed: Layout = (node) =>
    inOrder(node).map((element, index, all) => {
      const previous = all[index - 1]
      const afterSign = previous !== undefined && !isNode(previous) && previous.tokenType === Minus
      return [index === 0 || afterSign ? "" : space, layout(element)]
    })

  const clauses: Layout = (node) => {
    const elements = inOrder(node)
    const inside = elements.slice(3, -1)
    const starts = new Set(clauseStarts.flatMap((word) => tokens(node, word)))
    const start = separated(elements.slice(0, 3).map(layout), space)
    const content = inside.map((element, index) => {
      if (index === 0 || isComma(element)) return layout(element)
      if (!isNode(element) && starts.has(element)) return [line, layout(element)]
      const previous = inside[index - 1]
      const continues = previous !== undefined && isComma(previous)
      return continues ? indent(group(line, layout(element))) : [space, layout(element)]
    })
    return group(start, indent(line, content), core.closing(elements.at(-1) as IToken, line, false))
  }

  /** Several texts stand one below the other. */
  const lines: Layout = (node) => {
    const [keyword, ...texts] = inOrder(node)
    if (texts.length < 2 || !(has(node, "Lines") || has(node, "Texts"))) return spaced(node)
    const first = layout(keyword!)
    return [first, indent(texts.map((each) => [hard, layout(each)]))]
  }

  /** Words of a lexicon fill lines; with something else among them each stands alone. */
  const lexicon: Layout = (node) =>
    (has(node, "provenance") ? core.body(() => false) : core.compact(core.filled))(node)

  // ---------------------------------------------------------------- texts

  const hole = (node: CstNode): string => print(group(inHole(node)), Number.POSITIVE_INFINITY).trimEnd()

  const inHole: Layout = (node) =>
    inOrder(node).map((element) =>
      isNode(element) && element.name === "inHole" ? typed(element) : layout(element),
    )

  /** `name: type`, however the colon is written. */
  const typed: Layout = (node) =>
    inOrder(node).map((element) => [
      layout(element),
      !isNode(element) && element.tokenType === Colon ? space : "",
    ])

  const extract: Layout = (node) =>
    inOrder(node).map((element, index) => {
      const isColon = !isNode(element) && element.tokenType === Colon
      return indent(index === 0 || isColon ? "" : space, layout(element))
    })

  /** `a0: option = first_answer`, `a0.p(A) = p_a`, `distinct(6) = "six"` */
  const mapped: Layout = (node) =>
    inOrder(node).map((element, index) => {
      const isJoined = isNode(element) ? joined.includes(element.name) : element.tokenType === Colon
      return [index === 0 || isJoined ? "" : space, layout(element)]
    })

  /** `label(yes, no)`, `integer 1..10` */
  const answerType: Layout = (node) => {
    if (has(node, "Label")) return tight(node)
    const [keyword, ...rest] = inOrder(node)
    if (has(node, "Option")) return spaced(node)
    return [layout(keyword!), space, rest.map(layout)]
  }

  const quoted: Layout = (node) => {
    const opener = tokens(node, "TextOpen")[0]!
    return core.quoted(opener, tokens(node, TextEnd.name)[0] ?? opener, () => layoutText(node, hole))
  }

  const pattern: Layout = (node) => {
    const all = inOrder(node) as IToken[]
    return core.quoted(all[0]!, all.at(-1)!, () => verbatim(all.map(({ image }) => image).join("")))
  }

  return {
    ...Object.fromEntries(
      bodies.map((rule) => [rule, core.body((entry) => isNode(entry) && roomy.has(entry.name))]),
    ),
    ...Object.fromEntries(
      compactBodies.map((rule) => [
        rule,
        core.compact((entries) => separated(entries.map(layout), wideLine)),
      ]),
    ),
    ...Object.fromEntries(binary.map((rule) => [rule, operation])),
    ...Object.fromEntries(adjacent.map((rule) => [rule, tight])),
    ...Object.fromEntries(bracedLists.map((rule) => [rule, core.list(line)])),
    ...Object.fromEntries(tightLists.map((rule) => [rule, core.list(softLine)])),
    operand,
    framingField: lines,
    blockField: lines,
    assertion: tight,
    text: quoted,
    pattern,
    roster: core.compact((entries) => separated(entries.map(layout), line)),
    lexicon,
    measure: (node) => core.head(inOrder(node)),
    judged: (node) => core.head(inOrder(node)),
    import: imported,
    contrast,
    summary,
    family: valuesFrom(3),
    publishedNumber: signed,
    table: clauses,
    figure: clauses,
    modelFit: clauses,
    itemsSource: (node) => valuesFrom(has(node, "Run") ? 1 : 0)(node),
    fieldMapping: valuesFrom(2),
    runField: (node) => (has(node, "Keep") ? valuesFrom(1)(node) : spaced(node)),
    readSetting: valuesFrom(1),
    metricField: (node) => (ofTwo.some((word) => has(node, word)) ? valuesFrom(1)(node) : spaced(node)),
    extract,
    recordMapping: mapped,
    recordedLevel: mapped,
    answerType,
  }
}

export const layoutFile = (text: string, file: CstNode, comments: Comments): Doc => {
  const layouts: Record<string, Layout> = {}
  const core = new Core(text, comments, layouts, ownIndent)
  Object.assign(layouts, layoutsOf(core))

  /** Imports and what fits on a line keep their company; everything with a body stands alone. */
  const apart = (a: CstElement, b: CstElement): boolean => {
    const loose = (each: CstElement): boolean =>
      isNode(each) && (each.name === "import" || !has(each, RCurly.name))
    const sameKind = isNode(a) && isNode(b) && a.name === b.name
    return !(loose(a) && loose(b) && sameKind) || core.spaceBetween(a, b)
  }

  const declarations = core.entries(inOrder(file), apart)
  const rest = comments.before.get(text.length) ?? []
  const last = inOrder(file).at(-1)
  const restApart =
    last !== undefined && rest[0] !== undefined && hasEmptyLine(text.slice(core.endOf(last), rest[0].start))
  return [
    declarations,
    rest.length === 0 ? "" : [last === undefined ? "" : hard, restApart ? blank : "", ownLines(rest)],
  ]
}
