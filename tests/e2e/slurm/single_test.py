#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A what-if study and a validation as real Slurm jobs: warned, they requeue themselves and do only what is left.

usage: single_test.py COULOMB SOURCE_DIR; exit code 77: skipped, with the reason."""
import json
import pathlib
import sys
import tempfile

from cluster import Cluster, missing, until

SKIPPED = 77
STUDY = """
gpu = "a100-pcie-40gb"
budget = 12
[limits]
area_mm2 = 850
[genes]
"sm.l1.size" = ["192 KiB", "256 KiB"]
"l2.slice_size" = ["256 KiB", "512 KiB", "1 MiB"]
"sm_clock_mhz" = [1050, 1410]
[[kernel]]
spec = "small.json"
"""
TABLE = "elementwise/elementwise_A100-PCIE-40GB"


def predictions(directory):
    return {path: path.stat().st_mtime_ns for path in directory.glob("predictions/*/*/*") if path.is_file()}


def warn_and_start_again(cluster, job, started):
    """Returns once the job is done."""
    until(started, 60, "something that is finished")
    cluster.run("scancel", "--batch", "--signal=USR1", job)
    until(lambda: cluster.state(job) == "PENDING", 60, f"job {job} to requeue itself")
    assert cluster.field(job, "Restarts") == "1", cluster.field(job, "Restarts")
    yield
    cluster.start_now(job)
    until(lambda: cluster.state(job) == "COMPLETED", 120, f"job {job} to finish")


def study_goes_on(cluster, source, work, environment):
    spec = json.loads((source / "kernels/saxpy/saxpy.json").read_text())
    spec["KernelSpecification"]["ProblemSize"] = [1 << 22]
    (work / "small.json").write_text(json.dumps(spec))
    (work / "saxpy.cu").write_text((source / "kernels/saxpy/saxpy.cu").read_text())
    (work / "study.toml").write_text(STUDY)
    job = cluster.submit(f"--chdir={work}", str(source / "scripts/slurm/whatif.sbatch"), "study", "study.toml",
                         "--sms", "27", env=environment)
    kept = {}
    for _ in warn_and_start_again(cluster, job, lambda: len(predictions(work / "study")) >= 3):
        kept = predictions(work / "study")
        assert not (work / "study/whatif.json").exists(), "it had come to its end"
    after = predictions(work / "study")
    assert all(after[path] == written for path, written in kept.items()), "a design was simulated again"
    assert json.loads((work / "study/whatif.json").read_text())["evaluations"] == 12


def validation_goes_on(cluster, source, work, environment):
    job = cluster.submit(f"--chdir={work}", str(source / "scripts/slurm/validate.sbatch"), "validation", TABLE,
                         "--sample", "30", env=environment)
    kept = {}
    for _ in warn_and_start_again(cluster, job, lambda: len(predictions(work / "validation")) >= 3):
        kept = predictions(work / "validation")
        assert json.loads((work / "validation/report.json").read_text())["interrupted"] is True
    after = predictions(work / "validation")
    assert len(after) > len(kept)
    assert all(after[path] == written for path, written in kept.items()), "a row was simulated again"
    report = json.loads((work / "validation/report.json").read_text())
    assert not report.get("interrupted") and report["finished_rows"] == report["drawn_rows"], report


def main(coulomb, source):
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="coulomb-slurm-") as name:
        with Cluster(name) as cluster:
            work = pathlib.Path(name) / "work"
            work.mkdir()
            environment = {"COULOMB": str(coulomb), "COULOMB_CACHE": str(work / "kernel_cache")}
            try:
                for step in (study_goes_on, validation_goes_on):
                    step(cluster, source, work, environment)
                    print(f"ok   {step.__name__}", flush=True)
            finally:
                for log in sorted(work.glob("*.log")):
                    print(f"--- {log.name}\n{log.read_text()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
