"""JSON in the shapes people have it, and OpenSudoku's XML."""

import json
from pathlib import Path

import pytest

from producer.readers import jsons
from producer.readers.jsons import read_json
from producer.readers.reading import Reading
from producer.readers.sink import Sink
from tests.puzzles import MADE
from tests.reading import read_bytes

ONE, TWO, THREE = (MADE[i].text for i in range(3))
SOLVED = "325714968694583217187629435876391524419256783532478196953167842248935671761842359"


def ints(puzzle: str) -> list[list[int]]:
    return [[0 if mark == "." else int(mark) for mark in puzzle[at : at + 9]] for at in range(0, 81, 9)]


def flat(puzzle: str) -> list[int]:
    return [cell for row in ints(puzzle) for cell in row]


def marks(puzzle: str) -> list[list[str]]:
    return [list(puzzle[at : at + 9]) for at in range(0, 81, 9)]


def holes(puzzle: str) -> list[list[int | None]]:
    return [[None if mark == "." else int(mark) for mark in puzzle[at : at + 9]] for at in range(0, 81, 9)]


def rows(puzzle: str) -> list[str]:
    return [puzzle[at : at + 9] for at in range(0, 81, 9)]


DOCUMENTS = {
    "a list of strings": [ONE, TWO],
    "a list of grids of numbers": [ints(ONE), ints(TWO)],
    "a list of grids of marks": [marks(ONE), marks(TWO)],
    "a list of grids with null": [holes(ONE), holes(TWO)],
    "a list of lists of rows": [rows(ONE), rows(TWO)],
    "a list of 81 numbers each": [flat(ONE), flat(TWO)],
    "a dictionary of a list": {"version": 3, "problems": [ints(ONE), TWO]},
    "a list of dictionaries": [{"id": 7, "puzzle": ONE}, {"puzzle": ints(TWO), "level": "hard"}],
    "a dictionary of lists of dictionaries": {"easy": [{"board": rows(ONE)}], "hard": [{"grid": marks(TWO)}]},
    "a dictionary of puzzles": {"first": ONE, "second": TWO},
    "with solutions beside": {"puzzles": [{"quiz": ONE, "solution": SOLVED}, {"quiz": TWO}]},
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("shape", DOCUMENTS)
def test_a_document_is_read_whatever_its_shape(tmp_path: Path, shape: str, indent: int | None) -> None:
    found = read_bytes(tmp_path, json.dumps(DOCUMENTS[shape], indent=indent))

    assert found.puzzles == [ONE, TWO]
    assert found.notes == ["", ""]
    assert found.faults == []


def test_one_grid_alone_is_one_puzzle(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, json.dumps(ints(ONE))).puzzles == [ONE]
    assert read_bytes(tmp_path, json.dumps({"board": marks(ONE)}, indent=1)).puzzles == [ONE]
    assert read_bytes(tmp_path, json.dumps(rows(ONE))).puzzles == [ONE]


def test_a_line_is_where_the_puzzle_begins(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, json.dumps({"puzzles": [ONE, {"puzzle": TWO}, ints(THREE)]}, indent=1))

    assert found.at_lines == [3, 4, 7]


def test_documents_one_a_line(tmp_path: Path) -> None:
    lines = [
        json.dumps({"puzzle": ONE, "solution": SOLVED, "name": "first", "level": 7}),
        "",
        '{"puzzle": "' + TWO,
        json.dumps(THREE),
        json.dumps({"level": 3}),
        json.dumps({"puzzle": TWO, "solution": SOLVED}),
    ]

    found = read_bytes(tmp_path, "\n".join(lines), keep=("level",))

    assert found.puzzles == [ONE, "", THREE, "", TWO]
    assert [note.split(":")[0] for note in found.notes] == [
        "",
        "a line that is not JSON",
        "",
        "JSON without a puzzle",
        "differs from the given solution",
    ]
    assert found.labels[0] == "first"
    assert found.rows[0]["level"] == "7"
    assert found.at_lines == [1, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([row[:8] for row in ints(ONE)], "row 1 of a grid has 8 cells"),
        (ints(ONE)[:8], "row 1 of a grid has 9 cells, where it has 8 rows"),
        ([[1, 2, 3, 4]] * 4, "16 cells are a 4x4 puzzle"),
        ([[1] * 16] * 16, "256 cells are a 16x16 puzzle"),
        (ONE[:80], "80 cells"),
        ([1, 2, 3], "3 cells where 81 are needed"),
        ([*ints(ONE)[:8], [1, 2, 3, 4, 5, 6, 7, 8, "q"]], "'q' at position 81"),
        ([*ints(ONE)[:8], [1, 2, 3, 4, 5, 6, 7, 8, 10]], "82 characters"),
    ],
)
def test_a_bad_puzzle_is_a_row_and_its_neighbours_stand(tmp_path: Path, value: object, reason: str) -> None:
    found = read_bytes(tmp_path, json.dumps({"puzzles": [ints(ONE), value, ints(TWO)]}))

    assert found.puzzles == [ONE, "", TWO]
    assert reason in found.notes[1]


