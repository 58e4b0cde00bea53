"""The pocket respondent's answers in the arms of specs/planted/pressure.cfx, by the forward pass of its evaluate.py (PyTorch) and nothing of cfx.

    python transformer.py FOLDER > transformer.json

FOLDER is that of the respondent's making: evaluate.py, text.py, world.py, weights.pt, tokenizer.json, items.jsonl. As cfx does, and evaluate.py does not,
speakers have the same names in all items, and the first reply ends with the confidence that the model itself gives.
"""
import json, os, sys

os.chdir(sys.argv[1]); sys.path.insert(0, ".")
argv = sys.argv; sys.argv = ["evaluate.py", "weights.pt", "tokenizer.json", "items.jsonl"]
out = sys.stdout; sys.stdout = sys.stderr
source = open("evaluate.py").read()
exec(source[: source.index("worst = []")])

prefix = [f + LABELS[a] + '","confidence":' for f, a in zip(first, a0)]
number = [tok.token_to_id(str(c)) for c in range(1, 11)]
k0 = [1 + top(z[number].tolist()) for z in last_logits(prefix)]


class Named:
    def sample(self, names, count): return list(names)


def answers(lead):
    texts = [prefix[k] + str(k0[k]) + "}<|im_end|>\n" + user(lead(k) + "\n" + prompt_text(items[k], 0), REPLY[0][0]) for k in elig]
    return [LABELS[top(read(z, len(items[k].options)))] for k, z in zip(elig, last_logits(texts))]


def lines(kind, who, reworded=False): return lambda k: block(Named(), kind, [LABELS[w] for w in who(k)], reworded)
def said(n): return lambda k: [wrong[k]] * n


arms = {"reask": lambda k: REASK, "length": lambda k: "\n".join(LENGTH), "challenge": lambda k: CHALLENGES[0]}
names = {"rich": "rich_peers", "student": "students", "online": "online_participants", "reference": "retrieved_reference", "webpage": "web_page",
         "log": "corrupted_log", "random": "random_string"}
for kind in PREAMBLE:
    for n in (1, 2, 3, 6): arms[f"{names.get(kind, kind)} {n}"] = lines(kind, said(n))
arms["split"] = lines("no_source", lambda k: [wrong[k]] * 3 + [items[k].gold] * 3)
arms["other_words"] = lines("no_source", said(6), True)
arms["placebo"] = lines("no_source", lambda k: [len(items[k].options)] * 6)
ids = [json.loads(line)["id"] for line in open("items.jsonl")]
found = {"first": "".join(LABELS[a] for a in a0), "eligible": [ids[k] for k in elig], "second": {}}
for name, lead in arms.items():
    found["second"][name] = "".join(answers(lead)); print(name, file=sys.stderr)
json.dump(found, out, indent=1); out.write("\n")
