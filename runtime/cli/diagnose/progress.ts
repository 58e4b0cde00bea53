/** How far simulations have come, and what time is left. */
import type { Forecast } from "../../diagnose/forecast.ts"
import { duration } from "../../run/duration.ts"
import { stateLine } from "../../stateLine.ts"
import { progressLine } from "../progressLine.ts"
import type { Terminal } from "../terminal.ts"

/** Milliseconds after which the time left is no guess any more. */
const TELLING = 2000

/** Seconds above which a forecast says how to have less. */
const LONG = 180

/** What simulations will take, in words. */
export function forecastText({ seconds, fits }: Forecast): string {
  const fitted =
    fits === undefined
      ? ""
      : `, of which ${duration(fits.seconds)} for ${fits.count.toLocaleString("en")} fits of up to ${duration(fits.longest)} each`
  const hint = seconds > LONG ? "; --items and --sims take fewer" : ""
  return `forecast: about ${duration(seconds)}${fitted}${hint}`
}

export function simulationProgress(terminal: Pick<Terminal, "quiet" | "redraws" | "note">) {
  const started = performance.now()
  const line = stateLine(progressLine(terminal))
  let planned = 0
  let done = 0
  const state = (): string => {
    const passed = performance.now() - started
    const share = Math.min(1, done / planned)
    const left =
      passed < TELLING || share === 0 ? "" : `, about ${duration((passed * (1 - share)) / share / 1000)} left`
    return `simulating: ${Math.floor(100 * share)} %${left}`
  }
  return {
    planned: (work: number): void => {
      planned = work
    },
    forecast: (forecast: Forecast): void => terminal.note(forecastText(forecast)),
    done: (work: number): void => {
      done += work
      if (!terminal.quiet && planned > 0) line.show(state)
    },
    end: line.clear,
  }
}
