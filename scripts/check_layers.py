#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every #include "..." follows the architecture's arrows (docs/design.md)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = ["base"]
ALLOWED = {
    "base": [],
    "base/config": BASE,
    "base/kernel": BASE + ["base/config"],
    "base/eval": BASE + ["base/kernel", "base/config"],
    "base/results": BASE + ["base/kernel", "base/config", "base/eval"],
    "base/results/html": BASE,
    "kernels": BASE + ["base/kernel"],
    "sim/isa": BASE,
    "sim/functional": BASE + ["base/kernel", "sim/isa"],
    "sim/sanitizer": BASE + ["base/eval", "sim/isa", "sim/functional"],
    "sim/timing": BASE + ["base/config", "sim/isa", "sim/functional"],
    "sim/power": BASE + ["base/config"],
    "sim/systemc": BASE + ["base/config", "sim/isa", "sim/functional", "sim/timing"],
    "sim/worker": BASE + ["base/config", "base/kernel", "base/eval", "kernels", "sim/isa", "sim/functional",
                          "sim/sanitizer", "sim/timing", "sim/power", "sim/systemc"],
    "hw/replay": BASE + ["base/kernel", "base/eval", "base/results", "hw/device"],
    "hw/loader": BASE,
    "hw/toolchain": BASE + ["base/kernel", "base/eval", "hw/loader"],
    "hw/cuda": BASE + ["base/eval", "hw/loader"],
    "hw/nvml": BASE + ["base/eval", "hw/loader"],
    "hw/device": BASE + ["base/kernel", "base/eval", "base/results", "kernels", "hw/loader", "hw/cuda", "hw/nvml",
                          "hw/cupti", "hw/toolchain"],
    "hw/device_worker": BASE + ["base/kernel", "base/eval", "hw/device", "hw/cuda"],
    "hw/cupti": BASE + ["hw/loader"],
    "hw/collectors": BASE + ["base/config"],
    "hw/ncu": BASE + ["base/kernel", "base/eval", "base/results"],
    "hw/worker": BASE + ["base/eval", "hw/toolchain"],
    "search": BASE + ["base/config", "base/kernel", "base/eval", "base/results", "base/results/html", "sim/power",
               "hw/replay"],
    "calibration": BASE + ["base/config", "base/kernel", "base/eval", "base/results", "base/results/html", "sim/isa", "sim/power",
                           "search", "hw/collectors"],
    "cli": None,  # the top: may use everything below
    "tests": None,
}
# Headers that only one folder may include (style: each heavy library has one owner).
LIBRARY_OWNERS = {
    r"<systemc": ("sim/systemc/",),
    r"<tlm": ("sim/systemc/",),
    r"<toml": ("base/config/toml_file.cpp", "base/results/silicon_metadata.cpp"),
    r"<hdf5": ("base/results/",),
    r"<eigen3|<Eigen": ("search/surrogate/", "calibration/gap/"),
    r"<cupti|<nvperf": ("hw/cupti/",),
    r"<nvrtc|<cuda|<nvml": (),
}


def folder_of(path):
    best = ""
    for folder in ALLOWED:
        if (path == folder or path.startswith(folder + "/")) and len(folder) > len(best):
            best = folder
    return best


def main():
    problems = []
    files = [p for d in ("base", "sim", "search", "hw", "calibration", "kernels", "cli", "tests")
             for p in (ROOT / d).rglob("*") if p.suffix in (".hpp", ".cpp", ".inc")]
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        own = folder_of(name)
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if not match:
                continue
            kind, target = match.groups()
            if kind == '"' and "/" in target and ALLOWED.get(own) is not None:
                other = folder_of(target)
                if other and other != own and other not in ALLOWED[own]:
                    problems.append(f"{name}:{number}: {own} may not include {target} (folder {other})")
            if kind == "<" and not name.startswith("tests/"):
                for pattern, owners in LIBRARY_OWNERS.items():
                    if re.match(pattern, "<" + target) and not any(name.startswith(o) for o in owners):
                        problems.append(f"{name}:{number}: <{target}> belongs to {', '.join(owners) or 'nobody'}")
    for p in problems:
        print(p)
    print(f"{len(files)} files, {len(problems)} include problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
