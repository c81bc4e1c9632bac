"""OpenSudoku's XML, of its first version (81 digits a game) and of those after it (cells with notes)."""

import re
from collections.abc import Iterable
from xml.parsers import expat

from producer.readers.reading import DamagedError, Reading
from producer.readers.sink import Row, Sink

# A game is an element with this attribute, or one that has the cells as its text.
_DATA = "data"
_GAMES = ("game", "puzzle", "sudoku")
_VERSION = re.compile(r"version: ?(\d+)\s*")
# Parts of a cell by the version of its writing: value, notes (from version 4 on in two parts), and 1 if it may be
# changed, so that it is no given.
_CELL_PARTS = {1: 3, 2: 3, 3: 3, 4: 4}


def read_opensudoku(blocks: Iterable[bytes], sink: Sink, reading: Reading) -> None:
    """Reads all games of a file.

    Raises:
        DamagedError: it is no XML from here on, or it declares entities, which no collection needs.
    """
    reader = _Reader(sink, reading)
    parser = expat.ParserCreate("UTF-8")
    parser.StartElementHandler = lambda name, attributes: reader.start(name, attributes, parser.CurrentLineNumber)
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.refuse
    parser.buffer_text = True
    try:
        for block in blocks:
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise DamagedError(f"no XML: {expat.ErrorString(error.code)}", error.lineno) from None


class _Reader:
    def __init__(self, sink: Sink, reading: Reading) -> None:
        self._sink = sink
        self._column = reading.column or _DATA
        self._keep = reading.keep
        self._game: dict[str, str] | None = None
        self._line = 0
        self._text: list[str] = []
        self._folder = ""

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if name == "folder":
            self._folder = attributes.get("name", "")
        elif name in _GAMES or self._column in attributes:
            self._game, self._line, self._text = attributes, line, []

    def text(self, text: str) -> None:
        if self._game is not None:
            self._text.append(text)

    def end(self, name: str) -> None:
        if name == "folder":
            self._folder = ""
        if self._game is None or not (name in _GAMES or self._column in self._game):
            return
        game, self._game = self._game, None
        data = game.get(self._column, "".join(self._text)).strip()
        kept = [game.get(field, "").encode() for field in self._keep] or None
        self._sink.put(Row(self._line, cells_of(data).encode(), self._folder.encode(), kept=kept))

    def refuse(self, name: str, *_: object) -> None:
        raise DamagedError(f"the XML declares the entity {name!r}, which is refused")


def cells_of(data: str) -> str:
    """Returns the givens in the data of a game, which may be a game that was played."""
    version = _VERSION.match(data)
    if version is None:
        return data
    parts = data[version.end() :].split("|")
    size = _CELL_PARTS.get(int(version[1]), max(_CELL_PARTS.values()))
    if len(parts) < 81 * size:
        return data
    cells = [parts[at : at + size] for at in range(0, 81 * size, size)]
    return "".join("." if cell[-1] == "1" else cell[0] for cell in cells)
