"""Grids of 9 lines: bare, spaced, framed, grouped by blank lines, with titles; `.sdk` and `.ss` files among them.

A *run* is a row of lines that belong together, for nothing but rules of a frame stands between them. A blank line, a
comment, a title, a section or the edge of a frame ends it. A run of nine rows is a grid; so are three runs of three
with nothing but blank lines between them. Whatever else a run is, it becomes one row that says so.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from producer.readers.cells import GridRow, ends_frame, is_rule, row_of
from producer.readers.sink import Row, Sink
from producer.readers.text import Line, lines_of
from solver_core.rows import holds_puzzle

_SECTION = re.compile(r"\[\s*([A-Za-z][A-Za-z ]*)\]")
_COUNT = re.compile(r"\d{1,10}(\s+\d{1,10})?")
_PUZZLE_SECTION = "puzzle"
# A piece of text this long is no row of a grid but a puzzle on one line, or was meant to be one.
_ONE_LINE = 36
# More lines of text than that are no title of the grid after them.
_TITLE_LINES = 3
# Rows of one or two short runs of figures are no grid but figures: a number, a date.
_FIGURE_LINES = 2


class _Held(NamedTuple):
    line: Line
    row: GridRow


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a number of rows is: cells of a puzzle, or the reason why they are none."""

    cells: str = ""
    reason: str = ""


def read_grids(blocks: Iterable[bytes], sink: Sink) -> None:
    """Reads all grids of a text."""
    reader = _Grids(sink)
    for line in lines_of(blocks):
        reader.take(line)
    reader.end()


class _Grids:
    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._run: list[_Held] = []
        self._boxes: list[_Held] = []  # earlier runs that may be part of the same grid
        self._titles: list[Line] = []
        self._section = _PUZZLE_SECTION
        self._any = False  # a row or a grid has come
        self._after_grid = False

    def take(self, line: Line) -> None:
        """Takes the next line."""
        text = line.text.decode("utf-8", "replace").strip()
        if not text:
            self._end_run(at_blank=True)
            self._sink.count(blank=1)
        elif text[0] == "#" or (text[0] == ";" and row_of(text) is None):
            self._end_run()
            self._sink.count(comment=1)
        elif section := _SECTION.fullmatch(text):
            self._end_run()
            self._section = section[1].strip().lower()
            self._sink.count(structure=1)
        elif self._section != _PUZZLE_SECTION:
            self._sink.count(structure=1)
        else:
            self._take_text(line, text)

    def end(self) -> None:
        """Takes the end of the text."""
        self._end_run()
        self._settle_titles(recognised=self._after_grid)

    def _take_text(self, line: Line, text: str) -> None:
        row = row_of(line.text.decode("utf-8", "replace"))
        if not self._any and not self._run and not self._titles and row is None and _COUNT.fullmatch(text):
            self._any = True
            self._sink.count(structure=1)
        elif is_rule(text):
            if ends_frame(text):
                self._end_run()
            self._sink.count(structure=1)
        elif row is not None:
            self._hold(line, row)
        elif len(max(text.split(), key=len)) >= _ONE_LINE or holds_puzzle(line.text):
            self._end_run()
            self._settle_titles(recognised=True)
            self._put_line(line)
        else:
            self._end_run()
            self._titles.append(line)
            if len(self._titles) > _TITLE_LINES:
                self._put_line(self._titles.pop(0))

    def _hold(self, line: Line, row: GridRow) -> None:
        if self._run and row.width != self._run[-1].row.width and len(self._run) == self._run[0].row.width:
            self._end_run()  # a whole grid of another size
        self._run.append(_Held(line, row))
        # All sizes are looked for at an even number of rows only: none is told from its first row.
        if len(self._run) % 2 == 0 and len(self._run) == 2 * (size := _size(self._run)):
            # Grids that follow each other without anything between: the first is told from those after it by count.
            self._give_up_boxes()
            self._emit(self._run[:size])
            self._run = self._run[size:]

    def _end_run(self, *, at_blank: bool = False) -> None:
        run, self._run = self._run, []
        if run:
            size = _size(run)
            height = 3 if size == 9 else _box_height(size)
            together = len(self._boxes) + len(run)
            if self._boxes and size == _size(self._boxes) and together <= size and len(run) == height:
                self._boxes += run
                if together == size:
                    run, self._boxes = self._boxes, []
                    self._emit(run)
            elif len(run) == height and height < size and at_blank:
                self._give_up_boxes()
                self._boxes = run
            else:
                self._give_up_boxes()
                self._emit(run)
        if not at_blank:
            self._give_up_boxes()

    def _give_up_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        if boxes:
            self._emit(boxes)

    def _emit(self, held: list[_Held]) -> None:
        """Puts rows as one puzzle, or as one row that says why they are none."""
        if len(held) <= _FIGURE_LINES and all(it.row.width < 7 for it in held):
            self._titles += [it.line for it in held]
            while len(self._titles) > _TITLE_LINES:
                self._put_line(self._titles.pop(0))
            return
        verdict = _judge(held)
        label = self._titles[-1].text.strip() if self._titles else b""
        self._settle_titles(recognised=True)
        first = held[0].line
        if verdict.cells:
            row = Row(first.number, verdict.cells.encode(), label)
        else:
            row = Row(first.number, first.text.strip(), reason=verdict.reason)
        self._sink.put(row, len(held))
        self._any = self._after_grid = True

    def _put_line(self, line: Line) -> None:
        self._sink.put(Row(line.number, line.text.strip(), whole_line=True))
        self._any = True

    def _settle_titles(self, *, recognised: bool) -> None:
        """The text before a grid, or after the last one, is its title; any other should have been a puzzle."""
        for line in self._titles:
            if recognised:
                self._sink.count(structure=1)
            else:
                self._put_line(line)
        self._titles = []
        self._after_grid = False


