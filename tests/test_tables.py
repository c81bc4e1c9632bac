"""CSV and other tables: columns by name, quotes, spreadsheet damage; a bad record never touches its neighbours."""

from pathlib import Path

import pytest

from producer.shape import Shape
from tests.puzzles import MADE
from tests.reading import read_bytes

ONE, TWO, THREE = (MADE[i].text for i in range(3))
SOLVED = "325714968694583217187629435876391524419256783532478196953167842248935671761842359"
WRONG = "325714968694583217187629435876391524419256783532478196953167842248935671761842395"


@pytest.mark.parametrize(
    ("header", "record"),
    [
        ("quizzes,solutions", "{puzzle},{solution}"),
        ("puzzle,solution,clues", "{puzzle},{solution},30"),
        ("id,Puzzle,Solution", "7,{puzzle},{solution}"),
        ("id;puzzle;solution", "7;{puzzle};{solution}"),
        ("id\tpuzzle\tsolution", "7\t{puzzle}\t{solution}"),
        ('"id","puzzle","solution"', '"7","{puzzle}","{solution}"'),
        ("solution,puzzle", "{solution},{puzzle}"),
        ("number,the grid of today,solution", "7,{puzzle},{solution}"),
        ("\ufeffpuzzle,solution", "{puzzle},{solution}"),
        ("# made today\n\npuzzle,solution", "{puzzle},{solution}"),
    ],
)
def test_the_puzzle_is_found_by_the_name_of_its_column(tmp_path: Path, header: str, record: str) -> None:
    records = [record.format(puzzle=ONE, solution=SOLVED), record.format(puzzle=ONE, solution=WRONG)]

    found = read_bytes(tmp_path, "\n".join([header, *records]))

    assert found.puzzles == [ONE, ONE]
    assert found.notes == ["", "differs from the given solution"]
    assert found.lines.structure == 1


@pytest.mark.parametrize(
    "line", ["{puzzle},{solution}", "{puzzle};{solution}", "7,{puzzle},{solution}", "{puzzle}:1:{solution}"]
)
def test_without_a_header_a_full_grid_behind_the_puzzle_is_its_solution(tmp_path: Path, line: str) -> None:
    found = read_bytes(tmp_path, line.format(puzzle=ONE, solution=WRONG) + "\n" + line.format(puzzle=TWO, solution=""))

    assert found.puzzles == [ONE, TWO]
    assert found.notes == ["differs from the given solution", ""]
    assert WRONG not in found.labels[0]


def test_a_puzzle_of_several_solutions_may_come_with_any_of_them(tmp_path: Path) -> None:
    two = next(puzzle for puzzle in MADE if puzzle.name == "two solutions, four cells empty").text
    found = read_bytes(tmp_path, f"puzzle\n{two}")
    first = found.rows[0]["solution"]
    places = [place for place, mark in enumerate(two) if mark == "."]
    digits = {first[place] for place in places}
    other = "".join(next(iter(digits - {m})) if i in places else m for i, m in enumerate(first))

    found = read_bytes(tmp_path, f"puzzle,solution\n{two},{first}\n{two},{other}\n{two},{first[::-1]}")

    assert first != other
    assert found.notes == ["", "", "differs from the given solution"]


def test_a_column_can_be_named_or_numbered(tmp_path: Path) -> None:
    table = f"a,mine,b\n{TWO},{ONE},x\n"

    assert read_bytes(tmp_path, table, column="mine").puzzles == [ONE]
    assert read_bytes(tmp_path, table, column="2").puzzles == [ONE]
    assert read_bytes(tmp_path, f"{TWO},{ONE}\n", column="2").puzzles == [ONE]


def test_a_column_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"a,b\n{TWO},{ONE}\n", column="mine")

    assert found.rows == []
    assert "there is no column 'mine'" in found.faults[0]


def test_fields_are_carried_through_by_name(tmp_path: Path) -> None:
    table = f'puzzle,level,by\n{ONE},easy,"A, B"\n{TWO},,\nbroken,hard,C\n'

    found = read_bytes(tmp_path, table, keep=("by", "level", "nowhere"))

    assert [(row["by"], row["level"], row["nowhere"]) for row in found.rows] == [
        ("A, B", "easy", ""),
        ("", "", ""),
        ("C", "hard", ""),
    ]


def test_a_header_may_come_again(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"id,puzzle\n1,{ONE}\nid,puzzle\n2,{TWO}\n")

    assert found.puzzles == [ONE, TWO]
    assert found.lines.structure == 2


def test_a_quoted_field_may_hold_a_grid_of_lines(tmp_path: Path) -> None:
    grid = "\n".join(ONE[at : at + 9] for at in range(0, 81, 9))

    found = read_bytes(tmp_path, f'id,puzzle,name\n1,"{grid}","the ""first"" one"\n2,{TWO},x\n')

    assert found.puzzles == [ONE, TWO]
    assert found.labels == ['1,the "first" one', "2,x"]
    assert found.at_lines == [2, 11]


def test_a_forgotten_quote_does_not_swallow_the_records_after_it(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f'id,puzzle\n1,{ONE}\n2,"{TWO}\n3,{THREE}\n4,"{ONE}"\n5,{TWO}\n')

    assert found.puzzles == [ONE, "", THREE, ONE, TWO]
    assert found.at_lines == [2, 3, 4, 5, 6]


def test_what_a_spreadsheet_did_is_named(tmp_path: Path) -> None:
    zeros = ONE.replace(".", "0")
    lost = "00" + zeros[2:]

    found = read_bytes(tmp_path, f'id,puzzle\n1,3.0206E+76\n2,"=""{zeros}"""\n3,{lost.lstrip("0")}\n4,{zeros}\n')

    assert found.puzzles == ["", ONE, "", ONE]
    assert "exponent form" in found.notes[0]
    assert "dropped leading zeros" in found.notes[2]


def test_a_record_with_too_few_fields_says_so(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, f"id,puzzle\n1\n2,{ONE}\n")

    assert found.puzzles == ["", ONE]
    assert "field 2, of 1" in found.notes[0]


def test_what_was_written_can_be_read_again(tmp_path: Path) -> None:
    first = read_bytes(tmp_path, f"{ONE} easy, seven\n{TWO}\nhello\n")
    header = Shape().header().decode()
    lines = [",".join(f'"{value}"' if "," in value else value for value in row.values()) for row in first.rows]

    again = read_bytes(tmp_path, header + "\n".join(lines) + "\n", "again.csv")

    assert again.puzzles == first.puzzles
    assert again.labels == ["easy, seven", "", ""]
    assert again.notes[:2] == ["", ""]
