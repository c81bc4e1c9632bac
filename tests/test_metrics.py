"""What is counted where work is done, and what Prometheus sees of it."""

import contextlib
import os
import signal
import socket
import urllib.request
from collections.abc import Iterator

import fakeredis
import pytest
import redis
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from producer.metrics import ClusterCollector
from solver_core import queens, queens_chunk, sudoku
from solver_core.chunk import pack_puzzles, pack_results
from solver_core.errors import ChunkError
from solver_core.range_chunk import RangeAnswer, pack
from solver_core.result import Result, Status
from solver_core.sudoku import Stop
from tests.gridmill import Gridmill, end
from tests.processes import wait_until
from tests.puzzles import PUZZLES
from worker import totals
from worker.app import QUEUE
from worker.store import ChunkName, Store

META = {"keep_s": 60, "solver": "solo", "limit": 2, "max_guesses": 10**6}
C = ChunkName(0, 10)


@pytest.fixture
def store() -> Iterator[Store]:
    client = fakeredis.FakeRedis()
    yield Store(client)
    client.close()


def scraped(store: Store) -> dict[str, float]:
    """All samples that Prometheus would see, read with the library's own parser, by `name{label=value}`."""
    registry = CollectorRegistry()
    registry.register(ClusterCollector(store))
    return read(generate_latest(registry).decode())


def read(text: str) -> dict[str, float]:
    samples: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{label}={value}" for label, value in sample.labels.items())
            samples[sample.name.removeprefix("gridmill_") + (f"{{{labels}}}" if labels else "")] = sample.value
    return samples


def test_an_answer_to_puzzles_adds_up_by_status_on_both_planes() -> None:
    answer = sudoku.answer(pack_puzzles(b"".join(puzzle.cells for puzzle in PUZZLES)), META, Stop(None))
    in_a_file = RangeAnswer("part", 100, (0, 5, 0, 1, 0, 0, 0, 0), 777, (), (0, 0))

    by_broker, by_file = totals.of_sudoku(answer), totals.of_sudoku(pack(in_a_file))

    expected = [puzzle.status(2) for puzzle in PUZZLES]
    assert by_broker.unfinished == 0
    for word in totals.STATUSES:
        assert by_broker.counts[f"puzzles:{word}"] == expected.count(Status[word.upper()])
    assert by_broker.counts["kernel_ns:sudoku"] > 0
    assert {name: count for name, count in by_file.counts.items() if count} == {
        "chunks_done:sudoku": 1,
        "kernel_ns:sudoku": 777,
        "puzzles:unique": 5,
        "puzzles:unsolvable": 1,
    }


def test_what_a_stopped_kernel_left_undone_does_not_count() -> None:
    answer = pack_results([Result(Status.UNSOLVABLE, 0, b"", 0, 5), Result(Status.UNFINISHED, 0, b"", 0, 0)])

    sums = totals.of_sudoku(answer)

    assert sums.unfinished == 1
    assert sum(count for name, count in sums.counts.items() if name.startswith("puzzles:")) == 1


def test_a_range_that_was_handed_back_counts_as_refused_and_not_as_done() -> None:
    sums = totals.of_sudoku(pack(RangeAnswer(refused="outside of GRIDMILL_SHARED")))

    assert sums == (0, {"chunks_refused": 1})


def test_an_answer_to_prefixes_adds_up() -> None:
    work = queens_chunk.pack_work(queens_chunk.Work(6, 1, 0, (b"\0", b"\1", b"\2")))

    sums = totals.of_queens(queens.answer(work, META, Stop(None)))

    assert sums.unfinished == 0
    assert (sums.counts["prefixes"], sums.counts["chunks_done:queens"]) == (3, 1)
    assert sums.counts["kernel_ns:queens"] > 0


def test_an_answer_that_is_none_is_no_answer_to_add_up() -> None:
    for add_up in (totals.of_sudoku, totals.of_queens):
        with pytest.raises(ChunkError):
            add_up(b"rubbish")


def test_an_answer_counts_once_whoever_else_puts_it_and_late_ones_do_not(store: Store) -> None:
    store.put("B", META, [(C, b"work")], 60)
    counts = {"puzzles:unique": 10, "chunks_done:sudoku": 1}

    store.finish("B", C, "first", b"one", 60, counts.items())
    store.finish("B", C, "second", b"two", 60, counts.items())
    store.drop("B", [C])
    store.finish("B", C, "third", b"late", 60, counts.items())

    seen = scraped(store)
    assert seen["puzzles_total{status=unique}"] == 10
    assert seen["chunks_done_total{kind=sudoku}"] == 1


