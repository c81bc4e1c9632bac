"""Where rows of text go, and in which format; `journal.py` has the form that survives a crash."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from solver_core._native import format_header

# Suffix of OUT -> format.
SUFFIXES = {".csv": "csv", ".jsonl": "jsonl"}
FORMATS = ("csv", "jsonl", "lines")
STDOUT = "-"


class Target(Protocol):
    """Where rows go, in order."""

    rows: int
    state: dict[str, Any]

    def write(self, text: bytes, rows: int, state: Callable[[], dict[str, Any]]) -> None:
        """Appends rows."""

    def join(self, part: Path, length: int, rows: int, state: Callable[[], dict[str, Any]]) -> None:
        """Appends the rows of a part file, of `length` bytes, and deletes it."""

    def tick(self) -> None:
        """Called often: now is the time to do what is due."""

    def finish(self) -> None:
        """Says that all rows have been written."""


class Stream:
    """Standard output, a device or a pipe: written straight, nothing to go on from."""

    def __init__(self, out: str) -> None:
        """Opens the stream.

        Raises:
            OSError: it cannot be written.
        """
        self.rows = 0
        self.state: dict[str, Any] = {}
        self._out = "stdout" if out == STDOUT else out
        self._owned = out != STDOUT
        self._file = Path(out).open("wb", buffering=0) if self._owned else sys.stdout.buffer  # noqa: SIM115

    def write(self, text: bytes, rows: int, state: Callable[[], dict[str, Any]]) -> None:  # noqa: ARG002
        """Writes rows at once, so that whoever reads has them."""
        with naming(self._out):
            self._file.write(text)
            self._file.flush()
        self.rows += rows

    def join(self, part: Path, length: int, rows: int, state: Callable[[], dict[str, Any]]) -> None:  # noqa: ARG002
        """Writes the rows of a part file."""
        self.write(part.read_bytes(), rows, state)
        part.unlink()

    def tick(self) -> None:
        """Does nothing: all is written."""

    def finish(self) -> None:
        """Does nothing: all is written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._owned:
            self._file.close()


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Tells the name of the file in errors of the system, which knows only its number."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or name
        raise


def is_stream(out: str) -> bool:
    """Whether OUT is written straight: standard output, or something there that is no regular file."""
    return out == STDOUT or (Path(out).exists() and not Path(out).is_file() and not Path(out).is_dir())


def format_of(out: str, chosen: str | None) -> str:
    """Returns the format: the one chosen, else that of OUT's suffix, csv for a stream.

    Raises:
        ValueError: the suffix tells no format.
    """
    if chosen:
        return chosen
    if is_stream(out):
        return "csv"
    suffix = Path(out).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{out}: the suffix tells no format; name one with --format {'|'.join(FORMATS)}")
    return SUFFIXES[suffix]


def header(format_name: str) -> bytes:
    """Returns what stands before the first row."""
    return format_header(format_name).encode()


def write_whole(path: Path, text: str) -> None:
    """Writes a small file so that it is there whole or not at all; what a killed run left aside is written over."""
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
