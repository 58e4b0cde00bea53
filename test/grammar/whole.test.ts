/** Likely mistakes in each construct: what is said, and that whatever stands around them is still read. */
import { describe, expect, it } from "vitest"
import { parse } from "../../grammar/parse.ts"

interface Outcome {
  /** `line:column found -> expected` */
  readonly said: readonly string[]
  /** The declarations with their fields. */
  readonly kept: readonly string[]
}

const outcomeOf = (text: string): Outcome => {
  const { file, problems } = parse({ name: "test.cfx", text })
  return {
    said: problems.map((problem) => {
      const before = text.slice(0, problem.span.start).split("\n")
      const found = "found" in problem ? problem.found : problem.kind
      const wanted = "expected" in problem ? problem.expected : "meant" in problem ? [problem.meant] : []
      const besides = "besides" in problem ? problem.besides : []
      return `${before.length}:${before.at(-1)!.length + 1} ${found} -> ${[...wanted, ...besides].join(" ")}`
    }),
    kept: file.declarations.map((each) => {
      const fields = "fields" in each ? each.fields.map((field) => ("field" in field ? field.field : "")) : []
      return [each.kind, each.name.text, ...fields].join(" ")
    }),
  }
}

type Case = readonly [name: string, text: string, said: readonly string[], kept: string]

/** `fields` stand in a declaration with another behind it, which must always be read whole. */
const within =
  (head: string) =>
  ([name, fields, said, kept]: Case): Case => [
    name,
    `${head} {\n${fields}\n}\n\nblock b { text "x" }\n`,
    said,
    kept,
  ]

const check = (cases: readonly Case[]): void => {
  it.each(cases)("%s", (_, text, said, kept) => {
    expect(outcomeOf(text)).toEqual({ said, kept: [kept, "block b text"] })
  })
}

const starts = {
  protocol: "slot role draw options answers system turn extract judge verbatim reconstructed",
  experiment:
    "protocol models items seed target options factor replicates independent tolerate only except arms measure summary contrast family model_fit table figure assume expect allow records",
  items: "records where shuffle size choices strata experiment keep one a name with `=`",
}
const quoted = (words: string): string =>
  words
    .split(" ")
    .map((word) => `\`${word}\``)
    .join(" ")

describe("models", () => {
  check(
    (
      [
        ["an `=` too many", "  family = 3\n  size 3", ["2:10 `=` -> a text a number a name `{`"], "model m"],
        [
          "a key without a value",
          "  template { a b c }\n  size 3",
          ["2:20 `}` -> a text a number a name"],
          "model m",
        ],
      ] satisfies Case[]
    ).map(within('model m = gguf "x"')),
  )
})

describe("items", () => {
  check(
    (
      [
        [
          "a misspelt field",
          '  question = q\n  wher subject != "x"\n  gold = g',
          [`3:3 wher -> ${starts.items}`],
          "items a mapping mapping",
        ],
        ["a missing `=`", "  question q\n  gold = g", [`2:3 question -> ${starts.items}`], "items a mapping"],
        ["half a field", "  shuffle\n  gold = g", ["2:10 `gold` -> `options`"], "items a mapping"],
        [
          "another word in a phrase",
          "  one per item by max flips over models\n  keep a",
          ["2:34 `models` -> `model`"],
          "items a keep",
        ],
        [
          "an unfinished alternative",
          "  question = q or\n  gold = g",
          ["2:18 `gold` -> a text a name"],
          "items a mapping",
        ],
        ["a missing number", "  size\n  strata s 3", ["2:7 `strata` -> a number"], "items a strata"],
      ] satisfies Case[]
    ).map(within('items a = "x"')),
  )
})

describe("imports and values", () => {
  check([
    [
      "a hash that is none",
      'import { a } from "x" sha256:12ab\n\ntarget t = gold\nblock b { text "x" }',
      ["1:23 `sha256:12ab` -> `sha256:` and 64 hexadecimal digits"],
      "target t",
    ],
    [
      "a structure without its place",
      'structure s = all_wrong except\n\nblock b { text "x" }\n\norder o = [1]'.replace(
        /(block.*)\n\n(order.*)/,
        "$2\n\n$1",
      ),
      ["1:31 `order` -> `first` `last` a number"],
      "order o",
    ],
    [
      "a list that is not closed",
      'order o = [1, 2\n\nblock b { text "x" }',
      ["3:1 `block` -> `,` `]`"],
      "order o",
    ],
    [
      "a name in a lexicon",
      'lexicon h { maybe "x" }\nblock b { text "x" }',
      ["1:13 maybe -> verbatim reconstructed a text"],
      "lexicon h",
    ],
  ])
})

