/** What expressions ask of the reads in them, and which reads can give that. */

/** `read` is a read of which it is not known yet what it is of: a metric's parameter. */
export type ReadType =
  | "option read"
  | "label read"
  | "integer read"
  | "text read"
  | "read of another item"
  | "list of reads"
  | "read"

/** What is known of a read that an expression may name. */
export interface ReadFacts {
  readonly type: ReadType
  /** Of a list: what each of its reads is. */
  readonly each?: ReadType
  /** Of a label read: its labels, and which of them counts as the gold answer. */
  readonly labels?: readonly string[]
  readonly gold?: string
  /** Of an integer read: the ends of its range. */
  readonly low?: number
  readonly high?: number
  /** Whether it gives each answer a probability; one that is found in a text does not. Of a parameter it is not known. */
  readonly hasProbabilities?: boolean
  /** Whether its options are scored by the average of their tokens, so that none has a raw probability. */
  readonly perToken?: boolean
}

/** What an expression asks of a read. */
export type Use =
  | Exclude<ReadType, "read">
  | "read"
  | "option or label read"
  | "option, label or integer read"
  /** An answer that can be the gold one. */
  | "read with a gold answer"
  | "read with probabilities"

const fitting: Readonly<Record<Use, readonly ReadType[]>> = {
  "option read": ["option read"],
  "label read": ["label read"],
  "integer read": ["integer read"],
  "text read": ["text read"],
  "list of reads": ["list of reads"],
  "option or label read": ["option read", "label read"],
  "option, label or integer read": ["option read", "label read", "integer read"],
  "read with a gold answer": ["option read", "label read"],
  "read of another item": ["read of another item"],
  "read with probabilities": ["option read", "label read", "read of another item"],
  read: ["option read", "label read", "integer read", "text read", "read of another item"],
}

/** Whether a read of this type can be used so; of one whose type is not known, nothing is said. */
export const fits = (type: ReadType, use: Use): boolean => type === "read" || fitting[use].includes(type)

/** Whether one read can be used in both ways. */
export const agree = (one: Use, other: Use): boolean =>
  fitting[one].some((type) => fitting[other].includes(type))
