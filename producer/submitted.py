"""Batches in separate steps: laid down with the cluster, looked at, gathered from any machine."""

import contextlib
import os
import platform
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import redis

from producer.batch import Manner, Question, chunk_size, expected_rows
from producer.chunk import Chunk
from producer.journal import fingerprint
from producer.link import Link
from producer.pace import ChunkSize
from producer.patience import PASSING, Patience
from producer.readers.cutter import Cutter
from producer.readers.reading import Reading
from producer.readers.sources import Source
from solver_core.errors import BatchError, BrokerError
from solver_core.rows import LineTally
from worker.app import SOLVE_CHUNK, settings
from worker.store import ChunkName, Store, new_batch_id

# What a chunk takes in the broker beside its payloads: its message, and about as much for its keys.
CHUNK_BYTES = 2048
# A packed result, and what a gatherer that has not come yet leaves there.
RESULT_BYTES = 48
LOCK_S = 30.0
# Nobody watches a submitted batch grow: its chunks are of one size from the beginning.
SUBMIT_ROWS = 4096
META_KINDS: dict[str, Any] = {
    "created": int | float,
    "host": str,
    "sources": list,
    "input": list,
    "rows": int,
    "chunks": int,
    "lines": dict,
    "faults": list,
    "keep": list,
}


@dataclass(frozen=True, slots=True)
class Submitted:
    """A batch as it was laid down."""

    batch: str
    rows: int
    chunks: int
    faults: list[str]


def submit(
    line: Link,
    sources: Sequence[Source],
    question: Question,
    manner: Manner,
    reading: Reading = Reading(),  # noqa: B008 - it is frozen
) -> Submitted:
    """Leaves a whole batch with the cluster.

    Raises:
        BrokerError: the batch would take more than half of the broker's free memory; nothing of it is left there.
    """
    batch = new_batch_id()
    patience = Patience(manner.patience_s, say=manner.say)
    meta = question.meta(settings.keep_s) | {
        "created": time.time(),
        "host": platform.node(),
        "sources": [source.name for source in sources],
        "from": reading.form,
        "column": reading.column,
        "keep": reading.keep,
        "input": fingerprint([source for source in sources if source.can_be_read_again()]),
    }
    rows = Cutter(sources, reading)
    names: list[ChunkName] = []
    try:
        room = patience(_free_bytes, line.store) / 2
        expected = expected_rows(sources)
        auto = min(SUBMIT_ROWS, ChunkSize(None, expected).rows(1) * 4)
        size = chunk_size(manner.chunk_rows or auto, expected, question).rows(1)
        while not rows.ended:
            chunk = rows.cut(size, wait_s=1.0)
            if chunk is None:
                continue
            room -= len(chunk.work) + len(chunk.rows) + chunk.count * RESULT_BYTES + CHUNK_BYTES
            if room < 0:
                raise BrokerError("the batch would take more than half of the broker's free memory; submit it in parts")
            patience(line.store.register, batch, chunk.name, chunk.work, chunk.rows, settings.keep_s)
            names.append(chunk.name)
            manner.progress(chunk.name.stop)
        total = names[-1].stop if names else 0
        meta |= {"rows": total, "chunks": len(names), "lines": rows.lines()._asdict(), "faults": rows.faults}
        patience(line.store.announce, batch, meta, settings.keep_s)
        send = line.sender(batch, SOLVE_CHUNK, question.max_guesses)
        for name in names:
            patience(send, name, 0)
    except BaseException:
        line.store.forget(batch)
        raise
    finally:
        rows.close()
    return Submitted(batch, total, len(names), rows.faults)


def _free_bytes(store: Store) -> float:
    """Memory the broker has left: below its own limit, else of its machine; infinite if it does not tell."""
    try:
        facts = store.client.info("memory")
    except redis.ResponseError:
        return float("inf")
    limit = facts.get("maxmemory") or facts.get("total_system_memory")
    return float(limit - facts["used_memory"]) if limit else float("inf")


