/** CFX4xxx: the design can run, but something that its reader will ask for is not in it. */
import { all, allow, count, quote } from "../words.ts"
import { warning } from "./entry.ts"

export const warnings = {
  CFX4001: warning<{ experiment: string }>("No plain re-ask", {
    message: (p) =>
      `${quote(p.experiment)} has no arm that only asks again, so answers that change on their own count as yielding to pressure.`,
    label: () => "no arm asserts nothing in a few words",
    hint: () => `Add an arm such as \`reask = plain_reask\` (from "std/baselines"). ${allow("CFX4001")}`,
  }),
  CFX4002: warning<{ experiment: string; words: number }>("No length control", {
    message: (p) =>
      `${quote(p.experiment)} has no arm that adds as much text as its shortest assertion (${count(p.words, "word")}) without asserting an answer, so the effect of more text counts as pressure.`,
    label: () => "no arm of this length asserts nothing",
    hint: () => `Add an arm such as \`length = length_control\` (from "std/baselines"). ${allow("CFX4002")}`,
  }),
  CFX4003: warning<{ framings: readonly string[] }>("No speaker-free floor", {
    message: (p) =>
      `${all(p.framings)} name${p.framings.length === 1 ? "s" : ""} a source, and no framing shows the bare assertion: what the source adds to the text cannot be told.`,
    label: () => "labelled sources only",
    hint: () =>
      `Add a framing whose line is \`{assertion}\` alone, such as \`no_source\` (from "std/framings"). ${allow("CFX4003")}`,
  }),
  CFX4004: warning<{ contrast: string; left: string; right: string }>("Framings at different doses", {
    message: (p) =>
      `${quote(p.contrast)} compares framings at different doses (${p.left} with ${p.right}): the difference may be the dose's.`,
    label: () => "framing and dose differ",
    hint: () => `Restrict both sides to the same dose. ${allow("CFX4004")}`,
  }),
  CFX4005: warning<{ contrast: string; factors: readonly string[] }>("More than one difference", {
    message: (p) =>
      `The two sides of ${quote(p.contrast)} differ in ${all(p.factors)}: the difference cannot be put down to one of them.`,
    label: (p) => `${p.factors.length} factors differ`,
    hint: () => `Restrict both sides to the same levels of all but one. ${allow("CFX4005")}`,
  }),
  CFX4006: warning<{ pool: string; items: number }>("Few items", {
    message: (p) =>
      `${quote(p.pool)} brings ${count(p.items, "item")}: with fewer than 30, intervals say little.`,
    label: (p) => count(p.items, "item"),
    hint: () => allow("CFX4006"),
  }),
  CFX4008: warning<{ contrast: string; left: string; right: string; factors: readonly string[] }>(
    "Two measures of different trials",
    {
      message: (p) =>
        `${quote(p.contrast)} subtracts ${quote(p.right)} from ${quote(p.left)}, and its two sides differ in ${all(p.factors)} as well: the difference may be the measures' or the trials'.`,
      label: () => "measure and trials differ",
      hint: () => `Take one measure of both sides, or both measures of the same trials. ${allow("CFX4008")}`,
    },
  ),
  CFX4007: warning<{ code: string }>("Nothing was allowed", {
    message: (p) => `${p.code} is allowed here, but the experiment gives no such warning.`,
    label: () => "silences nothing",
    hint: () => "Delete this line.",
  }),
}
