import { defineConfig } from "rolldown"

export default defineConfig({
  input: { extension: "editors/vscode/extension.ts" },
  platform: "node",
  external: ["vscode"],
  output: { dir: "dist/vscode", format: "cjs", cleanDir: true, entryFileNames: "extension.cjs" },
})
