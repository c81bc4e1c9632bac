"""JSON: lists of 9x9, of strings, dictionaries, one document or one a line.

A document is gone through value by value, and only a part of it is held: what is too large to be a puzzle is opened,
and its members are looked at one after the other.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from producer.readers.reading import QUEENS_JOB, DamagedError, Reading
from producer.readers.sink import Row, Sink
from producer.readers.tables import LABEL, PUZZLES, SOLUTIONS
from solver_core.queens import MAX_N

# No puzzle is nearly as long, solution and remarks included.
_VALUE_CHARACTERS = 1 << 16
_SPACE = re.compile(r"[ \t\r\n]*")
_NEXT_LINE = re.compile(r"[^\n]*\n?")
# Jobs of several kinds may be mixed; without a kind it is a puzzle.
_KIND, _SUDOKU, _QUEENS = "kind", "sudoku", ("nqueens", "queens")
_LABELS = (LABEL, "id", "name", "title")
_SIZES = {n * n: f"a {n}x{n} puzzle" for n in (4, 6, 16, 25)}
_decoder = json.JSONDecoder()


def read_json(blocks: Iterable[bytes], sink: Sink, reading: Reading) -> None:
    """Reads all puzzles of a document, or of one document a line.

    Raises:
        DamagedError: it is no JSON from here on; of documents a line, one that is none is a row.
    """
    walk = _Walk(blocks, sink, reading)
    walk.run()


class _Walk:
    def __init__(self, blocks: Iterable[bytes], sink: Sink, reading: Reading) -> None:
        self._blocks = iter(blocks)
        self._sink = sink
        self._reading = reading
        self._text = ""
        self._at = 0
        self._line = 1
        self._counted_to = 0  # the place in the text up to which line ends are counted
        self._ended = False
        self._rest = b""
        self._by_line = False

    def run(self) -> None:
        """Goes through all documents."""
        first = True
        while self._peek():
            self._by_line = self._by_line or not first or self._is_by_line()
            first = False
            if not self._by_line:
                self._value(0)
                continue
            line, text = self._here(), self._take_line()
            if text.strip():
                self._one(line, text.strip())

    def _one(self, line: int, text: str) -> None:
        """One document on one line."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            self._sink.put(Row(line, text.encode(), reason="a line that is not JSON"))
            return
        rows = list(rows_of(value, line, self._reading))
        for row in rows or [Row(line, text.encode(), reason="JSON without a puzzle")]:
            self._sink.put(row)

    def _is_by_line(self) -> bool:
        """Whether the first line is a document by itself, and another follows."""
        end = self._text.find("\n", self._at)
        while end < 0 and len(self._text) - self._at < _VALUE_CHARACTERS and self._more():
            end = self._text.find("\n", self._at)
        if end < 0:
            return False
        while not self._text[end:].strip() and self._more():
            pass
        if not self._text[end:].strip():
            return False
        try:
            _decoder.decode(self._text[self._at : end].strip())
        except ValueError:
            # A broken line among others, or a document over many lines: those begin with a bracket alone.
            after = self._text[end:].strip()
            return len(self._text[self._at : end].strip()) > 1 and after[0] == "{" and self._text[self._at] == "{"
        return True

    def _value(self, depth: int) -> None:
        """Takes the value that begins here."""
        self._peek()
        line = self._here()
        value, end = self._decoded()
        if end >= 0:
            rows = _as_rows(value, line, self._reading)
            if rows is not None:
                self._at = end
                for row in rows:
                    self._sink.put(row)
                return
        mark = self._peek()
        if not mark:
            raise DamagedError("no JSON: it ends where a value is due", line)
        if mark not in "[{" or depth > 100:
            raise DamagedError(f"no JSON: {self._text[self._at : self._at + 40]!r}", line)
        self._members(mark, depth)

    def _members(self, mark: str, depth: int) -> None:
        """Goes through a list or a dictionary."""
        self._at += 1
        closing = "]" if mark == "[" else "}"
        if self._peek() == closing:
            self._at += 1
            return
        while True:
            if mark == "{":
                self._peek()
                key, end = self._decoded()
                if end < 0 or not isinstance(key, str):
                    raise DamagedError(f"no JSON: {self._text[self._at : self._at + 40]!r}", self._here())
                self._at = end
                if self._peek() != ":":
                    raise DamagedError("no JSON: a key without a value", self._here())
                self._at += 1
                self._peek()
                if not self._is_remark(key):
                    self._value(depth + 1)
            else:
                self._value(depth + 1)
            after = self._peek()
            if after not in (",", closing):
                raise DamagedError("no JSON: neither a comma nor the end of a list", self._here())
            self._at += 1
            if after == closing:
                return

    def _is_remark(self, key: str) -> bool:
        """Passes over a value of a dictionary that is no puzzle: a solution, or too short a text."""
        value, end = self._decoded()
        if end < 0 or _may_hold(key, value):
            return False
        self._at = end
        return True

    def _decoded(self) -> tuple[Any, int]:
        """The value that begins here and where it ends; -1 if it is too long, or none."""
        while True:
            try:
                value, end = _decoder.raw_decode(self._text, self._at)
            except (ValueError, RecursionError):
                end = -1
                value = None
            held = len(self._text) - self._at
            # A number at the very end may go on.
            if (end >= 0 and (end < len(self._text) or self._ended)) or held > _VALUE_CHARACTERS or not self._more():
                return value, end

    def _peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _take_line(self) -> str:
        while True:
            found = _NEXT_LINE.match(self._text, self._at)
            end = found.end() if found else self._at
            if self._text[end - 1 : end] == "\n" or not self._more():
                text, self._at = self._text[self._at : end], end
                return text

    def _more(self) -> bool:
        """Reads on; False at the end."""
        if self._ended:
            return False
        block = next(self._blocks, None)
        if block is None:
            self._ended = True
            block = b""
        self._here()
        joined = self._rest + block
        # A character may be cut in two at the end of a block.
        whole = len(joined) if self._ended else _whole_characters(joined)
        self._rest = joined[whole:]
        self._text = self._text[self._at :] + joined[:whole].decode("utf-8", "replace")
        self._at = self._counted_to = 0
        return not self._ended or bool(joined)

    def _here(self) -> int:
        """The line that is reached."""
        self._line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = max(self._counted_to, self._at)
        return self._line


