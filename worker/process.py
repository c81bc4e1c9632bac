"""One process of a worker's pool: its name, its store, and the thread that shows that it is alive."""

import contextlib
import ctypes
import logging
import os
import platform
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import redis

from solver_core.sudoku import Stop
from worker.broker import connect
from worker.store import ALIVE_S, ChunkName, Store

log = logging.getLogger(__name__)
TICK_S = 0.5
_PR_SET_PDEATHSIG = 1
# Of glibc's malloc.h; 32 MiB is the most it takes for what is mapped by itself.
_M_TRIM_THRESHOLD, _TRIM_BYTES = -1, 256 << 20
_M_MMAP_THRESHOLD, _MMAP_BYTES = -3, 32 << 20


def end_with_parent() -> None:
    """Asks the system to kill this process when its parent dies, however it dies (Linux; elsewhere nothing)."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died in between
            os.kill(os.getpid(), signal.SIGKILL)


def keep_memory() -> None:
    """Asks malloc to keep what is freed (glibc; elsewhere nothing).

    Buffers of megabytes come and go with every chunk, and a fresh page costs more than what is written to it.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_M_MMAP_THRESHOLD, _MMAP_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _TRIM_BYTES)


def _home() -> str:
    """Names where process ids mean the same as here: this host and, in a container, its own table of processes."""
    try:
        space = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        space = 0
    return f"{platform.node()}:{space}"


def is_gone(name: str) -> bool:
    """Whether the process of this name was here and is no more; False for what cannot be seen from here."""
    home, _, rest = name.partition("/")
    pid = rest.partition("/")[0]
    if home != _home() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


class Process:
    """What a pool process keeps between two chunks.

    A thread refreshes the process's key in the broker, so that others can tell a slow chunk from a dead process, and
    sets the stop of the chunk at work when the worker is to end or nobody wants the chunk any more.
    """

    def __init__(self, broker_url: str, draining: Callable[[], bool]) -> None:
        self.worker = f"{platform.node()}/{os.getppid()}"
        self.name = f"{_home()}/{os.getpid()}/{secrets.token_hex(4)}"
        self.store = Store(connect(broker_url))
        self.store.still_alive(self.name)
        self._draining = draining
        self._at_work: tuple[str, ChunkName, Stop] | None = None
        self._at: tuple[str, ChunkName] | None = None
        threading.Thread(target=self._tick, args=(broker_url,), name="alive", daemon=True).start()

    @contextlib.contextmanager
    def at(self, batch: str, chunk: ChunkName) -> Iterator[None]:
        """While this lasts, the process is said to work on this chunk; to be entered before the chunk is begun."""
        self._at = (batch, chunk)
        try:
            yield
        finally:
            self._at = None

    @contextlib.contextmanager
    def watching(self, batch: str, chunk: ChunkName, stop: Stop) -> Iterator[None]:
        """While this lasts, `stop` is set when the chunk should end early."""
        self._at_work = (batch, chunk, stop)
        try:
            yield
        finally:
            self._at_work = None

    def _tick(self, broker_url: str) -> None:
        store = Store(connect(broker_url, timeout_s=ALIVE_S, retries=0))
        pause = threading.Event()
        while not pause.wait(TICK_S):
            at_work = self._at_work
            if at_work and self._draining():
                at_work[2].set()
            try:
                store.still_alive(self.name, self._at)
                if at_work and not store.wanted(*at_work[:2]):
                    at_work[2].set()
            except redis.RedisError as error:
                log.warning("cannot tell the broker that this process is alive: %s", error)
