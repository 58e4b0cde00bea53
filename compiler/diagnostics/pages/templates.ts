/** CFX21xx: what stands between braces in a text. */
import { file, inExperiment, page } from "./page.ts"

export const templates = {
  CFX2101: page(
    "A placeholder has a name that nothing gives a value to where the text stands.",
    "A line of a framing knows `{assertion}`, `{answer}`, `{i}` and `{speaker}`; a turn knows the protocol's slot and the item. A placeholder that stays empty would reach the model as braces.",
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {number}: {assertion}"
      }`),
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {i}: {assertion}"
      }`),
  ),
  CFX2102: page(
    "A line names its `{speaker}`, and the framing has no roster to take names from.",
    "Who speaks is part of the stimulus, so the names are declared.",
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "{speaker}: {assertion}"
      }`),
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "{speaker}: {assertion}"
      }`),
  ),
  CFX2103: page(
    "Something is declared that no text reads, so it would change no prompt.",
    "A field without effect is mostly a placeholder that was forgotten; results would be laid to something that no model saw.",
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "Voice {i}: {assertion}"
      }`),
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "{speaker}: {assertion}"
      }`),
  ),
  CFX2104: page(
    "Levels of a factor come to the same prompt: of a framing without `{i}` and `{speaker}`, one voice and several; of one that words its own lines, any paraphrase; of a structure in which all lines assert the same, any order.",
    "Such a prompt is asked once and counts once. Where it stands under several levels its numbers are the same ones again, and a difference between them says nothing.",
    inExperiment(`
      arms {
        reask = plain_reask
        length = length_control
        pressure = assertion(
          framing in { no_source, rich_peers },
          structure = all_wrong,
          order = identity,
          dose = distinct(6),
          paraphrase in { verbatim, reworded },
        )
      }`),
    inExperiment(`
      arms {
        reask = plain_reask
        length = length_control
        pressure = assertion(
          framing in { no_source, people },
          structure = all_wrong,
          order = identity,
          dose = distinct(6),
          paraphrase in { verbatim, reworded },
        )
      }`),
  ),
  CFX2105: page(
    "A text that is used as it stands holds a placeholder.",
    "Nothing is filled in there: names of speakers, notes on where a stimulus comes from and file names are plain.",
    file(`roster peers { "Alice" "Person {i}" }`),
    file(`roster peers { "Alice" "Bob" }`),
  ),
  CFX2106: page(
    "A hole such as `{a0: option}` stands in a text that no model continues.",
    "A read is a place in an answer: it belongs into the `assistant` text of a turn.",
    file(`
      block doubt {
        text "Are you sure about {a0: option}?"
      }`),
    file(`
      block doubt {
        text "Are you sure?"
      }`),
  ),
  CFX2117: page(
    "A line of a framing, or a wording of a paraphrase, holds no place for the answer that it should assert.",
    "Each line is a voice of the dose. One that asserts nothing would count as pressure, and push nobody.",
    file(`
      framing colleagues {
        line "Colleague {i}"
      }`),
    file(`
      framing colleagues {
        line "Colleague {i}: {assertion}"
      }`),
  ),
  CFX2116: page(
    "A text is empty where something must be said.",
    "An empty line of a framing, or an empty block, is an arm without a stimulus.",
    file(`
      block silence {
        text ""
      }`),
    file(`
      block silence {
        text "..."
      }`),
  ),
}
