/** What other models are foreseen to be asked by then: those of the same file and engine, whose reads are the same and asked once. */

interface Asked {
  /** The models that are asked, by the read's key. */
  readonly reads: Map<string, string>
  /** Keys and occasions of the reads that are taken again. */
  readonly again: Set<string>
}

export class Foreseen {
  readonly #byFingerprint = new Map<string, Asked>()

  /** Of the models with this fingerprint. */
  of(fingerprint: string): Asked {
    const known = this.#byFingerprint.get(fingerprint) ?? { reads: new Map(), again: new Set() }
    this.#byFingerprint.set(fingerprint, known)
    return known
  }
}
