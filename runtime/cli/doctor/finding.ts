/** One line of `cfx doctor`. */
export interface Finding {
  readonly ok: boolean
  readonly subject: string
  /** What was found. */
  readonly says: string
  /** What to do about it, where something is wrong. */
  readonly todo?: string
  /** Of a read: how each label is spelt where it stands. */
  readonly labels?: readonly LabelProof[]
}

export interface LabelProof {
  readonly label: string
  /** From where the read is taken, which is before the label's first character where it is merged. */
  readonly tokens: readonly number[]
  /** The text of each token. */
  readonly spelt: readonly string[]
  /** Whether it merges with text that stands before it. */
  readonly merged: boolean
}

export const fine = (subject: string, says: string): Finding => ({ ok: true, subject, says })

export const wrong = (subject: string, says: string, todo: string): Finding => ({
  ok: false,
  subject,
  says,
  todo,
})

export const shown = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const indent = " ".repeat("fails  ".length + width + 2)
  return findings
    .map(({ ok, subject, says, todo }) => {
      const line = `${ok ? "ok   " : "fails"}  ${subject.padEnd(width)}  ${says}`
      return todo === undefined ? line : `${line}\n${indent}${todo}`
    })
    .join("\n")
}
