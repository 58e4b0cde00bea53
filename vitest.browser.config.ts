import { defineConfig } from "vitest/config"

/** Tests that look at reports in Debian's Chromium: `npm run test:browser`. */
export default defineConfig({
  test: { include: ["test/browser/**/*.test.ts"], pool: "forks", testTimeout: 300_000, hookTimeout: 120_000 },
})
