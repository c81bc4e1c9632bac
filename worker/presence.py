"""How a worker says that it is there: a key that lives 15 s, renewed by the loop that also takes the messages.

A worker whose loop hangs, or that has lost its broker, lets its key run out; so the key proves that it consumes.
"""

import importlib.metadata
import logging
import os
import platform
import time
from typing import Any

import redis
from celery import bootsteps

from solver_core.chunk import WIRE_VERSION
from solver_core.isa import isa
from worker.broker import connect
from worker.store import WORKER_S, Store

log = logging.getLogger(__name__)
EVERY_S = WORKER_S / 3


class PresenceStep(bootsteps.StartStopStep):
    """Renews the worker's key from the timer of Celery's event loop."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        self.timers: list[Any] = []
        self.store: Store | None = None
        super().__init__(worker, **options)

    def start(self, worker: Any) -> None:
        """Begins with the first turn of the loop, that is once the queue is being read."""
        self.store = Store(connect(worker.app.conf.broker_url, timeout_s=5, retries=0))
        self.timers = [
            worker.timer.call_after(0, self._renew, (worker,)),
            worker.timer.call_repeatedly(EVERY_S, self._renew, (worker,)),
        ]

    def stop(self, worker: Any) -> None:
        """Takes the key away."""
        for timer in self.timers:
            timer.cancel()
        if self.store:
            try:
                self.store.absent(worker.hostname)
            except redis.RedisError as error:
                log.warning("cannot say goodbye to the broker: %s", error)

    def _renew(self, worker: Any) -> None:
        assert self.store is not None
        try:
            self.store.present(worker.hostname, facts(worker.concurrency, worker.app.conf.gridmill_shared))
        except redis.RedisError as error:
            log.warning("cannot tell the broker that this worker is there: %s", error)


def facts(processes: int, shared: str) -> dict[str, Any]:
    """Returns what a worker says of itself; `clock` is its wall clock in seconds, to be compared."""
    return {
        "host": platform.node(),
        "pid": os.getpid(),
        "isa": isa(),
        "wire": WIRE_VERSION,
        "version": importlib.metadata.version("gridmill"),
        "clock": time.time(),
        "processes": processes,
        "shared": bool(shared),
    }
