"""Notices messages that nobody works on any more and that the broker still waits for an acknowledgement of.

When a message cannot be acknowledged because the broker is away, Celery logs it ("Couldn't ack") and kombu goes on
counting it as prefetched. With as many of them as there are processes, a worker looks well and never takes a message
again, even once the broker is back. Connecting anew begins the count anew.
"""

from typing import Any

import redis
from celery import bootsteps
from celery.worker import state

EVERY_S = 1.0


class UnackedStep(bootsteps.StartStopStep):
    """Compares what is counted with what is at work, from the timer of Celery's event loop."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        self.timer: Any = None
        self.left_over = False
        super().__init__(worker, **options)

    def start(self, worker: Any) -> None:
        """Begins to look."""
        self.timer = worker.timer.call_repeatedly(EVERY_S, self.look, (worker,))

    def stop(self, worker: Any) -> None:  # noqa: ARG002
        """Ends it."""
        if self.timer:
            self.timer.cancel()

    def look(self, worker: Any) -> None:
        """Looks once.

        Raises:
            redis.ConnectionError: a message was left over twice in a row. The event loop takes it for what it is, the
                end of a connection that is of no more use, and makes another.
        """
        consumer = getattr(getattr(worker, "consumer", None), "task_consumer", None)
        qos: Any = getattr(getattr(consumer, "channel", None), "qos", None)
        # Not yet, or no more, connected; or a transport that does not count.
        counted = len(qos._delivered) - len(qos._dirty) if qos is not None and hasattr(qos, "_delivered") else 0
        before, self.left_over = self.left_over, counted > len(state.reserved_requests)
        if before and self.left_over:
            self.left_over = False
            raise redis.ConnectionError("messages could not be acknowledged; connecting anew")
