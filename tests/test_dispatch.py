"""The dispatcher against a store in memory, workers of our own will, and a clock that only we move."""

import itertools
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import redis

from producer import dispatch as dispatch_module
from producer.chunk import Chunk
from producer.dispatch import Dispatcher, Gathered
from producer.pace import ChunkSize, Lease
from producer.patience import Patience
from solver_core import chunk as wire
from solver_core.chunk import pack_puzzles, pack_results, unpack_puzzles, unpack_results
from solver_core.errors import BrokerError
from solver_core.result import Result, Status
from solver_core.solvers import SOLVERS
from tests.puzzles import MADE
from worker.store import ChunkName, Done

LEASE_S = 5.0
META = {"keep_s": 60.0, "limit": 2}
CELLS = [puzzle.cells for puzzle in MADE]
UNFINISHED = Result(Status.UNFINISHED, 0, b"", 0, 0)


def cells_of_row(row: int) -> bytes:
    return CELLS[row % len(CELLS)]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class FakeRows:
    """So many rows; remembers how large chunks were asked for."""

    def __init__(self, count: int, dry: int = 0) -> None:
        self.ended = False
        self.asked: list[int] = []
        self._count = count
        self._at = 0
        self._dry = dry  # so many times there is nothing for now

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:
        self.asked.append(max_rows)
        if self._dry:
            self._dry -= 1
            return None
        stop = min(self._at + max_rows, self._count)
        if self._at == stop:
            self.ended = True
            return None
        name = ChunkName(self._at, stop)
        self._at = stop
        cells = b"".join(cells_of_row(row) for row in range(*name))
        return Chunk(name, pack_puzzles(cells), f"rows {name}".encode())


