import { createConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node"
import { diskFiles } from "../../disk/files.ts"
import { serve } from "../../lsp/server.ts"
import { command } from "../command.ts"
import { exit } from "../exit.ts"
import { packageRoot } from "../package.ts"

export default command({
  usage: "",
  about:
    "A language server on standard input and output: diagnostics, hover, definitions,\ncompletion, rename and formatting for editors. Not meant to be called by hand.",
  takes: { least: 0, most: 0, what: "" },
  options: { stdio: { type: "boolean", about: "as editors ask for it; it is the only way there is" } },
  run: async () => {
    const reader = new StreamMessageReader(process.stdin)
    const writer = new StreamMessageWriter(process.stdout)
    await serve(
      createConnection(reader, writer),
      diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` }),
    )
    return exit.done
  },
})
