/** CFX20xx: imports, names, and the fields and attributes of declarations. */
import { suggest } from "../suggest.ts"
import { article, completed, didYouMean, either, quote, series, suggestion } from "../words.ts"
import { error, warning } from "./entry.ts"

const importLine = (name: string, path: string): string => `import { ${name} } from "${path}"`

export const names = {
  CFX2001: error<{
    kind: string
    name: string
    known: readonly string[]
    /** What other files declare of this kind, by name, with what it is imported from. */
    importable: ReadonlyMap<string, string>
  }>("Unknown name", {
    message: (p) => `There is no ${p.kind} ${quote(p.name)} here.`,
    label: (p) => `no such ${p.kind}`,
    hint: (p) => {
      const path = p.importable.get(p.name)
      if (path !== undefined) return `It is declared in a library: ${importLine(p.name, path)}`
      const meant = didYouMean(p.name, p.known)
      if (meant !== undefined) return meant
      const other = suggest(p.name, p.importable.keys())
      if (other === undefined) return suggestion(p.name, p.known)
      return `Did you mean ${quote(other)} from a library? ${importLine(other, p.importable.get(other) ?? "")}`
    },
  }),
  CFX2002: error<{ name: string; expected: string; found: string; known: readonly string[] }>(
    "Wrong kind of name",
    {
      message: (p) => `${quote(p.name)} is ${article(p.found)}, and ${article(p.expected)} must stand here.`,
      label: (p) => `${article(p.found)}, not ${article(p.expected)}`,
      hint: (p) => suggestion(p.name, p.known),
    },
  ),
  CFX2003: error<{ kind: string; name: string }>("Duplicate name", {
    message: (p) => `The ${p.kind} ${quote(p.name)} is declared twice.`,
    label: () => "declared again here",
    hint: () => "Rename one of them, or delete the one that you do not need.",
  }),
  CFX2004: error<{ path: string; why: string; known: readonly string[] }>("Import not found", {
    message: (p) => `I cannot read ${quote(p.path)}: ${p.why}.`,
    label: (p) => p.why,
    hint: (p) =>
      suggestion(p.path, p.known) ??
      'A library of the standard library is "std/name"; a file of yours is "./name.cfx", seen from the file that imports it; one of an npm package is "pkg:name/file.cfx".',
  }),
  CFX2005: error<{ cycle: readonly string[] }>("Cyclic import", {
    message: (p) => `These files import one another in a circle: ${p.cycle.join(" -> ")}.`,
    label: () => "closes the circle",
    hint: () => "Move what both need into a third file that imports neither.",
  }),
  CFX2006: error<{
    name: string
    file: string
    known: readonly string[]
    importable: string | undefined
  }>("Name not in library", {
    message: (p) => `${quote(p.file)} declares no ${quote(p.name)}.`,
    label: () => "not declared there",
    hint: (p) =>
      p.importable === undefined
        ? suggestion(p.name, p.known)
        : `It is declared in another library: ${importLine(p.name, p.importable)}`,
  }),
  CFX2007: warning<{ name: string }>("Unused import", {
    message: (p) => `${quote(p.name)} is imported, and nothing uses it.`,
    label: () => "never used",
    hint: () => "Delete it from the import.",
  }),
  CFX2008: error<{ kind: string; cycle: readonly string[] }>("Cyclic inheritance", {
    message: (p) => `This ${p.kind} extends itself in the end: ${p.cycle.join(" extends ")}.`,
    label: () => "leads back to where it began",
  }),
  CFX2009: error<{ field: string; within: string }>("Duplicate field", {
    message: (p) => `${quote(p.field)} stands twice in ${p.within}, and only one can count.`,
    label: () => "given again here",
    hint: () => "Delete one of the two.",
  }),
  /** `isWord`: where what is missing is no keyword, such as a read under any name. */
  CFX2010: error<{ field: string; within: string; example: string; isWord?: boolean }>("Missing field", {
    message: (p) => `${p.within} has no ${p.isWord ? p.field : quote(p.field)}.`,
    label: (p) => `needs ${p.isWord ? article(p.field) : quote(p.field)}`,
    hint: (p) => `Add it, such as: ${p.example}`,
  }),
  CFX2011: error<{ key: string; within: string; known: readonly string[] }>("Unknown attribute", {
    message: (p) => `${quote(p.key)} is not an attribute of ${p.within}.`,
    label: () => "unknown attribute",
    hint: (p) => suggestion(p.key, p.known),
  }),
  CFX2012: error<{ key: string; expected: string; found: string }>("Unfitting value", {
    message: (p) => `${quote(p.key)} must be ${p.expected}, and ${p.found} stands here.`,
    label: (p) => `must be ${p.expected}`,
  }),
  CFX2013: error<{ field: string; found: string; known: readonly string[] }>("Unknown choice", {
    message: (p) =>
      p.field === "figure"
        ? `A figure is drawn by ${either(p.known)}, and ${quote(p.found)} is none of these.`
        : `${quote(p.found)} is not a choice for ${quote(p.field)}, which can be ${either(p.known)}.`,
    label: (p) => (p.field === "figure" ? "not a way to draw" : "not one of the choices"),
    hint: (p) => completed(p.found, p.known) ?? didYouMean(p.found, p.known),
  }),
  CFX2014: error<{ what: string; why: string; example: string }>("Unfitting file name", {
    message: (p) => `The file of ${p.what} cannot be this: ${p.why}.`,
    label: (p) => p.why,
    hint: (p) => `Write a path seen from this file, such as ${p.example}.`,
  }),
  CFX2015: error<{ length: number }>("Not a sha256", {
    message: (p) =>
      `A sha256 is 64 digits of 0-9 and a-f. This has ${p.length} characters or others among them.`,
    label: () => "not a sha256",
    hint: () => "Print the sum of a file with `sha256sum FILE`.",
  }),
  CFX2016: error<{ code: string; known: readonly string[] }>("Nothing to allow", {
    message: (p) =>
      `${quote(p.code)} is not a warning that an experiment can allow. ${series(p.known, "and")} are.`,
    label: () => "not the code of a design warning",
  }),
  CFX2018: error<{ path: string; why: string }>("Spec not read", {
    message: (p) => `I cannot read ${quote(p.path)}: ${p.why}.`,
    label: (p) => p.why,
  }),
  CFX2019: error<{ name: string }>("Variable that a template is given anyway", {
    message: (p) =>
      `${quote(p.name)} cannot be declared: every chat template is given it, or has it of its own.`,
    label: () => "not yours to give",
    hint: () =>
      "Delete it. What can be declared are variables of the template's own, such as `enable_thinking`; cfx doctor says which it reads.",
  }),
  CFX2017: error<{ what: string }>("Empty list", {
    message: (p) => `This names no ${p.what}, and at least one is needed.`,
    label: (p) => `no ${p.what}`,
  }),
}
