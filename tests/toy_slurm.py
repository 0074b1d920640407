"""A Slurm of one node, started and stopped by hand: what a test of the Slurm profile needs and no more."""

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

CONFIG = Path("/etc/slurm/slurm.conf")  # jobs look nowhere else: the executor drops SLURM_CONF inside them
PREFIX = "nonconvex-slurm-"
CORES = 12  # said to Slurm, whatever the machine has
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo", "setpriv")

TEXT = """
ClusterName=toy
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={base}/munge.socket
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={node}
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd.pid
SlurmctldLogFile={base}/slurmctld.log
SlurmdLogFile={base}/slurmd.log
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=2,defer
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
MinJobAge=300
SlurmdParameters=config_overrides
KillWait=5
DefMemPerCPU=500
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory=64000 State=UNKNOWN
PartitionName=toy Nodes={host} Default=YES MaxTime=1-0 State=UP OverSubscribe=NO
"""


def missing() -> str | None:
    """Return why no Slurm can be started here, or None where one can."""
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    if lacking:
        return f"no {', '.join(lacking)} on this machine"
    if os.getuid() != 0:
        return "only root can start a Slurm of its own"
    return None if has_plugin() else "the executor for Slurm is not installed (make slurm)"


def has_plugin() -> bool:
    """Tell whether Snakemake's executor for Slurm is installed."""
    return importlib.util.find_spec("snakemake_executor_plugin_slurm") is not None


class NoSlurm(Exception):
    """Slurm cannot be started here."""


class ToySlurm:
    """A controller and one node, without accounting; use as a context."""

    def __enter__(self) -> "ToySlurm":
        self.base = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
        self._processes: list[subprocess.Popen] = []
        try:
            self._write_files()
            self._take_config()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _write_files(self) -> None:
        for name in ("state", "spool"):
            (self.base / name).mkdir()
        key = self.base / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        host = socket.gethostname().partition(".")[0]
        controller, node = _free_ports(2)
        text = TEXT.format(base=self.base, host=host, controller=controller, node=node, cores=CORES)
        (self.base / "slurm.conf").write_text(text)

    def _take_config(self) -> None:
        """Put our configuration where Slurm looks; leave another Slurm's alone."""
        if CONFIG.is_symlink() and PREFIX in os.readlink(CONFIG) and not _lives(Path(os.readlink(CONFIG))):
            CONFIG.unlink()  # of a test that was killed
        CONFIG.parent.mkdir(exist_ok=True)
        try:
            CONFIG.symlink_to(self.base / "slurm.conf")
        except FileExistsError:
            raise NoSlurm(f"this machine has a Slurm of its own ({CONFIG})") from None

    def _start(self) -> None:
        base = self.base
        files = [f"--{name}={base}/munge.{name.partition('-')[0]}" for name in ("socket", "pid-file", "log-file", "seed-file")]  # fmt: skip
        self._spawn("munged", "--foreground", "--force", f"--key-file={base}/munge.key", *files)
        _wait(lambda: (base / "munge.socket").exists(), "munged")
        self._spawn("slurmctld", "-D", "-f", f"{base}/slurm.conf")
        self._spawn("slurmd", "-D", "-f", f"{base}/slurm.conf", "-N", socket.gethostname().partition(".")[0])
        _wait(lambda: self("sinfo", "--noheader", "--format=%T", check=False).strip() == "idle", "the node")

    def _spawn(self, *words: str) -> None:
        """Start a daemon that ends when this process does."""
        with open(self.base / f"{words[0]}.out", "wb") as out:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", *words], stdout=out, stderr=out, start_new_session=True
            )
        self._processes.append(process)

    def __call__(self, *words: str, check: bool = True) -> str:
        """Run a command of Slurm and return what it prints."""
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=check).stdout

    def running(self) -> list[str]:
        """Return the ids of the jobs that run now."""
        return self("squeue", "--noheader", "--states=RUNNING", "--format=%i").split()

    def wait_until_empty(self) -> None:
        """Wait until no job waits, runs or ends."""
        _wait(lambda: not self("squeue", "--noheader").strip(), "the end of all jobs")

    def __exit__(self, *_: object) -> None:
        if len(self._processes) == 3:
            with contextlib.suppress(subprocess.SubprocessError):
                self("scancel", "--user=root", "--state=RUNNING", "--signal=KILL", check=False)
        if CONFIG.is_symlink() and os.readlink(CONFIG) == str(self.base / "slurm.conf"):
            CONFIG.unlink()
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.base, ignore_errors=True)


def _lives(config: Path) -> bool:
    """Tell whether the controller of a test's Slurm is running."""
    try:
        os.kill(int((config.parent / "slurmctld.pid").read_text()), 0)
    except (OSError, ValueError):
        return False
    return True


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


def _wait(true, what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise NoSlurm(f"{what} did not come within {seconds:.0f} s")
        time.sleep(0.2)