def test_every_total_that_is_counted_is_shown_and_stands_at_0_before(store: Store) -> None:
    before = scraped(store)

    for field in totals.FIELDS:
        store.count(field, 2_000_000_000)

    changed = {name: value for name, value in scraped(store).items() if before[name] != value}
    assert len(changed) == len(totals.FIELDS)
    assert set(changed.values()) == {2e9, 2.0}  # times are shown in seconds
    assert all(before[name] == 0 for name in changed)
    assert 0 < store.client.ttl("gridmill:totals") <= 30 * 86400


@pytest.mark.parametrize("rubbish", [b"", b"-5", b"many", b"9" * 40, b"\xff"])
def test_totals_that_are_no_numbers_are_0_and_keep_no_answer_back(store: Store, rubbish: bytes) -> None:
    store.put("B", META, [(C, b"work")], 60)
    store.client.hset("gridmill:totals", "puzzles:unique", rubbish)
    before = scraped(store)

    accepted = store.finish("B", C, "w", b"answer", 60, [("puzzles:unique", 1), ("puzzles:multiple", 1)])

    assert before["puzzles_total{status=unique}"] == 0
    assert accepted
    assert store.answers("B", [C]) == [b"answer"]
    assert scraped(store)["puzzles_total{status=multiple}"] == 1


def test_another_kind_of_key_in_the_place_of_the_totals_keeps_no_answer_back(store: Store) -> None:
    store.put("B", META, [(C, b"work")], 60)
    store.client.set("gridmill:totals", "mine")

    store.count("chunks_resent")
    accepted = store.finish("B", C, "w", b"answer", 60, [("puzzles:unique", 1)])

    assert accepted
    with pytest.raises(redis.ResponseError):
        scraped(store)


def test_workers_are_counted_by_isa_with_their_processes(store: Store) -> None:
    store.present("a", {"isa": "avx2", "processes": 2})
    store.present("b", {"isa": "avx2", "processes": 4})
    store.present("c", {"isa": "x" * 1000, "processes": 1})

    seen = scraped(store)

    assert (seen["workers{isa=avx2}"], seen["worker_processes{isa=avx2}"]) == (2, 6)
    assert seen[f"workers{{isa={'x' * 16}}}"] == 1


def test_chunks_are_waiting_in_the_queue_or_running_in_a_process(store: Store) -> None:
    store.client.lpush(f"gridmill:{QUEUE}", b"message", b"message", b"message")
    store.still_alive("p1", ("B", C))
    store.still_alive("p2")

    seen = scraped(store)

    assert (seen["chunks_waiting"], seen["chunks_running"]) == (3, 1)


def test_batches_are_submitted_ones_or_those_of_a_producer_that_waits(store: Store) -> None:
    store.announce("S1", META | {"created": 1.0}, 60)
    store.announce("S2", META | {"created": 2.0}, 60)
    store.put("B", META, [(C, b"work")], 60)
    store.forget("S2")

    seen = scraped(store)

    assert (seen["batches{kind=submitted}"], seen["batches{kind=direct}"]) == (1, 1)


def test_a_broker_that_is_away_is_all_that_is_told(store: Store) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        away = redis.Redis(port=free.getsockname()[1])

        assert scraped(Store(away)) == {"broker_up": 0}


@pytest.mark.wiring
def test_the_command_serves_what_the_broker_tells(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("metrics")
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    home = Gridmill(folder, folder, "redis://:secret@127.0.0.1:1/0")

    with home.started("metrics", "--port", port) as process:
        pages: list[str] = []

        def answers() -> bool:
            assert process.poll() is None
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
                pages.append(page.read().decode())
            return bool(pages)

        wait_until(answers, "its page")
        ended = end(process, signal.SIGTERM)

    assert read(pages[0]) == {"broker_up": 0}
    assert "secret" not in pages[0] + ended.out + ended.err
    assert ended.code == 130


def test_a_command_without_its_library_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("without")
    (folder / "prometheus_client.py").write_text("raise ImportError('hidden')\n")
    home = Gridmill(folder, folder, "redis://127.0.0.1:1/0", PYTHONPATH=os.fspath(folder))

    ended = home("metrics")

    assert ended.code == 2
    assert "pip install 'gridmill[metrics]'" in ended.err
