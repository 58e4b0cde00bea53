import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The engine is native code: a process of its own for each file keeps one crash from hiding the other files' results.
    pool: "forks",
    testTimeout: 30_000,
  },
})