class FakeStore:
    """The broker: payloads, answers and the done list; `turn` is called at every wait, and is where workers work."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.payloads: dict[ChunkName, bytes] = {}
        self.results: dict[ChunkName, bytes] = {}
        self.done: deque[Done | str] = deque()
        self.working: set[ChunkName] = set()
        self.queue: deque[ChunkName] = deque()
        self.there: dict[str, dict[str, Any]] = {"w": {"processes": 2, "isa": "portable"}}
        self.turn: Callable[[], None] = lambda: None
        self.away = 0  # so many calls fail
        self.ended_with: list[ChunkName] | None = None
        self.dropped: list[ChunkName] = []
        self.totals: Counter[str] = Counter()

    def _come(self) -> None:
        if self.away:
            self.away -= 1
            raise redis.ConnectionError("away")

    def put(self, batch: str, meta: dict[str, Any], work: Sequence[tuple[ChunkName, bytes]], keep_s: float) -> None:
        self._come()
        assert (batch, meta, keep_s) == ("B", META, META["keep_s"])
        self.payloads.update(work)

    def wait_done(self, batch: str, timeout_s: float) -> list[Done | str]:
        self._come()
        self.turn()
        if not self.done:
            self.clock.now += timeout_s
        entries = list(self.done)
        self.done.clear()
        return entries

    def answers(self, batch: str, chunks: Sequence[ChunkName]) -> list[bytes | None]:
        self._come()
        return [self.results.get(chunk) for chunk in chunks]

    def laid_down(self, batch: str, chunks: Sequence[ChunkName]) -> list[bool]:
        self._come()
        return [chunk in self.payloads for chunk in chunks]

    def messages(self, queue: str) -> int:
        self._come()
        return len(self.queue)

    def drop(self, batch: str, chunks: Sequence[ChunkName]) -> None:
        self.dropped += chunks
        for chunk in chunks:
            self.payloads.pop(chunk, None)
            self.results.pop(chunk, None)

    def drop_answer(self, batch: str, chunk: ChunkName) -> None:
        self.results.pop(chunk, None)

    def at_work(self, batch: str, chunk: ChunkName) -> bool:
        return chunk in self.working

    def count(self, name: str, count: int) -> None:
        self.totals[name] += count

    def workers(self) -> dict[str, dict[str, Any]]:
        self._come()
        return self.there

    def end_run(self, batch: str, chunks: Sequence[ChunkName]) -> None:
        self.ended_with = list(chunks)


class Bench:
    """A dispatcher with everything around it."""

    def __init__(self, rows: int, chunk_rows: int | None = 3, patience_s: float = 60, **options: Any) -> None:
        self.clock = Clock()
        self.store = FakeStore(self.clock)
        self.rows = options.pop("source", None) or FakeRows(rows)
        self.queue = self.store.queue
        self.sent: list[tuple[ChunkName, int]] = []
        self.said: list[str] = []
        self.mended = 0
        self.store.turn = self.work_all
        self.dispatcher = Dispatcher(
            "B",
            META,
            rows=self.rows,
            wire=wire,
            store=self.store,  # type: ignore[arg-type]
            send=self.send,
            patience=Patience(patience_s, say=self.said.append, clock=self.clock, sleep=self.clock.sleep),
            size=ChunkSize(chunk_rows, rows),
            lease=Lease(LEASE_S),
            say=self.said.append,
            mend=self.mend,
            clock=self.clock,
            **options,
        )

    def send(self, name: ChunkName, attempt: int) -> None:
        self.sent.append((name, attempt))
        self.queue.append(name)

    def mend(self) -> None:
        self.mended += 1

    def work(self, name: ChunkName, results: list[Result] | None = None) -> None:
        """A worker takes up a chunk and answers it, if it is still wanted."""
        payload = self.store.payloads.get(name)
        if payload is None or name in self.store.results:
            return
        answer = SOLVERS["solo"](unpack_puzzles(payload), 2, 1000, None)
        self.store.results[name] = pack_results(results) if results else answer
        self.store.done.append(Done(name, "host/1"))

    def work_all(self) -> None:
        while self.queue:
            self.work(self.queue.popleft())

    def run(self) -> list[Gathered]:
        gathered = []
        for item in self.dispatcher.run():
            gathered.append(item)
            assert len(gathered) < 1000
            assert self.clock.now < 10_000, "it hangs"
        return gathered


def check_whole(gathered: list[Gathered], rows: int, but: Sequence[int] = ()) -> None:
    """Every row is there once, in order, with the right answer; `but` names rows that have failed."""
    at = 0
    for item in gathered:
        assert item.chunk.name.start == at
        assert item.chunk.rows == f"rows {item.chunk.name}".encode()
        results = unpack_results(item.answer)
        assert len(results) == item.chunk.count
        for result in results:
            expected = MADE[at % len(MADE)].status(2)
            if at in but:
                assert result.status is Status.FAILED
            else:
                assert result.status in (expected, Status.GAVE_UP)
                assert not result.solution or all(
                    given in (0, cell) for given, cell in zip(cells_of_row(at), result.solution, strict=True)
                )
            at += 1
    assert at == rows


def test_every_chunk_comes_back_once_and_in_input_order() -> None:
    bench = Bench(rows=20)

    gathered = bench.run()

    check_whole(gathered, 20)
    assert [item.chunk.count for item in gathered] == [3] * 6 + [2]
    assert (bench.dispatcher.resent, bench.dispatcher.dropped) == (0, 0)
    assert bench.said == []


def test_answers_that_come_in_backward_order_are_put_in_order() -> None:
    bench = Bench(rows=20)

    def backwards() -> None:
        while bench.queue:
            bench.work(bench.queue.pop())

    bench.store.turn = backwards

    check_whole(bench.run(), 20)


def test_an_empty_input_has_no_chunks() -> None:
    assert Bench(rows=0).run() == []


def test_rows_that_come_late_are_waited_for() -> None:
    bench = Bench(rows=5, source=FakeRows(5, dry=4))

    check_whole(bench.run(), 5)


def test_no_more_than_a_window_of_chunks_is_on_its_way() -> None:
    bench = Bench(rows=300)
    most = 0

    def one_at_a_time() -> None:
        nonlocal most
        most = max(most, len(bench.queue))
        bench.work(bench.queue.popleft())

    bench.store.turn = one_at_a_time

    check_whole(bench.run(), 300)
    assert most == dispatch_module.FLIGHTS_A_PROCESS * 2 + dispatch_module.FLIGHTS_MORE


def test_chunks_behind_a_slow_one_are_not_held_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch_module, "HELD_CHUNKS", 10)
    bench = Bench(rows=300)
    late = ChunkName(0, 3)
    bench.store.working.add(late)

    def all_but_the_first() -> None:
        held = len(bench.queue) + len(bench.store.payloads)
        assert held <= 20
        for name in list(bench.queue):
            if name != late or len(bench.sent) == 10:
                bench.queue.remove(name)
                bench.work(name)

    bench.store.turn = all_but_the_first

    check_whole(bench.run(), 300)


def test_what_was_answered_is_withdrawn_from_the_broker() -> None:
    bench = Bench(rows=20)

    bench.run()

    assert bench.store.payloads == {}
    assert bench.store.results == {}


def test_a_lost_message_is_sent_again_when_its_lease_is_over_and_not_before() -> None:
    bench = Bench(rows=3)
    times: list[float] = []

    def lose_the_first() -> None:
        times.append(bench.clock.now)
        if bench.queue and len(bench.sent) == 1:
            bench.queue.clear()
        bench.work_all()

    bench.store.turn = lose_the_first

    check_whole(bench.run(), 3)
    assert bench.sent == [((0, 3), 0), ((0, 3), 1)]
    assert bench.dispatcher.resent == 1
    assert bench.store.totals == {"chunks_resent": 1}
    assert LEASE_S <= times[-1] - times[0] <= LEASE_S + 1


def test_the_lease_grows_with_each_attempt() -> None:
    bench = Bench(rows=3)
    sent_at: list[float] = []
    answer_after = 4

    def lose_some() -> None:
        while len(sent_at) < len(bench.sent):
            sent_at.append(bench.clock.now)
        if len(bench.sent) < answer_after:
            bench.queue.clear()
        bench.work_all()

    bench.store.turn = lose_some

    check_whole(bench.run(), 3)
    waits = [later - earlier for earlier, later in itertools.pairwise(sent_at)]
    assert waits == pytest.approx([LEASE_S, 2 * LEASE_S, 4 * LEASE_S], abs=1)


def test_a_chunk_that_is_being_worked_on_is_not_sent_again() -> None:
    bench = Bench(rows=3)
    bench.store.working.add(ChunkName(0, 3))
    began = bench.clock.now

    def slowly() -> None:
        if bench.clock.now > began + 20 * LEASE_S:
            bench.work_all()

    bench.store.turn = slowly

    check_whole(bench.run(), 3)
    assert bench.dispatcher.resent == 0


def test_an_answer_whose_notice_was_lost_is_found_when_the_lease_is_over() -> None:
    bench = Bench(rows=3)

    def lose_the_notice() -> None:
        bench.work_all()
        bench.store.done.clear()

    bench.store.turn = lose_the_notice

    check_whole(bench.run(), 3)
    assert bench.dispatcher.resent == 0
    assert len(bench.sent) == 1


def test_doubled_and_late_notices_are_dropped() -> None:
    bench = Bench(rows=9)

    def doubled() -> None:
        bench.work_all()
        bench.store.done += [*bench.store.done, Done(ChunkName(500, 503), "a stranger/9")]

    bench.store.turn = doubled

    check_whole(bench.run(), 9)
    assert bench.dispatcher.dropped >= 1


def test_a_notice_without_an_answer_does_not_count() -> None:
    bench = Bench(rows=3)
    lies = [Done(ChunkName(0, 3), "host/1")]

    def lie_first() -> None:
        if lies:
            bench.store.done.append(lies.pop())
        else:
            bench.work_all()

    bench.store.turn = lie_first

    check_whole(bench.run(), 3)


def test_an_entry_that_cannot_be_read_is_told_and_dropped() -> None:
    bench = Bench(rows=3)

    def garbage() -> None:
        bench.store.done.append("what is this?")
        bench.work_all()

    bench.store.turn = garbage

    check_whole(bench.run(), 3)
    assert ["what is this?" in text for text in bench.said] == [True]


def of_other_puzzles() -> bytes:
    return SOLVERS["solo"](b"".join(CELLS[3:6]), 2, 1000, None)


@pytest.mark.parametrize(
    "garbled",
    [b"", b"rubbish", of_other_puzzles(), pack_results([UNFINISHED] * 2)],
    ids=["none", "rubbish", "other", "two"],
)
def test_a_garbled_answer_is_told_and_asked_for_again(garbled: bytes) -> None:
    bench = Bench(rows=3)
    bad = [garbled]

    def garble_the_first() -> None:
        while bench.queue:
            name = bench.queue.popleft()
            bench.work(name)
            if bad:
                bench.store.results[name] = bad.pop()

    bench.store.turn = garble_the_first

    check_whole(bench.run(), 3)
    assert ["garbled" in text for text in bench.said] == [True]
    assert bench.dispatcher.resent == 1


def test_answers_that_are_garbled_again_and_again_end_the_batch() -> None:
    bench = Bench(rows=3)

    def garble() -> None:
        while bench.queue:
            name = bench.queue.popleft()
            bench.work(name)
            bench.store.results[name] = b"rubbish"

    bench.store.turn = garble

    with pytest.raises(BrokerError, match="garbled again and again"):
        bench.run()


def test_what_a_chunk_left_unfinished_is_cut_again() -> None:
    bench = Bench(rows=8, chunk_rows=8)

    def stop_in_the_middle() -> None:
        while bench.queue:
            name = bench.queue.popleft()
            results = unpack_results(SOLVERS["solo"](unpack_puzzles(bench.store.payloads[name]), 2, 1000, None))
            if name == (0, 8):
                results[2:4] = [UNFINISHED] * 2
                results[7] = UNFINISHED
            bench.work(name, results)

    bench.store.turn = stop_in_the_middle

    gathered = bench.run()

    check_whole(gathered, 8)
    assert [name for name, _ in bench.sent] == [(0, 8), (2, 4), (7, 8)]
    assert [item.chunk.name for item in gathered] == [(0, 8)]
    assert bench.dispatcher.resent == 0  # that is no poison


def test_a_chunk_of_which_nothing_was_finished_is_halved() -> None:
    bench = Bench(rows=5, chunk_rows=5)

    def only_alone() -> None:
        while bench.queue:
            name = bench.queue.popleft()
            bench.work(name, [UNFINISHED] * (name.stop - name.start) if name.stop - name.start > 1 else None)

    bench.store.turn = only_alone

    check_whole(bench.run(), 5)
    assert {name for name, _ in bench.sent} == {(0, 5), (0, 2), (2, 5), (0, 1), (1, 2), (2, 3), (3, 5), (3, 4), (4, 5)}


def test_a_puzzle_alone_that_was_not_finished_is_sent_again() -> None:
    bench = Bench(rows=1, chunk_rows=1)

    def once_in_vain() -> None:
        while bench.queue:
            bench.work(bench.queue.popleft(), [UNFINISHED] if len(bench.sent) == 1 else None)

    bench.store.turn = once_in_vain

    check_whole(bench.run(), 1)


@pytest.mark.parametrize("poison", [[3], [0, 7], [4, 5], list(range(8))])
def test_a_chunk_that_kills_is_halved_until_the_puzzle_alone_has_failed(poison: list[int]) -> None:
    bench = Bench(rows=8, chunk_rows=8)

    def die_of_poison() -> None:
        while bench.queue:
            name = bench.queue.popleft()
            if any(row in poison for row in range(*name)):
                bench.store.done.append(Done(name, "host/1", died=True))
            else:
                bench.work(name)

    bench.store.turn = die_of_poison

    gathered = bench.run()

    check_whole(gathered, 8, but=poison)
    assert bench.store.payloads == {}


def test_the_workers_that_answered_are_named() -> None:
    bench = Bench(rows=3)

    gathered = bench.run()

    assert gathered[0].workers == ["host/1"]
    assert bench.dispatcher.isas == {"portable"}


def test_a_broker_that_is_away_is_waited_for_and_told_once_an_outage() -> None:
    bench = Bench(rows=30)

    def away_now_and_then() -> None:
        bench.work_all()
        bench.store.away = 3

    bench.store.turn = away_now_and_then

    check_whole(bench.run(), 30)
    outages = bench.dispatcher._patience.outages
    assert outages > 1
    assert len(bench.said) == outages


def test_after_an_outage_everything_is_looked_at_at_once() -> None:
    bench = Bench(rows=3)
    began = bench.clock.now
    lost = []

    def forget_all_and_be_away() -> None:
        if not lost:
            lost.append(True)
            bench.store.payloads.clear()
            bench.queue.clear()
            bench.store.away = 2
        bench.work_all()

    bench.store.turn = forget_all_and_be_away

    check_whole(bench.run(), 3)
    assert bench.clock.now - began < LEASE_S
    assert bench.dispatcher.resent == 1


def test_a_broker_that_stays_away_ends_the_batch_when_patience_does() -> None:
    bench = Bench(rows=3, patience_s=7)
    began = bench.clock.now
    bench.store.away = 10**9

    with pytest.raises(BrokerError, match="did not answer for 7 s"):
        bench.run()

    assert 7 <= bench.clock.now - began < 9


def test_no_worker_for_a_minute_is_told_once_and_waited_for() -> None:
    bench = Bench(rows=3)
    bench.store.there = {}
    began = bench.clock.now

    def nobody_for_long() -> None:
        if bench.clock.now - began > 300:
            bench.work_all()
        else:
            bench.queue.clear()

    bench.store.turn = nobody_for_long

    check_whole(bench.run(), 3)
    assert ["no worker" in text for text in bench.said] == [True]


def test_a_cluster_of_our_own_is_looked_after_while_nothing_comes_back() -> None:
    bench = Bench(rows=3)
    bench.store.turn = lambda: bench.work_all() if bench.mended >= 4 else bench.queue.clear()

    check_whole(bench.run(), 3)


def test_withdrawing_takes_back_what_is_on_its_way() -> None:
    bench = Bench(rows=300)
    bench.store.turn = lambda: bench.work(bench.queue.popleft())
    next(bench.dispatcher.run())

    bench.dispatcher.withdraw()

    assert bench.store.ended_with == [(3, 6), (6, 9), (9, 12), (12, 15), (15, 18)]


class Submitted(FakeRows):
    """Rows that were laid down and sent by somebody else."""


def submitted_bench(rows: int, answered: Callable[[int], bool]) -> Bench:
    bench = Bench(rows=rows, source=Submitted(rows), submitted=True)
    for number, start in enumerate(range(0, rows, 3)):
        name = ChunkName(start, min(start + 3, rows))
        bench.store.payloads[name] = pack_puzzles(b"".join(cells_of_row(row) for row in range(*name)))
        bench.queue.append(name)
        if answered(number):
            bench.work(name)
    bench.store.done.clear()  # another gatherer has taken the notices
    return bench


def test_of_a_submitted_batch_nothing_is_sent_that_is_answered_or_will_be() -> None:
    bench = submitted_bench(20, answered=lambda number: number % 2 == 0)

    check_whole(bench.run(), 20)

    assert bench.sent == []


def test_of_a_submitted_batch_what_is_being_worked_on_is_not_sent_again_although_no_message_is_left() -> None:
    bench = submitted_bench(6, answered=lambda number: number == 0)
    bench.store.working.add(ChunkName(3, 6))
    bench.queue.clear()
    bench.store.turn = lambda: bench.work(ChunkName(3, 6))

    check_whole(bench.run(), 6)

    assert bench.sent == []


def test_a_submitted_batch_stays_for_another_gatherer() -> None:
    bench = submitted_bench(20, answered=lambda number: True)

    first = bench.run()
    bench.dispatcher.withdraw()
    second = submitted_bench(20, answered=lambda number: False)
    second.store.results = bench.store.results
    second.queue.clear()

    check_whole(first, 20)
    check_whole(second.run(), 20)
    assert bench.store.dropped == []
    assert bench.store.ended_with is None


@pytest.mark.parametrize("payloads_too", [True, False])
def test_of_a_submitted_batch_what_was_lost_is_sent_again_at_once(payloads_too: bool) -> None:
    bench = submitted_bench(20, answered=lambda number: number == 0)
    bench.queue.clear()
    if payloads_too:
        bench.store.payloads.clear()
    began = bench.clock.now

    check_whole(bench.run(), 20)

    assert bench.clock.now == began  # no lease was waited for
    assert bench.dispatcher.resent == 6
    assert sorted(name for name, _ in bench.sent) == [(3, 6), (6, 9), (9, 12), (12, 15), (15, 18), (18, 20)]
