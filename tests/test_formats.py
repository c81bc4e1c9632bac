"""Every file of the collection of formats is read as `EXPECTED.tsv` says."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from tests.reading import read

TABLES = ("INDEX.tsv", "EXPECTED.tsv")
# Words of EXPECTED.tsv -> what the note of such a row has in it.
REASONS = {
    "a number in exponent form": "exponent form",
    "79 digits: leading zeros lost": "79 digits",
    "two rows have 8 fields": "row 2 of a grid has 8 cells",
    "the archive ends too early": "cut short",
}


@pytest.fixture(scope="module")
def expected(test_data: Path) -> dict[str, list[dict[str, str]]]:
    rows = defaultdict(list)
    with (test_data / "formats" / "EXPECTED.tsv").open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            rows[row["file"]].append(row)
    return dict(rows)


@pytest.fixture(scope="module")
def files(test_data: Path) -> list[Path]:
    return [path for path in sorted((test_data / "formats").iterdir()) if path.name not in TABLES]


def test_every_file_has_a_row_in_the_table(files: list[Path], expected: dict[str, list[dict[str, str]]]) -> None:
    assert [path.name for path in files if path.name not in expected] == []
    assert sorted(expected) == [path.name for path in files]


def test_every_file_is_read_as_the_table_says(files: list[Path], expected: dict[str, list[dict[str, str]]]) -> None:
    for path in files:
        wanted = expected[path.name]

        found = read(path).rows

        assert len(found) == len(wanted), path.name
        for row, want in zip(found, wanted, strict=True):
            check(row, want)


def check(row: dict[str, str], want: dict[str, str]) -> None:
    place = (want["file"], want["nth"])
    if want["size"] == "9x9":
        assert row["puzzle"] == want["puzzle (. empty, 1-9A-P values)"], place
        assert row["solutions"] == want["solutions_capped_at_2"], place
        if want["solution_if_unique"]:
            assert (row["status"], row["solution"]) == ("unique", want["solution_if_unique"]), place
        assert row["note"] == "" or row["status"] == "invalid", place
    else:
        assert (row["status"], row["puzzle"]) == ("invalid", ""), place
        said = want["label_or_given_solution"]
        reason = next((note for words, note in REASONS.items() if said.startswith(words)), None)
        named = reason if want["size"] == "-" else want["size"]
        assert named, f"{place}: no words for {said!r}"
        assert named in row["note"], place


@pytest.mark.parametrize("name", ["57_truncated.txt.gz"])
def test_a_damaged_file_is_a_fault(test_data: Path, name: str) -> None:
    found = read(test_data / "formats" / name)

    assert [name in fault for fault in found.faults] == [True]


def test_all_files_at_once_are_the_same_rows(files: list[Path], expected: dict[str, list[dict[str, str]]]) -> None:
    found = read(*files, chunk_rows=7)

    assert len(found.rows) == sum(map(len, expected.values()))
    assert [row["id"] for row in found.rows] == [str(i) for i in range(1, len(found.rows) + 1)]
