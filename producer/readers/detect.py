"""Tells by the beginning of a text which form it has."""

import re
from dataclasses import dataclass

from producer.readers.cells import is_rule, row_of
from producer.readers.reading import ARROW, CSV, GRIDS, JSON, LINES, PARQUET, XML, Reading
from producer.readers.tables import Table, find_table
from solver_core.rows import holds_puzzle

# What is looked at, at most.
HEAD_BYTES = 1 << 16
_HEAD_LINES = 200
# So many lines of a pipe that is slow tell a form for sure.
_SURE_LINES = 12
# Fewer characters than that may be the beginning of a bracket or a mark.
_LEAST_BYTES = 16
# Magic at the beginning; Arrow comes as a file or as a stream, whose first four bytes say that a message follows.
_BINARY = {b"PAR1": PARQUET, b"ARROW1\0\0": ARROW, b"\xff\xff\xff\xff": ARROW}
_JSON_ARRAY = re.compile(rb"\[\s*([\[\]{\"0-9.]|null)")
_JSON_OBJECT = re.compile(rb"\{\s*[\"}]")
_XML = re.compile(rb"<[?!A-Za-z]")
_SECTION = re.compile(rb"\[\s*[A-Za-z]")
_COUNT = re.compile(r"\d{1,10}(\s+\d{1,10})?")


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a text; a table comes with its layout."""

    name: str
    table: Table | None = None


def detect(head: bytes, reading: Reading, *, complete: bool) -> Form | None:
    """Returns the form of a text by its beginning; None if more of it is needed.

    Args:
        head: the beginning.
        reading: what the person said.
        complete: nothing comes after it, or no more will be looked at.

    Raises:
        DamagedError: the person named a column that is not there.
    """
    if reading.form is None:
        form = _by_beginning(head, complete=complete)
    else:
        form = None if reading.form == CSV else reading.form
    if form is not None:
        return Form(form)
    if not complete and len(head.lstrip()) < _LEAST_BYTES:
        return None
    return _of_lines(head, reading, complete=complete)


def _by_beginning(head: bytes, *, complete: bool) -> str | None:
    """The form that the first characters tell, None if they do not."""
    binary = next((form for magic, form in _BINARY.items() if head.startswith(magic)), None)
    if binary is not None:
        return binary
    text = head.lstrip()
    if _JSON_OBJECT.match(text) or _JSON_ARRAY.match(text):
        return JSON
    if _XML.match(text):
        return XML
    if _SECTION.match(text):
        return GRIDS
    return LINES if complete and not text else None


def _of_lines(head: bytes, reading: Reading, *, complete: bool) -> Form | None:
    lines = re.split(rb"\r\r\n|\r\n|\n|\r", head)
    if not complete or len(head) >= HEAD_BYTES:
        lines = lines[:-1]  # it may go on
    texts = [line.decode("utf-8", "replace") for line in lines]
    content = [text for text in texts if text.strip() and not text.lstrip().startswith(("#", "; "))][:_HEAD_LINES]
    if not content and not complete:
        return None
    table = find_table(content, reading, forced=reading.form == CSV or reading.column is not None)
    if table is not None:
        return Form(CSV, table)
    if content and _COUNT.fullmatch(content[0].strip()) and row_of(content[0]) is None:
        content = content[1:]
    return _by_votes(content, complete=complete)


def _by_votes(content: list[str], *, complete: bool) -> Form | None:
    """One puzzle a line, or grids: what most lines are that are one of both."""
    puzzles = grids = 0
    for text in content:
        if holds_puzzle(text.encode()):
            puzzles += 1
        elif is_rule(text.strip()) or _is_grid_row(text):
            grids += 1
    if grids > puzzles:
        return Form(GRIDS)
    if puzzles or complete or len(content) >= _SURE_LINES:
        return Form(LINES)
    return None


def _is_grid_row(text: str) -> bool:
    row = row_of(text)
    if row is None:
        return False
    # Sixteen cells of up to 4, on one line: a 4x4 puzzle as it stands in lists of puzzles.
    return not (row.width == 16 and len(text.strip()) == 16 and set(row.cells) <= set("01234.-_*"))
