"""A supervisor over a child of our own making: `python -m tests.supervised PIDS LIVES_S`.

Each child adds its process id to the file PIDS and lives so many seconds; 0 has it exit at once. With a third argument
it gets SIGTERM as soon as it is made.
"""

import os
import signal
import sys
import time
from pathlib import Path

from worker.supervisor import Supervisor


class Supervised(Supervisor):
    """Has no Celery worker for a child."""

    def _become_worker(self) -> None:
        with Path(sys.argv[1]).open("a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(float(sys.argv[2]))


def _ask_to_end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        os.register_at_fork(after_in_child=_ask_to_end)
    sys.exit(Supervised(1, "INFO").run())
