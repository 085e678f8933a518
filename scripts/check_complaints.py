#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every test that docs/complaints.md names exists, and that no complaint is without one."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPLAINTS = 20


def main():
    known = set()
    for file in (ROOT / "tests").rglob("*.cpp"):
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", file.read_text(), re.M):
            known.add(f"{suite}.{name}")
    problems, numbers = [], []
    for line in (ROOT / "docs" / "complaints.md").read_text().splitlines():
        row = re.match(r"\| (\d+) \|", line)
        if not row:
            continue
        numbers.append(int(row.group(1)))
        tests = re.findall(r"`(\w+\.\w+)`", line.rsplit("|", 2)[1])
        problems += [f"complaint {row.group(1)}: no test"] if not tests else []
        problems += [f"complaint {row.group(1)}: there is no test {t}" for t in tests if t not in known]
    if numbers != list(range(1, COMPLAINTS + 1)):
        problems.append(f"docs/complaints.md has the complaints {numbers}, not 1 to {COMPLAINTS}")
    print("\n".join(problems + [f"{len(numbers)} complaints, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
