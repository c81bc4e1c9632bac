"""Text in any usual encoding, as UTF-8. What is no UTF-16 or UTF-32 is passed on as it is."""

import codecs
import itertools
from collections.abc import Iterable, Iterator

# Longest first: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, None),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# So many characters show whether every other byte is empty, as in UTF-16 of digits.
_SHOWN_BYTES = 64
_LEAST_BYTES = 8


def to_utf8(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the same text in UTF-8, without a byte order mark."""
    blocks = iter(blocks)
    head = b""
    for block in blocks:
        head += block
        if len(head) >= _LEAST_BYTES:
            break
    mark, name = _mark(head)
    head = head[len(mark) :]
    if name is None:
        if head:
            yield head
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(name)(errors="replace")
    for block in itertools.chain((head,), blocks):
        yield decoder.decode(block).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _mark(head: bytes) -> tuple[bytes, str | None]:
    """The byte order mark of a text, and the encoding it must be brought from."""
    return next(((mark, name) for mark, name in _MARKS if head.startswith(mark)), (b"", _unmarked(head)))


def _unmarked(head: bytes) -> str | None:
    """Returns the UTF-16 that a text without a mark is in, if it is."""
    shown = head[: min(len(head), _SHOWN_BYTES) & ~1]
    if len(shown) < _LEAST_BYTES:
        return None
    even, odd = shown[::2], shown[1::2]
    if not any(odd) and all(even):
        return "utf-16-le"
    if not any(even) and all(odd):
        return "utf-16-be"
    return None
