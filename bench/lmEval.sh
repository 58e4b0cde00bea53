#!/bin/sh
# Compares option reads with lm-eval's on the same cores:
#   bench/lmEval.sh [--items N] [--rounds N] [--model FILE.gguf]
# Makes a virtual environment with lm-eval 0.4.13 and PyTorch for processors in CFX_BENCH_LM_EVAL (default: lm-eval in the folder of temporary files), which
# stays there with the files of weights that are made. Takes Python 3.10 or newer, 2 GB of disk, and some minutes the first time. PYTHON: which one (default
# python3); TORCH: what pip is asked for (default torch==2.13.0+cpu,
# then torch, which may bring GPU libraries of several GB).
set -eu

place=${CFX_BENCH_LM_EVAL:-${TMPDIR:-/tmp}/lm-eval}
here=$(cd "$(dirname "$0")/.." && pwd)
python=$place/venv/bin/python

works() { "$python" -c 'import lm_eval, torch, transformers, gguf' 2>/dev/null; }

if ! { [ -x "$python" ] && works; }; then
  echo "installing lm-eval 0.4.13 into $place" >&2
  mkdir -p "$place"
  "${PYTHON:-python3}" -m venv "$place/venv" || { echo "no virtual environment: install Python's venv module" >&2; exit 3; }
  pip() { "$python" -m pip install --quiet --progress-bar off "$@" >&2; }
  pip "${TORCH:-torch==2.13.0+cpu}" || pip torch ||
    { echo "PyTorch cannot be installed: the package index serves no wheel for this Python and processor" >&2; exit 3; }
  # Later versions of transformers read other GGUF files, and other tokenizers from them.
  pip 'lm-eval==0.4.13' 'transformers==4.57.6' accelerate 'gguf==0.19.0' ||
    { echo "lm-eval 0.4.13 or what it needs cannot be installed: pip's words are above" >&2; exit 3; }
  works || { echo "lm-eval is installed and does not start:" >&2; "$python" -c 'import lm_eval, torch, transformers, gguf'; exit 3; }
fi

cd "$here"
node node_modules/rolldown/bin/cli.mjs --config bench/rolldown.config.ts --logLevel silent
exec node dist/bench/lmEval.js --python "$python" --folder "$place/weights" "$@"
