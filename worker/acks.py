"""Notices acknowledgements that were lost with their connection.

When the broker goes away just as a chunk is acknowledged, Celery logs the error and takes the message for one that is
still being worked on, for ever. With as many of them as the worker has processes it takes no message any more, and has
no read outstanding that would tell it of the lost connection; yet its loop runs, and all looks well from outside.
"""

from typing import Any

import redis
from celery import bootsteps
from celery.worker import state

EVERY_S = 1.0
# A message may be between two hands at one look, or at two.
LOOKS = 3


class AcksStep(bootsteps.StartStopStep):
    """Has the worker connect anew when it holds messages that nobody works on; called by Celery's event loop."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        self.timer: Any = None
        self.seen = 0
        super().__init__(worker, **options)

    def start(self, worker: Any) -> None:
        """Begins to look."""
        self.timer = worker.timer.call_repeatedly(EVERY_S, self._look, (worker,))

    def stop(self, worker: Any) -> None:  # noqa: ARG002
        """Ends it."""
        if self.timer:
            self.timer.cancel()

    def _look(self, worker: Any) -> None:
        self.seen = self.seen + 1 if unacknowledged(worker) > len(state.reserved_requests) else 0
        if self.seen >= LOOKS:
            self.seen = 0
            # What the loop takes for a lost connection, which it is.
            raise redis.ConnectionError("an acknowledgement was lost")


def unacknowledged(worker: Any) -> int:
    """Returns how many messages the worker has taken and not acknowledged."""
    consumer = getattr(worker.consumer, "task_consumer", None)
    qos = consumer.channel.qos if consumer else None
    if not qos or not qos.prefetch_count:
        return 0
    return int(qos.prefetch_count - qos.can_consume_max_estimate())
