import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

const common = { pool: "forks", testTimeout: 90_000 } as const

/** They crash processes, take native code to its limits, or exchange a module for another. */
const apart = [
  "test/engine/**/*.test.ts",
  "test/planted/**/*.test.ts",
  "test/run/crash.test.ts",
  "test/run/leftOut.test.ts",
]

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          ...common,
          name: "parts",
          // Most of a file's time would go into loading the same modules anew.
          isolate: false,
          include: ["test/**/*.test.ts"],
          // `real` fetches a model: `npm run test:real`; `browser` needs Chromium: `npm run test:browser`.
          exclude: ["test/cli/**", "test/real/**", "test/browser/**", ...apart],
        },
      },
      {
        // A process of its own for each file: one crash does not hide the other files' results.
        test: { ...common, name: "apart", include: apart },
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
