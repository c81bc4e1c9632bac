"""Lines of text, for the readers that are written in Python."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solver_core.rows import LONG_LINE_BYTES

_END = re.compile(rb"\r\r\n|\r\n|\n|\r")


class Line(NamedTuple):
    """A line without its end, and its number from 1."""

    number: int
    text: bytes


def lines_of(blocks: Iterable[bytes]) -> Iterator[Line]:
    """Yields the lines of a text; of one that is too long to be held, its first part."""
    number = 1
    rest = b""
    in_long_line = False
    for block in blocks:
        text = rest + block
        at = 0
        # A CR at the end may be half of a line end: it waits for what comes next.
        for end in _END.finditer(text, 0, len(text) - (text.endswith((b"\r", b"\r\r")) and len(_last_crs(text)))):
            if not in_long_line:
                yield Line(number, text[at : end.start()])
            number += 1
            in_long_line = False
            at = end.end()
        rest = text[at:]
        if len(rest) > LONG_LINE_BYTES:
            if not in_long_line:
                yield Line(number, rest[:LONG_LINE_BYTES])
            in_long_line = True
            rest = _last_crs(rest)
    for text in _END.split(rest)[: None if not rest.endswith((b"\r", b"\n")) else -1]:
        if text or rest:
            if not in_long_line:
                yield Line(number, text)
            number += 1
            in_long_line = False


def _last_crs(text: bytes) -> bytes:
    return b"\r\r" if text.endswith(b"\r\r") else b"\r" if text.endswith(b"\r") else b""
