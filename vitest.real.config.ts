import { defineConfig } from "vitest/config"

/** Tests on a larger model, which they fetch: `npm run test:real`. */
export default defineConfig({
  test: { include: ["test/real/**/*.test.ts"], pool: "forks", testTimeout: 900_000, hookTimeout: 600_000 },
})
