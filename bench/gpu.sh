#!/bin/sh
# Exactness, throughput and memory of a model's file on a GPU, in less than eight minutes:
#   bench/gpu.sh MODEL.gguf [--gpu auto|cuda|vulkan|metal|none] [--items N]
# Installs what is missing by npm. For cuda: an NVIDIA GPU, its driver, and the CUDA runtime that node-llama-cpp's binary asks for. `--gpu none` runs the same on a
# processor, to try the script out. SmolLM2 or any instruction-tuned model of up to some billion weights will do.
set -eu

[ $# -ge 1 ] || { echo "usage: bench/gpu.sh MODEL.gguf [--gpu auto|cuda|vulkan|metal|none] [--items N]" >&2; exit 2; }
case $1 in
  /*) model=$1 ;;
  *) model=$PWD/$1 ;;
esac
shift
[ -f "$model" ] || { echo "no such file: $model" >&2; exit 3; }
cd "$(dirname "$0")/.."

command -v node >/dev/null || { echo "install Node 20.19 or newer" >&2; exit 3; }
[ -d node_modules/node-llama-cpp ] || npm ci >&2 || { echo "npm ci failed: its words are above" >&2; exit 3; }
if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
else
  echo "nvidia-smi is not there: no NVIDIA GPU, or no driver"
fi
node node_modules/rolldown/bin/cli.mjs --config bench/rolldown.config.ts --logLevel silent >/dev/null
exec node dist/bench/gpu.js "$model" "$@"
