/** How tensors of a GGUF file are stored, by the number of their type. https://github.com/ggml-org/ggml/blob/master/include/ggml.h */

export interface TensorType {
  readonly name: string
  /** Values that are stored together. */
  readonly values: number
  /** Bytes of so many values. */
  readonly bytes: number
}

export const F32 = 0

/** Types that exist, converted to F32 or not. */
export const tensorTypes: Readonly<Record<number, TensorType>> = {
  0: { name: "F32", values: 1, bytes: 4 },
  1: { name: "F16", values: 1, bytes: 2 },
  2: { name: "Q4_0", values: 32, bytes: 18 },
  3: { name: "Q4_1", values: 32, bytes: 20 },
  6: { name: "Q5_0", values: 32, bytes: 22 },
  7: { name: "Q5_1", values: 32, bytes: 24 },
  8: { name: "Q8_0", values: 32, bytes: 34 },
  10: { name: "Q2_K", values: 256, bytes: 84 },
  11: { name: "Q3_K", values: 256, bytes: 110 },
  12: { name: "Q4_K", values: 256, bytes: 144 },
  13: { name: "Q5_K", values: 256, bytes: 176 },
  14: { name: "Q6_K", values: 256, bytes: 210 },
  16: { name: "IQ2_XXS", values: 256, bytes: 66 },
  17: { name: "IQ2_XS", values: 256, bytes: 74 },
  18: { name: "IQ3_XXS", values: 256, bytes: 98 },
  19: { name: "IQ1_S", values: 256, bytes: 50 },
  20: { name: "IQ4_NL", values: 32, bytes: 18 },
  21: { name: "IQ3_S", values: 256, bytes: 110 },
  22: { name: "IQ2_S", values: 256, bytes: 82 },
  23: { name: "IQ4_XS", values: 256, bytes: 136 },
  24: { name: "I8", values: 1, bytes: 1 },
  25: { name: "I16", values: 1, bytes: 2 },
  26: { name: "I32", values: 1, bytes: 4 },
  27: { name: "I64", values: 1, bytes: 8 },
  28: { name: "F64", values: 1, bytes: 8 },
  29: { name: "IQ1_M", values: 256, bytes: 56 },
  30: { name: "BF16", values: 1, bytes: 2 },
  34: { name: "TQ1_0", values: 256, bytes: 54 },
  35: { name: "TQ2_0", values: 256, bytes: 66 },
  39: { name: "MXFP4", values: 32, bytes: 17 },
}