def _size(held: list[_Held]) -> int:
    """How many rows a grid of these rows should have."""
    widths = Counter(it.row.width for it in held if not it.row.dashes) or Counter(it.row.width for it in held)
    return 9 if 9 in widths or set(widths) <= {7, 8, 10, 11} else widths.most_common(1)[0][0]


def _box_height(size: int) -> int:
    """Rows of a box: 2 of a 4x4 and a 6x6 grid, 3 of a 12x12, 4 of a 16x16, 5 of a 25x25."""
    return max(height for height in range(1, size + 1) if height * height <= size and size % height == 0)


def _judge(held: list[_Held]) -> _Verdict:
    size = _size(held)
    dashes = sum(it.row.dashes for it in held)
    rows = held if len(held) == size or len(held) - dashes != size else [it for it in held if not it.row.dashes]
    if any(it.row.groups for it in rows):
        whole = "a 9x9 grid of candidates" if len(rows) == 9 else f"{len(rows)} rows of a 9x9 grid of candidates"
        return _Verdict(reason=f"81 groups of cells are {whole}, 81 cells are needed")
    for number, it in enumerate(rows, start=1):
        if it.row.width != size:
            plural = "s" if it.row.width != 1 else ""
            return _Verdict(reason=f"row {number} of a grid has {it.row.width} cell{plural} where {size} are needed")
    if len(rows) != size:
        return _Verdict(reason=f"a grid of {len(rows)} row{'s' * (len(rows) != 1)} where {size} are needed")
    if size != 9:
        return _Verdict(reason=f"{size * size} cells are a {size}x{size} puzzle, 81 are needed")
    for number, it in enumerate(rows, start=1):
        if it.row.stranger:
            mark, place = it.row.stranger
            return _Verdict(reason=f"character {mark!r} in row {number}, column {place} of a grid")
    return _Verdict(cells="".join("".join(it.row.cells) for it in rows))
