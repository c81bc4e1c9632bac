"""The Celery tasks: take a chunk, call the kernel, put the answer."""

import logging
import mmap
import time
from collections.abc import Callable
from typing import Any

import redis
from celery import signals
from celery.exceptions import Reject

from solver_core import queens, sudoku
from solver_core.errors import ChunkError
from solver_core.range_chunk import is_json
from solver_core.sudoku import Stop
from worker import ranges, totals
from worker.app import QUEENS_CHUNK, SOLVE_CHUNK, app, settings
from worker.process import Process, end_with_parent, is_gone, keep_memory
from worker.store import Begun, ChunkName
from worker.totals import Added

log = logging.getLogger(__name__)

# One byte that all processes of a worker share, made before they are forked: 1 when the worker is to end.
_draining = mmap.mmap(-1, 1)
_process: Process | None = None
# A start of this age by a process that is alive is no leftover: the same chunk must not be worked on twice.
SURELY_ALIVE_S = 10
# So many processes may die of a chunk before it is taken for the reason.
DEATHS_MOST = 3
# An answer that cannot be put is kept so long; restarting a broker takes a few seconds. After that the chunk is solved
# again, as after any other loss.
BROKER_AWAY_S = 20

Kernel = Callable[[bytes, dict[str, Any], Stop], bytes]
AddUp = Callable[[bytes], Added]


@signals.worker_shutting_down.connect
def _drain(**_: Any) -> None:
    _draining[0] = 1


@signals.worker_process_init.connect
def _begin_process(**_: Any) -> None:
    end_with_parent()
    keep_memory()


def _this_process() -> Process:
    global _process  # noqa: PLW0603 - one for each pool process, made after the fork
    if _process is None:
        _process = Process(app.conf.broker_url, draining=lambda: bool(_draining[0]))
    return _process


@app.task(name=SOLVE_CHUNK)
def solve_chunk(batch: str, chunk: str, attempt: int) -> None:
    """Solves the puzzles of a chunk (`start-stop`)."""
    _answer(batch, chunk, attempt, _solve, totals.of_sudoku)


def _solve(payload: bytes, meta: dict[str, Any], stop: Stop) -> bytes:
    if is_json(payload):
        return ranges.answer(payload, meta, stop, settings.shared)
    return sudoku.answer(payload, meta, stop)


@app.task(name=QUEENS_CHUNK)
def queens_chunk(batch: str, chunk: str, attempt: int) -> None:
    """Counts or lists the solutions below the prefixes of a chunk."""
    _answer(batch, chunk, attempt, queens.answer, totals.of_queens)


def _answer(batch: str, chunk: str, attempt: int, kernel: Kernel, add_up: AddUp) -> None:
    name = ChunkName.parse(chunk)
    process = _this_process()
    with process.at(batch, name):
        _work(process, batch, name, attempt, kernel, add_up)


def _work(process: Process, batch: str, name: ChunkName, attempt: int, kernel: Kernel, add_up: AddUp) -> None:
    try:
        begun = process.store.begin(batch, name, process.name)
    except ChunkError as error:
        # The producer lays it down anew when it sends the chunk again.
        log.error("%s cannot be read: %s", batch, error)
        process.store.release(batch, name, process.name)
        return
    if begun is None:
        return
    if begun.others:
        process.store.count("chunks_begun_again")
    dead = sum(not other.alive or is_gone(other.process) for other in begun.others)
    if dead >= DEATHS_MOST:
        log.error("%s %s: %d processes died of it", batch, name, dead)
        process.store.count("chunks_poisonous")
        process.store.report_deaths(batch, name, process.worker, keep_s(begun))
        return
    if len(begun.others) >= DEATHS_MOST:
        # Too many died just now to tell them from the living: the producer sends the chunk again when its lease ends.
        log.warning("%s %s: left alone for now, it was begun %d times", batch, name, len(begun.others))
        process.store.release(batch, name, process.name)
        return
    if any(other.alive and other.age_s > SURELY_ALIVE_S for other in begun.others):
        log.info("%s %s is being worked on; this delivery is dropped", batch, name)
        process.store.release(batch, name, process.name)
        return
    stop = Stop(settings.budget_s if name.stop - name.start > 1 else None)
    began = time.monotonic()
    try:
        with process.watching(batch, name, stop):
            answer = kernel(begun.payload, begun.meta, stop)
    except ChunkError as error:
        # The producer lays the payload down anew when it sends the chunk again.
        log.error("%s %s cannot be read: %s", batch, name, error)
        process.store.count("chunks_unreadable")
        process.store.release(batch, name, process.name)
        return
    except Exception as error:
        # As good as a death: if it happens again and again, the chunk is the reason.
        process.store.record_death(batch, name, process.name)
        log.exception("%s %s failed", batch, name)
        raise Reject(str(error), requeue=True) from error
    log.info("%s %s attempt %d: %.0f ms", batch, name, attempt, (time.monotonic() - began) * 1000)
    added = add_up(answer)
    if added.unfinished == name.stop - name.start and _draining[0]:
        process.store.release(batch, name, process.name)
        raise Reject("this worker is to end", requeue=True)
    _finish(process, batch, name, answer, keep_s(begun), added)


def _finish(process: Process, batch: str, name: ChunkName, answer: bytes, keep_s: float, added: Added) -> None:
    """Puts an answer; where the broker is away, waits for it a while rather than lose the work."""
    until = time.monotonic() + BROKER_AWAY_S
    while True:
        try:
            process.store.finish(batch, name, process.worker, answer, keep_s, added.counts.items())
        except (redis.ConnectionError, redis.TimeoutError):
            if _draining[0] or time.monotonic() > until:
                raise
            time.sleep(0.2)
        else:
            return


def keep_s(begun: Begun) -> float:
    """How long an answer is kept."""
    return float(begun.meta["keep_s"])
