/** A way of taking a contrast as the language writes it. */
import type { Result } from "./result.ts"

/** "paired(item)", "pooled", "cells(model, pool)", "signs(model)". */
export function wayText({ taken, columns = [] }: Pick<Result, "taken" | "columns">): string {
  if (taken === "paired" || taken === "permutation") return `${taken}(item)`
  return taken === "cells" || taken === "signs" ? `${taken}(${columns.join(", ")})` : (taken ?? "")
}
