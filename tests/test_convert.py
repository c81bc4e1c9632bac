"""`gridmill check` and `gridmill convert`, as a person calls them."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from producer import cli
from producer.extras import load
from tests.puzzles import MADE
from tests.rows import read_rows

Run = Callable[..., tuple[str, str]]
ONE, TWO, THREE = (MADE[i].text for i in range(3))
SOLVED = "325714968694583217187629435876391524419256783532478196953167842248935671761842359"


@pytest.fixture
def gridmill(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """Runs the command line; gives what came on stdout and stderr."""

    def run(*arguments: object, code: int = 0) -> tuple[str, str]:
        capfd.readouterr()
        ended = cli.run(list(map(str, arguments)))
        out, err = capfd.readouterr()
        assert ended == code, err
        assert "Traceback" not in err
        return out, err

    return run


def piped(*arguments: str, stdin: bytes, cwd: Path, code: int = 0) -> str:
    """The same as a process of its own, with something on stdin."""
    command = [sys.executable, "-m", "producer.cli", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=60, cwd=cwd)
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(f'id,puzzle,solution,level\n1,{ONE},{SOLVED},"easy, 1"\n2,{TWO},{SOLVED},\n3,nothing,,hard\n')
    return path


def test_check_says_what_is_there(gridmill: Run, table: Path) -> None:
    out, _ = gridmill("check", table, code=1)

    assert out.splitlines() == [
        f"{table}:3: differs from the given solution",
        f"{table}:4: character 'n' at position 1, 7 characters where 81 are needed: nothing",
        "3 rows: 2 puzzles, 1 invalid, 2 with a solution, of which 1 are none",
        "4 lines: 1 structure, 3 puzzle",
    ]


def test_check_says_the_same_as_json(gridmill: Run, table: Path) -> None:
    out, _ = gridmill("check", "--json", table, code=1)

    found = json.loads(out)
    assert (found["rows"], found["invalid"], found["given"], found["differing"]) == (3, 1, 2, 1)
    assert found["lines"] == {"total": 4, "blank": 0, "comment": 0, "structure": 1, "puzzle": 3}
    assert len(found["remarks"]) == 2


def test_check_shows_the_first_remarks_unless_all_are_asked_for(gridmill: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("bad\n" * 30)

    few, _ = gridmill("check", tmp_path, code=1)
    every, _ = gridmill("check", tmp_path, "--all", code=1)

    assert few.count("bad.txt:") == 20
    assert "and 10 more" in few
    assert every.count("bad.txt:") == 30


@pytest.mark.parametrize(
    ("format_name", "wanted"),
    [
        ("lines", f"{ONE}\n{TWO}\n\n"),
        ("sdm", f"{ONE}\n{TWO}\n\n".replace(".", "0")),
    ],
)
def test_convert_to_lines(gridmill: Run, table: Path, format_name: str, wanted: str) -> None:
    out, _ = gridmill("convert", table, "--format", format_name, code=1)

    assert out == wanted


def test_convert_to_a_table_that_can_be_read_again(gridmill: Run, table: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"

    gridmill("convert", table, "-o", first, "--keep", "level", code=1)
    gridmill("convert", first, "-o", second, "--keep", "level", code=1)

    rows, again = read_rows(first.read_text()), read_rows(second.read_text())
    assert list(rows[0]) == ["id", "source", "line", "label", "puzzle", "solution", "note", "level"]
    assert [(row["puzzle"], row["solution"], row["level"]) for row in rows] == [
        (ONE, SOLVED, "easy, 1"),
        (TWO, SOLVED, ""),
        ("", "", "hard"),
    ]
    kept = ("label", "puzzle", "solution", "level")
    assert [[row[name] for name in kept] for row in again[:2]] == [[row[name] for name in kept] for row in rows[:2]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.csv", "second.csv", "table.csv"]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_convert_packs_by_the_suffix(gridmill: Run, table: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out.jsonl{suffix}"

    gridmill("convert", table, "-o", out, "--columns", "puzzle,id", code=1)

    unpack = gzip.decompress if suffix == ".gz" else load("zstd").decompress
    lines = unpack(out.read_bytes()).decode().splitlines()
    assert lines == [f'{{"puzzle":"{ONE}","id":1}}', f'{{"puzzle":"{TWO}","id":2}}', '{"puzzle":null,"id":3}']


def test_an_empty_input_makes_an_archive_that_can_be_opened(gridmill: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()

    gridmill("convert", tmp_path / "empty.txt", "-o", tmp_path / "out.jsonl.gz")

    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == b""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--columns", "nothing"], "there is no such column"),
        (["--columns", "id,id"], "it stands twice"),
        (["--format", "lines", "--columns", "id"], "lines has no columns"),
        (["--keep", "puzzle"], "a column of this name is there already"),
        (["-o", "out.what"], "the suffix tells no format"),
        (["--from", "nothing"], "nothing"),
        (["--strict"], "table.csv:4: character 'n'"),
    ],
)
def test_wrong_use_is_told_in_one_line(gridmill: Run, table: Path, options: list[str], said: str) -> None:
    _, err = gridmill("convert", table, *options, code=2)

    assert said in err.splitlines()[-1]


def test_standard_input_is_read_with_a_dash_alone(tmp_path: Path) -> None:
    (tmp_path / "-").write_text(f"{TWO}\n")

    from_stdin = piped("convert", "-", "--format", "lines", stdin=f"{ONE}\n".encode(), cwd=tmp_path)
    from_file = piped("convert", "./-", "--format", "lines", stdin=f"{ONE}\n".encode(), cwd=tmp_path)
    piped("convert", stdin=f"{ONE}\n".encode(), code=2, cwd=tmp_path)

    assert (from_stdin, from_file) == (f"{ONE}\n", f"{TWO}\n")


def test_a_grid_and_an_archive_come_by_standard_input_too(gridmill: Run, tmp_path: Path) -> None:
    grid = "".join(f"{ONE[at : at + 9]}\n" for at in range(0, 81, 9)).encode()

    for content in (grid, gzip.compress(grid), json.dumps([ONE]).encode()):
        assert piped("convert", "-", "--format", "lines", stdin=content, cwd=tmp_path) == f"{ONE}\n"


def test_a_name_that_is_no_utf8_is_shown_with_a_replacement(gridmill: Run, tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"p\xff.txt")).write_text(f"{ONE}\n")

    out, _ = gridmill("convert", tmp_path, "--columns", "source,puzzle")

    assert out.splitlines()[1] == f"{tmp_path}/p\ufffd.txt,{ONE}"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_trouble(gridmill: Run, table: Path) -> None:
    _, err = gridmill("convert", table, "-o", "/dev/full", code=3)

    assert "/dev/full" in err


def test_an_output_that_cannot_be_written_is_refused(gridmill: Run, table: Path) -> None:
    gridmill("convert", table, "-o", "/proc/x.csv", code=2)