class Registered:
    """The chunks of a submitted batch, as a dispatcher takes them.

    Attributes:
        ended: whether all have been taken.
        lost: names of chunks whose payloads are gone, where they cannot be cut again.
    """

    def __init__(
        self, store: Store, batch: str, names: Sequence[ChunkName], patience: Patience, again: Cutter | None
    ) -> None:
        """Prepares to take chunks; `again` is the input, where the person gave it, at the first of `names`."""
        self.ended = not names
        self._store = store
        self._batch = batch
        self._names = names
        self._at = 0
        self._patience = patience
        self._again = again

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:  # noqa: ARG002 - they were cut before
        """Returns the next chunk; None at the end.

        Raises:
            BatchLostError: its payloads are gone.
        """
        if self._at == len(self._names):
            self.ended = True
            return None
        name = self._names[self._at]
        self._at += 1
        if self._again:
            return self._cut_again(self._again, name)
        work, rows = self._patience(self._store.work, self._batch, name)
        if work is None or rows is None:
            raise BatchLostError(self._lost())
        return Chunk(name, work, rows)

    def _cut_again(self, rows: Cutter, name: ChunkName) -> Chunk:
        chunk = None
        while chunk is None and not rows.ended:
            # Long, for a chunk must not be cut short only because a disk is slow.
            chunk = rows.cut(name.stop - name.start, wait_s=60.0)
        if chunk is None or chunk.name != name:
            raise BatchError(f"INPUT is not what was submitted as {self._batch}: chunk {name} cannot be cut from it")
        return chunk

    def _lost(self) -> str:
        left = self._names[self._at - 1 :]
        gone = [str(name) for name in left if None in self._patience(self._store.work, self._batch, name)]
        shown = ", ".join(gone[:5]) + (f" and {len(gone) - 5} more" if len(gone) > 5 else "")
        return (
            f"the broker has lost {len(gone)} chunks of {self._batch} (rows, counted from 0: {shown}); "
            "name INPUT to cut them again"
        )


class BatchLostError(BrokerError):
    """Payloads of a submitted batch are gone."""


class GatherLock:
    """The right to gather a batch, which no two producers have at once; to be renewed."""

    def __init__(self, store: Store, batch: str) -> None:
        self._store = store
        self._batch = batch
        self._owner = f"{platform.node()}/{os.getpid()}/{secrets.token_hex(8)}"

    def take(self) -> None:
        """Takes the right, or renews it; one that was killed on this machine has it no more.

        Raises:
            BatchError: another producer has it (`locked`).
        """
        if self._store.lock(self._batch, self._owner, LOCK_S):
            return
        owner = self._store.lock_owner(self._batch)
        if _is_gone(owner):
            self._store.unlock(self._batch, owner)
            if self._store.lock(self._batch, self._owner, LOCK_S):
                return
        raise BatchError(
            f"another run gathers {self._batch}; if it was killed, the batch is free within {LOCK_S:.0f} s", locked=True
        )

    def renew(self) -> None:
        """Renews the right, if the broker is there; while it is away nobody else can take it either.

        Raises:
            BatchError: another producer took it meanwhile (`locked`), or the batch was cancelled.
        """
        with contextlib.suppress(*PASSING):
            if self._store.cancelled(self._batch):
                raise BatchError(f"{self._batch} was cancelled while it was gathered")
            self.take()

    def give_back(self) -> None:
        """Lets another have it."""
        self._store.unlock(self._batch, self._owner)


def _is_gone(owner: str) -> bool:
    """Whether the owner of a lock was a process of this machine and is no more; False for what cannot be seen."""
    host, _, rest = owner.partition("/")
    pid = rest.partition("/")[0]
    if host != platform.node() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def meta_of(store: Store, batch: str) -> dict[str, Any]:
    """Returns what is known of a submitted batch.

    Raises:
        BatchError: it is not there.
    """
    meta = store.meta(batch)
    if meta is None or not is_whole(meta):
        raise BatchError(f"there is no batch {batch} here: it was cancelled or lost, or its time is over")
    return meta


def reading_of(meta: dict[str, Any]) -> Reading:
    """Returns how the input of a submitted batch was read."""
    return Reading(meta["from"], meta["column"], tuple(meta["keep"]))


def is_whole(meta: dict[str, Any]) -> bool:
    """Whether everything is there that `submit` has written of a batch, each of its kind."""
    return all(isinstance(meta.get(name), kind) for name, kind in META_KINDS.items())


def lines_of(meta: dict[str, Any]) -> LineTally:
    """Returns what the lines of a submitted batch were."""
    return LineTally(**meta["lines"])


def state_of(store: Store, batch: str, meta: dict[str, Any]) -> dict[str, Any]:
    """Returns how far a submitted batch is."""
    names = store.order(batch)
    answered = store.answered(batch, names) if names else []
    done = [name for name, there in zip(names, answered, strict=True) if there]
    return {
        "batch": batch,
        "rows": meta["rows"],
        "rows_done": sum(name.stop - name.start for name in done),
        "chunks": meta["chunks"],
        "chunks_done": len(done),
        "submitted": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(meta["created"])),
        "host": meta["host"],
        "sources": meta["sources"],
    }
