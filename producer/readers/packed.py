"""Compressed sources, told by their content and never by their name."""

import bz2
import gzip
import io
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from producer.extras import MissingExtraError, load
from producer.readers.reading import DamagedError

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
# Beginning of the content -> what opens it. A bzip2 file goes on with its block size and the digits of pi.
_OPENERS: dict[bytes, Callable[[BinaryIO], Any]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": lambda raw: load("zstd").ZstdFile(raw),
}
HEAD_BYTES = max(map(len, (*ZIP, *_OPENERS)))
# In memory up to here, in a temporary file above: forms that must be read from their end.
_SPOOL_BYTES = 16 << 20


def unpacked(raw: Any, size: int) -> Iterator[bytes]:
    """Yields the content of a stream in blocks of at most `size` bytes, unpacked as often as it is packed.

    Raises:
        DamagedError: it cannot be unpacked from here on.
        MissingExtraError: a library is needed that is not there.
        OSError: it cannot be read from here on.
    """
    try:
        stream = _opened(raw, size)
        while block := stream(size):
            yield block
    except EOFError:
        raise DamagedError("the archive is cut short") from None
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise DamagedError(f"the archive is damaged ({error})") from None
    except Exception as error:
        # The library for zstd may not be there, so that its error cannot be named; bz2 has none of its own.
        if type(error).__name__ == "ZstdError" or (isinstance(error, OSError) and error.errno is None):
            raise DamagedError(f"the archive is damaged ({error})") from None
        raise


def _opened(raw: Any, size: int) -> Callable[[int], bytes]:
    """Returns what reads the content of a stream, at most so many bytes at once."""
    for _ in range(2):
        head = _head(raw)
        if head.startswith(ZIP):
            raise DamagedError("a zip archive that is damaged, or no file by itself; unpack it first")
        raw = io.BufferedReader(_Rejoined(head, raw), size)
        opener = next((opener for magic, opener in _OPENERS.items() if head.startswith(magic)), None)
        if opener is None:
            break
        raw = opener(raw)
    read: Callable[[int], bytes] = getattr(raw, "read1", raw.read)
    return read


@contextmanager
def zip_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Opens a zip archive, for as long as it is read.

    Raises:
        DamagedError: it is damaged, locked, or of a kind that cannot be read.
        OSError: it cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (DamagedError, MissingExtraError, OSError):
        raise
    except Exception as error:  # the library has no one kind for it: passwords, methods, names that are no UTF-8
        raise DamagedError(f"the archive is damaged or locked ({error})") from None


def spooled(blocks: Iterator[bytes]) -> BinaryIO:
    """Returns the whole content as a file that can be read from any place."""
    spool = tempfile.SpooledTemporaryFile(_SPOOL_BYTES)  # noqa: SIM115 - whoever asked closes it
    for block in blocks:
        spool.write(block)
    spool.seek(0)
    return spool  # type: ignore[return-value]


def _head(raw: BinaryIO) -> bytes:
    head = b""
    while len(head) < HEAD_BYTES and (more := raw.read(HEAD_BYTES - len(head))):
        head += more
    return head


class _Rejoined(io.RawIOBase):
    """A stream with the bytes in front again that were read from it."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            block, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            block = getattr(self._rest, "read1", self._rest.read)(len(buffer))
        buffer[: len(block)] = block
        return len(block)
