"""Jobs for queens among puzzles: each keeps its place, and has a record of its own."""

import json
from pathlib import Path

import pytest

from producer.jobs import Counted, answer_jobs
from producer.readers.cutter import Cutter
from producer.readers.sources import find_sources
from producer.shape import Shape
from solver_core.chunk import unpack_puzzles
from solver_core.queens import QUEENS_COUNTS, count
from solver_core.solvers import SOLVERS
from tests.puzzles import MADE
from tests.reading import read_bytes

ONE, TWO = (MADE[i].text for i in range(2))
MIXED = "\n".join(
    [
        json.dumps({"kind": "sudoku", "puzzle": ONE, "label": "first"}),
        json.dumps({"kind": "nqueens", "n": 8}),
        json.dumps({"puzzle": TWO}),
        json.dumps({"kind": "nqueens", "n": 40}),
        json.dumps({"kind": "chess", "n": 8}),
        json.dumps({"kind": "nqueens", "n": 1}),
    ]
)


def queens(n: int) -> list[Counted]:
    return [Counted(count(n, bytes([column])), 1000) for column in range(n)]


def answered(path: Path) -> tuple[list[dict[str, object]], int, int]:
    cutter = Cutter(find_sources([str(path)]))
    chunk = cutter.cut(100, wait_s=5.0)
    cutter.close()
    assert chunk is not None
    answer = SOLVERS["solo"](unpack_puzzles(chunk.work), 2)
    text, jobs, time_ns = answer_jobs(Shape("jsonl").rows(1, ["a"], chunk.rows, chunk.work, answer), queens)
    return [json.loads(line) for line in text.splitlines()], jobs, time_ns


def test_jobs_keep_their_places_and_have_records_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "mixed.jsonl").write_text(MIXED)

    records, jobs, time_ns = answered(tmp_path / "mixed.jsonl")

    assert [record["id"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert [record["status"] for record in records] == ["unique", "solved", "unique", "invalid", "invalid", "solved"]
    assert records[1] == {
        "id": 2,
        "source": "a",
        "line": 2,
        "kind": "nqueens",
        "n": 8,
        "status": "solved",
        "solutions": 92,
        "columns": [4, 8, 16, 18, 18, 16, 8, 4],
        "time_ns": 8000,
    }
    assert (records[5]["solutions"], records[5]["columns"]) == (1, [1])
    assert (jobs, time_ns) == (2, 9000)


def test_a_number_that_a_double_cannot_hold_is_text() -> None:
    note = 'a job for queens, which has a place among rows in jsonl only: {"n": 27}'
    line = json.dumps({"id": 1, "source": "a", "line": 1, "note": note}).encode() + b"\n"

    text, _, _ = answer_jobs(line, lambda n: [Counted(QUEENS_COUNTS[n], 1)])

    assert json.loads(text)["solutions"] == "234907967154122528"


@pytest.mark.parametrize(
    ("job", "reason"),
    [
        ({"kind": "nqueens", "n": 8}, "a job for queens, which has a place among rows in jsonl only"),
        ({"kind": "nqueens", "n": 0}, "a job for queens needs an n from 1 to 32"),
        ({"kind": "nqueens", "n": True}, "a job for queens needs an n from 1 to 32"),
        ({"kind": "nqueens"}, "a job for queens needs an n from 1 to 32"),
        ({"kind": "chess"}, "a job of the kind 'chess', where sudoku or nqueens is needed"),
    ],
)
def test_where_a_job_has_no_place_it_is_an_invalid_row(tmp_path: Path, job: dict[str, object], reason: str) -> None:
    found = read_bytes(tmp_path, f"{json.dumps({'puzzle': ONE})}\n{json.dumps(job)}\n")

    assert found.puzzles == [ONE, ""]
    assert found.notes[1].startswith(reason)
