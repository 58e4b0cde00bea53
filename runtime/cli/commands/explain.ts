import { explain, explainAll } from "../../../compiler/diagnostics/explain.ts"
import { command, UsageError } from "../command.ts"
import { exit } from "../exit.ts"
import { invocation } from "../paths.ts"

export default command({
  usage: "[CODE]",
  about:
    "Explains a diagnostic by its code, such as CFX2001, with a wrong and a right\nexample. Without a code it lists all of them.",
  takes: { least: 0, most: 1, what: "CODE" },
  options: {},
  run: async ({ names: [code], terminal }) => {
    if (code === undefined) {
      terminal.print(explainAll())
      return exit.done
    }
    if (!/^(cfx)?\d+$/i.test(code)) {
      throw new UsageError(
        `${code} is no code: explain takes the code of a diagnostic, such as CFX2001; the language has a page, docs/language.md`,
      )
    }
    const full = code.toUpperCase().replace(/^(?=\d)/, "CFX")
    const text = explain(full)
    if (text === undefined)
      throw new UsageError(`no diagnostic has the code ${code}; ${invocation()} explain lists all codes`)
    terminal.print(text)
    return exit.done
  },
})
