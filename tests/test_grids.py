"""Grids of nine lines, in all their dresses; a broken one never touches its neighbours."""

from pathlib import Path

import pytest

from tests.puzzles import FULL, MADE
from tests.reading import read_bytes

ONE, TWO, THREE = (MADE[i].text for i in range(3))


def rows_of(puzzle: str) -> list[str]:
    return [puzzle[at : at + 9] for at in range(0, 81, 9)]


def bare(puzzle: str) -> str:
    return "".join(f"{row}\n" for row in rows_of(puzzle))


def boxed(row: str, bar: str, gap: str = "") -> str:
    return bar.join(gap.join(row[at : at + 3]) for at in (0, 3, 6))


def framed(puzzle: str, rule: str, bar: str, gap: str = "", edge: str = "") -> str:
    lines = [f"{edge}{boxed(row, bar, gap)}{edge}" for row in rows_of(puzzle)]
    return "\n".join([*lines[:3], rule, *lines[3:6], rule, *lines[6:]]) + "\n"


def starred(puzzle: str) -> str:
    inner = framed(puzzle, "|---+---+---|", "|", edge="|")
    return f"*-----------*\n{inner}*-----------*\n"


DRESSES = {
    "bare": bare(ONE),
    "spaced": "".join(" ".join(row) + "\n" for row in rows_of(ONE)),
    "zeros": bare(ONE.replace(".", "0")),
    "dashes for empty cells": bare(ONE.replace(".", "-")),
    "underscores": bare(ONE.replace(".", "_")),
    "boxes apart": "".join(boxed(row, " ") + "\n" for row in rows_of(ONE)),
    "bands apart": "\n".join("".join(f"{row}\n" for row in rows_of(ONE)[at : at + 3]) for at in (0, 3, 6)),
    "ruled with pluses": framed(ONE, "---+---+---", "|"),
    "ruled with dashes": framed(ONE, "-----------", "|"),
    "ruled with nine dashes": framed(ONE, "---------", ""),
    "ruled wide": framed(ONE, "------+-------+------", " | ", " "),
    "starred": starred(ONE),
    "full frame": "+---+---+---+\n" + framed(ONE, "+---+---+---+", "|", edge="|") + "+---+---+---+\n",
    "box drawing": "\u2554\u2550\u2550\u2550\u2557\n"
    + framed(ONE, "\u255f\u2500\u2500\u2500\u2562", "\u2502", edge="\u2551")
    + "\u255a\u2550\u2550\u2550\u255d\n",
    "commas": "".join(",".join(row) + "\n" for row in rows_of(ONE)),
    "commas, nothing for empty": "".join(",".join(row).replace(".", "") + "\n" for row in rows_of(ONE)),
    "semicolons, nothing for empty": "".join(";".join(row).replace(".", "") + "\n" for row in rows_of(ONE)),
    "tabs": "".join("\t".join(row) + "\n" for row in rows_of(ONE)),
    "full width": bare("".join(chr(0xFF10 + int(m)) if m != "." else "\uff10" for m in ONE)),
    "letters": bare("".join(m if m == "." else chr(ord("a") + int(m) - 1) for m in ONE)),
    "with a title": "Puzzle of the day\n" + bare(ONE),
    "with a section": "[Puzzle]\n" + bare(ONE) + "[State]\n" + bare(TWO),
    "with metadata": "#ASomebody\n#D2026-12-01 12345\n" + bare(ONE),
    "with CRLF": bare(ONE).replace("\n", "\r\n"),
    "with CR": bare(ONE).replace("\n", "\r"),
    "with CR CR LF": bare(ONE).replace("\n", "\r\r\n"),
    "without a last line end": bare(ONE).rstrip("\n"),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_a_grid_is_one_puzzle_however_it_is_dressed(tmp_path: Path, dress: str) -> None:
    found = read_bytes(tmp_path, DRESSES[dress])

    assert found.puzzles == [ONE]
    assert found.notes == [""]


SEPARATORS = {
    "nothing": "",
    "a blank line": "\n",
    "blank lines": "\n\n\n",
    "a title": "Grid 02\n",
    "a comment": "# 2\n",
    "a title after a blank line": "\nNumber two, 12 May\n",
}


@pytest.mark.parametrize("separator", SEPARATORS)
def test_grids_follow_each_other(tmp_path: Path, separator: str) -> None:
    found = read_bytes(tmp_path, SEPARATORS[separator].join([bare(ONE), bare(TWO), bare(THREE)]))

    assert found.puzzles == [ONE, TWO, THREE]


def test_framed_grids_follow_each_other(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, starred(ONE) + starred(TWO) + " Simple Sudoku 4.2n\n")

    assert found.puzzles == [ONE, TWO]
    assert found.at_lines == [2, 15]


def test_a_title_is_the_label_of_the_grid_after_it(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"Grid 01\n{bare(ONE)}Grid 02\n{bare(TWO)}")

    assert found.labels == ["Grid 01", "Grid 02"]
    assert found.at_lines == [2, 12]
    assert found.lines._asdict() == {"total": 20, "blank": 0, "comment": 0, "structure": 18, "puzzle": 2}


BROKEN = {
    "a row is missing": ("\n".join(rows_of(TWO)[:8]) + "\n", "a grid of 8 rows where 9 are needed"),
    "a row too many": (bare(TWO) + rows_of(TWO)[0] + "\n", "a grid of 10 rows where 9 are needed"),
    "a short row": (bare(TWO).replace(rows_of(TWO)[4], rows_of(TWO)[4][:8]), "row 5 of a grid has 8 cells"),
    "a long row": (bare(TWO).replace(rows_of(TWO)[4], rows_of(TWO)[4] + "1"), "row 5 of a grid has 10 cells"),
    "a stranger": (bare(TWO).replace(rows_of(TWO)[4], rows_of(TWO)[4][:3] + "q" + rows_of(TWO)[4][4:]), "'q' in row 5"),
    "three rows": ("\n".join(rows_of(TWO)[:3]) + "\n", "a grid of 3 rows where 9 are needed"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_grid_is_one_row_and_its_neighbours_stand(tmp_path: Path, fault: str) -> None:
    broken, reason = BROKEN[fault]

    found = read_bytes(tmp_path, f"{bare(ONE)}\n{broken}\n{bare(THREE)}")

    assert found.puzzles == [ONE, "", THREE]
    assert reason in found.notes[1]
    assert found.at_lines[1] == 11


HEX = "0123456789ABCDEF"
SIZES = {
    "4x4": "1.34\n34..\n..43\n4.21\n",
    "6x6": "1.....\n..3..6\n.2....\n....5.\n3..4..\n.....2\n",
    "16x16 of digits and letters": "".join(f"{HEX[i:]}{HEX[:i]}\n" for i in range(16)),
    "16x16 of numbers": "".join(" ".join(str((i + j) % 16 + 1) for j in range(16)) + "\n" for i in range(16)),
    "25x25": "".join("".join(chr(ord("A") + (i + j) % 25) for j in range(25)) + "\n" for i in range(25)),
}


@pytest.mark.parametrize("size", SIZES)
def test_a_grid_of_another_size_is_one_row_that_names_it(tmp_path: Path, size: str) -> None:
    found = read_bytes(tmp_path, f"{bare(ONE)}\n{SIZES[size]}\n{bare(TWO)}")

    assert found.puzzles == [ONE, "", TWO]
    assert f"are a {size.split(maxsplit=1)[0]} puzzle, 81 are needed" in found.notes[1]


def test_sizes_may_follow_each_other_without_a_gap(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, SIZES["6x6"] + bare(ONE) + SIZES["4x4"] + bare(TWO))

    assert [puzzle or note[:20] for puzzle, note in zip(found.puzzles, found.notes, strict=True)] == [
        "36 cells are a 6x6 p",
        ONE,
        "16 cells are a 4x4 p",
        TWO,
    ]


def test_pencil_marks_are_named(tmp_path: Path) -> None:
    marks = "".join(
        "| " + " | ".join(" ".join("123" if m == "." else m for m in row[at : at + 3]) for at in (0, 3, 6)) + " |\n"
        for row in rows_of(ONE)
        for at in (0,)
    )

    found = read_bytes(tmp_path, f"*-----------*\n{marks}*-----------*\n\n{bare(TWO)}")

    assert found.puzzles[-1] == TWO
    assert "candidates" in found.notes[0]


def test_a_puzzle_on_one_line_among_grids_is_read(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"{bare(ONE)}\n{TWO} two\n\n{bare(THREE)}")

    assert found.puzzles == [ONE, TWO, THREE]


def test_text_that_is_no_title_of_a_grid_is_not_lost(tmp_path: Path) -> None:
    text = "".join(f"this is line {i}\n" for i in range(6))

    found = read_bytes(tmp_path, f"{text}{bare(ONE)}")

    assert found.puzzles == ["", "", "", ONE]
    assert "this is line 2" in found.notes[2]


def test_a_full_grid_is_a_puzzle(tmp_path: Path) -> None:
    assert [row["status"] for row in read_bytes(tmp_path, bare(FULL)).rows] == ["unique"]
