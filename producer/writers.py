"""Where rows of text go, and in which format; `journal.py` has the form that survives a crash."""

import contextlib
import functools
import gzip
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from producer.extras import load

# Suffix of OUT -> format; before it may stand one of `PACKERS`.
SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet", ".sdm": "sdm"}
FORMATS = ("csv", "jsonl", "parquet", "lines", "sdm")
STDOUT = "-"
# gzip: above this level it costs more than twice the time for a tenth of the bytes. zstd: its own default.
GZIP_LEVEL, ZSTD_LEVEL = 5, 3

Packer = Callable[[bytes], bytes]
# Suffix of OUT -> what makes a member or a frame of its own of a part of it.
PACKERS: dict[str, Callable[[], Packer]] = {
    ".gz": lambda: lambda text: gzip.compress(text, GZIP_LEVEL, mtime=0),
    ".zst": lambda: functools.partial(load("zstd").compress, level=ZSTD_LEVEL),
}


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
        self._pack = packer_of(out) or (lambda text: text)
        self._owned = out != STDOUT
        self._file = Path(out).open("wb", buffering=0) if self._owned else sys.stdout.buffer  # noqa: SIM115

    def write(self, text: bytes, rows: int, state: Callable[[], dict[str, Any]]) -> None:  # noqa: ARG002
        """Writes rows at once, so that whoever reads has them."""
        with naming(self._out):
            self._file.write(self._pack(text))
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
        ValueError: the suffix tells no format, or the format cannot be written there.
    """
    path = Path(out)
    is_packed = path.suffix.lower() in PACKERS
    suffix = (path.with_suffix("") if is_packed else path).suffix.lower()
    name = chosen or ("csv" if is_stream(out) else SUFFIXES.get(suffix))
    if name is None:
        raise ValueError(f"{out}: the suffix tells no format; name one with --format {'|'.join(FORMATS)}")
    if name == "parquet" and (is_stream(out) or is_packed):
        raise ValueError("Parquet needs a file with a name of its own, such as -o out.parquet")
    return name


def packer_of(out: str) -> Packer | None:
    """Returns what packs the parts of OUT, None if its suffix asks for nothing of the kind.

    Raises:
        MissingExtraError: a library is needed that is not there.
    """
    make = PACKERS.get(Path(out).suffix.lower())
    return make() if make else None


def write_whole(path: Path, text: str) -> None:
    """Writes a small file so that it is there whole or not at all; what a killed run left aside is written over."""
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
