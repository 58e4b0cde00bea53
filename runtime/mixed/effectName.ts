/** How random effects are called: "item" for its intercept, "framing = experts by model" for a slope. */
export const INTERCEPT = "intercept"

export const effectName = (effect: string, by: string): string =>
  effect === INTERCEPT ? by : `${effect} by ${by}`
