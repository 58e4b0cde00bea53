/** `npm run grammar`: writes what is generated from the grammar. It alone of all that stands in this folder touches a disk. */
import { readFileSync, writeFileSync } from "node:fs"
import { reference } from "./reference.ts"
import { textmate } from "./textmate.ts"

writeFileSync("grammar/reference.md", reference(readFileSync("grammar/generate/example.cfx", "utf8")))
writeFileSync("editors/vscode/syntaxes/cfx.tmLanguage.json", textmate())
