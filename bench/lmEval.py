"""lm-eval's side of `lmEval.ts`: started by it, in the virtual environment that `lmEval.sh` makes.

quantise FROM.gguf TO.gguf Q8_0|Q4_0   writes the weights of a file in single precision in another type
serve MODEL.gguf                       answers one JSON object a line on standard input with one on standard output
"""

import json
import os
import sys
import time


def quantise(source, target, kind):
    import gguf
    from gguf.constants import GGMLQuantizationType, GGUFValueType
    from gguf.quants import quantize

    kind = GGMLQuantizationType[kind]
    reader = gguf.GGUFReader(source)
    architecture = reader.get_field("general.architecture").contents()
    writer = gguf.GGUFWriter(target, architecture)
    for field in reader.fields.values():
        # The writer has a head of its own.
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", "general.file_type"):
            continue
        value_type = field.types[0]
        sub_type = field.types[-1] if value_type == GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), value_type, sub_type=sub_type)
    for tensor in reader.tensors:
        # `data` has the rows first; norms stay as they are, as in llama.cpp.
        if len(tensor.data.shape) > 1 and tensor.data.shape[-1] % 32 == 0:
            writer.add_tensor(tensor.name, quantize(tensor.data, kind), raw_dtype=kind)
        else:
            writer.add_tensor(tensor.name, tensor.data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Answers:
    def __init__(self, model):
        import torch
        from lm_eval.models.huggingface import HFLM

        torch.set_num_threads(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())
        started = time.perf_counter()
        folder, name = os.path.split(model)
        self.lm = HFLM(pretrained=folder, gguf_file=name, dtype="float32", device="cpu", batch_size=1, max_length=4096)
        self.opening = time.perf_counter() - started
        self.threads = torch.get_num_threads()
        self.prompts = []
        self.batch = 1

    def hold(self, prompts):
        """Prompts are {tokens, labels}: ids of a whole prompt, and those of each label after it."""
        self.prompts = prompts
        return {"prompts": len(prompts), "opening": self.opening, "threads": self.threads}

    def choose(self, sizes, few):
        """The batch size that is fastest on some of the prompts, spread over all of them."""
        some = self.prompts[:: max(1, len(self.prompts) // few)][:few]
        times = {}
        for size in sizes:
            self.read(some[:size], size)
            times[size] = self.read(some, size)["seconds"]
        self.batch = min(times, key=times.get)
        return {"batch": self.batch, "seconds": times}

    def read(self, prompts=None, batch=None):
        """Log-likelihoods of all labels of all prompts, as lm-eval's own tasks ask for them."""
        prompts = self.prompts if prompts is None else prompts
        # What stands for the texts only tells requests apart.
        requests = [
            ((str(at), str(label)), prompt["tokens"], label)
            for at, prompt in enumerate(prompts)
            for label in prompt["labels"]
        ]
        started = time.perf_counter()
        found = self.lm._loglikelihood_tokens(requests, disable_tqdm=True, override_bs=batch or self.batch)
        seconds = time.perf_counter() - started
        values = iter(value for value, _ in found)
        return {"seconds": seconds, "loglikelihoods": [[next(values) for _ in prompt["labels"]] for prompt in prompts]}


def serve(model):
    # Libraries print, too: answers go where nothing else goes.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    answers = Answers(model)
    for line in sys.stdin:
        asked = json.loads(line)
        if "hold" in asked:
            said = answers.hold(asked["hold"])
        elif "choose" in asked:
            said = answers.choose(asked["choose"], asked["few"])
        else:
            said = answers.read()
        out.write(json.dumps(said) + "\n")
        out.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["quantise"] and len(sys.argv) == 5:
        quantise(*sys.argv[2:])
    elif sys.argv[1:2] == ["serve"] and len(sys.argv) == 3:
        serve(sys.argv[2])
    else:
        sys.exit(__doc__)
