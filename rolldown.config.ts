import { defineConfig } from "rolldown"

/** One small entry for `--help`; every command is a chunk of its own, loaded when it is called. */
export default defineConfig({
  input: { cfx: "runtime/cli/main.ts" },
  platform: "node",
  external: [/^node-llama-cpp/],
  output: { dir: "dist", format: "esm", cleanDir: true, chunkFileNames: "chunks/[name]-[hash].js" },
})
