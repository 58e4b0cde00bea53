/** Starts `cfx lsp` for the workspace and leaves everything else to it. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type ExtensionContext, window, workspace } from "vscode"
import { LanguageClient } from "vscode-languageclient/node"

let client: LanguageClient | undefined

export async function activate(context: ExtensionContext): Promise<void> {
  const command = program()
  client = new LanguageClient(
    "cfx",
    "cfx",
    { command, args: ["lsp"], options: { shell: process.platform === "win32" } },
    { documentSelector: [{ language: "cfx" }] },
  )
  context.subscriptions.push({ dispose: () => void client?.stop() })
  try {
    await client.start()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    void window.showErrorMessage(
      `cfx: the language server \`${command} lsp\` did not start (${why}). Install cfx in the workspace, or set cfx.command.`,
    )
  }
}

export const deactivate = (): Promise<void> | undefined => client?.stop()

/** The setting, else the workspace's own, else the one on the path. */
function program(): string {
  const set = workspace.getConfiguration("cfx").get<string>("command", "")
  if (set !== "") return set
  const name = process.platform === "win32" ? "cfx.cmd" : "cfx"
  const own =
    workspace.workspaceFolders?.map(({ uri }) => join(uri.fsPath, "node_modules", ".bin", name)) ?? []
  return own.find((path) => existsSync(path)) ?? "cfx"
}
