/**
 * Names and keywords. Every keyword is a `Word`, so wherever the grammar wants a name a keyword will do: keywords mean something
 * only where a field or a declaration may start. Only `and`, `or`, `not` and `in` are reserved, since they stand between
 * expressions.
 */
import { createToken, Lexer, type TokenType } from "chevrotain"

/** Any name: an identifier or a keyword. */
export const Word = createToken({ name: "Word", pattern: Lexer.NA })
export const Identifier = createToken({
  name: "Identifier",
  pattern: /[A-Za-z_][A-Za-z0-9_]*/,
  categories: [Word],
})

/** The types of the words that are more than identifiers: the lexer reads identifiers only, and looks each up here. */
export const wordTypes = new Map<string, TokenType>()

const capitalised = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

const keyword = (word: string, name = capitalised(word)): TokenType => {
  const type = createToken({ name, label: word, pattern: Lexer.NA, categories: [Word] })
  wordTypes.set(word, type)
  return type
}

// Files and their declarations.
export const Import = keyword("import")
export const From = keyword("from")
export const As = keyword("as")
export const Extends = keyword("extends")
export const Model = keyword("model")
export const Items = keyword("items")
export const Framing = keyword("framing")
export const Container = keyword("container")
export const Roster = keyword("roster")
export const Paraphrase = keyword("paraphrase")
export const Dose = keyword("dose")
export const Block = keyword("block")
export const Structure = keyword("structure")
export const Order = keyword("order")
export const Target = keyword("target")
export const Protocol = keyword("protocol")
export const Judge = keyword("judge")
export const Lexicon = keyword("lexicon")
export const Metric = keyword("metric")
export const Experiment = keyword("experiment")

// Items.
export const Run = keyword("run")
export const Records = keyword("records")
export const Where = keyword("where")
export const Shuffle = keyword("shuffle")
export const Size = keyword("size")
export const Choices = keyword("choices")
export const Strata = keyword("strata")
export const Keep = keyword("keep")
export const One = keyword("one")
export const Per = keyword("per")
export const Item = keyword("item")
export const Max = keyword("max")
export const Over = keyword("over")

// Stimuli.
export const Verbatim = keyword("verbatim")
export const Reconstructed = keyword("reconstructed")
export const Preamble = keyword("preamble")
export const Line = keyword("line")
export const Lines = keyword("lines")
export const Speakers = keyword("speakers")
export const Closing = keyword("closing")
export const Wording = keyword("wording")
export const TextField = keyword("text")
export const Texts = keyword("texts")

// Protocols and judges.
export const Slot = keyword("slot")
export const Role = keyword("role")
export const Draw = keyword("draw")
export const Others = keyword("others")
export const Options = keyword("options")
export const Join = keyword("join")
export const Answers = keyword("answers")
export const System = keyword("system")
export const Turn = keyword("turn")
export const Repeat = keyword("repeat")
export const Continues = keyword("continues")
export const Fresh = keyword("fresh")
export const By = keyword("by")
export const When = keyword("when")
export const User = keyword("user")
export const Assistant = keyword("assistant")
export const Read = keyword("read")
export const Until = keyword("until")
export const Temperature = keyword("temperature")
export const TopP = keyword("top_p", "TopP")
export const Refusal = keyword("refusal")
export const Mass = keyword("mass")
export const Score = keyword("score")
export const Generate = keyword("generate")
export const Extract = keyword("extract")
export const Matching = keyword("matching")
export const First = keyword("first")
export const Last = keyword("last")
export const Option = keyword("option")
export const Of = keyword("of")
export const Label = keyword("label")
export const Integer = keyword("integer")
export const Gold = keyword("gold")
export const EqualsValue = keyword("equals", "EqualsValue")
export const Then = keyword("then")
export const Else = keyword("else")

// Metrics.
export const Rate = keyword("rate")
export const Mean = keyword("mean")
export const Sum = keyword("sum")
export const Quantile = keyword("quantile")
export const Count = keyword("count")
export const Ratio = keyword("ratio")
export const Kappa = keyword("kappa")
export const Auroc = keyword("auroc")
export const Difference = keyword("difference")
export const Given = keyword("given")
export const Weight = keyword("weight")
export const Interval = keyword("interval")
export const Invalid = keyword("invalid")

// Experiments.
export const Models = keyword("models")
export const Sample = keyword("sample")
export const Seed = keyword("seed")
export const Factor = keyword("factor")
export const Replicates = keyword("replicates")
export const Independent = keyword("independent")
export const Tolerate = keyword("tolerate")
export const Only = keyword("only")
export const Except = keyword("except")
export const Arms = keyword("arms")
export const Assertion = keyword("assertion")
export const Measure = keyword("measure")
export const Contrast = keyword("contrast")
export const ModelFit = keyword("model_fit", "ModelFit")
export const Logit = keyword("logit")
export const Random = keyword("random")
export const Slopes = keyword("slopes")
export const Correlated = keyword("correlated")
export const Summary = keyword("summary")
export const Against = keyword("against")
export const Family = keyword("family")
export const Table = keyword("table")
export const Rows = keyword("rows")
export const Columns = keyword("columns")
export const Average = keyword("average")
export const Figure = keyword("figure")
export const Color = keyword("color")
export const Facet = keyword("facet")
export const Forest = keyword("forest")
export const Assume = keyword("assume")
export const Expect = keyword("expect")
export const Equivalent = keyword("equivalent")
export const Within = keyword("within")
export const Points = keyword("pp", "Points")
export const Percent = keyword("percent")
export const Allow = keyword("allow")

// Records made elsewhere.
export const Labels = keyword("labels")
export const Format = keyword("format")
export const On = keyword("on")

// Expressions.
export const Is = keyword("is")

export const keywords: readonly TokenType[] = [...wordTypes.values()]

/** `signs` are how other languages write the word: they are read as that, and reported. */
const reserved = (word: string, signs: RegExp | typeof Lexer.NA = Lexer.NA): TokenType => {
  const type = createToken({ name: capitalised(word), label: word, pattern: signs })
  wordTypes.set(word, type)
  return type
}

export const And = reserved("and", /&&?/)
export const Or = reserved("or", /\|\|?/)
export const Not = reserved("not", /!(?!=)/)
export const In = reserved("in")

/** The words that can never be names. */
export const reservedWords: readonly TokenType[] = [And, Or, Not, In]
