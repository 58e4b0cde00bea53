import { defineConfig } from "rolldown"

export default defineConfig({
  input: {
    bootstrap: "bench/bootstrap.ts",
    coverage: "bench/coverage.ts",
    diagnose: "bench/diagnose.ts",
    engine: "bench/engine.ts",
    gpu: "bench/gpu.ts",
    generation: "bench/generation.ts",
    lmEval: "bench/lmEval.ts",
    language: "bench/language.ts",
    fuzz: "bench/fuzz.ts",
    memory: "bench/memory.ts",
    mixed: "bench/mixed.ts",
    rates: "bench/rates.ts",
    report: "bench/report.ts",
    score: "bench/score.ts",
    server: "bench/server.ts",
    sharing: "bench/sharing.ts",
  },
  platform: "node",
  external: [/^node-llama-cpp/],
  output: { dir: "dist/bench", format: "esm", cleanDir: true },
})
