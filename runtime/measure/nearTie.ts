/** Two alternatives closer than this in probability are a near tie, where nothing more is known of the engine: numbers of two engines may differ by as much. */
export const NEAR_TIE = 0.001

/** Whether the two most probable alternatives are closer than `below`. */
export function isNearTie(probabilities: readonly number[], below = NEAR_TIE): boolean {
  const [first, second] = [...probabilities].sort((a, b) => b - a)
  return first !== undefined && second !== undefined && first - second < below
}
