"""Puzzles that are the same are solved once, and every row is as it would be without that."""

import random
from pathlib import Path

import pytest

from producer.dispatch import Gathered
from producer.readers.cutter import Cutter
from producer.readers.sources import find_sources
from producer.shape import Shape
from producer.twins import CANONICAL, EXACT, Question, Twins
from solver_core.chunk import unpack_puzzles, unpack_results
from solver_core.errors import BatchError
from solver_core.result import Status
from solver_core.rows import carry_over, minlex
from solver_core.solvers import SOLVERS
from tests.checker import is_solution
from tests.puzzles import MADE, cells_of
from tests.rows import read_rows

ASKED = Question("solo", 2, 100_000)
# A puzzle with one solution, one with two, one with none: by name, so that each row tells which it is.
KINDS = {
    "one": MADE[0].text,
    "two": next(puzzle for puzzle in MADE if puzzle.name == "two solutions, four cells empty").text,
    "none": next(puzzle for puzzle in MADE if puzzle.name == "unsolvable after a search, few givens").text,
    "clash": "11" + "." * 79,
}


def lines(rng: random.Random) -> list[int]:
    order = [0, 1, 2]
    rng.shuffle(order)
    return [3 * band + line for band in order for line in rng.sample(range(3), 3)]


def moved(puzzle: str, rng: random.Random) -> str:
    rows, columns, digits = lines(rng), lines(rng), rng.sample("123456789", 9)
    cells = [(row, column) for row in rows for column in columns]
    marks = [puzzle[9 * row + column] for row, column in cells]
    return "".join(mark if mark == "." else digits[int(mark) - 1] for mark in marks)


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """A hundred lines: the puzzles of `KINDS` as they are, and moved; and lines that are none."""
    rng = random.Random(7)
    texts = ["no puzzle"]
    for _ in range(99):
        name = rng.choice(list(KINDS))
        texts.append(f"{KINDS[name] if rng.random() < 0.5 else moved(KINDS[name], rng)} {name}")
    path = tmp_path / "batch.txt"
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def run(
    path: Path, mode: str, chunk_rows: int, *, done: int = 0, until: int = 1000, ahead: int = 1
) -> list[dict[str, str]]:
    """The rows of a batch after so many, as a run writes them, with so many chunks on their way at once."""
    sources = find_sources([str(path)])
    rows = Twins(Cutter(sources), mode, path.with_suffix(".twins"), ASKED, done)
    shape = Shape("csv", dedup=mode)
    text, flights = [shape.header()], []
    try:
        rows.skip(done)
        while True:
            while len(flights) < ahead and not rows.ended:
                chunk = rows.cut(chunk_rows, wait_s=1.0)
                if chunk:
                    flights.append(chunk)
            if not flights:
                break
            chunk = flights.pop(0)
            answer = SOLVERS["solo"](unpack_puzzles(chunk.work), ASKED.limit, ASKED.max_guesses)
            item, twins = rows.settle(Gathered(chunk, answer, []))
            first_id = item.chunk.name.start + 1
            text.append(shape.rows(first_id, ["a"], item.chunk.rows, item.chunk.work, item.answer, twins))
            if item.chunk.name.stop >= until:
                break
    finally:
        rows.close()
    return read_rows(b"".join(text).decode())


def without_times(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{**row, "time_ns": "yes" if row["time_ns"] else ""} for row in rows]


@pytest.mark.parametrize("mode", [EXACT, CANONICAL])
def test_a_copy_has_the_result_of_its_puzzle_and_no_effort(batch: Path, mode: str) -> None:
    rows = run(batch, mode, 1000)

    first: dict[str, dict[str, str]] = {}
    for row in rows[1:]:
        key = row["puzzle"] if mode == EXACT else row["label"]
        one = first.setdefault(key, row)
        assert row["same_as"] == ("" if row is one else one["id"])
        assert (row["status"], row["canonical"]) == (one["status"], one["canonical"])
        if row["solution"]:
            assert is_solution(cells_of(row["puzzle"]), cells_of(row["solution"]))
        solved_itself = row is one or (mode == CANONICAL and row["status"] == "multiple")
        assert bool(row["time_ns"]) == bool(row["guesses"]) == (solved_itself and row["status"] != "invalid")
    assert (rows[0]["canonical"], rows[0]["same_as"]) == ("", "")
    assert len(first) < len(rows) - 1


@pytest.mark.parametrize("mode", [EXACT, CANONICAL])
def test_solutions_are_those_that_each_puzzle_has_by_itself(batch: Path, mode: str) -> None:
    for row in run(batch, mode, 10)[1:]:
        result = unpack_results(SOLVERS["solo"](cells_of(row["puzzle"]), ASKED.limit, ASKED.max_guesses))[0]

        assert row["status"] == result.status.word
        assert row["solution"] == "".join(map(str, result.solution))


@pytest.mark.parametrize("mode", [EXACT, CANONICAL])
def test_rows_do_not_depend_on_chunks_nor_on_what_is_known_when_they_are_cut(batch: Path, mode: str) -> None:
    rows = without_times(run(batch, mode, 1000))

    for chunk_rows, ahead in [(1, 1), (1, 9), (7, 1), (7, 4), (50, 2)]:
        assert without_times(run(batch, mode, chunk_rows, ahead=ahead)) == rows


@pytest.mark.parametrize("mode", [EXACT, CANONICAL])
def test_another_run_goes_on_with_the_index(batch: Path, mode: str) -> None:
    rows = without_times(run(batch, mode, 1000))

    run(batch, mode, 7, ahead=5, until=42)  # what was cut and not settled is forgotten
    rest = run(batch, mode, 7, done=35)

    assert without_times(rest) == rows[35:]


def test_an_index_that_does_not_know_all_that_is_done_is_refused(batch: Path) -> None:
    run(batch, EXACT, 7, until=20)

    with pytest.raises(BatchError, match="begin anew"):
        run(batch, EXACT, 7, done=60)


def test_copies_cost_a_kernel_nothing(batch: Path) -> None:
    rows = Twins(Cutter(find_sources([str(batch)])), CANONICAL, batch.with_suffix(".twins"), ASKED, 0)

    chunk = rows.cut(1000, wait_s=1.0)
    rows.close()

    assert chunk is not None
    results = unpack_results(SOLVERS["solo"](unpack_puzzles(chunk.work), 2))
    assert sum(result.status is not Status.INVALID for result in results) == len(KINDS) - 1


def test_a_grid_is_carried_over_to_a_moved_puzzle() -> None:
    rng = random.Random(3)
    one, other = KINDS["one"], moved(KINDS["one"], rng)
    solution = unpack_results(SOLVERS["solo"](cells_of(one), 2))[0].solution
    forms, ways = minlex(cells_of(one) + cells_of(other))

    carried = carry_over(solution, ways[:29], ways[29:])

    assert forms[:81] == forms[81:]
    assert is_solution(cells_of(other), carried)
    with pytest.raises(ValueError, match="two ways"):
        carry_over(solution, ways[:29], b"nothing")
