"""What the person named as INPUT, as a list of sources: files, folders, globs, `-`, and puzzles typed in."""

import glob
import io
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from producer.readers.packed import ZIP, unpacked, zip_archive
from producer.readers.reading import DamagedError
from solver_core.errors import PuzzleError
from solver_core.sudoku import cells_of

TYPED = "(typed)"
# What `unzip` and others make beside the files that people put into an archive.
_CLUTTER = ("__MACOSX/",)


@dataclass(frozen=True, slots=True)
class Source:
    """One stream of rows.

    Attributes:
        name: as the column `source` shows it: the path as given, `a.zip!member`, `-`, or `(typed)`.
        path: the file; None for standard input and for a puzzle typed in.
        text: the puzzle typed in.
        member: the name inside of a zip archive.
    """

    name: str
    path: Path | None = None
    text: str | None = None
    member: str | None = None

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

    def blocks(self, size: int) -> Generator[bytes]:
        """Yields the content in blocks of at most `size` bytes, unpacked if it is packed.

        Raises:
            DamagedError: it cannot be unpacked from here on.
            MissingExtraError: a library is needed that is not there.
            OSError: it cannot be read from here on.
        """
        if self.member is None or self.path is None:
            with self.open_raw() as raw:
                yield from unpacked(raw, size)
            return
        with zip_archive(self.path) as archive, archive.open(self.member) as member:
            yield from unpacked(member, size)


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
                yield from _members(name)
    elif path.exists():
        yield from _members(given)
    elif _is_puzzle(given):
        yield Source(TYPED, text=given)
    elif glob.has_magic(given):
        for name in sorted(glob.glob(given, recursive=True)):
            if Path(name).is_file() and Path(name).resolve() not in written:
                yield from _members(name)
    else:
        yield Source(given, path)  # opening it will say what is wrong


def _members(name: str) -> Iterator[Source]:
    """A file, or what is in it if it is a zip archive."""
    path = Path(name)
    if path.is_file():
        with path.open("rb") as file:
            is_zip = file.read(len(ZIP[0])) in ZIP
        if is_zip:
            try:
                with zip_archive(path) as archive:
                    members = sorted(member.filename for member in archive.infolist() if not member.is_dir())
            except DamagedError:
                members = []  # reading it will say what is wrong
            for member in members:
                if not member.startswith(_CLUTTER):
                    yield Source(_shown(f"{name}!{member}"), path, member=member)
            if members:
                return
    yield Source(_shown(name), path)


def _shown(name: str) -> str:
    """The name with a replacement mark for each byte that is no UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def _files_below(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(place) / name
            if not name.startswith(".") and path.is_file():  # a pipe would wait for ever
                yield str(path)


def _is_puzzle(given: str) -> bool:
    try:
        cells_of(given)
    except PuzzleError:
        return False
    return True
