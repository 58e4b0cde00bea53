/** Two numbers with as many decimals as anybody prints may differ by this in doubles: 0.523 less 0.518 is more than 0.005, and 0.3 less 0.1 less than 0.2. */
export const ROUNDING = 1e-12
