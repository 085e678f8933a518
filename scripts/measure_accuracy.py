#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates the simulator against recorded silicon and writes data/accuracy/errors.csv from it.

usage: scripts/measure_accuracy.py [--coulomb BINARY] [--only NAME ...] [--convert]

Runs every validation of VALIDATIONS, keeps its report in docs/results, and makes of all reports the
table from which `coulomb run` states the expected error (docs/accuracy.md). --convert runs nothing:
it makes the table from the reports that are there.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
TABLE = ROOT / "data" / "accuracy" / "errors.csv"
COLUMNS = ("spec", "gpu", "architecture", "row", "limiter", "utilization", "local_memory", "error")

# Report: arguments of `coulomb validate`. Every board and kernel with trustworthy clocks.
VALIDATIONS = {
    "validate-convolution-a100-pcie-40gb": "--silicon convolution/convolution_A100-PCIE-40GB --sample 100",
    "validate-convolution_bat-rtx-3090": "--silicon bat_convolution/bat_convolution_RTX-3090 --sample 100 "
                                         "--compile-timeout 300",
    "validate-sgemm-rtx-3090": "--silicon bat_gemm/bat_gemm_RTX-3090_half --sample 100",
    "validate-dedispersion-a100-pcie-40gb": "--silicon dedispersion/dedispersion_A100-PCIE-40GB --sample 100",
    "validate-elementwise-a100-pcie-40gb": "--silicon elementwise/elementwise_A100-PCIE-40GB --sample 60",
}


def validate(coulomb, name):
    """Runs one validation and leaves its report in docs/results."""
    command = [coulomb, "validate", *VALIDATIONS[name].split(), "--seed", "1", "--out", f"docs/results/{name}.json"]
    print("+", " ".join(command), flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


def errors_of(name):
    """Lines of the table: one for each row of a report that silicon and the simulator both timed."""
    path = RESULTS / f"{name}.json"
    report = json.loads(path.read_text()) if path.exists() else {}
    if "architecture" not in report:  # reports from before rows had a character lack it
        print(f"left out: {path.relative_to(ROOT)} {'is too old' if report else 'is missing'}; "
              f"measure it: scripts/measure_accuracy.py --only {name}", file=sys.stderr)
        return []
    lines = []
    for row in report["rows"]:
        if row["error"] is not None:
            character = row["character"]
            lines.append((report["spec"], report["gpu"], report["architecture"], row["row"], character["limiter"],
                          f"{character['utilization']:.3f}", int(character["local_memory"]), f"{row['error']:.4f}"))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coulomb", default=str(ROOT / "build" / "release" / "coulomb"), help="the binary to measure")
    parser.add_argument("--only", nargs="+", choices=sorted(VALIDATIONS), default=list(VALIDATIONS), metavar="NAME",
                        help="validations to run: " + ", ".join(VALIDATIONS))
    parser.add_argument("--convert", action="store_true", help="run none")
    options = parser.parse_args()
    for name in [] if options.convert else options.only:
        validate(str(pathlib.Path(options.coulomb).resolve()), name)
    lines = [line for name in VALIDATIONS for line in errors_of(name)]
    TABLE.parent.mkdir(exist_ok=True)
    with TABLE.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(lines)
    print(f"{TABLE.relative_to(ROOT)}: {len(lines)} measured configurations")


if __name__ == "__main__":
    main()
