"""Renders published chat templates with Python's jinja2, set up as the transformers library sets it up: the outside truth of `published.test.ts`.

    python test/chat/render.py > test/chat/published.json

The templates are those that come with @huggingface/ollama-utils, of models as their GGUF files have them. Of the named families the whole text is kept,
of the others its sha256.
"""
import ast, datetime, hashlib, json, pathlib, re, sys
import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent / "node_modules/@huggingface/ollama-utils/src/chat-template-automap.ts"
WHOLE = json.loads((HERE / "families.json").read_text())
DAY = datetime.datetime(2024, 7, 26)  # `fixedDay` of runtime/chat/template.ts

USER, ASSISTANT, AGAIN, SYSTEM = "Which is a bird?\nA. robin\nB. oak", "Answer: A", "Are you <sure>?", "Be brief."


def turn(role, content):
    return {"role": role, "content": content}


CASES = {
    "one": [turn("user", USER)],
    "two": [turn("user", USER), turn("assistant", ASSISTANT), turn("user", AGAIN)],
    "system": [turn("system", SYSTEM), turn("user", USER)],
    "system two": [turn("system", SYSTEM), turn("user", USER), turn("assistant", ASSISTANT), turn("user", AGAIN)],
    "padded": [turn("user", f"  {USER}\n"), turn("assistant", f"\n{ASSISTANT} "), turn("user", f"{AGAIN}\n\n")],
    "thought": [turn("user", USER), turn("assistant", f"<think>\nHm.\n</think>\n\n{ASSISTANT}"), turn("user", AGAIN)],
}


def templates():
    found = {}
    model = None
    for line in SOURCE.read_text().splitlines():
        if m := re.match(r'\s*model: "library/(.*)",$', line):
            model = m[1]
        elif m := re.match(r"\s*gguf: (['\"].*['\"]),$", line):
            found.setdefault(model, ast.literal_eval(m[1]))
    return found


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


class Generation(Extension):
    """`{% generation %}` marks what a model writes, for training; it says nothing."""

    tags = {"generation"}

    def parse(self, parser):
        next(parser.stream)
        return parser.parse_statements(["name:endgeneration"], drop_needle=True)


environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, Generation])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = DAY.strftime


def rendered(template, messages, **further):
    try:
        return environment.from_string(template).render(
            messages=messages, tools=None, documents=None, add_generation_prompt=True, bos_token="<bos>", eos_token="<eos>", **further
        )
    except Exception as error:  # Whatever it is, the template does not say this conversation.
        return {"refused": type(error).__name__}


def kept(model, text):
    if isinstance(text, dict) or model in WHOLE:
        return text
    return {"sha256": hashlib.sha256(text.encode()).hexdigest()}


out = {}
for model, template in templates().items():
    out[model] = {name: kept(model, rendered(template, messages)) for name, messages in CASES.items()}
    if "enable_thinking" in template:
        out[model]["no thinking"] = kept(model, rendered(template, CASES["one"], enable_thinking=False))
json.dump({"cases": CASES, "rendered": out}, sys.stdout, ensure_ascii=False, indent=1)
print()
