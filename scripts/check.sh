#!/usr/bin/env bash
# The gate: format, layers, shell scripts, README, build with warnings as errors, tests. --fast skips build and tests.
set -euo pipefail
cd "$(dirname "$0")/.."
run() {
  echo "+ $*"
  "$@"
}
mapfile -t sources < <(git ls-files '*.cpp' '*.hpp')
run clang-format --dry-run --Werror "${sources[@]}"
run python3 scripts/check_layers.py
run python3 scripts/check_complaints.py
run shellcheck scripts/setup scripts/test scripts/quickstart scripts/bench scripts/check.sh scripts/hw_check scripts/generate_opcode_doc.sh scripts/slurm/*.sbatch .ci/run
run python3 scripts/check_readme.py
if [ "${1:-}" != --fast ]; then
  CI=true run scripts/test
fi
