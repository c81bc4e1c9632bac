"""`gridmill worker`: runs a real Celery worker and starts it again when it dies."""

import logging
import os
import signal
import sys
import time
from pathlib import Path

from worker.process import end_with_parent

log = logging.getLogger(__name__)
# A worker that dies young is started again more and more slowly, up to this pause.
LONGEST_PAUSE_S = 10.0
STEADY_S = 30.0
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def cpus() -> int:
    """Returns how many CPUs this process may use: its affinity, and the quota of its control group."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(Path("/sys/fs/cgroup"))
    return max(1, min(allowed, round(quota))) if quota else allowed


def _quota(root: Path) -> float | None:
    """The CPU quota of this process's control group, version 2 or 1; None without one."""
    try:
        limit, period = (root / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            limit = (root / "cpu/cpu.cfs_quota_us").read_text()
            period = (root / "cpu/cpu.cfs_period_us").read_text()
        except OSError:
            return None
    if not limit.strip().isdigit():  # "max", or -1
        return None
    return int(limit) / int(period)


class Supervisor:
    """Keeps one Celery worker running until it is asked to end.

    The worker is a forked child: it has the settings and the environment of this process, ends when this one is
    killed, and gets SIGTERM passed on, on which it finishes or gives back what it works on.
    """

    def __init__(self, concurrency: int, loglevel: str) -> None:
        self.concurrency = concurrency
        self.loglevel = loglevel
        self._child = 0
        self._ending = False

    def run(self) -> int:
        """Returns the exit code: 0 after a stop that was asked for."""
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup means what it says
                signal.signal(number, self._end)
        pause_s = 0.1
        while not self._ending:
            began = time.monotonic()
            code = self._run_child()
            if self._ending:
                break
            lived_s = time.monotonic() - began
            pause_s = 0.1 if lived_s > STEADY_S else min(pause_s * 2, LONGEST_PAUSE_S)
            log.warning("the worker ended by itself (%s); starting it again in %.1f s", _how(code), pause_s)
            again = time.monotonic() + pause_s
            while not self._ending and time.monotonic() < again:
                time.sleep(0.1)
        return 0

    def _run_child(self) -> int:
        # A signal that comes now waits: here for a child to pass it to, there for its usual meaning.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        child = os.fork()
        if child == 0:
            try:
                for number in SIGNALS:
                    if signal.getsignal(number) is not signal.SIG_IGN:
                        signal.signal(number, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
                end_with_parent()
                self._become_worker()
            finally:
                os._exit(1)
        self._child = child
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        if self._ending:  # the signal came while there was no child to pass it to
            os.kill(child, signal.SIGTERM)
        return os.waitpid(child, 0)[1]

    def _become_worker(self) -> None:
        # -P: what lies in the current folder must not stand in for a module.
        command = [sys.executable, "-P", "-m", "worker", "-c", str(self.concurrency), "-l", self.loglevel]
        command += ["-n", f"gridmill-{os.getpid()}@%h", "--without-gossip", "--without-mingle"]
        os.execv(command[0], command)  # noqa: S606

    def _end(self, _number: int, _frame: object) -> None:
        self._ending = True
        if self._child:
            try:
                os.kill(self._child, signal.SIGTERM)
            except ProcessLookupError:
                log.debug("the worker has ended already")


def _how(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def main() -> int:
    """Runs a supervised worker: `python -m worker.supervisor CONCURRENCY LOGLEVEL`."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    return Supervisor(int(sys.argv[1]), sys.argv[2]).run()


if __name__ == "__main__":
    sys.exit(main())
