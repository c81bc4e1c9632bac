"""The journal: the producer's record of what is safely in the output file, and the file itself on its way.

Rows go to `OUT.partial`; after an fdatasync the journal `OUT.journal` gets a line, and only what the journal tells
counts. The finished file is renamed to `OUT`, so that OUT is either the old file or the whole new one.

`OUT.journal` has one JSON object a line: first what the run is about (version, options, input), then commits, each
with all there is to know: `rows` and `bytes` of the partial file, and `state`, which the journal keeps for its user.
The last commit has `complete: true`; from there only the rename is left to do.
"""

import contextlib
import errno
import fcntl
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from producer.readers.sources import Source
from producer.writers import naming
from solver_core._native import crc32
from solver_core.errors import BatchError

VERSION = 1
COMMIT_EVERY_S = 0.25
_READ_BYTES = 1 << 20


def fingerprint(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """Returns what tells this input from another: name, size and CRC-32 of every source, as it lies there.

    What can be read only once is told by its name alone: it must not be read for this. An archive stands for its
    members.
    """
    prints: list[dict[str, Any]] = []
    archives: set[Path] = set()
    for source in sources:
        if not source.can_be_read_again():
            prints.append({"source": source.name})
            continue
        name = source.name
        if source.member is not None and source.path is not None:
            if source.path in archives:
                continue
            archives.add(source.path)
            name = name.removesuffix(f"!{source.member}")
        size = crc = 0
        with source.open_raw() as raw:
            while block := raw.read(_READ_BYTES):
                size += len(block)
                crc = crc32(block, 0, len(block), crc)
        prints.append({"source": name, "bytes": size, "crc32": f"{crc:08x}"})
    return prints


class Journal:
    """The output file of a run, with its journal; a context, which keeps what is done unless `finish` was called.

    Attributes:
        rows: how many rows are safely in the file.
        state: what the last commit of an earlier run kept for its user; empty at the beginning.
        resumed: whether an earlier run had begun this file.
        before_commit: called before each commit, for what must be safe by then.
    """

    def __init__(
        self,
        out: Path,
        subject: dict[str, Any],
        *,
        fresh: bool = False,
        pack: Callable[[bytes], bytes] | None = None,
        seal: Callable[[Path, Path], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Opens the output, going on where an earlier run with the same subject ended.

        Args:
            out: the file that is to be written.
            subject: what the run is about, JSON: options that shape rows, and the input.
            fresh: begin anew whatever an old journal says.
            pack: makes a member or a frame of its own of what a commit adds.
            seal: makes the file (second path) of all that was written (first path).
            clock: tells seconds.

        Raises:
            BatchError: another run holds this output (`locked`), there is a journal of another subject, or one that
                its file does not fit.
            OSError: the output cannot be written.
        """
        self.out = out
        self.rows = 0
        self.state: dict[str, Any] = {}
        self.before_commit: Callable[[], object] = lambda: None
        self._state: Callable[[], dict[str, Any]] = lambda: self.state
        self._clock = clock
        self._partial_path = beside(out, "partial")
        self._path = beside(out, "journal")
        self._bytes = 0
        self._committed = (0, 0)
        self._complete = False
        self._pack = pack
        self._seal = seal
        self._loose = bytearray()  # what waits to be packed
        self._file = _locked(self._path)
        try:
            header, last = ({}, None) if fresh else _read(self._file)
            self.resumed = last is not None
            if last is None:
                self._begin(subject)
            else:
                self._compare(header, subject)
                self._go_on(last)
        except BaseException:
            with contextlib.suppress(OSError):
                self._file.close()
            raise
        self._committed_at = clock()

    @property
    def packs(self) -> bool:
        """Whether what is written is packed on its way into the file."""
        return self._pack is not None

    def write(self, text: bytes, rows: int, state: Callable[[], dict[str, Any]]) -> None:
        """Appends rows, and commits if the last commit is long enough ago; `state` tells what is to be kept."""
        if self._pack:
            self._loose += text
        else:
            self._append_to_partial(text)
        self.rows += rows
        self._state = state
        self.tick()

    def join(self, part: Path, length: int, rows: int, state: Callable[[], dict[str, Any]]) -> None:
        """Appends the rows of a part file, of `length` bytes, inside the operating system, and deletes it."""
        with naming(str(self._partial_path)), part.open("rb") as source:
            _copy(source, self._partial, length)
        part.unlink()
        self._bytes += length
        self.rows += rows
        self._state = state
        self.tick()

    def tick(self) -> None:
        """Commits what was written, if the last commit is long enough ago."""
        if self._clock() - self._committed_at >= COMMIT_EVERY_S:
            self.commit()

    def commit(self) -> None:
        """Makes safe what was written so far."""
        self._pack_loose()
        if self._complete or (self.rows, self._bytes) == self._committed:
            return
        self.before_commit()
        with naming(str(self._partial_path)):
            os.fdatasync(self._partial.fileno())
            if not os.fstat(self._partial.fileno()).st_nlink:
                # Deleted behind our back, perhaps with its folder: better to end now than to find out at the end.
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._note(complete=False)
        self._committed = (self.rows, self._bytes)
        self._committed_at = self._clock()

    def finish(self) -> None:
        """Makes the whole file safe and gives it its name; the journal stays until `close`."""
        if not self._complete:
            self._pack_loose(even_nothing=not self._bytes)
            with naming(str(self._partial_path)):
                os.fsync(self._partial.fileno())
            if self._seal:
                self._seal_partial(self._seal)
                return
            self._note(complete=True)
            self._complete = True
        self._partial.close()
        if self._partial_path.exists():
            self._partial_path.replace(self.out)
            _sync_folder(self.out)

    def _seal_partial(self, seal: Callable[[Path, Path], None]) -> None:
        """Makes OUT of the partial file, which stays until the journal says that OUT is there."""
        self.commit()
        self._partial.close()
        aside = beside(self.out, "sealed")
        with naming(str(aside)):
            seal(self._partial_path, aside)
            with aside.open("rb") as file:
                os.fsync(file.fileno())
        self._bytes = aside.stat().st_size
        aside.replace(self.out)
        _sync_folder(self.out)
        self._note(complete=True)
        self._complete = True
        self._partial_path.unlink()

    def _append_to_partial(self, text: bytes) -> None:
        with naming(str(self._partial_path)):
            _write_all(self._partial, text)
        self._bytes += len(text)

    def _pack_loose(self, *, even_nothing: bool = False) -> None:
        """Packs what waits for it; nothing at all is packed only at the end, for a packed file is never empty."""
        if self._pack and (self._loose or even_nothing):
            self._append_to_partial(self._pack(bytes(self._loose)))
            self._loose.clear()

    def forget(self) -> None:
        """Deletes the journal of a file that is finished."""
        self._path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not self.rows:
            with contextlib.suppress(OSError):
                self.discard()
        elif not self._partial.closed:
            # On a full disk or in a folder that is gone the last commit stands; the error that led here tells more.
            with contextlib.suppress(OSError):
                self.commit()
            with contextlib.suppress(OSError):
                self._partial.close()
        with contextlib.suppress(OSError):
            self._file.close()
        if error is not None and self._path.exists():
            error.add_note("what is done is kept: run the same command again to go on")

    def discard(self) -> None:
        """Throws away what was written: no OUT, no partial file, no journal."""
        self._partial.close()
        self._partial_path.unlink(missing_ok=True)
        beside(self.out, "sealed").unlink(missing_ok=True)
        self.forget()

    def _begin(self, subject: dict[str, Any]) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._partial: IO[bytes] = self._partial_path.open("wb", buffering=0)
        _append(self._file, {"gridmill_journal": VERSION, **subject})

    def _go_on(self, last: dict[str, Any]) -> None:
        self.rows, self._bytes, self.state = last["rows"], last["bytes"], last["state"]
        self._committed = (self.rows, self._bytes)
        self._complete = last["complete"]
        if self._complete and self._seal and self._is_out():
            self._partial_path.unlink(missing_ok=True)
        if self._complete and not self._partial_path.exists() and self._is_out():
            self._partial = Path(os.devnull).open("wb")  # noqa: SIM115 - only the renaming was done; what is left is to forget
            return
        try:
            self._partial = self._partial_path.open("r+b", buffering=0)
        except FileNotFoundError:
            raise BatchError(f"{self._partial_path} is gone; begin anew with --fresh") from None
        if self._partial.seek(0, os.SEEK_END) < self._bytes:
            self._partial.close()
            raise BatchError(f"{self._partial_path} is shorter than its journal says; begin anew with --fresh")
        self._partial.truncate(self._bytes)
        self._partial.seek(self._bytes)

    def _is_out(self) -> bool:
        """Whether OUT is the file of the last commit, as far as its size tells."""
        return self.out.is_file() and self.out.stat().st_size == self._bytes

    def _note(self, *, complete: bool) -> None:
        _append(self._file, {"rows": self.rows, "bytes": self._bytes, "complete": complete, "state": self._state()})

    def _compare(self, header: dict[str, Any], subject: dict[str, Any]) -> None:
        if header.get("gridmill_journal") != VERSION:
            raise BatchError(f"{self._path} was written by another version of gridmill; begin anew with --fresh")
        changed = differences(header, {"gridmill_journal": VERSION, **subject})
        if changed:
            raise BatchError(
                f"{self._path} is of a run with other {', '.join(changed)}: "
                "run the same command again to go on with that one, or begin anew with --fresh"
            )


def beside(out: Path, suffix: str) -> Path:
    """Returns the path of a companion of OUT, such as `OUT.journal`."""
    return out.with_name(f"{out.name}.{suffix}")


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Says what differs between two subjects, a few words each."""
    found = []
    for key in sorted(old.keys() | new.keys()):
        before, now = old.get(key), new.get(key)
        if before == now:
            continue
        if isinstance(before, str | int | None) and isinstance(now, str | int | None):
            found.append(f"{key} ({before}, now {now})")
        else:
            found.append(key)
    return found


def _locked(path: Path) -> IO[str]:
    while True:
        file = path.open("a+", encoding="utf-8", errors="replace")  # after a crash anything may stand there
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The run that held it may have finished and deleted the file in between.
            if path.exists() and os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                return file
        except BlockingIOError:
            file.close()
            raise BatchError(f"another run is working on {path.with_suffix('')}", locked=True) from None
        except BaseException:
            file.close()
            raise
        file.close()


def _read(file: IO[str]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Returns the header and the last commit, and cuts off a last line that a crash left half-written."""
    file.seek(0)
    entries: list[dict[str, Any]] = []
    whole_bytes = 0
    for line in file.read().splitlines(keepends=True):
        try:
            entry = json.loads(line)
        except ValueError:
            break
        if not line.endswith("\n") or not isinstance(entry, dict):
            break
        entries.append(entry)
        whole_bytes += len(line.encode())
    file.truncate(whole_bytes)
    return (entries[0] if entries else {}), (entries[-1] if len(entries) > 1 else None)


def _append(file: IO[str], entry: dict[str, Any]) -> None:
    with naming(file.name):
        file.write(json.dumps(entry) + "\n")
        file.flush()
        os.fdatasync(file.fileno())


def _write_all(file: IO[bytes], text: bytes) -> None:
    left = memoryview(text)
    while left:
        left = left[file.write(left) :]


def _copy(source: IO[bytes], target: IO[bytes], length: int) -> None:
    """Copies from file to file without a detour through this process, where the system can."""
    left = length
    while left:
        copied = _copy_some(source.fileno(), target.fileno(), left)
        if not copied:
            raise OSError(errno.EIO, "a part file is shorter than its answer said")
        left -= copied


def _copy_some(source: int, target: int, most: int) -> int:
    if hasattr(os, "copy_file_range"):
        try:
            return os.copy_file_range(source, target, most)
        except OSError as error:
            if error.errno not in (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EBADF):
                raise
    return os.write(target, os.read(source, min(most, _READ_BYTES)))


def _sync_folder(path: Path) -> None:
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
