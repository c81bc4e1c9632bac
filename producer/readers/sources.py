"""What the person named as INPUT, as a list of sources: files, folders, globs, `-`, and puzzles typed in."""

import glob
import gzip
import io
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from solver_core.errors import PuzzleError
from solver_core.sudoku import cells_of

TYPED = "(typed)"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """One stream of lines.

    Attributes:
        name: as the column `source` shows it: the path as given, `-`, or `(typed)`.
        path: the file; None for standard input and for a puzzle typed in.
        text: the puzzle typed in.
    """

    name: str
    path: Path | None = None
    text: str | None = None

    def can_be_read_again(self) -> bool:
        """Whether a second run finds the same bytes there."""
        return self.text is not None or (self.path is not None and self.path.is_file())

    def size(self) -> int | None:
        """Bytes that lie there; None if nobody knows."""
        if self.text is not None:
            return len(self.text)
        return self.path.stat().st_size if self.path and self.path.is_file() else None

    def open_raw(self) -> BinaryIO:
        """Opens the bytes as they lie there."""
        if self.text is not None:
            return io.BytesIO(self.text.encode())
        # Closing standard input is not ours to do.
        return self.path.open("rb") if self.path else open(sys.stdin.fileno(), "rb", closefd=False)

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yields the text in blocks of at most `size` bytes, unpacked if it is gzip by its content.

        Raises:
            EOFError, OSError, zlib.error: the source is damaged from here on.
        """
        with self.open_raw() as raw:
            head = raw.read(len(_GZIP))
            if head != _GZIP:
                yield head
            stream: Any = gzip.GzipFile(fileobj=_Rejoined(head, raw)) if head == _GZIP else raw
            while block := stream.read1(size):
                yield block


class _Rejoined(io.RawIOBase):
    """A stream with the bytes in front again that were read from it."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        if self._head:
            head, self._head = self._head, b""
            return head
        return self._rest.read(size)


def find_sources(inputs: Iterable[str], outputs: Iterable[Path] = ()) -> list[Source]:
    """Returns the sources that `inputs` name, in this order; folders and globs sorted by name.

    Args:
        inputs: files, folders (read recursively, hidden files skipped), globs, `-`, or puzzles of 81 characters.
        outputs: files this run writes; a folder's list leaves them out.

    Raises:
        OSError: a file is not there or cannot be opened.
        ValueError: an output is named as input, `-` stands twice, or a glob or folder holds nothing.
    """
    written = {path.resolve() for path in outputs}
    sources: list[Source] = []
    for given in inputs:
        found = list(_expand(given, written))
        if not found:
            raise ValueError(f"{given}: no file is there")
        sources += found
    if [source.name for source in sources].count("-") > 1:
        raise ValueError("standard input can be read only once")
    for source in sources:
        if source.path and source.path.resolve() in written:
            raise ValueError(f"{source.name} is input and output at once")
        if source.path and not source.path.is_fifo():
            source.open_raw().close()
    return sources


def _expand(given: str, written: set[Path]) -> Iterator[Source]:
    path = Path(given)
    if given == "-":
        yield Source("-")
    elif path.is_dir():
        for name in _files_below(given):
            if Path(name).resolve() not in written:
                yield Source(name, Path(name))
    elif path.exists():
        yield Source(given, path)
    elif _is_puzzle(given):
        yield Source(TYPED, text=given)
    elif glob.has_magic(given):
        for name in sorted(glob.glob(given, recursive=True)):
            if Path(name).is_file() and Path(name).resolve() not in written:
                yield Source(name, Path(name))
    else:
        yield Source(given, path)  # opening it will say what is wrong


def _files_below(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith("."):
                yield str(Path(place) / name)


def _is_puzzle(given: str) -> bool:
    try:
        cells_of(given)
    except PuzzleError:
        return False
    return True