describe("framings", () => {
  check(
    (
      [
        [
          "a wording without a name",
          '  wording {\n    line "x"\n  }\n  line "z"',
          ["2:11 `{` -> a name"],
          "framing f lines",
        ],
        [
          "a wording in a wording",
          '  wording a {\n    wording b { line "x" }\n    line "y"\n  }\n  line "z"',
          ["3:5 wording -> preamble line lines speakers closing"],
          "framing f wording lines",
        ],
        [
          "a wording that is not closed",
          '  line "z"\n  wording a {\n    line "x"\n  speakers s',
          ["5:3 `speakers` -> `preamble` `line` `lines` `speakers` `closing` `}`"],
          "framing f lines wording speakers",
        ],
      ] satisfies Case[]
    ).map(within("framing f")),
  )
})

describe("protocols", () => {
  const turn = (head: string, fields = '    user "x"'): string =>
    `  turn a ${head} {\n${fields}\n  }\n  slot s`
  check(
    (
      [
        ["repeat without a number", turn("[t] repeat"), ["2:21 `{` -> a number"], "protocol p slot"],
        [
          "repeat without a step",
          turn("repeat 5"),
          ["2:10 `repeat` -> `[` `continues` `fresh` `by` `when` `{`"],
          "protocol p slot",
        ],
        [
          "clauses in another order",
          turn("by s continues b"),
          ["2:15 `continues` -> `when` `{`"],
          "protocol p slot",
        ],
        ["a gate without a condition", turn("when"), ["2:15 `{` -> an expression"], "protocol p slot"],
        [
          "settings of a read",
          turn("", '    read r { mx 3  max until "x" }'),
          ["3:14 mx -> max until temperature top_p refusal mass score generate", "3:24 `until` -> a number"],
          "protocol p slot",
        ],
        ["a read without braces", turn("", "    read r max 3"), ["3:12 `max` -> `{`"], "protocol p slot"],
        [
          "a turn that is not closed",
          '  turn a {\n    user "x"\n  judge w = same(a)\n  slot s',
          ["4:3 `judge` -> `system` `user` `assistant` `read` `}`"],
          "protocol p judge slot",
        ],
        ["a draw without a word", "  draw q = 3\n  slot s", ["2:13 `slot` -> `others`"], "protocol p slot"],
        [
          "an extract of a text",
          '  extract a: text from r matching "x"\n  slot s',
          ["2:14 `text` -> `option` `label` `integer`"],
          "protocol p slot",
        ],
        [
          "a pattern without quotes",
          "  extract a: option from r matching x\n  slot s",
          ["2:37 `x` -> a regular expression in quotes"],
          "protocol p slot",
        ],
        [
          "a pattern that is not closed",
          '  extract a: option from r matching "{x\n  slot s',
          ["2:37 unclosed_text -> "],
          "protocol p extract slot",
        ],
        [
          "a misspelt clause at the end",
          '  extract a: option from r matching "x" lst\n  slot s',
          [`2:41 lst -> first last ${starts.protocol}`],
          "protocol p extract slot",
        ],
        [
          "reads without a comma",
          "  judge v = j(a b)\n  slot s",
          ["2:17 `b` -> `.` `,` `)`"],
          "protocol p judge slot",
        ],
        ["a judge without `=`", "  judge v j(a)\n  slot s", ["2:11 `j` -> `=`"], "protocol p slot"],
      ] satisfies Case[]
    ).map(within("protocol p")),
  )

  it("the next declaration is found where a protocol is not closed", () => {
    const text = 'protocol p {\n  slot s\n\njudge j(reply) {\n  user "x"\n}\n\ntarget t = gold\n'
    expect(outcomeOf(text)).toEqual({
      said: [`4:1 \`judge\` -> ${quoted(starts.protocol)} \`}\``],
      kept: ["protocol p slot", "judge j user", "target t"],
    })
  })
})

describe("judges", () => {
  check(
    (
      [
        ["a label that is missing", '  gold\n  user "x"', ["2:7 `user` -> a name"], "judge j user"],
        ["`then` without `else`", '  then yes no\n  user "x"', ["2:12 no -> else"], "judge j user"],
        [
          "a turn's settings",
          '  read r { max 3 }\n  user "x"',
          ["2:3 read -> system user assistant matching equals then gold verbatim reconstructed"],
          "judge j user",
        ],
      ] satisfies Case[]
    ).map(within("judge j(reply)")),
  )
})

describe("holes", () => {
  const hole = (written: string): readonly string[] => outcomeOf(`block b { text "{${written}}" }`).said

  it.each([
    ["labels without brackets", "a: label yes, no", "1:27 `yes` -> `(`"],
    ["labels without a comma", "a: label(yes no)", "1:31 `no` -> `,` `)`"],
    ["an unknown type", "a: txt", "1:21 txt -> option label integer text"],
    ["a step that is not closed", "a[t: option", "1:21 `:` -> `]`"],
    ["an index that is missing", "a[]: option", "1:20 `]` -> a name"],
  ])("%s", (_, written, said) => {
    expect(hole(written)).toEqual([said])
  })
})

