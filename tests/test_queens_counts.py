"""N-Queens batches: which prefixes they are cut into, and how their answers add up."""

import csv
import io
import json

import pytest

from producer.chunk import Chunk
from producer.counts import Column, Counts
from producer.dispatch import Gathered
from producer.prefixes import PrefixCutter, is_counted
from solver_core import queens
from solver_core.queens import QUEENS_COUNTS
from solver_core.queens_chunk import unpack_answers, unpack_work
from solver_core.sudoku import Stop
from tests.checker import is_board


def chunks(cutter: PrefixCutter, size: int) -> list[Chunk]:
    found = []
    while (chunk := cutter.cut(size, 0)) is not None:
        found.append(chunk)
    return found


def gathered(chunk: Chunk) -> Gathered:
    return Gathered(chunk, queens.answer(chunk.work, {}, Stop()), ["w"])


def counted(boards: range, size: int = 7) -> Counts:
    counts = Counts(boards, {})
    for chunk in chunks(PrefixCutter(boards), size):
        counts.add(gathered(chunk))
    return counts


def test_counts_are_the_published_ones() -> None:
    counts = counted(range(1, 11))

    assert [counts.total(n) for n in range(1, 11)] == QUEENS_COUNTS[1:11]


def test_columns_mirror_each_other_and_share_the_time() -> None:
    counts = counted(range(7, 9))

    for n, columns in counts.boards.items():
        assert [column.solutions for column in columns] == [column.solutions for column in reversed(columns)]
        assert all(column.time_ns > 0 for column in columns)
        assert len(columns) == n
    assert [column.solutions for column in counts.boards[8]] == [4, 8, 16, 18, 18, 16, 8, 4]


def test_the_whole_time_is_kept_when_it_is_shared() -> None:
    counts = Counts([8], {})
    whole = 0
    for chunk in chunks(PrefixCutter([8]), 3):
        item = gathered(chunk)
        whole += queens_time(item.answer)
        counts.add(item)

    assert sum(column.time_ns for column in counts.boards[8]) == whole


def queens_time(answer: bytes) -> int:
    return sum(found.time_ns for found in unpack_answers(answer))


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_chunks_hold_prefixes_of_one_board_and_follow_each_other(size: int) -> None:
    cutter = PrefixCutter(range(4, 9))

    found = chunks(cutter, size)

    assert [chunk.name.start for chunk in found] == [0, *[chunk.name.stop for chunk in found[:-1]]]
    assert found[-1].name.stop == cutter.total
    assert cutter.ended
    for chunk in found:
        work = unpack_work(chunk.work)
        assert len(work.prefixes) == chunk.count <= size
        assert all(len(prefix) == work.depth <= work.n for prefix in work.prefixes)


def test_only_the_left_half_is_counted_and_the_middle_column_is_its_own_mirror() -> None:
    for n in (7, 8):
        firsts = {prefix[0] for chunk in chunks(PrefixCutter([n]), 9) for prefix in unpack_work(chunk.work).prefixes}
        assert firsts == set(range((n + 1) // 2))
        assert all(is_counted(n, bytes([column])) == (column in firsts) for column in range(n))


@pytest.mark.parametrize("start", [0, 1, 5, 17])
def test_a_cutter_goes_on_where_an_earlier_run_ended(start: int) -> None:
    whole = [prefix for chunk in chunks(PrefixCutter([5, 9]), 1) for prefix in unpack_work(chunk.work).prefixes]

    rest = chunks(PrefixCutter([5, 9], start=start), 4)

    assert [prefix for chunk in rest for prefix in unpack_work(chunk.work).prefixes] == whole[start:]
    assert rest[0].name.start == start


def test_nothing_is_left_where_all_was_done() -> None:
    total = PrefixCutter([6]).total

    cutter = PrefixCutter([6], start=total)

    assert cutter.ended
    assert cutter.cut(5, 0) is None


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8])
def test_a_list_has_every_solution_once_and_in_order(n: int) -> None:
    boards: list[bytes] = []
    for chunk in chunks(PrefixCutter([n], most=10**6), 3):
        for found in unpack_answers(gathered(chunk).answer):
            boards += [found.listed[at : at + n] for at in range(0, len(found.listed), n)]

    assert boards == sorted(set(boards))
    assert len(boards) == QUEENS_COUNTS[n]
    assert all(is_board(n, board) for board in boards)


def test_kept_counts_go_on_where_they_ended() -> None:
    parts = chunks(PrefixCutter([6, 7]), 2)
    first = Counts([6, 7], {})
    for chunk in parts[:3]:
        first.add(gathered(chunk))

    second = Counts([6, 7], json.loads(json.dumps(first.state())))
    for chunk in parts[3:]:
        second.add(gathered(chunk))

    assert (second.total(6), second.total(7)) == (4, 40)


def test_counts_are_written_a_row_a_column() -> None:
    counts = counted(range(3, 5))

    rows = list(csv.DictReader(io.StringIO(counts.table("csv"))))
    objects = [json.loads(line) for line in counts.table("jsonl").splitlines()]

    assert [(row["n"], row["column"], row["solutions"]) for row in rows] == [
        *[("3", str(column), "0") for column in range(3)],
        ("4", "0", "0"),
        ("4", "1", "1"),
        ("4", "2", "1"),
        ("4", "3", "0"),
    ]
    assert [{key: str(value) for key, value in row.items()} for row in objects] == rows


def test_in_json_a_number_that_doubles_cannot_hold_is_text() -> None:
    counts = Counts([1], {})
    counts.boards[1] = [Column(2**53 + 1, 2**53)]

    assert json.loads(counts.table("jsonl")) == {"n": 1, "column": 0, "solutions": str(2**53 + 1), "time_ns": 2**53}
