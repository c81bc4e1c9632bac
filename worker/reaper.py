"""Notices dead pool processes soon.

Celery looks for them every 5 s: a process that dies is told by a pipe that closes, but its younger siblings have
inherited the other end and keep it open.
"""

from typing import Any

from celery import bootsteps

EVERY_S = 0.25


class ReaperStep(bootsteps.StartStopStep):
    """Has the pool look after its processes four times a second, from the timer of Celery's event loop."""

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def __init__(self, worker: Any, **options: Any) -> None:
        self.timer: Any = None
        super().__init__(worker, **options)

    def start(self, worker: Any) -> None:
        """Begins to look; pools without processes have nothing to look after."""
        maintain = getattr(worker.pool, "maintain_pool", None)
        if maintain:
            self.timer = worker.timer.call_repeatedly(EVERY_S, maintain)

    def stop(self, worker: Any) -> None:  # noqa: ARG002
        """Ends it."""
        if self.timer:
            self.timer.cancel()
