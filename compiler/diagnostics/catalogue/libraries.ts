/** CFX255x: libraries that are shared: what their names must mean, and the packages that they come in. */
import { all, quote } from "../words.ts"
import { error } from "./entry.ts"

export const libraries = {
  CFX2550: error<{ names: readonly string[]; path: string; pinned: string; found: string }>("Other meaning", {
    message: (p) =>
      `${all(p.names)} of ${quote(p.path)} ${p.names.length === 1 ? "does" : "do"} not mean what this import pins: it pins ${p.pinned}, and the meaning now is ${p.found}.`,
    label: () => "pins another meaning",
    hint: () =>
      "A sum is of just the names that its import lists. Look at what changed in the library; if that is meant, `cfx lock SPEC --freeze --update` writes the new sum here.",
  }),
  CFX2551: error<{ path: string; why: string }>("Package not found", {
    message: (p) => `I cannot find ${quote(p.path)}: ${p.why}.`,
    label: () => "no such library of a package",
    hint: () =>
      'A library of an npm package is "pkg:name/file.cfx"; the package must be installed where the spec is.',
  }),
}
