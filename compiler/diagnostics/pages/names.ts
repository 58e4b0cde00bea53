/** CFX20xx: names, imports and fields. */
import { call, file, inExperiment, page } from "./page.ts"

const SUM = "cebaac6056b597483f71d359876809ec18419b31e190ec0a26d7ba1572025af8"

export const names = {
  CFX2001: page(
    "A name is used that this file neither declares nor imports.",
    "A name that is misspelt would otherwise be an arm that is missing from the results.",
    file(`
      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
    file(`
      import { people } from "std/framings"

      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
  ),
  CFX2002: page(
    "The name exists, but it names another kind of thing than is needed here.",
    "A framing extends a framing, speakers come from a roster, a dose is a dose: kinds are checked before anything runs.",
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd extends peers {
        preamble "A crowd has shared its answers:"
        line "Voice {i}: {assertion}"
      }`),
    file(`
      roster peers { "Alice" "Bob" }

      framing crowd {
        preamble "A crowd has shared its answers:"
        speakers peers
        line "{speaker}: {assertion}"
      }`),
  ),
  CFX2003: page(
    "Two declarations of one file, or a declaration and an import, have the same name.",
    "A name is a column or a level in every table of the results, so it must mean one thing.",
    file(`
      roster peers { "Alice" "Bob" }
      roster peers { "Carol" "David" }`),
    file(`
      roster peers { "Alice" "Bob" }
      roster strangers { "Carol" "David" }`),
  ),
  CFX2004: page(
    "The file that an import names cannot be read.",
    '`"std/name"` is a library that comes with cfx; any other path is seen from the file that imports, such as `"./mine.cfx"`.',
    file(`
      import { people } from "std/framing"

      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
    file(`
      import { people } from "std/framings"

      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
  ),
  CFX2005: page(
    "A file imports another one that, directly or through others, imports the first.",
    "What a declaration means must be settled before it is used; in a circle nothing comes first.",
    file(
      `
      import { peers } from "./people.cfx"

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "{speaker}: {assertion}"
      }`,
      {
        "people.cfx": `
      import { crowd } from "./spec.cfx"

      roster peers { "Alice" "Bob" }

      framing small_crowd extends crowd { preamble "A few have answered:" }`,
      },
    ),
    file(
      `
      import { peers } from "./people.cfx"

      framing crowd {
        preamble "A crowd has answered:"
        speakers peers
        line "{speaker}: {assertion}"
      }

      framing small_crowd extends crowd { preamble "A few have answered:" }`,
      { "people.cfx": `roster peers { "Alice" "Bob" }` },
    ),
  ),
  CFX2006: page(
    "The library can be read, but it declares nothing of this name.",
    "Only what a library declares itself can be imported from it, not what it imports in turn.",
    file(`
      import { peple } from "std/framings"

      framing crowd extends peple {
        preamble "A crowd has shared its answers:"
      }`),
    file(`
      import { people } from "std/framings"

      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
  ),
  CFX2007: page(
    "A name is imported, and nothing in the file uses it.",
    "A reader takes the imports for a summary of what an experiment is made of. An arm that was meant and forgotten shows itself here.",
    file(`
      import { people, experts } from "std/framings"

      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
    file(`
      import { people } from "std/framings"

      framing crowd extends people {
        preamble "A crowd has shared its answers:"
      }`),
  ),
  CFX2008: page(
    "A declaration extends another one that extends the first, directly or through others.",
    "What a declaration inherits is copied from its parent; in a circle there is nothing to copy from.",
    file(`
      framing crowd extends panel {
        preamble "A crowd has answered:"
      }

      framing panel extends crowd {
        line "Voice {i}: {assertion}"
      }`),
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {i}: {assertion}"
      }

      framing panel extends crowd {
        line "Expert {i}: {assertion}"
      }`),
  ),
  CFX2009: page(
    "A field that counts once is given twice.",
    "One of the two would silently be dropped, and which one would be the author's guess.",
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        preamble "Many have answered:"
        line "Voice {i}: {assertion}"
      }`),
    file(`
      framing crowd {
        preamble "Many have answered:"
        line "Voice {i}: {assertion}"
      }`),
  ),
  CFX2010: page(
    "A declaration lacks a field that it cannot do without, and inherits it from nowhere.",
    "Nothing that a model reads is supplied by default.",
    file(`
      framing crowd {
        preamble "A crowd has answered:"
      }`),
    file(`
      framing crowd {
        preamble "A crowd has answered:"
        line "Voice {i}: {assertion}"
      }`),
  ),
  CFX2011: page(
    "An attribute is given that this kind of declaration does not have.",
    "A misspelt `sha256` would leave a model unchecked.",
    file(`
      model small = gguf "small.gguf" {
        sha265 "${SUM}"
      }`),
    file(`
      model small = gguf "small.gguf" {
        sha256 "${SUM}"
      }`),
  ),
  CFX2012: page(
    "An attribute has a value of the wrong kind: a text where a number belongs, or the other way round.",
    "Attributes are compared with files or become columns of the results, so their kind is fixed.",
    file(`
      model small = gguf "small.gguf" {
        bytes "3 MB"
      }`),
    file(`
      model small = gguf "small.gguf" {
        bytes 2930272
      }`),
  ),
  CFX2013: page(
    "A field takes one of a few words, and this is none of them.",
    "These words decide how a number is computed or shown, so there is no default for one that is not known.",
    file(`
      metric changed(first = a0, second = a1) {
        rate second != first
        invalid ignore
        interval wilson 95
      }`),
    file(`
      metric changed(first = a0, second = a1) {
        rate second != first
        invalid exclude
        interval wilson 95
      }`),
  ),
  CFX2014: page(
    "The name of a file is an address that leads to none.",
    "Models are files of this machine, of a hub (`hf:`) or of the web (`https:`, with their sum); items are files of this machine or data of a hub.",
    file(`model small = gguf "s3://bucket/small.gguf"`),
    file(`model small = gguf "models/small.gguf"`),
  ),
  CFX2015: page(
    "A `sha256` is not 64 hexadecimal digits.",
    "The sum pins a model's file to the byte; one that is cut short could never be matched.",
    file(`
      model small = gguf "small.gguf" {
        sha256 "cebaac60"
      }`),
    file(`
      model small = gguf "small.gguf" {
        sha256 "${SUM}"
      }`),
  ),
  CFX2016: page(
    "`allow` silences a warning about the design (CFX4xxx). This code is not one of those.",
    "Errors cannot be allowed: what they are about has no meaning that could be run.",
    inExperiment(`allow CFX2001 "the name is right"`),
    inExperiment(
      `
      arms {
        reask = plain_reask
        pressure = assertion(
          framing in { no_source, people },
          structure = all_wrong,
          order = identity,
          dose = distinct(6),
          paraphrase = verbatim,
        )
      }
      allow CFX4002 "a pilot; the length control follows"`,
    ),
  ),
  CFX2017: page(
    "A list that needs at least one member has none.",
    "An experiment without models, or a factor without levels, asks nothing.",
    inExperiment("models { }"),
    inExperiment("models { pocket }"),
  ),
  CFX2018: page(
    "The spec that was named on the command line cannot be read.",
    "Its path is seen from the folder in which `cfx` is called.",
    call("cfx check", "quickstrat.cfx", "quickstart.cfx"),
    call("cfx check", "quickstart.cfx", "quickstart.cfx"),
  ),
  CFX2019: page(
    "A template variable is declared under a name that every chat template is given, or that the language of templates has of its own.",
    "The messages, the marks of beginning and end and the opening of an answer are cfx's to set: a declared one would be overwritten in silence, or take the conversation's place.",
    file(`
      model small = gguf "small.gguf" {
        template { add_generation_prompt false }
      }`),
    file(`
      model small = gguf "small.gguf" {
        template { enable_thinking false }
      }`),
  ),
}
