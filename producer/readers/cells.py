"""What a line of a grid looks like: its cells, its frame, or neither."""

import re
import unicodedata
from dataclasses import dataclass

MARKS = frozenset("0123456789._*-xX?~")
_UNICODE_MARKS = frozenset("\u00b7\uff0e\uff3f\u25a1")
_LETTERS = frozenset("abcdefghiABCDEFGHI")
# Edges of boxes, in ASCII and in box drawing.
# Most rows by far: nine cells and nothing else.
_BARE = re.compile(r"\s*([0-9._*xX?~-]{9})\s*")
_BARS = re.compile(r"[|!\u2502\u2503\u2551\u2506\u250a]")
_RULE = re.compile(r"[-+|=*.:'\s\u2010-\u2015\u2500-\u257f]+")
_LONG_DASH = re.compile(r"--|==|[\u2550\u2500\u2501]{2}|\u2014")
# Sizes of grids that people have: the 9x9 and others, up to where a line would be a puzzle of its own.
SIZES = (4, 6, 8, 10, 12, 15, 16, 25)
# A row of a 9x9 grid that lost or won cells is still one.
_NEAR = range(7, 12)
# A row may have so many characters that are no cells; with more it is a title.
_STRANGERS_MOST = 2


@dataclass(frozen=True, slots=True)
class GridRow:
    """A line of a grid.

    Attributes:
        cells: one character each; a larger grid may have numbers of two digits.
        dashes: nothing but `-`: a row of empty cells, or a rule.
        groups: the cells are groups of candidates.
        stranger: the first character that is no cell, and its place from 1.
    """

    cells: tuple[str, ...]
    dashes: bool = False
    groups: bool = False
    stranger: tuple[str, int] | None = None

    @property
    def width(self) -> int:
        """How many cells."""
        return len(self.cells)


def is_cell(mark: str) -> bool:
    """Whether a character is a digit of any script or a mark of an empty cell."""
    if len(mark) != 1 or mark.isascii():
        return mark in MARKS
    return mark in _UNICODE_MARKS or unicodedata.decimal(mark, -1) != -1


def is_rule(text: str) -> bool:
    """Whether a line is part of a frame."""
    return bool(_RULE.fullmatch(text) and _LONG_DASH.search(text)) and not is_dashes(text)


def ends_frame(text: str) -> bool:
    """Whether a rule is the upper or lower edge of a frame, and no rule inside of it."""
    return text[0] in "*.':\u250c\u2514\u2554\u255a" and text[-1] in "*.':\u2510\u2518\u2557\u255d"


def is_dashes(text: str) -> bool:
    """Whether a line of dashes may be a row of empty cells: `---------`, or `---|---|---`."""
    bare = re.sub(r"[|\s]", "", text)
    return bool(bare) and not bare.strip("-") and (len(bare) == 9 or len(bare) in SIZES)


def row_of(text: str) -> GridRow | None:
    """Returns the row that a line is, None if it is no row of a grid."""
    if bare := _BARE.fullmatch(text):
        return GridRow(tuple(bare[1]), dashes=bare[1] == "---------")
    separator = next((mark for mark in ",;\t" if mark in text.strip()), None)
    if separator:
        cells = tuple(field.strip().strip('"') or "." for field in text.split(separator))
        return _row(cells) if len(cells) > 2 and all(len(cell) <= 2 for cell in cells) else None
    return _of_tokens(_BARS.sub(" ", text).split())


def _of_tokens(tokens: list[str]) -> GridRow | None:
    """The row of what stands between blanks and bars: cells, runs of cells, groups of candidates, or numbers."""
    if len(tokens) == 1:
        return _row(tuple(tokens[0]))
    if all(len(token) == 1 for token in tokens):
        return _row(tuple(tokens))
    joined = "".join(tokens)
    if len(tokens) == 9 and len(joined) > 9 and all(token.isdecimal() or token in MARKS for token in tokens):
        return GridRow(tuple(tokens), groups=True)
    if len(tokens) in SIZES and all(len(token) <= 2 and (token.isdecimal() or is_cell(token)) for token in tokens):
        return GridRow(tuple(tokens))
    return _row(tuple(joined)) if len({len(token) for token in tokens}) == 1 else None


def _are_symbols(marks: set[str], size: int) -> bool:
    """Whether these may be cells of a large grid: numbers, or the first letters of the alphabet, in one case."""
    letters = {mark for mark in marks if mark.isalpha() and mark not in MARKS}
    first = {chr(ord("A") + place) for place in range(size)}
    return (letters <= first or letters <= {letter.lower() for letter in first}) and all(
        mark in letters or mark.isdecimal() or is_cell(mark) for mark in marks
    )


def _row(cells: tuple[str, ...]) -> GridRow | None:
    width = len(cells)
    strangers = [(cell, place) for place, cell in enumerate(cells, start=1) if not (len(cell) == 1 and is_cell(cell))]
    if not strangers:
        fits = width in SIZES or width in _NEAR
        return GridRow(cells, dashes=not set(cells) - {"-"}) if fits else None
    marks = set(cells)
    if width == 9 and marks <= _LETTERS | MARKS | {"+"} and not any(mark.isdecimal() for mark in marks):
        return GridRow(cells)
    if width in SIZES and width >= 12 and _are_symbols(marks, width):
        return GridRow(cells)
    if width in _NEAR and len(strangers) <= _STRANGERS_MOST:
        return GridRow(cells, stranger=strangers[0])
    return None
