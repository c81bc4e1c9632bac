"""Rows and sums: what the gatherer writes, and that a summary adds up whether a run was resumed or not."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from producer.dispatch import Gathered
from producer.gather import BadLineError, Gatherer
from producer.journal import Journal
from producer.readers.cutter import Cutter
from producer.readers.sources import Source
from producer.shape import Shape
from producer.summary import SLOWEST, Summary, one_line
from solver_core.chunk import pack_results, unpack_puzzles, unpack_results
from solver_core.result import Result, Status
from solver_core.rows import COLUMNS, LineTally
from solver_core.solvers import SOLVERS
from tests.checker import is_solution
from tests.puzzles import PUZZLES, cells_of
from tests.rows import read_rows, write_lines

NAMES = ["a.txt", 'strange, "name".txt']


class Memory:
    """A target that keeps everything."""

    def __init__(self, rows: int = 0, state: dict[str, Any] | None = None) -> None:
        self.rows = rows
        self.state = state or {}
        self.text = b""

    def write(self, text: bytes, rows: int, state: Callable[[], dict[str, Any]]) -> None:
        self.text += text
        self.rows += rows

    def tick(self) -> None:
        """Nothing is due."""

    def finish(self) -> None:
        """All is kept."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    # In a file `?` is an empty cell; `!` is nothing at all.
    return write_lines(tmp_path / "a.txt", [f"{puzzle.text.replace('?', '!')} {puzzle.name}" for puzzle in PUZZLES])


def answered(path: Path, chunk_rows: int = 4, skip: int = 0) -> Iterator[Gathered]:
    cutter = Cutter([Source("a.txt", path)])
    cutter.skip(skip)
    while not cutter.ended:
        chunk = cutter.cut(chunk_rows, wait_s=1)
        if chunk:
            yield Gathered(chunk, SOLVERS["solo"](unpack_puzzles(chunk.work), 2, 10**6, None), ["host/1"])
    cutter.close()


def test_every_puzzle_has_its_row_and_every_solution_is_right(path: Path) -> None:
    target = Memory()

    Gatherer(target, Shape("csv"), NAMES).gather(answered(path))

    rows = read_rows(target.text.decode())
    assert [tuple(row) for row in rows[:1]] == [COLUMNS]
    assert len(rows) == len(PUZZLES)
    for number, (row, puzzle) in enumerate(zip(rows, PUZZLES, strict=True), 1):
        assert (row["id"], row["source"], row["line"]) == (str(number), "a.txt", str(number))
        assert row["status"] == puzzle.status(2).word
        assert (row["time_ns"] == "") == (row["guesses"] == "") == (not puzzle.is_valid)
        assert row["time_ns"] == "" or int(row["time_ns"]) >= 1
        assert bool(row["note"]) == (not puzzle.is_valid)
        if puzzle.solutions and puzzle.is_valid:
            assert row["solutions"] == str(min(puzzle.solutions, 2))
            assert is_solution(cells_of(row["puzzle"]), cells_of(row["solution"]))
        else:
            assert (row["solution"], row["solutions"]) in (("", "0"), ("", ""))


def test_csv_and_jsonl_say_the_same(path: Path) -> None:
    as_csv, as_jsonl = Memory(), Memory()

    Gatherer(as_csv, Shape("csv"), NAMES).gather(answered(path))
    Gatherer(as_jsonl, Shape("jsonl"), NAMES).gather(answered(path))

    rows = read_rows(as_csv.text.decode())
    objects = [json.loads(line) for line in as_jsonl.text.decode().splitlines()]
    assert [tuple(item) for item in objects] == [COLUMNS] * len(rows)
    for row, item in zip(rows, objects, strict=True):
        for column in COLUMNS:
            if column != "time_ns":
                assert row[column] == ("" if item[column] is None else str(item[column])), column


