import { defineConfig } from "vitest/config"

// The engine is native code: a process of its own for each file keeps one crash from hiding the other files' results.
const common = { pool: "forks", testTimeout: 90_000 } as const

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: "parts",
          include: ["test/**/*.test.ts"],
          // `real` fetches a model: `npm run test:real`; `browser` needs Chromium: `npm run test:browser`.
          exclude: ["test/cli/**", "test/real/**", "test/browser/**"],
        },
      },
      {
        // The command line as its users have it: the bundle, in a process.
        test: {
          ...common,
          name: "command line",
          include: ["test/cli/**/*.test.ts"],
          globalSetup: "test/cli/setup.ts",
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
