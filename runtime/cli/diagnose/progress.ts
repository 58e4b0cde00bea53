/** How far simulations have come: a line that redraws on a terminal, a plain line every few seconds elsewhere. */
import type { Forecast } from "../../diagnose/forecast.ts"
import { duration } from "../../run/duration.ts"
import type { Terminal } from "../terminal.ts"

const REDRAW = 200
const LINE = 5000

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

export function simulationProgress({ quiet, redraws, note }: Pick<Terminal, "quiet" | "redraws" | "note">) {
  const started = performance.now()
  let planned = 0
  let done = 0
  let shown = started
  const write = (text: string): void => {
    process.stderr.write(redraws ? `\r\u001b[2K${text}` : `${text}\n`)
  }
  const show = (): void => {
    const passed = performance.now() - started
    const share = Math.min(1, done / planned)
    const left =
      passed < TELLING || share === 0 ? "" : `, about ${duration((passed * (1 - share)) / share / 1000)} left`
    write(`simulating: ${Math.floor(100 * share)} %${left}`)
  }
  return {
    planned: (work: number): void => {
      planned = work
    },
    forecast: (forecast: Forecast): void => note(forecastText(forecast)),
    done: (work: number): void => {
      done += work
      const now = performance.now()
      if (quiet || planned === 0 || now - shown < (redraws ? REDRAW : LINE)) return
      shown = now
      show()
    },
    end: (): void => {
      if (redraws && !quiet) process.stderr.write("\r\u001b[2K")
    },
  }
}
