"""A supervisor over a child of our own making: `python -m tests.supervised PIDS LIVES_S`.

Each child adds its process id to the file PIDS and lives so many seconds; 0 has it exit at once.
"""

import os
import signal
import sys
import time
from pathlib import Path

from worker.process import end_with_parent
from worker.supervisor import Supervisor


class Supervised(Supervisor):
    """Has no Celery worker for a child."""

    def _become_worker(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        end_with_parent()
        with Path(sys.argv[1]).open("a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(float(sys.argv[2]))


if __name__ == "__main__":
    sys.exit(Supervised(1, "INFO").run())
