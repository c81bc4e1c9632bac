"""What went wrong elsewhere, in other programs for puzzles and batches: each case has the right result here."""

import os
import random
from pathlib import Path

import pytest

from tests.puzzles import MADE
from tests.reading import read, read_bytes
from tests.test_grids import bare

ONE, TWO = (MADE[i].text for i in range(2))
LAST_CELL_DECIDES = "." * 80 + "2"


def test_the_last_character_of_a_puzzle_is_read(tmp_path: Path) -> None:  # B19
    found = read_bytes(tmp_path, LAST_CELL_DECIDES)

    assert found.puzzles == [LAST_CELL_DECIDES]
    assert found.rows[0]["solution"].endswith("2")


def test_candidates_in_729_characters_are_named_and_not_nine_puzzles(tmp_path: Path) -> None:  # B20
    marks = "".join("123456789" if mark == "." else mark.rjust(int(mark), "0").ljust(9, "0") for mark in ONE)

    found = read_bytes(tmp_path, f"{marks}\n{ONE}\n")

    assert found.puzzles == ["", ONE]
    assert "9x9 grid of candidates" in found.notes[0]


@pytest.mark.parametrize("mark", "0*_xX-?~")
def test_every_mark_of_an_empty_cell_gives_the_same_row(tmp_path: Path, mark: str) -> None:  # B22, B23, B50
    found = read_bytes(tmp_path, f"{ONE}\n{ONE.replace('.', mark)}\n")

    assert found.puzzles == [ONE, ONE]
    assert [row["status"] for row in found.rows] == ["unique", "unique"]


def test_digits_in_comments_titles_and_ids_are_no_cells(tmp_path: Path) -> None:  # B25
    found = read_bytes(tmp_path, f"# 123456789\nGrid 01\n{bare(ONE)}Grid 02\n{bare(TWO)}")
    ids = read_bytes(tmp_path, f"; 2 puzzles 2026\n123456789 {ONE} 5.6\n987654321 {TWO}\n")

    assert found.puzzles == ids.puzzles == [ONE, TWO]


def test_a_comment_does_not_end_the_run(tmp_path: Path) -> None:  # B26
    assert read_bytes(tmp_path, f"{ONE}\n# note\n{ONE}\n").puzzles == [ONE, ONE]


def test_what_is_no_form_at_all_is_a_row_with_its_place(tmp_path: Path) -> None:  # B28
    found = read_bytes(tmp_path, "hello world\n")

    assert (found.rows[0]["status"], found.at_lines) == ("invalid", [1])
    assert "hello world" in found.notes[0]


def test_blank_lines_with_crlf_are_skipped_and_counted(tmp_path: Path) -> None:  # B29
    found = read_bytes(tmp_path, f"\r\n{ONE}\r\n\r\n{TWO}\r\n\r\n")

    assert (found.puzzles, found.at_lines) == ([ONE, TWO], [2, 4])
    assert found.lines.blank == 3


def test_crlf_and_a_byte_order_mark_leave_no_trace(tmp_path: Path) -> None:  # B31, B32
    lines = read_bytes(tmp_path, b"\xef\xbb\xbf" + f"{ONE} a\r\n{TWO} b\r\n".encode())
    table = read_bytes(tmp_path, b"\xef\xbb\xbf" + f"puzzle,solution\r\n{ONE},\r\n{TWO},\r\n".encode())

    assert lines.puzzles == table.puzzles == [ONE, TWO]
    assert lines.labels == ["a", "b"]
    assert not any("\r" in value for row in (*lines.rows, *table.rows) for value in row.values())


def test_a_true_table_keeps_its_leading_zeros(tmp_path: Path) -> None:  # B34
    puzzle = "00" + ONE.replace(".", "0")[2:]

    assert read_bytes(tmp_path, f"id,puzzle\n1,{puzzle}\n").puzzles == [puzzle.replace("0", ".")]


def test_a_column_of_solutions_is_no_second_puzzle(tmp_path: Path) -> None:  # B35
    solved = read_bytes(tmp_path, ONE).rows[0]["solution"]

    assert read_bytes(tmp_path, f"quizzes,solutions\n{ONE},{solved}\n").puzzles == [ONE]


