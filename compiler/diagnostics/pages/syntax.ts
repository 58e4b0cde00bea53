/** CFX1xxx: the text is not a spec yet. */
import { file, page } from "./page.ts"

export const syntax = {
  CFX1001: page(
    "A character stands where the language has no use for it.",
    "Everything that reaches a model stands between quotation marks; outside of them only names, numbers, keywords and a few marks mean something. There are no semicolons.",
    file(`roster peers { "Alice"; "Bob" }`),
    file(`roster peers { "Alice" "Bob" }`),
  ),
  CFX1002: page(
    'A text is opened by `"` or `"""` and not closed by the same. A `"` closes on its own line; `"""` may close many lines later.',
    "Where a text has no end, the rest of the file would become part of a prompt.",
    file(`
      block hurry {
        text "Please answer quickly.
      }`),
    file(`
      block hurry {
        text "Please answer quickly."
      }`),
  ),
  CFX1003: page(
    "A `{` opens a placeholder, and no `}` closes it before the text ends.",
    "A placeholder is filled before a model reads the text. A brace that the model is to see is written twice: `{{`.",
    file(`
      paraphrase short {
        "It is {answer."
      }`),
    file(`
      paraphrase short {
        "It is {answer}."
      }`),
  ),
  CFX1004: page(
    "A `}` stands in a text, and no placeholder is open that it could close.",
    "Mostly its `{` was forgotten. A brace that the model is to see is written twice: `}}`.",
    file(`
      paraphrase short {
        "It is answer}."
      }`),
    file(`
      paraphrase short {
        "It is {answer}."
      }`),
  ),
  CFX1005: page(
    "A backslash in a text is followed by something that it has no meaning with.",
    "Every character of a prompt is declared, so an escape is never guessed at. A backslash itself is written twice.",
    file(`
      block path {
        text "The file is C:\\data."
      }`),
    file(`
      block path {
        text "The file is C:\\\\data."
      }`),
  ),
  CFX1006: page(
    "Something stands, or is missing, where the grammar asks for something else. The message lists what could stand there.",
    "Reading goes on after the mistake, so that one pass shows all of a file's syntax errors.",
    file(`
      dose single(n) {
        lines n
        speakers
      }`),
    file(`
      dose single(n) {
        lines n
        speakers 1
      }`),
  ),
  CFX1008: page(
    "A sign stands here that means in other languages what a word or another sign means in this one: `&&`, `||`, `!`, or a single `=` between two values.",
    "`=` says what a name stands for, as in `seed = 0` elsewhere; values are compared by `==`. Conditions are joined by `and`, `or` and `not`.",
    file(`
      metric changed(first = a0, second = a1) {
        rate second = first
        interval wilson 95
      }`),
    file(`
      metric changed(first = a0, second = a1) {
        rate second == first
        interval wilson 95
      }`),
  ),
  CFX1007: page(
    "A word stands where a keyword must stand, and it is none that fits there.",
    "Each kind of declaration has its own fields; a word that is none of them would otherwise be lost without a trace.",
    file(`
      famring crowd {
        preamble "A crowd has answered:"
        line "Voice {i}: {assertion}"
      }`),
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {i}: {assertion}"
      }`),
  ),
  CFX1009: page(
    "Something has a name that the records in which a run is kept have already.",
    "Levels, reads and measures are kept by their names. A few names, such as `constructor`, `toString` and `__proto__`, stand for something in every such record.",
    file('block constructor {\n  text "A text."\n}'),
    file('block builder {\n  text "A text."\n}'),
  ),
}
