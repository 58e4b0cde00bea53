/** Every declaration and field of cfx, in every form that it may have. */
import fc from "fast-check"
import {
  bare,
  commas,
  condition,
  expression,
  many,
  maybe,
  name,
  number,
  pattern,
  type Tokens,
  text,
  tokens,
} from "./tokens.ts"

const provenance = tokens(fc.constantFrom("verbatim", "reconstructed"), text)
const where = maybe("where", condition)
const levels = tokens("in", "{", commas(expression), "}")
const body = (...entries: readonly Tokens[]): Tokens => tokens("{", many(fc.oneof(...entries)), "}")

// ---------------------------------------------------------------- libraries

const imported = tokens(
  ...["import", "{", commas(fc.oneof(tokens(name), tokens(name, "as", name))), "}", "from", '"std/x"'],
  maybe(`sha256:${"0a".repeat(32)}`),
)

const plainAttribute = tokens(name, fc.oneof(text, number, name))
const model = tokens(
  ...["model", name, "=", fc.constantFrom("gguf", "server"), text],
  maybe(body(plainAttribute, tokens(name, body(plainAttribute)))),
)

const column = fc.oneof(
  tokens(name, many(tokens(".", name))),
  tokens(text),
  tokens(name, "(", commas(expression, 0), ")"),
)
const columns = fc.oneof(column, tokens(column, "or", column))
const itemsField = fc.oneof(
  tokens(name, "=", bare(columns)),
  tokens("records", name, many(tokens(".", name))),
  tokens("where", condition),
  tokens("shuffle", "options"),
  tokens(fc.constantFrom("size", "choices"), number),
  tokens("strata", name, number),
  tokens("experiment", name),
  tokens("keep", bare(tokens(name))),
  tokens(...["one", "per", "item", "by", "max", name, "over", "model"], maybe("except", "model")),
)
const items = tokens(
  ...["items", name, "="],
  fc.oneof(bare(tokens(text)), tokens("run", text)),
  maybe(body(itemsField)),
)

const metricField = fc.oneof(
  tokens(fc.constantFrom("rate", "mean", "sum", "count", "given", "weight"), expression),
  tokens("quantile", number, "of", expression),
  tokens(fc.constantFrom("kappa", "ratio", "auroc", "difference"), expression, ",", expression),
  tokens("interval", name, number),
  tokens("invalid", name),
)
const given = tokens("(", commas(tokens(name, "=", expression), 0), ")")
const metric = tokens("metric", name, maybe(given), maybe("extends", name), body(metricField))

// ---------------------------------------------------------------- stimuli

const framingField = fc.oneof(
  tokens(fc.constantFrom("preamble", "line", "closing"), text),
  tokens("lines", many(tokens(text), 1)),
  tokens("speakers", name),
)
const framing = tokens(
  ...[fc.constantFrom("framing", "container"), name, maybe("extends", name)],
  body(framingField, tokens("wording", name, body(framingField)), provenance),
)
const parameters = maybe("(", commas(tokens(name), 0), ")")

const stimulus = fc.oneof(
  framing,
  tokens("roster", name, "{", many(tokens(text), 0, 9), "}"),
  tokens("paraphrase", name, body(tokens(text), provenance)),
  tokens("lexicon", name, body(tokens(text), tokens(text), provenance)),
  tokens("lexicon", name, "{", many(tokens(text), 0, 9), "}"),
  tokens("dose", name, parameters, body(tokens(fc.constantFrom("lines", "speakers"), expression))),
  tokens("block", name, body(tokens("text", text), tokens("texts", many(tokens(text), 1)), provenance)),
  tokens(fc.constantFrom("structure", "order", "target"), name, "=", expression),
  tokens("structure", name, "=", name, "except", "last", "=", name),
)

// ---------------------------------------------------------------- protocols

const said = tokens(fc.constantFrom("system", "user", "assistant"), text)
const setting = fc.oneof(
  tokens(fc.constantFrom("max", "temperature", "top_p", "mass", "generate"), number),
  tokens("score", name),
  tokens(fc.constantFrom("until", "refusal"), many(tokens(text), 1)),
)
const turn = tokens(
  ...["turn", name, maybe("[", name, "]", "repeat", number)],
  fc.oneof(tokens(), tokens("fresh"), tokens("continues", name)),
  ...[maybe("by", name), maybe("when", condition)],
  body(said, tokens("read", name, body(setting))),
)
const answerType = fc.oneof(
  tokens("option", maybe("of", name, "[", number, "]")),
  tokens("label", "(", commas(fc.oneof(tokens(name), tokens(number))), ")"),
  tokens("integer", number, "..", number),
)
const protocolField = fc.oneof(
  tokens(fc.constantFrom("slot", "role", "answers"), name),
  tokens("draw", name, "=", number, "others", maybe("from", name)),
  tokens("options", text, "join", text),
  tokens("system", text),
  turn,
  tokens(
    ...["extract", name, ":", answerType, "from", name, "matching", pattern],
    fc.oneof(tokens(), tokens("first"), tokens("last")),
  ),
  tokens("judge", name, "=", name, "(", commas(tokens(name, maybe(".", name)), 0), ")", maybe("by", name)),
  provenance,
)
const judgeField = fc.oneof(
  said,
  tokens("matching", pattern),
  tokens("equals", expression),
  tokens("then", name, "else", name),
  tokens("gold", name),
  provenance,
)

