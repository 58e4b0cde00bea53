/** Families of chat templates as the GGUF files of their models have them: which tokenizer, which control tokens, and whether the engine adds a BOS. */
import type { TokenizerOptions } from "../engine/gguf/tokenizers.ts"

export interface Family {
  /** Whose template it is, in `published.ts`. */
  readonly model: string
  readonly tokenizer: Partial<TokenizerOptions> & Pick<TokenizerOptions, "kind" | "control">
}

const headers = [
  "<|begin_of_text|>",
  "<|start_header_id|>",
  "<|end_header_id|>",
  "<|eot_id|>",
  "<|end_of_text|>",
]
const chatml = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
const instruct = ["[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"]

const bpe = (pre: string, control: readonly string[], bos: string, eos: string, addBos: boolean) => ({
  kind: "bpe" as const,
  pre,
  control,
  bos,
  eos,
  addBos,
})

const spm = (control: readonly string[], bos: string, eos: string, spacePrefix: boolean) => ({
  kind: "spm" as const,
  control,
  bos,
  eos,
  addBos: true,
  spacePrefix,
})

export const families: Readonly<Record<string, Family>> = {
  "ChatML (SmolLM2)": {
    model: "smollm2:135m",
    tokenizer: bpe("smollm", chatml, "<|im_start|>", "<|im_end|>", false),
  },
  "Llama 2": { model: "llama2:7b", tokenizer: spm(["<s>", "</s>"], "<s>", "</s>", true) },
  "Llama 3": { model: "llama3:8b", tokenizer: bpe("llama-bpe", headers, headers[0]!, "<|eot_id|>", true) },
  "Llama 3.1": {
    model: "llama3.1:8b",
    tokenizer: bpe("llama-bpe", headers, headers[0]!, "<|eot_id|>", true),
  },
  "Llama 3.2": {
    model: "llama3.2:3b",
    tokenizer: bpe("llama-bpe", headers, headers[0]!, "<|eot_id|>", true),
  },
  "Mistral v1": {
    model: "mistral:7b-instruct-fp16",
    tokenizer: spm(["<s>", "</s>"], "<s>", "</s>", true),
  },
  "Mistral v3": {
    model: "mistral-large:123b",
    tokenizer: spm(["<s>", "</s>", ...instruct], "<s>", "</s>", true),
  },
  "Mistral v7": {
    model: "mistral-small:24b",
    tokenizer: bpe(
      "tekken",
      ["<s>", "</s>", ...instruct, "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"],
      "<s>",
      "</s>",
      true,
    ),
  },
  "Gemma 2": {
    model: "gemma2:2b",
    tokenizer: spm(["<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"], "<bos>", "<eos>", false),
  },
  "Gemma 3": {
    model: "gemma3:1b",
    tokenizer: {
      ...spm(["<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"], "<bos>", "<eos>", false),
      // Of white space, as Gemma's files have them; the template's source holds some of it.
      added: ["\n\n", "\n\n\n", "\t\t", "<h1>"],
    },
  },
  "Qwen 2.5": {
    model: "qwen2.5:0.5b",
    tokenizer: bpe("qwen2", chatml, "<|endoftext|>", "<|im_end|>", false),
  },
  "Qwen 3": {
    model: "qwen3:0.6b",
    tokenizer: {
      ...bpe("qwen2", chatml, "<|endoftext|>", "<|im_end|>", false),
      added: ["<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"],
    },
  },
  "Phi 3": {
    model: "phi3:3.8b",
    tokenizer: spm(
      ["<s>", "</s>", "<|endoftext|>", "<|assistant|>", "<|system|>", "<|end|>", "<|user|>"],
      "<s>",
      "<|endoftext|>",
      true,
    ),
  },
  "Phi 4": {
    model: "phi4:14b",
    tokenizer: bpe("dbrx", [...chatml, "<|im_sep|>"], "<|endoftext|>", "<|im_end|>", false),
  },
  "DeepSeek-R1 distilled": {
    model: "deepseek-r1:8b",
    tokenizer: {
      ...bpe(
        "deepseek-r1-qwen",
        ["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"],
        "<｜begin▁of▁sentence｜>",
        "<｜end▁of▁sentence｜>",
        true,
      ),
      added: ["<think>", "</think>"],
    },
  },
  "Granite 3.3": {
    model: "granite3.3:2b",
    tokenizer: bpe(
      "refact",
      ["<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>"],
      "<|end_of_text|>",
      "<|end_of_text|>",
      false,
    ),
  },
}
