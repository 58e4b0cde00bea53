/** Adds up vitest's JSON results; exits 1 when a test failed, a file could not run, or nothing ran. */
import { readFileSync } from "node:fs"

const results = process.argv.slice(2).map((path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
})
const total = (count) => results.reduce((sum, result) => sum + (result ? count(result) : 0), 0)
const passed = total(({ numPassedTests }) => numPassedTests)
const skipped = total(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests)
// A file that stops before its first test has no failed test of its own, and still failed.
const stopped = ({ testResults }) =>
  testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  ).length
const missing = results.filter((result) => result === undefined).length
const failed = total((result) => result.numFailedTests + stopped(result)) + missing
if (skipped > 0) console.log(`${skipped} skipped`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
