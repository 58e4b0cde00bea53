/**
 * The largest of some probabilities after their logits were divided by a temperature: each raised to 1 / temperature, then renormalised (temperature
 * scaling; Guo et al. 2017, "On Calibration of Modern Neural Networks", section 4.2). The order of the alternatives stays as it is. Undefined
 * where there are none.
 */
export const recalibrated = (probabilities: readonly number[], temperature: number): number | undefined => {
  const most = Math.max(0, ...probabilities)
  if (most === 0) return undefined
  // Shares of the largest: nothing underflows where the temperature is low.
  return 1 / probabilities.reduce((sum, p) => sum + (p / most) ** (1 / temperature), 0)
}
