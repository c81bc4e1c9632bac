"""Sends chunks to the workers and sees to it that every one comes back exactly once, in input order.

The broker is not trusted: a chunk that is overdue is sent again, whatever became of it. An answer counts once, by the
rows it is for; what comes late or twice is dropped.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from producer.chunk import Chunk
from producer.pace import ChunkSize, Lease
from producer.patience import Patience
from solver_core.chunk import WIRE_VERSION
from solver_core.errors import BrokerError, ChunkError
from worker.app import QUEUE
from worker.store import ChunkName, Done, Store

WAIT_S = 0.5
# Chunks on their way for each process: one at work, one that waits, and some for the way.
FLIGHTS_A_PROCESS = 2
FLIGHTS_MORE = 2
# Chunks that are held until those before them are back.
HELD_BYTES = 64 << 20
HELD_CHUNKS = 4096
LOOK_EVERY_S = 5.0
NO_WORKER_S = 60.0
GARBLED_MOST = 10


class Rows(Protocol):
    """Where chunks come from."""

    ended: bool

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:
        """Returns the next chunk; None when there is none for now, or, with `ended`, for good."""


class Wire(Protocol):
    """What a dispatcher must know of payloads; the modules of each kind of work have these functions."""

    def slice_work(self, payload: bytes, start: int, stop: int, /) -> bytes: ...  # noqa: D102
    def examine(self, work: bytes, answer: bytes, /) -> tuple[list[tuple[int, int]], int]: ...  # noqa: D102
    def merge_answers(self, count: int, parts: list[tuple[int, bytes]], /) -> bytes: ...  # noqa: D102
    def failed_answer(self, payload: bytes, /) -> bytes: ...  # noqa: D102


@dataclass(slots=True)
class Held:
    """A chunk in input order, until it is complete and its turn has come."""

    chunk: Chunk
    waits_for: set[ChunkName] = field(default_factory=set)
    parts: list[tuple[int, bytes]] = field(default_factory=list)
    workers: list[str] = field(default_factory=list)

    def bytes(self) -> int:
        """What it takes in memory."""
        return len(self.chunk.work) + len(self.chunk.rows) + sum(len(part) for _, part in self.parts)


@dataclass(slots=True)
class Flight:
    """A chunk, or a part of one that was cut again, on its way."""

    name: ChunkName
    work: bytes
    held: Held
    attempt: int = 0
    sent_at: float = 0.0
    due_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Gathered:
    """A chunk with its whole answer."""

    chunk: Chunk
    answer: bytes
    workers: list[str]


class Dispatcher:
    """Drives one batch.

    Attributes:
        resent: how often a chunk was sent again.
        dropped: answers that came late or twice.
        isas: the isas of the workers that were seen.
    """

    def __init__(
        self,
        batch: str,
        meta: dict[str, Any],
        *,
        rows: Rows,
        wire: Wire,
        store: Store,
        send: Callable[[ChunkName, int], None],
        patience: Patience,
        size: ChunkSize,
        lease: Lease,
        say: Callable[[str], None],
        mend: Callable[[], object] = lambda: None,
        idle: Callable[[], object] = lambda: None,
        submitted: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepares a batch.

        Args:
            batch: its id.
            meta: what workers must know of it.
            rows: where its chunks come from.
            wire: how its payloads are handled.
            store: where payloads lie.
            send: puts the message of a chunk, with the number of its attempt, on the queue.
            patience: waits for the broker.
            size: how large chunks are.
            lease: how long one is waited for.
            say: tells the person something, once.
            mend: called every few seconds: starts again what has died of a cluster of our own.
            idle: called at every turn, also while nothing comes back.
            submitted: the chunks were sent before, and everything is kept for another gatherer.
            clock: tells seconds.
        """
        self.resent = 0
        self.dropped = 0
        self.isas: set[str] = set()
        self._batch = batch
        self._meta = meta
        self._rows = rows
        self._wire = wire
        self._store = store
        self._send = send
        self._patience = patience
        self._size = size
        self._lease = lease
        self._say = say
        self._mend = mend
        self._idle = idle
        self._submitted = submitted
        self._clock = clock
        self._held: deque[Held] = deque()
        self._flights: dict[ChunkName, Flight] = {}
        self._processes = 1
        self._workers_there = False
        self._looked_at = -LOOK_EVERY_S
        self._outages = 0
        self._garbled = 0
        self._alone_since = clock()
        self._warned = False
        self._strangers_told = False

    def run(self) -> Iterator[Gathered]:
        """Yields every chunk of the batch with its answer, in input order.

        Raises:
            BrokerError: the broker was away for too long, or garbles what it is given.
        """
        while True:
            self._look_around()
            self._idle()
            self._fill()
            if not self._held:
                if self._rows.ended:
                    return
                continue
            if self._held[0].waits_for:
                self._take(self._patience(self._store.wait_done, self._batch, WAIT_S))
            self._resend_overdue()
            while self._held and not self._held[0].waits_for:
                yield self._whole(self._held.popleft())

    def withdraw(self) -> None:
        """Takes back everything that is still on its way; workers then stop at it. Not for submitted batches."""
        if not self._submitted:
            self._store.end_run(self._batch, self._flights)

    def _fill(self) -> None:
        """Cuts new chunks as long as there is room for them, and sends them."""
        launched: list[Flight] = []
        room = FLIGHTS_A_PROCESS * self._processes + FLIGHTS_MORE - len(self._flights)
        held_bytes = sum(held.bytes() for held in self._held)
        while len(launched) < room and held_bytes < HELD_BYTES and len(self._held) < HELD_CHUNKS:
            wait_s = 0.0 if self._held else WAIT_S
            chunk = self._rows.cut(self._size.rows(self._processes), wait_s)
            if chunk is None:
                break
            held = Held(chunk)
            self._held.append(held)
            held_bytes += held.bytes()
            launched.append(self._flight(held, chunk.name, chunk.work))
        if self._submitted:
            self._join(launched)
        else:
            self._launch(launched)

    def _flight(self, held: Held, name: ChunkName, work: bytes) -> Flight:
        flight = Flight(name, work, held)
        held.waits_for.add(name)
        self._flights[name] = flight
        return flight

    def _launch(self, flights: list[Flight]) -> None:
        """Sends flights for the first time, or again."""
        if not flights:
            return
        work = [(flight.name, flight.work) for flight in flights]
        keep_s = self._meta["keep_s"]
        self._patience(self._store.put, self._batch, self._meta, work, keep_s)
        for flight in flights:
            self._patience(self._send, flight.name, flight.attempt)
            flight.sent_at = self._clock()
            flight.due_at = flight.sent_at + self._lease.length_s(flight.attempt)

    def _join(self, flights: list[Flight]) -> None:
        """Takes over flights that were sent by whoever submitted the batch; some may be answered."""
        now = self._clock()
        for flight in flights:
            flight.sent_at = now
            flight.due_at = now + self._lease.length_s(0)
        self._accept([Done(flight.name, "") for flight in flights])
        open_flights = [flight for flight in flights if flight.name in self._flights]
        names = [flight.name for flight in open_flights]
        there = self._patience(self._store.laid_down, self._batch, names)
        sent_by_us = sum(flight.attempt > 0 for flight in self._flights.values())
        none_waits = self._patience(self._store.messages, QUEUE) <= sent_by_us
        # No lease is worth waiting for where the broker has lost the payload, and the message with it, or where no
        # message waits but those that were sent again, and nobody works on the chunk.
        lost = [
            flight
            for flight, is_there in zip(open_flights, there, strict=True)
            if not is_there or (none_waits and not self._patience(self._store.at_work, self._batch, flight.name))
        ]
        self._send_again(lost)

    def _take(self, entries: list[Done | str]) -> None:
        done = []
        for entry in entries:
            if isinstance(entry, str):
                self._say(f"an entry of the broker's that is none of ours was dropped: {entry[:60]!r}")
            elif entry.chunk not in self._flights:
                self.dropped += 1
            elif entry.died:
                self._split_or_fail(self._flights[entry.chunk])
            else:
                done.append(entry)
        self._accept(done)

    def _accept(self, done: list[Done]) -> None:
        """Takes the answers of these chunks, as far as there are any."""
        names = [entry.chunk for entry in done]
        answers = self._patience(self._store.answers, self._batch, names)
        landed: dict[ChunkName, tuple[Flight, bytes, str, list[tuple[int, int]]]] = {}
        for (name, worker, _), answer in zip(done, answers, strict=True):
            flight = self._flights.get(name)
            if flight is None or answer is None or name in landed:
                continue
            try:
                unfinished, kernel_ns = self._wire.examine(flight.work, answer)
            except ChunkError as error:
                self._reject(flight, error)
                continue
            self._size.observe(name.stop - name.start, kernel_ns, len(answer))
            landed[name] = (flight, answer, worker, unfinished)
        if landed and not self._submitted:
            # Before any part of it is sent again, perhaps under the same name.
            self._patience(self._store.drop, self._batch, list(landed))
        for flight, answer, worker, unfinished in landed.values():
            self._land(flight, answer, worker, unfinished)

    def _land(self, flight: Flight, answer: bytes, worker: str, unfinished: list[tuple[int, int]]) -> None:
        held, name = flight.held, flight.name
        now = self._clock()
        self._alone_since, self._warned = now, False
        if not self.isas:
            self._looked_at = now - LOOK_EVERY_S  # somebody is there now
        self._lease.observe(now - flight.sent_at)
        held.parts.append((name.start - held.chunk.name.start, answer))
        if worker and worker not in held.workers:
            held.workers.append(worker)
        self._forget(flight)
        count = name.stop - name.start
        nothing_done = unfinished == [(0, count)] and count > 1
        self._cut_again(flight, _halves(count) if nothing_done else unfinished)

    def _cut_again(self, flight: Flight, ranges: list[tuple[int, int]]) -> None:
        """Sends parts of a chunk as chunks of their own."""
        start = flight.name.start
        parts = [
            self._flight(
                flight.held, ChunkName(start + first, start + last), self._wire.slice_work(flight.work, first, last)
            )
            for first, last in ranges
        ]
        self._launch(parts)

    def _split_or_fail(self, flight: Flight) -> None:
        """A chunk whose workers died of it is halved; a puzzle that was alone in its chunk has failed."""
        count = flight.name.stop - flight.name.start
        self._forget(flight)
        if count > 1:
            self._cut_again(flight, _halves(count))
        else:
            flight.held.parts.append(
                (flight.name.start - flight.held.chunk.name.start, self._wire.failed_answer(flight.work))
            )
        if not self._submitted:
            self._patience(self._store.drop, self._batch, [flight.name])

    def _forget(self, flight: Flight) -> None:
        del self._flights[flight.name]
        flight.held.waits_for.discard(flight.name)

    def _reject(self, flight: Flight, error: ChunkError) -> None:
        self._garbled += 1
        if self._garbled > GARBLED_MOST:
            raise BrokerError(f"answers come back garbled again and again; the last time: {error}")
        self._say(f"the answer of chunk {flight.name} was garbled and is asked for again: {error}")
        self._patience(self._store.drop_answer, self._batch, flight.name)
        flight.due_at = self._clock()

    def _resend_overdue(self) -> None:
        now = self._clock()
        if self._patience.outages != self._outages:
            # What was on its way may be gone with the broker's memory: look at everything soon.
            self._outages = self._patience.outages
            for flight in self._flights.values():
                flight.due_at = min(flight.due_at, now)
        overdue = [flight for flight in self._flights.values() if flight.due_at <= now]
        if not overdue:
            return
        self._accept([Done(flight.name, "") for flight in overdue])
        again: list[Flight] = []
        for flight in overdue:
            if flight.name not in self._flights:
                continue
            if self._patience(self._store.at_work, self._batch, flight.name):
                flight.due_at = self._clock() + self._lease.length_s(flight.attempt)
            else:
                again.append(flight)
        self._send_again(again)

    def _send_again(self, flights: list[Flight]) -> None:
        for flight in flights:
            flight.attempt += 1
        self.resent += len(flights)
        if flights:
            self._patience(self._store.count, "chunks_resent", len(flights))
        self._launch(flights)

    def _look_around(self) -> None:
        """Every few seconds: who is there, and is all well?"""
        now = self._clock()
        if now - self._looked_at < LOOK_EVERY_S:
            return
        self._looked_at = now
        self._mend()
        everybody = self._patience(self._store.workers)
        workers = {name: facts for name, facts in everybody.items() if facts.get("wire", WIRE_VERSION) == WIRE_VERSION}
        strangers = sorted(everybody.keys() - workers.keys())
        if strangers and not workers and not self._strangers_told:
            self._strangers_told = True
            self._say(
                f"the workers that are there ({', '.join(strangers[:3])}) speak another wire version than "
                f"{WIRE_VERSION}: bring them to the same gridmill; waiting for others"
            )
        self._processes = max(1, sum(int(facts.get("processes", 1)) for facts in workers.values()))
        self.isas.update(str(facts.get("isa")) for facts in workers.values())
        if workers:
            self._alone_since = now
        elif now - self._alone_since > NO_WORKER_S and not self._warned:
            self._warned = True
            self._say(f"no worker has been there for {NO_WORKER_S:.0f} s; still waiting for one")

    def _whole(self, held: Held) -> Gathered:
        count = held.chunk.count
        answer = held.parts[0][1] if len(held.parts) == 1 else self._wire.merge_answers(count, held.parts)
        return Gathered(held.chunk, answer, held.workers)


def _halves(count: int) -> list[tuple[int, int]]:
    return [(0, count // 2), (count // 2, count)]
