"""JSON objects with a checksum: what is small travels as text, and a bit that flips on the way must be noticed.

The form: the object on one line, then eight hexadecimal digits, the CRC-32 of all that stands before them.
"""

import json
from typing import Any

from solver_core._native import crc32
from solver_core.errors import ChunkError

CRC_BYTES = 8


def seal(value: dict[str, Any]) -> bytes:
    """Returns the payload of an object."""
    text = json.dumps(value).encode()
    return text + _checksum(text)


def unseal(payload: bytes) -> dict[str, Any]:
    """Returns the object of a payload.

    Raises:
        ChunkError: it is none, or has changed on the way.
    """
    text, checksum = payload[:-CRC_BYTES], payload[-CRC_BYTES:]
    if checksum != _checksum(text):
        raise ChunkError("the checksum of a JSON object does not fit")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ChunkError("no JSON, although its checksum fits") from None
    if not isinstance(value, dict):
        raise ChunkError("no JSON object")
    return value


def _checksum(text: bytes) -> bytes:
    return b"%08x" % crc32(text, 0, len(text))