@pytest.mark.parametrize("count", ["2", "8960 9"])
def test_a_count_at_the_top_is_no_puzzle(tmp_path: Path, count: str) -> None:  # B37
    lines = read_bytes(tmp_path, f"{count}\n{ONE}\n{TWO}\n")
    spaced = read_bytes(tmp_path, f"{count}\n{' '.join(ONE)}\n{' '.join(TWO)}\n")
    grids = read_bytes(tmp_path, f"{count}\n{bare(ONE)}{bare(TWO)}")

    assert lines.puzzles == spaced.puzzles == grids.puzzles == [ONE, TWO]
    assert (lines.lines.structure, grids.lines.structure) == (1, 17)


@pytest.mark.parametrize("symbols", ["0123456789ABCDEF", "123456789ABCDEFG", "ABCDEFGHIJKLMNOP"])
def test_a_16x16_grid_is_named_whatever_its_symbols(tmp_path: Path, symbols: str) -> None:  # B38
    rows = ["".join(symbols[(i * 4 + i // 4 + j) % 16] if (i + j) % 3 else "-" for j in range(16)) for i in range(16)]

    found = read_bytes(tmp_path, "\n".join(rows) + "\n")

    assert [note.split(":")[0] for note in found.notes] == ["256 cells are a 16x16 puzzle, 81 are needed"]


def test_the_puzzle_is_found_by_name_and_not_by_place(tmp_path: Path) -> None:  # B53
    assert read_bytes(tmp_path, f"id,clues,puzzle\n{TWO},30,{ONE}\n").puzzles == [ONE]


def test_files_that_people_own_are_read_together(tmp_path: Path) -> None:  # B49
    (tmp_path / "a.sdk").write_text(f"[Puzzle]\n{bare(ONE)}")
    (tmp_path / "b.sdm").write_text(f"{TWO.replace('.', '0')}\n")
    (tmp_path / "c.ss").write_text(f"*-----------*\n{bare(ONE)}*-----------*\n Simple Sudoku 4.2n\n")
    (tmp_path / "d.hodoku").write_text(f":0702:9:{TWO.replace('4', '+4')}:412 512:r1c1<>4::\n")

    assert read(tmp_path).puzzles == [ONE, TWO, ONE, TWO]


ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n"]


def random_text(rng: random.Random, lines: int) -> bytes:
    """Lines of all kinds, shuffled: puzzles, truncated ones, grids, tables, frames, JSON, bytes of any value."""
    parts: list[bytes] = []
    for _ in range(lines):
        kind = rng.randrange(12)
        puzzle = rng.choice(MADE).text
        cut = rng.randrange(82)
        parts.append(
            [
                lambda p, c: p,
                lambda p, c: p[:c],
                lambda p, c: p[9 * (c % 9) : 9 * (c % 9) + 9],
                lambda p, c: " ".join(p[:c]),
                lambda p, c: f'{c},"{p}",{p}',
                lambda p, c: f"id,puzzle\n{c},{p[:c]}",
                lambda p, c: "------+-------+------",
                lambda p, c: f'{{"puzzle": "{p}"}}'[:c],
                lambda p, c: f":0702:9:{p}:::",
                lambda p, c: "# 1" if c % 2 else f"Grid {c}",
                lambda p, c: "",
                lambda p, c: "".join(chr(rng.randrange(1, 0x3000)) for _ in range(c)),
            ][kind](puzzle, cut).encode("utf-8", "replace")
        )
        if rng.random() < 0.05:
            parts[-1] = rng.randbytes(cut)
        parts.append(rng.choice(ENDS).encode())
    return b"".join(parts)


FORMS = [None, "lines", "grids", "csv", "json", "xml"]


# A few thousand in the plain suite; a million and more when somebody asks for them.
RANDOM_LINES = int(os.environ.get("GRIDMILL_RANDOM_LINES") or 3000)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", FORMS)
def test_random_lines_never_crash_and_always_add_up(tmp_path: Path, form: str | None) -> None:
    rng = random.Random(17)
    left = RANDOM_LINES
    while left > 0:
        count = min(left, rng.choice([1, 3, 50, 200]) * max(1, RANDOM_LINES // 10_000))

        # Where a form is not told, the beginning of each text tells it; `read_bytes` checks that its lines add up.
        read_bytes(tmp_path, random_text(rng, count), form=form, limit=1)

        left -= count
