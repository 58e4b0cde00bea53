/** The libraries of the standard library by name. `Files` cannot list a folder; a test holds this list to it. */
export const standardLibraries = [
  "baselines",
  "containers",
  "doses",
  "framings",
  "metrics",
  "models",
  "paraphrases",
  "protocols",
] as const
