# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node on this machine, in a directory of its own: munged, slurmctld and slurmd, no systemd, no cgroups."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")

SLURM_CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={daemon_port}
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} Boards=1 SocketsPerBoard=1 CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory=1000 State=UNKNOWN
PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE OverSubscribe=FORCE:2
"""


def missing():
    """Why no cluster can be started here; empty: one can."""
    if os.geteuid() != 0:
        return "Slurm's daemons need root here"
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"not installed: {', '.join(absent)} (scripts/setup installs them)" if absent else ""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, seconds, what):
    """Waits until `condition` holds and returns its value; AssertionError after so many seconds."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"{what}: not after {seconds} s"
        time.sleep(0.1)
    return value


class Cluster:
    """Used as a context: whatever happens, its daemons end with it."""

    def __init__(self, directory):
        self.dir = pathlib.Path(directory)
        self.daemons = []
        self.env = {**os.environ, "SLURM_CONF": str(self.dir / "slurm.conf")}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def daemon(self, *command):
        log = open(self.dir / f"{command[0]}.out", "wb")
        self.daemons.append(subprocess.Popen(command, env=self.env, stdout=log, stderr=log))

    def start(self):
        os.chmod(self.dir, 0o755)
        for name in ("state", "spool"):
            (self.dir / name).mkdir()
        key = self.dir / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.host = socket.gethostname().split(".")[0]
        (self.dir / "slurm.conf").write_text(SLURM_CONF.format(
            dir=self.dir, host=self.host, controller_port=free_port(), daemon_port=free_port(),
            cpus=min(2, os.cpu_count())))
        self.daemon("munged", "--foreground", "--force", f"--socket={self.dir}/munge.socket", f"--key-file={key}",
                    f"--pid-file={self.dir}/munged.pid", f"--log-file={self.dir}/munged.log",
                    f"--seed-file={self.dir}/munged.seed")
        until(lambda: (self.dir / "munge.socket").exists(), 10, "munged")
        self.daemon("slurmctld", "-D", "-f", self.env["SLURM_CONF"])
        self.daemon("slurmd", "-D", "-f", self.env["SLURM_CONF"], "-N", self.host)
        until(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False), 30, "an idle node")

    def stop(self):
        if (self.dir / "slurm.conf").exists():
            self.run("scancel", "--full", "--signal=KILL", "-u", "root", check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def run(self, *command, check=True, env=None):
        done = subprocess.run(command, env={**self.env, **(env or {})}, capture_output=True, text=True, timeout=60)
        assert not check or done.returncode == 0, f"{command}: {done.returncode}: {done.stderr}"
        return done.stdout

    def submit(self, *arguments, env=None):
        """Job number."""
        return self.run("sbatch", "--parsable", *arguments, env=env).strip().split(";")[0]

    def state(self, job):
        """RUNNING, PENDING, COMPLETED, ...; empty if Slurm has forgotten the job."""
        return self.field(job, "JobState")

    def field(self, job, name):
        for word in self.run("scontrol", "show", "job", job, "-o", check=False).split():
            key, _, value = word.partition("=")
            if key == name:
                return value
        return ""

    def start_now(self, *jobs):
        """Requeued jobs wait two minutes; not these. Credentials are revoked by the second: a job that starts in the one in
        which it was requeued fails."""
        for job in jobs:
            until(lambda: self.state(job) == "PENDING", 60, f"job {job} to be requeued")
        time.sleep(2)
        for job in jobs:
            self.run("scontrol", "update", f"JobId={job}", "StartTime=now")
        for job in jobs:
            until(lambda: self.state(job) != "PENDING", 60, f"job {job} to start again")