def rows_of(value: Any, line: int, reading: Reading) -> Iterator[Row]:
    """Yields the rows of a whole document."""
    rows = _as_rows(value, line, reading)
    if rows is not None:
        yield from rows
    elif isinstance(value, list):
        for member in value:
            yield from rows_of(member, line, reading)
    elif isinstance(value, dict):
        for key, member in value.items():
            if _may_hold(key, member):
                yield from rows_of(member, line, reading)


def _may_hold(key: str, value: Any) -> bool:
    """Whether a value of a dictionary may hold puzzles."""
    return key.lower() not in SOLUTIONS and (isinstance(value, list | dict) or len(str(value)) >= 81)


def _as_rows(value: Any, line: int, reading: Reading) -> list[Row] | None:
    """The rows that a value is as a whole; None if it is something with puzzles in it, or nothing of the kind."""
    if isinstance(value, dict):
        return _of_dictionary(value, line, reading)
    if isinstance(value, list):
        text = _grid(value)
        return None if text is None else [_row(text, value, line)]
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return [Row(line, str(value).encode(), whole_line=True)]
    return [Row(line, json.dumps(value).encode(), reason="no puzzle but " + type(value).__name__)]


def _of_dictionary(value: dict[str, Any], line: int, reading: Reading) -> list[Row] | None:
    names = {key.lower(): key for key in reversed(value)}
    kind = value[names[_KIND]] if _KIND in names else _SUDOKU
    if kind != _SUDOKU:
        return [_job(kind, value, line)]
    wanted = (reading.column.lower(),) if reading.column else PUZZLES
    key = next((names[name] for name in wanted if name in names), None)
    if key is None or isinstance(value[key], dict):
        return None
    puzzle = value[key]
    text = _grid(puzzle) if isinstance(puzzle, list) else "" if puzzle is None else str(puzzle)
    if text is None:
        return None
    solution = next((value[names[name]] for name in SOLUTIONS if name in names), None)
    given = _grid(solution) if isinstance(solution, list) else solution if isinstance(solution, str) else None
    label = next((_text(value[names[name]]) for name in _LABELS if name in names), "")
    kept = [_text(value[names[name.lower()]]).encode() if name.lower() in names else b"" for name in reading.keep]
    row = _row(text, puzzle, line)
    if row.reason is not None:
        return [row._replace(kept=kept or None)]
    return [row._replace(label=label.encode(), given=given.encode() if given else None, kept=kept or None)]


def _job(kind: Any, value: dict[str, Any], line: int) -> Row:
    """The row of a job that is no puzzle."""
    raw = json.dumps(value, ensure_ascii=False).encode()
    if kind not in _QUEENS:
        return Row(line, raw, reason=f"a job of the kind {kind!r}, where sudoku or nqueens is needed"[:100])
    n = value.get("n")
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MAX_N:
        return Row(line, raw, reason=f"a job for queens needs an n from 1 to {MAX_N}")
    return Row(line, json.dumps({"n": n}).encode(), reason=QUEENS_JOB)


def _row(text: str, value: Any, line: int) -> Row:
    """A row from the cells of a grid, or with the reason why they are none of 9x9."""
    if not isinstance(value, list):
        return Row(line, text.encode())
    rows = [row for row in value if isinstance(row, list | str)]
    cells = sum(len(row) for row in rows) if rows else len(value)
    raw = json.dumps(value).encode()
    if rows and (ragged := next((at for at, row in enumerate(rows, 1) if len(row) != len(rows)), None)):
        found = f"row {ragged} of a grid has {len(rows[ragged - 1])} cells, where it has {len(rows)} rows"
        return Row(line, raw, reason=found)
    if cells in _SIZES:
        return Row(line, raw, reason=f"{cells} cells are {_SIZES[cells]}, 81 are needed")
    if cells != 81:
        return Row(line, raw, reason=f"{cells} cells where 81 are needed")
    return Row(line, text.encode())


def _grid(value: list[Any]) -> str | None:
    """The cells of a list that is one grid: rows of cells, rows of text, or cells; None if it is none."""
    if not value:
        return None
    if all(_is_cell(cell) for cell in value):
        return "".join(map(_cell, value))
    if all(isinstance(row, list) and all(_is_cell(cell) for cell in row) for row in value):
        # Lists of 81 cells are puzzles of their own; short lists are the rows of one.
        longest = max(map(len, value))
        return "".join(_cell(cell) for row in value for cell in row) if longest <= 25 else None
    if all(isinstance(row, str) for row in value) and len(value) == len(value[0]) and len(value) in (4, 6, 9):
        return "".join(value)
    return None


def _is_cell(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool)) or _is_mark(value)


def _is_mark(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 2


def _cell(value: Any) -> str:
    return "." if value in (None, "", " ") else str(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _whole_characters(text: bytes) -> int:
    """How many bytes of a text in UTF-8 are whole characters."""
    for back in range(1, min(4, len(text)) + 1):
        byte = text[-back]
        if byte < 0x80:
            break
        if byte >= 0xC0:
            width = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(text) - back if back < width else len(text)
    return len(text)