def test_a_broken_document_is_told_and_what_came_before_stands(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, json.dumps([ONE, TWO, THREE], indent=1)[:-40])

    assert found.puzzles[:2] == [ONE, TWO]
    assert found.rows[-1]["status"] == "invalid"
    assert ["no JSON" in fault for fault in found.faults] == [True]


@pytest.mark.parametrize("text", ['{"puzzles": ', '{"puzzles": [', f'["{ONE}", '])
def test_a_document_that_ends_where_a_value_is_due_is_told(tmp_path: Path, text: str) -> None:
    found = read_bytes(tmp_path, text, name="a.json")

    assert found.puzzles == ([ONE, ""] if ONE in text else [""])
    assert found.rows[-1]["status"] == "invalid"
    assert ["it ends where a value is due" in fault for fault in found.faults] == [True]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_document_comes_in_blocks_of_any_size(size: int) -> None:
    document = {"r\u00e9sum\u00e9": [{"puzzle": ONE, "name": "\u00e9" * 40}, ints(TWO)]}
    text = json.dumps(document, ensure_ascii=False, indent=1)
    taken: list[tuple[int, bytes]] = []
    sink = Sink(lambda rows, _: taken.extend((row.line, row.text) for row in rows))
    content = text.encode()

    read_json((content[at : at + size] for at in range(0, len(content), size)), sink, Reading())
    sink.flush()

    assert taken == [(3, ONE.encode()), (7, TWO.replace(".", "0").encode())]


def test_a_long_list_is_never_held_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsons, "_VALUE_CHARACTERS", 1000)
    walks: list[int] = []
    sink = Sink(lambda rows, _: walks.append(len(rows)))

    def blocks():
        yield b'{"puzzles": ['
        for _ in range(2000):
            yield f'"{ONE}",'.encode()
        yield f'"{ONE}"]}}'.encode()

    walk = jsons._Walk(blocks(), sink, Reading())
    longest = 0
    more = walk._more

    def watched() -> bool:
        nonlocal longest
        longest = max(longest, len(walk._text))
        return more()

    walk._more = watched  # type: ignore[method-assign]
    walk.run()
    sink.flush()

    assert sum(walks) == 2001
    assert longest < 2000


OPENSUDOKU_1 = """<?xml version="1.0" encoding="UTF-8"?>
<opensudoku>
  <name>mine</name>
  <game data='{one}' />
  <game data="{two}"/>
</opensudoku>
"""


def played(puzzle: str, version: int, notes: str) -> str:
    cells = [f"0|{notes}|1" if mark == "." else f"{mark}|{notes}|0" for mark in puzzle]
    cells[next(i for i, mark in enumerate(puzzle) if mark == ".")] = f"5|{notes}|1"
    return f"version: {version}\n" + "|".join(cells) + "|"


def test_both_versions_of_opensudoku(tmp_path: Path) -> None:
    first = read_bytes(tmp_path, OPENSUDOKU_1.format(one=ONE.replace(".", "0"), two=TWO))
    later = (
        '<?xml version="1.0"?>\n<opensudoku version="2">\n<folder name="easy" created="0">\n'
        f'<game created="0" state="1" level="3" data="{played(ONE, 1, "-").replace(chr(10), "&#10;")}"/>\n'
        f'<game created="0" state="1" data="{played(TWO, 4, "0|0").replace(chr(10), "&#10;")}"/>\n'
        "</folder></opensudoku>\n"
    )

    second = read_bytes(tmp_path, later, keep=("level",))

    assert (first.puzzles, first.at_lines) == ([ONE, TWO], [4, 5])
    assert (second.puzzles, second.labels) == ([ONE, TWO], ["easy", "easy"])
    assert [row["level"] for row in second.rows] == ["3", ""]


def test_a_bad_game_is_a_row(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, OPENSUDOKU_1.format(one="12", two=TWO))

    assert found.puzzles == ["", TWO]


def test_entities_are_refused(tmp_path: Path) -> None:
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE o [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><o><game data="&b;"/></o>'
    )

    found = read_bytes(tmp_path, bomb)

    assert [row["status"] for row in found.rows] in ([], ["invalid"])
    assert ["entity 'a'" in fault for fault in found.faults] == [True]


def test_broken_xml_is_told_and_what_came_before_stands(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, OPENSUDOKU_1.format(one=ONE, two=TWO)[:-20] + "<<")

    assert found.puzzles[0] == ONE
    assert ["no XML" in fault for fault in found.faults] == [True]
