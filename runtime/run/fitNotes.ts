/** Says that a model is being fitted, where that takes long: a fit stands still for nobody who watches. */
import type { FitProgress } from "../measure/fits.ts"

/** Milliseconds after which a person wants to know what takes so long, and between two notes. */
const LONG = 2000
const AGAIN = 10_000

/** `note` takes a line; `now`: milliseconds, from any zero. */
export function fitNotes(note: (text: string) => void, now: () => number): FitProgress {
  let fitted = ""
  let started = now()
  let next = LONG
  return (fit) => {
    if (fit !== fitted) {
      fitted = fit
      started = now()
      next = LONG
    }
    const spent = now() - started
    if (spent < next) return
    note(`fitting the model ${fit}, for ${Math.round(spent / 1000)} s so far`)
    next = spent + AGAIN
  }
}