def test_names_and_labels_are_quoted_as_csv_asks(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.txt", [f'{PUZZLES[0].text} say "hi", twice', "=1+1,2"])
    target = Memory()

    Gatherer(target, Shape("csv"), [NAMES[1]]).gather(answered(path))

    rows = list(csv.reader(io.StringIO(target.text.decode(), newline=""), strict=True))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert (rows[1][1], rows[1][3]) == (NAMES[1], 'say "hi", twice')
    assert b"\r" not in target.text


def test_progress_tells_all_rows_so_far(path: Path) -> None:
    told: list[int] = []

    Gatherer(Memory(), Shape("csv"), NAMES, progress=told.append).gather(answered(path, chunk_rows=10))

    assert told == [10, 20, len(PUZZLES)]


def test_an_empty_batch_is_a_header(tmp_path: Path) -> None:
    target = Memory()

    Gatherer(target, Shape("csv"), []).gather([])

    assert target.text == (",".join(COLUMNS) + "\n").encode()


def test_strict_ends_at_the_first_bad_line_and_names_it(path: Path) -> None:
    first_bad = next(i for i, puzzle in enumerate(PUZZLES, 1) if not puzzle.is_valid)

    with pytest.raises(BadLineError, match=rf"^a\.txt:{first_bad}: "):
        Gatherer(Memory(), Shape("csv"), NAMES, strict=True).gather(answered(path, chunk_rows=50))


def test_sums_add_up(path: Path) -> None:
    gatherer = Gatherer(Memory(), Shape("csv"), NAMES)

    gatherer.gather(answered(path))

    summary = gatherer.summary
    expected: dict[str, int] = {}
    for puzzle in PUZZLES:
        word = puzzle.status(2).word
        expected[word] = expected.get(word, 0) + 1
    assert summary.status_counts == expected
    assert summary.rows == len(PUZZLES)
    assert summary.chunks == summary.workers["host/1"] == -(-len(PUZZLES) // 4)
    assert summary.kernel_ns > 0


def test_the_kernel_time_is_the_sum_of_all_rows(path: Path) -> None:
    target = Memory()
    gatherer = Gatherer(target, Shape("csv"), NAMES)

    gatherer.gather(answered(path))

    assert gatherer.summary.kernel_ns == sum(int(row["time_ns"] or 0) for row in read_rows(target.text.decode()))


def test_the_slowest_are_the_ten_slowest_rows_slowest_first(path: Path) -> None:
    target = Memory()
    gatherer = Gatherer(target, Shape("csv"), NAMES)

    gatherer.gather(answered(path, chunk_rows=3))

    rows = sorted((row for row in read_rows(target.text.decode()) if row["time_ns"]), key=lambda r: -int(r["time_ns"]))
    told = [(str(slow["id"]), slow["puzzle"], str(slow["time_ns"])) for slow in gatherer.summary.slowest]
    assert [time_ns for _, _, time_ns in told] == [row["time_ns"] for row in rows[:SLOWEST]]
    assert set(told) <= {(row["id"], row["puzzle"], row["time_ns"]) for row in rows}


def test_a_resumed_run_writes_and_sums_what_an_undisturbed_one_does(path: Path, tmp_path: Path) -> None:
    undisturbed = Memory()
    whole = Gatherer(undisturbed, Shape("csv"), NAMES)
    whole.gather(answered(path))

    for stop_after in range(1, 7):
        out = tmp_path / f"{stop_after}.csv"
        with Journal(out, {}) as journal:
            items = answered(path)
            Gatherer(journal, Shape("csv"), NAMES).gather(next(items) for _ in range(stop_after))
        with Journal(out, {}) as journal:
            second = Gatherer(journal, Shape("csv"), NAMES)
            second.gather(answered(path, skip=journal.rows))
            journal.finish()
            journal.forget()

        assert [{**row, "time_ns": ""} for row in read_rows(out.read_text())] == [
            {**row, "time_ns": ""} for row in read_rows(undisturbed.text.decode())
        ]
        assert second.summary.status_counts == whole.summary.status_counts
        assert second.summary.chunks == whole.summary.chunks


def test_a_run_interrupted_before_its_first_row_has_one_header_in_the_end(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt), Journal(out, {}) as journal:
        Gatherer(journal, Shape("csv"), NAMES).gather(interrupted())

    with Journal(out, {}) as journal:
        Gatherer(journal, Shape("csv"), NAMES).gather(answered(path))
        journal.finish()

    assert out.read_text().count("id,source") == 1
    assert len(read_rows(out.read_text())) == len(PUZZLES)


def interrupted() -> Iterator[Gathered]:
    raise KeyboardInterrupt
    yield


def test_a_finished_batch_without_rows_is_not_begun_again(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    journal = Journal(out, {})
    Gatherer(journal, Shape("csv"), []).gather([])
    journal.finish()
    (tmp_path / "out.csv.partial").write_bytes(out.read_bytes())  # as if it had died before the renaming
    journal.__exit__(None, None, None)

    with Journal(out, {}) as again:
        Gatherer(again, Shape("csv"), []).gather([])
        again.finish()
        again.forget()

    assert out.read_text().count("id,source") == 1


def test_wall_time_goes_on_by_the_clock(path: Path) -> None:
    now = 100.0

    def ticking() -> Iterator[Gathered]:
        nonlocal now
        for item in answered(path):
            now += 2
            yield item

    first = Gatherer(Memory(), Shape("csv"), NAMES, clock=lambda: now)
    first.gather(ticking())
    chunks = first.summary.chunks
    second = Gatherer(Memory(1, first.summary.state()), Shape("csv"), NAMES, clock=lambda: now)
    second.gather(ticking())

    assert first.summary.wall_s == 2 * chunks
    assert second.summary.wall_s == 4 * chunks


def test_the_report_has_what_is_promised_and_survives_json(path: Path) -> None:
    gatherer = Gatherer(Memory(), Shape("csv"), NAMES)
    gatherer.gather(answered(path))

    report = gatherer.summary.report(lines=LineTally(30, 1, 1, 0, 28), isa=["solo"], plane="redis", source_prints=[])

    assert set(report) == {
        "status_counts",
        "lines",
        "wall_s",
        "kernel_s",
        "puzzles_per_second",
        "chunks",
        "resent_chunks",
        "workers",
        "isa",
        "plane",
        "versions",
        "input",
        "slowest",
        "given_solutions",
    }
    assert json.loads(json.dumps(report)) == report


def test_a_puzzle_that_failed_has_a_row_without_effort(path: Path) -> None:
    def first_failed() -> Iterator[Gathered]:
        for item in answered(path):
            results = unpack_results(item.answer)
            if item.chunk.name.start == 0:
                results[0] = Result(Status.FAILED, 0, b"", 0, 0)
            yield Gathered(item.chunk, pack_results(results), item.workers)

    target = Memory()
    gatherer = Gatherer(target, Shape("csv"), NAMES)
    gatherer.gather(first_failed())

    row = read_rows(target.text.decode())[0]
    assert (row["status"], row["guesses"], row["time_ns"], row["solution"]) == ("failed", "", "", "")
    assert row["puzzle"] == PUZZLES[0].text
    assert gatherer.summary.status_counts["failed"] == 1


def test_the_line_at_the_end_counts_rows_and_says_where_they_are() -> None:
    said = one_line(Summary({"unique": 1234, "invalid": 1}, wall_s=2.0), "out.csv")

    assert said == "1,235 rows (1,234 unique, 1 invalid) in 2.0 s, 618 puzzles/s -> out.csv"
    assert one_line(Summary({"unique": 1}, wall_s=1.0), "x").startswith("1 row (")
    assert one_line(Summary(), "x") == "0 rows in 0.0 s -> x"
