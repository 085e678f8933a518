#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what README.md claims: every path and every `coulomb` command line it shows exists."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = ROOT / "build/release/coulomb"


def main():
    text = (ROOT / "README.md").read_text()
    problems = []
    for path in re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(r"`((?:scripts|docs|configs|kernels|data)/[\w./-]+)`",
                                                                 text):
        if not (ROOT / path).exists():
            problems.append(f"README.md names {path}, which is not there")
    commands = set(re.findall(r"coulomb ([a-z]+)\b", " ".join(re.findall(r"```[a-z]*\n(.*?)```", text, re.S))))
    if BINARY.exists():
        known = subprocess.run([BINARY, "--help"], capture_output=True, text=True, check=True).stdout
        for command in sorted(commands):
            if not re.search(rf"\b{command}\s{{2,}}", known, re.M):
                problems.append(f"README.md uses `coulomb {command}`, which --help does not list")
    words = len(re.sub(r"```.*?```", "", text, flags=re.S).split())
    if words > 1200:
        problems.append(f"README.md has {words} words; keep it under 1200")
    for p in problems:
        print(p)
    print(f"README.md: {words} words, {len(commands)} commands, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
