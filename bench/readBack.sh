#!/bin/sh
# Reads what `cfx export` writes with pandas, pyarrow and Inspect, and holds it to trials.csv:
#   bench/readBack.sh RUN
# RUN is a run directory. Makes a virtual environment in CFX_BENCH_READ_BACK (default: read-back in the folder of temporary files), with pandas, pyarrow and,
# where the package index has it, inspect-ai; it stays there. PYTHON: which one (default python3).
set -eu

[ $# -eq 1 ] || { echo "usage: bench/readBack.sh RUN" >&2; exit 2; }
place=${CFX_BENCH_READ_BACK:-${TMPDIR:-/tmp}/read-back}
here=$(cd "$(dirname "$0")/.." && pwd)
python=$place/venv/bin/python

if ! { [ -x "$python" ] && "$python" -c 'import pandas, pyarrow' 2>/dev/null; }; then
  echo "installing pandas and pyarrow into $place" >&2
  mkdir -p "$place"
  "${PYTHON:-python3}" -m venv "$place/venv" || { echo "no virtual environment: install Python's venv module" >&2; exit 3; }
  "$python" -m pip install --quiet --progress-bar off pandas pyarrow >&2 ||
    { echo "pandas and pyarrow cannot be installed: pip's words are above" >&2; exit 3; }
  "$python" -m pip install --quiet --progress-bar off inspect-ai >&2 || echo "inspect-ai cannot be installed: its logs are read as JSON alone" >&2
fi

for form in csv parquet arrow inspect; do node "$here/dist/cfx.js" export "$1" --to "$form" >/dev/null; done
exec "$python" "$here/bench/readBack.py" "$1"
