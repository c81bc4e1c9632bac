"""`gridmill queens` on a real broker: counts, lists, and going on after a crash."""

import json
import signal
from pathlib import Path

import pytest

from solver_core.queens import QUEENS_COUNTS
from tests.checker import is_board
from tests.gridmill import Gridmill, end
from tests.processes import wait_until
from tests.rows import read_rows


def test_counts_stand_in_a_table_a_row_a_column(gridmill: Gridmill, tmp_path: Path) -> None:
    ended = gridmill("queens", "1-8", "-o", "q.csv")

    rows = read_rows((tmp_path / "q.csv").read_text())
    sums = {n: sum(int(row["solutions"]) for row in rows if row["n"] == str(n)) for n in range(1, 9)}
    assert ended.code == 0
    assert list(sums.values()) == QUEENS_COUNTS[1:9]
    assert [row["column"] for row in rows if row["n"] == "8"] == [str(column) for column in range(8)]
    assert "8 queens: 92 solutions, as published (A000170)" in ended.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["q.csv"]


def test_quiet_says_nothing(gridmill: Gridmill) -> None:
    ended = gridmill("queens", "6", "--quiet", "-o", "q.jsonl")

    assert (ended.code, ended.out, ended.err) == (0, "", "")
    text = (gridmill.folder / "q.jsonl").read_text()
    assert sum(json.loads(line)["solutions"] for line in text.splitlines()) == 4


@pytest.mark.parametrize("chunk", ["auto", 1, 50])
def test_a_list_has_every_solution_once_and_in_order(gridmill: Gridmill, tmp_path: Path, chunk: object) -> None:
    ended = gridmill("queens", 8, "--list", "-o", "q8.txt", "--chunk", chunk)

    boards = [tuple(map(int, line.split(" "))) for line in (tmp_path / "q8.txt").read_text().splitlines()]
    assert ended.code == 0
    assert len(boards) == 92
    assert boards == sorted(set(boards))
    assert all(is_board(8, board) for board in boards)


def test_a_list_of_no_solution_is_an_empty_file_and_0(gridmill: Gridmill, tmp_path: Path) -> None:
    assert gridmill("queens", 3, "--list", "-o", "q.txt").code == 0

    assert (tmp_path / "q.txt").read_bytes() == b""


def test_a_list_ends_where_it_is_told_to(gridmill: Gridmill, tmp_path: Path) -> None:
    whole = gridmill("queens", 8, "--list", "-o", "-").out.splitlines()

    for most in (1, 5, 91, 92, 93):
        assert gridmill("queens", 8, "--list", "--first", most, "-o", "q.txt").code == 0
        assert (tmp_path / "q.txt").read_text().splitlines() == whole[:most]


def test_a_count_that_was_killed_goes_on_and_is_right(alone: Gridmill, tmp_path: Path) -> None:
    journal = tmp_path / "q.csv.journal"
    with alone.started("queens", 15, "-o", "q.csv", "--chunk", 1) as process:
        wait_until(lambda: process.poll() is not None or has_rows(journal), "some prefixes")
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
    interrupted = journal.exists()

    ended = alone("queens", 15, "-o", "q.csv")

    assert interrupted
    assert ended.code == 0
    assert sum(int(row["solutions"]) for row in read_rows((tmp_path / "q.csv").read_text())) == QUEENS_COUNTS[15]


def has_rows(journal: Path) -> bool:
    return journal.exists() and journal.read_text().count("\n") > 1


def test_a_list_that_was_interrupted_goes_on_and_is_whole(alone: Gridmill, tmp_path: Path) -> None:
    journal = tmp_path / "q.txt.journal"
    with alone.started("queens", 11, "--list", "-o", "q.txt", "--chunk", 1) as process:
        wait_until(lambda: process.poll() is not None or has_rows(journal), "some prefixes")
        interrupted = process.poll() is None
        ended = end(process, signal.SIGINT)

    again = alone("queens", 11, "--list", "-o", "q.txt")

    lines = (tmp_path / "q.txt").read_text().splitlines()
    assert interrupted
    assert (ended.code, again.code) == (130, 0)
    assert len(lines) == QUEENS_COUNTS[11]
    boards = [tuple(map(int, line.split())) for line in lines]
    assert boards == sorted(set(boards))
