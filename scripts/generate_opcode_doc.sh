#!/usr/bin/env bash
# Writes docs/opcodes.md from the decoder's corpus, the executor's lowering and the kernel proofs (needs NVRTC).
# usage: generate_opcode_doc.sh BUILD_DIR
set -euo pipefail
if [ $# -ne 1 ]; then
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
fi
build=$1
home=$(cd "$(dirname "$0")/.." && pwd)
cmake --build "$build" --target opcode_doc_generator
"$build/opcode_doc_generator" >"$home/docs/opcodes.md.new"
mv "$home/docs/opcodes.md.new" "$home/docs/opcodes.md"
