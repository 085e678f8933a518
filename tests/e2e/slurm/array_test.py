#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A search as a real Slurm job array: warned, requeued, killed, and nothing lost.

usage: array_test.py COULOMB SOURCE_DIR; exit code 77: skipped, with the reason."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from cluster import Cluster, missing, until

BUDGET = 40
SKIPPED = 77


def small_kernel(source, directory):
    """saxpy over so few elements that all SMs are simulated in a fraction of a second."""
    spec = json.loads((source / "kernels/saxpy/saxpy.json").read_text())
    spec["KernelSpecification"]["ProblemSize"] = [1 << 19]
    (directory / "small.json").write_text(json.dumps(spec))
    (directory / "saxpy.cu").write_text((source / "kernels/saxpy/saxpy.cu").read_text())
    return directory / "small.json"


class ArraySearch:
    def __init__(self, cluster, coulomb, source, work):
        self.cluster, self.coulomb, self.dir = cluster, coulomb, work / "search"
        spec = small_kernel(source, work)
        environment = {"COULOMB": str(coulomb), "COULOMB_CACHE": str(work / "kernel_cache")}
        self.array = cluster.submit("--array=0-1", f"--chdir={work}", str(source / "scripts/slurm/search.sbatch"),
                                    str(self.dir), str(spec), "--gpu", "a100-pcie-40gb", "--budget", str(BUDGET),
                                    "--seed", "3", "--chip", env=environment)
        self.log = lambda task: (work / f"coulomb-search-{self.array}_{task}.log")

    def job(self, task):
        """Of one task alone: the JobId of the last one is that of the whole array, too."""
        return f"{self.array}_{task}"

    def status(self):
        done = subprocess.run([self.coulomb, "search", "status", self.dir, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else {"islands": []}

    def island(self, task):
        return next((i for i in self.status()["islands"] if i["island"] == task), {"evaluations": 0})

    def records(self, task):
        """Evaluations of an island by id, without what is summed up at the end."""
        done = subprocess.run([self.coulomb, "search", "export", self.dir / f"island-{task}", "--format", "json"],
                              capture_output=True, text=True, check=True)
        return {e["id"]: (e["configuration"], e["status"], e.get("time_ms"), e["finished"])
                for e in json.loads(done.stdout)["evaluations"]}

    def tell(self):
        print(subprocess.run([self.coulomb, "search", "status", self.dir], capture_output=True, text=True).stdout)
        for log in sorted(self.dir.parent.glob("*.log")):
            print(f"--- {log.name}\n{log.read_text()}")

    def tell_slurm(self):
        """What somebody needs who was not there."""
        print(self.cluster.run("scontrol", "show", "job", "-o", check=False))
        print((self.cluster.dir / "slurmctld.log").read_text())
        print((self.cluster.dir / "slurmd.log").read_text())

    def wait_for_evaluations(self, task, count):
        until(lambda: self.island(task)["evaluations"] >= count, 20, f"{count} evaluations of island {task}")

    def pid(self, task):
        return until(lambda: self.island(task).get("pid"), 20, f"the heartbeat of island {task}")


def assert_kept(before, after):
    assert before, "nothing was evaluated yet"
    for number, record in before.items():
        assert after[number] == record, f"evaluation {number}: {after.get(number)} was {record}"


def one_is_warned_and_one_is_killed(search):
    """What --signal=B:USR1@60 does a minute before the time limit; and what a node's memory killer does."""
    for task in (0, 1):
        search.wait_for_evaluations(task, 3)
    search.cluster.run("scancel", "--batch", "--signal=USR1", search.job(0))
    os.kill(search.pid(1), signal.SIGKILL)
    until(lambda: "stopping; what is evaluated is saved" in search.log(0).read_text(), 30, "the notice")
    until(lambda: search.cluster.state(search.job(0)) == "PENDING", 30, "the warned task to requeue itself")
    until(lambda: search.cluster.state(search.job(1)) == "FAILED", 30, "the killed task to fail")
    assert search.island(0)["state"] == "stopped by signal", search.island(0)
    assert search.island(1)["state"] == "killed", search.island(1)


def the_warned_goes_on_and_is_requeued_as_by_preemption(search):
    """SIGTERM to all processes of the job."""
    before = search.records(0)
    search.cluster.start_now(search.job(0))
    search.wait_for_evaluations(0, len(before) + 1)
    search.cluster.run("scontrol", "requeue", search.job(0))
    until(lambda: search.cluster.state(search.job(0)) == "PENDING", 30, "the task to be requeued")
    until(lambda: search.island(0)["state"] == "stopped by signal", 30, "the task to save what it has")
    assert_kept(before, search.records(0))


def both_finish_with_what_they_had(search):
    before = [search.records(task) for task in (0, 1)]
    search.cluster.run("scontrol", "requeue", search.job(1))
    search.cluster.start_now(search.job(0), search.job(1))
    for task in (0, 1):
        until(lambda: search.cluster.state(search.job(task)) == "COMPLETED", 60, f"island {task} to finish")
        assert_kept(before[task], search.records(task))


def union_is_complete(search):
    status = search.status()
    assert [i["evaluations"] for i in status["islands"]] == [BUDGET // 2] * 2, status["islands"]
    assert status["stopped_by"] == "budget", status["stopped_by"]
    configurations = {json.dumps(r[0], sort_keys=True) for t in (0, 1) for r in search.records(t).values()}
    assert status["unique"] == len(configurations), (status["unique"], len(configurations))


def main(coulomb, source):
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="coulomb-slurm-") as name:
        with Cluster(name) as cluster:
            work = pathlib.Path(name) / "work"
            work.mkdir()
            search = ArraySearch(cluster, coulomb, source, work)
            try:
                for step in (one_is_warned_and_one_is_killed, the_warned_goes_on_and_is_requeued_as_by_preemption,
                             both_finish_with_what_they_had, union_is_complete):
                    step(search)
                    print(f"ok   {step.__name__}", flush=True)
            except BaseException:
                search.tell_slurm()
                raise
            finally:
                search.tell()
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