// ---------------------------------------------------------------- experiments

const factorLevels = fc.oneof(levels, tokens("=", expression), tokens("=", name, "except", "last", "=", name))
const arm = fc.oneof(
  tokens(name, "=", name),
  tokens(name, "=", "assertion", "(", commas(tokens(name, factorLevels)), ")"),
)
const pool = tokens(name, maybe("sample", number, maybe("per", name)), where)
const assumption = fc.oneof(tokens(name, number), tokens(name, body(tokens(name, number))))

const table = tokens(
  ...["table", name, "{", "rows", bare(tokens(name)), "columns", bare(tokens(name))],
  ...[maybe("average", expression), where, "}"],
)
const figure = tokens(
  ...["figure", name, "{", fc.constantFrom("bar", "dot", "line"), name, "by", name],
  ...[maybe("color", name), maybe("facet", name), where, "}"],
)
const summary = tokens(
  ...["summary", name, "=", name, expression, maybe("against", expression)],
  ...["over", bare(tokens(name)), maybe("by", bare(tokens(name))), where],
)
const published = tokens(
  ...["expect", expression, "equals", maybe("-"), number, maybe("percent")],
  ...["within", number, maybe("pp")],
)
const modelFit = tokens(
  ...["model_fit", name, "{", "logit", name, "~", expression],
  maybe("random", "[", commas(tokens(name), 0), "]"),
  maybe("slopes", "[", commas(tokens(name, "by", name, maybe("correlated"))), "]"),
  ...[where, "}"],
)

const recordedLabel = fc.oneof(tokens(name), tokens(number), tokens(text))
const holeType = fc.oneof(
  tokens("option"),
  tokens("text"),
  tokens("label", "(", commas(tokens(name)), ")"),
  tokens("integer", number, "..", number),
)
const recordedLevel = tokens(
  fc.oneof(tokens(name, maybe("(", commas(expression, 0), ")")), tokens(number), tokens(text)),
  maybe("=", recordedLabel, maybe("or", recordedLabel)),
)
const recordsEntry = fc.oneof(
  tokens(
    ...[name, maybe(".", name, maybe("(", recordedLabel, ")")), maybe(":", holeType), "="],
    ...[columns, maybe("{", commas(recordedLevel), "}")],
  ),
  tokens("labels", "{", commas(recordedLabel), "}"),
  tokens("format", name),
  tokens("on", name, name),
)

const experimentField = fc.oneof(
  tokens("records", maybe(text), body(recordsEntry)),
  tokens("protocol", name),
  tokens("models", "{", commas(tokens(name)), "}"),
  tokens("items", "{", commas(pool), "}"),
  tokens("seed", fc.oneof(tokens(number), levels)),
  tokens(fc.constantFrom("target", "options"), fc.oneof(expression, levels)),
  tokens("factor", name, fc.oneof(factorLevels, tokens("in", "models"))),
  tokens("replicates", number),
  tokens("tolerate", number),
  tokens("independent"),
  tokens(fc.constantFrom("only", "except"), "when", condition),
  tokens("arms", "{", many(arm), "}"),
  tokens("measure", name, maybe("=", name, maybe(given))),
  tokens("contrast", name, "=", expression, "by", bare(expression)),
  summary,
  tokens("family", name, "=", bare(tokens(name)), "by", name),
  table,
  figure,
  tokens("figure", name, "{", "forest", maybe(bare(tokens(name))), "}"),
  modelFit,
  tokens("assume", body(assumption)),
  tokens("expect", expression),
  published,
  tokens("expect", name, "equivalent", "within", number, maybe("pp")),
  tokens("allow", "CFX4003", text),
)

export const declaration = fc.oneof(
  imported,
  model,
  items,
  metric,
  stimulus,
  tokens("protocol", name, "{", many(protocolField, 0, 5), "}"),
  tokens("judge", name, parameters, body(judgeField)),
  tokens("experiment", name, "{", many(experimentField, 0, 6), "}"),
)
