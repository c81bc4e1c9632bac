"""What comes in and goes out in other forms, on a real broker: the same rows, whatever was killed on the way."""

import gzip
import json
import os
import time
from pathlib import Path

import pytest

from producer.extras import load
from tests.gridmill import Gridmill
from tests.puzzles import BY_NAME
from tests.rows import SOLVABLE, lines, read_rows, relabelled, without_times, write_lines

SEVERAL = BY_NAME["several solutions"].text
SOLVED = "325714968694583217187629435876391524419256783532478196953167842248935671761842359"


def test_every_solution_has_a_row_of_its_own(gridmill: Gridmill, tmp_path: Path) -> None:
    write_lines(tmp_path / "in.txt", [f"{SEVERAL} several", "nothing", *lines(3)])

    ended = gridmill("solve", "in.txt", "-o", "out.csv", "--list", "--limit", 12)

    rows = read_rows((tmp_path / "out.csv").read_text())
    assert ended.code == 1
    assert [row["nth"] for row in rows[:13]] == [*map(str, range(1, 13)), ""]
    assert len({row["solution"] for row in rows[:12]}) == 12
    assert {row["solutions"] for row in rows[:12]} == {"12"}
    assert [row["id"] for row in rows[12:15]] == ["2", "3", "4"]


def test_listed_rows_are_the_same_for_every_chunk_size_and_begin_with_the_first_solution(
    gridmill: Gridmill, tmp_path: Path
) -> None:
    write_lines(tmp_path / "in.txt", [*lines(60), SEVERAL])

    for chunk in (1, 7, "auto"):
        assert gridmill("solve", "in.txt", "-o", f"{chunk}.csv", "--list", "--limit", 9, "--chunk", chunk).code == 0
    gridmill("solve", "in.txt", "-o", "first.csv", "--limit", 9)

    listed = {chunk: without_times((tmp_path / f"{chunk}.csv").read_text()) for chunk in (1, 7, "auto")}
    firsts = without_times((tmp_path / "first.csv").read_text())
    assert listed[1] == listed[7] == listed["auto"]
    assert [{key: row[key] for key in firsts[0]} for row in listed[1] if row["nth"] in ("", "1")] == firsts


@pytest.mark.parametrize("mode", ["exact", "canonical"])
def test_copies_have_the_rows_they_would_have_by_themselves(gridmill: Gridmill, tmp_path: Path, mode: str) -> None:
    texts = [relabelled(SOLVABLE[i % 3], i % 5) for i in range(400)]
    write_lines(tmp_path / "in.txt", texts)

    assert gridmill("solve", "in.txt", "-o", "out.csv", "--dedup", mode, "--chunk", 30).code == 0
    gridmill("solve", "in.txt", "-o", "plain.csv")

    rows, plain = (read_rows((tmp_path / name).read_text()) for name in ("out.csv", "plain.csv"))
    kept = ("id", "puzzle", "status", "solutions", "solution", "note")
    assert [[row[name] for name in kept] for row in rows] == [[row[name] for name in kept] for row in plain]
    assert sum(not row["same_as"] for row in rows) == (3 if mode == "canonical" else 15)
    assert sum(bool(row["time_ns"]) for row in rows) == (3 if mode == "canonical" else 15)
    assert sorted(path.name for path in tmp_path.glob("out.csv*")) == ["out.csv", "out.csv.summary.json"]


def test_a_killed_run_goes_on_with_what_it_knew_of_copies(gridmill: Gridmill, tmp_path: Path) -> None:
    write_lines(tmp_path / "in.txt", [relabelled(SOLVABLE[i % 9], i % 9) for i in range(30_000)])
    command = ("solve", "in.txt", "-o", "out.csv.gz", "--dedup", "canonical", "--chunk", 200)
    gridmill("solve", "in.txt", "-o", "whole.csv", "--dedup", "canonical")

    with gridmill.started(*command) as process:
        journal = tmp_path / "out.csv.gz.journal"
        deadline = time.monotonic() + 60
        while not (journal.exists() and journal.read_text().count("\n") > 2) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
    ended = gridmill(*command)

    assert ended.code == 0
    assert without_times(gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode()) == without_times(
        (tmp_path / "whole.csv").read_text()
    )
    assert not list(tmp_path.glob("*.twins*"))