describe("metrics", () => {
  check(
    (
      [
        ["`is` without a state", "  rate a is\n  given b", ["2:12 `given` -> a name"], "metric m given"],
        ["`in` without levels", "  rate a in\n  given b", ["2:12 `given` -> `{`"], "metric m given"],
        [
          "levels without a comma",
          "  rate a in { b c }\n  given b",
          ["2:17 `c` -> `,` `}`"],
          "metric m rate given",
        ],
        [
          "`is not`",
          "  rate a is not invalid\n  given b",
          ["2:10 is not -> not (a is invalid)"],
          "metric m given",
        ],
        ["a quantile without `of`", "  quantile 0.5 a\n  given b", ["2:16 a -> of"], "metric m given"],
        ["which quantile", "  quantile of a\n  given b", ["2:12 `of` -> a number"], "metric m given"],
        ["a kappa of one", "  kappa a\n  given b", ["2:10 `given` -> `,`"], "metric m given"],
        ["a list without a comma", "  rate [a b]\n  given b", ["2:11 `b` -> `,` `]`"], "metric m rate given"],
        [
          "a value that is compared again",
          "  rate a is value == b\n  given b",
          [
            "2:19 `==` -> `rate` `mean` `sum` `count` `quantile` `ratio` `kappa` `auroc` `difference` `given` `weight` `interval` `invalid` `}`",
          ],
          "metric m rate given",
        ],
      ] satisfies Case[]
    ).map(within("metric m")),
  )
})

describe("experiments", () => {
  check(
    (
      [
        [
          "levels without braces",
          "  seed in 1, 2\n  independent",
          ["2:11 `1` -> `{`"],
          "experiment e independent",
        ],
        [
          "an `=` too many",
          "  target = gold\n  independent",
          ["2:10 `=` -> an expression `in`"],
          "experiment e independent",
        ],
        [
          "a factor without a name",
          "  factor = x\n  independent",
          ["2:10 `=` -> a name"],
          "experiment e independent",
        ],
        [
          "a factor without levels",
          "  factor k\n  independent",
          ["2:11 `independent` -> `in` `=`"],
          "experiment e independent",
        ],
        [
          "a factor in a name",
          "  factor k in x\n  independent",
          ["2:15 `x` -> `{` `models`"],
          "experiment e independent",
        ],
        [
          "several levels after =",
          "  factor k = { 1, 2 }\n  independent",
          ["2:12 = { -> in {"],
          "experiment e factor independent",
        ],
        ["a missing `when`", "  only a == b\n  independent", ["2:8 a -> when"], "experiment e independent"],
        [
          "a sample without its size",
          "  items { a sample per b, c where x }\n  independent",
          ["2:20 `per` -> a number"],
          "experiment e items independent",
        ],
        [
          "a measure with reads and no name",
          "  measure HRR(second = a)\n  independent",
          [`2:14 \`(\` -> \`=\` ${quoted(starts.experiment)} \`}\``],
          "experiment e measure independent",
        ],
        [
          "a fit without `~`",
          "  model_fit m { logit HRR framing }\n  independent",
          ["2:27 `framing` -> `~`"],
          "experiment e independent",
        ],
        [
          "random factors without brackets",
          "  model_fit m { logit HRR ~ a random b }\n  independent",
          ["2:38 `b` -> `[`"],
          "experiment e model_fit independent",
        ],
        [
          "clauses of a figure in another order",
          "  figure f { bar HRR by a facet color b }\n  independent",
          ["2:39 `b` -> `where` `}`"],
          "experiment e figure independent",
        ],
        [
          "an assumption without a value",
          "  assume {\n    accuracy\n    HRR { a }\n    refusal 0.1\n  }\n  independent",
          ["3:13 `HRR` -> a number `{`", "4:13 `}` -> a number"],
          "experiment e assume independent",
        ],
        [
          "an assumption that is not closed",
          "  assume {\n    HRR { a 0.1\n  independent",
          ["4:3 `independent` -> a name `}`"],
          "experiment e assume independent",
        ],
        [
          "an equivalence without `within`",
          "  expect c equivalent 0.03\n  independent",
          ["2:23 `0.03` -> `within`"],
          "experiment e independent",
        ],
      ] satisfies Case[]
    ).map(within("experiment e")),
  )
})

describe("braces in a row of one line", () => {
  it("nest only so deep", () => {
    const nested = (open: string, close: string) =>
      outcomeOf(`metric m { rate ${open.repeat(5000)}a${close.repeat(5000)} }`).said.length
    expect(nested("[", "]")).toBe(1)
    expect(nested("not ", "")).toBe(1)
    expect(nested("- ", "")).toBe(1)
    expect(nested("f(", ")")).toBe(1)
    expect(nested("a in { ", " }")).toBe(1)
    expect(nested("", ".b")).toBe(1)
    expect(nested("", "(b)")).toBe(1)
    expect(nested("", " + b")).toBe(1)
    expect(outcomeOf(`items i = "x" { a = b${".c".repeat(5000)} }`).said).toHaveLength(1)
    expect(outcomeOf(`items i = "x" { a = b${" or c".repeat(5000)} }`).said).toHaveLength(1)
  })
})