def test_jobs_for_queens_keep_their_places_among_puzzles(gridmill: Gridmill, tmp_path: Path) -> None:
    jobs = [{"kind": "nqueens", "n": n} if n % 3 else {"kind": "sudoku", "puzzle": SEVERAL} for n in range(1, 13)]
    write_lines(tmp_path / "in.jsonl", map(json.dumps, jobs))

    ended = gridmill("solve", "in.jsonl", "-o", "out.jsonl", "--chunk", 4)

    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    told = json.loads((tmp_path / "out.jsonl.summary.json").read_text())
    assert ended.code == 0
    assert [record.get("n") for record in records] == [n if n % 3 else None for n in range(1, 13)]
    assert [records[n - 1]["solutions"] for n in (4, 8, 11)] == [2, 92, 2680]
    assert records[7]["columns"] == [4, 8, 16, 18, 18, 16, 8, 4]
    assert told["status_counts"] == {"solved": 8, "multiple": 4}


def test_a_folder_of_forms_becomes_a_folder_of_rows(gridmill: Gridmill, tmp_path: Path) -> None:
    source = tmp_path / "in"
    (source / "more").mkdir(parents=True)
    write_lines(source / "a.txt", lines(20))
    (source / "more" / "b.json").write_text(json.dumps([SEVERAL]))
    (source / "c.csv.gz").write_bytes(
        gzip.compress(f"puzzle,solution\n{SOLVABLE[0].text},{SOLVED}\n{SOLVABLE[1].text},{SOLVED}\n".encode())
    )

    ended = gridmill("solve", "in", "-o", "out/", "--format", "parquet")

    found = {
        os.fspath(path.relative_to(tmp_path / "out")): load("parquet").read_table(path).to_pylist()
        for path in (tmp_path / "out").rglob("*.parquet")
    }
    told = json.loads((tmp_path / "out" / "c.csv.gz.parquet.summary.json").read_text())
    assert ended.code == 0
    assert {name: len(rows) for name, rows in found.items()} == {
        "a.txt.parquet": 20,
        "more/b.json.parquet": 1,
        "c.csv.gz.parquet": 2,
    }
    assert [row["note"] for row in found["c.csv.gz.parquet"]] == [None, "differs from the given solution"]
    assert told["given_solutions"] == {"compared": 2, "differing": 1}


def test_columns_and_kept_fields_come_out_of_a_submitted_batch_too(gridmill: Gridmill, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"level,puzzle\neasy,{SOLVABLE[0].text}\nhard,{SEVERAL}\n")

    submitted = gridmill("submit", "in.csv", "--keep", "level", "--list", "--limit", 3)
    ended = gridmill("gather", submitted.out.strip(), "-o", "out.csv", "--columns", "level,id,nth,status")

    assert (submitted.code, ended.code) == (0, 0)
    assert (tmp_path / "out.csv").read_text().splitlines() == [
        "level,id,nth,status",
        "easy,1,1,unique",
        "hard,2,1,multiple",
        "hard,2,2,multiple",
        "hard,2,3,multiple",
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--list", "--dedup", "exact"], "do not go together"),
        (["--list", "--solver", "dlx"], "--list needs --solver lanes or solo"),
        (["--list", "--limit", "2000000"], "at most 1,000,000"),
        (["--format", "parquet"], "Parquet needs a file"),
    ],
)
def test_what_does_not_go_together_is_refused(
    gridmill: Gridmill, tmp_path: Path, options: list[str], said: str
) -> None:
    write_lines(tmp_path / "in.txt", lines(1))

    ended = gridmill("solve", "in.txt", *options)

    assert ended.code == 2
    assert said in ended.err
