"""N-Queens work and its answers on the wire; the table stands in `chunk.py`, and the functions have its names."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solver_core.chunk import WIRE_VERSION
from solver_core.errors import ChunkError, KernelError

_HEADER = struct.Struct("<4sHHII")
_CRC = struct.Struct("<I")
_WORK = struct.Struct("<BBQ")
_ANSWERS = struct.Struct("<BB")
_ANSWER = struct.Struct("<BQQI")


@dataclass(frozen=True, slots=True)
class Work:
    """Prefixes to count or list below: `depth` 0-based columns each; `most` 0 counts, else lists at most so many."""

    n: int
    depth: int
    most: int
    prefixes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one prefix; `listed` holds n bytes a solution, in lexicographic order."""

    prefix: bytes
    done: bool
    solutions: int = 0
    time_ns: int = 0
    listed: bytes = b""


def pack_work(work: Work) -> bytes:
    """Returns the payload of this work."""
    return _seal(b"GMQW", len(work.prefixes), _WORK.pack(work.n, work.depth, work.most) + b"".join(work.prefixes))


def unpack_work(payload: bytes) -> Work:
    """Reads a payload of work.

    Raises:
        ChunkError: it is none.
    """
    count, body = _open(b"GMQW", payload)
    if len(body) < _WORK.size:
        raise ChunkError("the payload is cut short")
    n, depth, most = _WORK.unpack_from(body)
    if not (1 <= depth <= n <= 32 and len(body) == _WORK.size + count * depth):
        raise ChunkError("queens work whose sizes do not fit")
    if any(column >= n for column in body[_WORK.size :]):
        raise ChunkError(f"queens work with a column that is not on a board of {n}")
    return Work(n, depth, most, tuple(_split(body[_WORK.size :], count, depth)))


def slice_work(payload: bytes, start: int, stop: int) -> bytes:
    """Returns the payload of prefixes `start` up to, not including, `stop`."""
    work = unpack_work(payload)
    if not 0 <= start < stop <= len(work.prefixes):
        raise ChunkError(f"no prefixes {start} to {stop} in a payload of {len(work.prefixes)}")
    return pack_work(Work(work.n, work.depth, work.most, work.prefixes[start:stop]))


def pack_answers(n: int, answers: Sequence[Answer]) -> bytes:
    """Returns the payload of these answers."""
    depth = len(answers[0].prefix) if answers else 0
    parts = [_ANSWERS.pack(n, depth)]
    for answer in answers:
        parts += [answer.prefix, _ANSWER.pack(answer.done, answer.solutions, answer.time_ns, len(answer.listed))]
        parts.append(answer.listed)
    return _seal(b"GMQA", len(answers), b"".join(parts))


def unpack_answers(payload: bytes) -> list[Answer]:
    """Reads a payload of answers.

    Raises:
        ChunkError: it is none.
    """
    count, body = _open(b"GMQA", payload)
    if len(body) < _ANSWERS.size:
        raise ChunkError("the payload is cut short")
    n, depth = _ANSWERS.unpack_from(body)
    at = _ANSWERS.size
    answers = []
    for _ in range(count):
        if len(body) < at + depth + _ANSWER.size:
            raise ChunkError("the payload is cut short")
        prefix = body[at : at + depth]
        done, solutions, time_ns, length = _ANSWER.unpack_from(body, at + depth)
        at += depth + _ANSWER.size
        listed = body[at : at + length]
        at += length
        if len(listed) != length or done > 1 or length not in (0, solutions * n):
            raise ChunkError("queens answers whose sizes do not fit")
        answers.append(Answer(prefix, bool(done), solutions, time_ns, listed))
    if at != len(body):
        raise ChunkError("the payload has bytes after its end")
    return answers


def unfinished(payload: bytes) -> list[tuple[int, int]]:
    """Returns the ranges of prefixes, from and up to (not including), that have no answer yet."""
    ranges: list[tuple[int, int]] = []
    for place, answer in enumerate(unpack_answers(payload)):
        if answer.done:
            continue
        if ranges and ranges[-1][1] == place:
            ranges[-1] = (ranges[-1][0], place + 1)
        else:
            ranges.append((place, place + 1))
    return ranges


def merge_answers(count: int, parts: Iterable[tuple[int, bytes]]) -> bytes:
    """Puts the answers to `count` prefixes together from parts, each with the place it begins at."""
    merged: dict[int, Answer] = {}
    n = 0
    for start, payload in parts:
        n = _ANSWERS.unpack_from(_open(b"GMQA", payload)[1])[0]
        for place, answer in enumerate(unpack_answers(payload), start=start):
            if answer.done or place not in merged:
                merged[place] = answer
    if sorted(merged) != list(range(count)):
        raise ChunkError("parts of queens answers that do not make a whole")
    return pack_answers(n, [merged[place] for place in range(count)])


def examine(work: bytes, answers: bytes) -> tuple[list[tuple[int, int]], int]:
    """Checks that these answers are to this work; returns the ranges that are unfinished, and the kernel time in ns.

    Raises:
        ChunkError: another n, other prefixes, or a list where none was asked for or a longer one.
    """
    asked = unpack_work(work)
    given = unpack_answers(answers)
    n = _ANSWERS.unpack_from(_open(b"GMQA", answers)[1])[0]
    if n != asked.n or tuple(answer.prefix for answer in given) != asked.prefixes:
        raise ChunkError("answers to other prefixes")
    for answer in given:
        if bool(answer.listed) != bool(asked.most and answer.solutions):
            raise ChunkError("a list where none was asked for, or none where one was")
        if asked.most and answer.solutions > asked.most:
            raise ChunkError("a longer list than was asked for")
    return unfinished(answers), sum(answer.time_ns for answer in given)


def failed_answer(work: bytes) -> bytes:
    """A count that lacks a prefix is no count.

    Raises:
        KernelError: always.
    """
    asked = unpack_work(work)
    raise KernelError(f"three workers died of {asked.n} queens below the prefix {list(asked.prefixes[0])}")


def _seal(magic: bytes, count: int, body: bytes) -> bytes:
    header = _HEADER.pack(magic, WIRE_VERSION, 0, count, len(body))
    return header + _CRC.pack(zlib.crc32(body, zlib.crc32(header))) + body


def _open(magic: bytes, payload: bytes) -> tuple[int, bytes]:
    size = _HEADER.size + _CRC.size
    if len(payload) < size:
        raise ChunkError("the payload is cut short")
    found, version, flags, count, body_bytes = _HEADER.unpack_from(payload)
    body = payload[size:]
    if found != magic:
        raise ChunkError(f"the payload begins with {found!r}, not {magic!r}")
    if version != WIRE_VERSION or flags:
        raise ChunkError(f"wire version {version} with flags {flags} is not {WIRE_VERSION} with 0")
    if body_bytes != len(body):
        raise ChunkError("the payload is cut short, or has bytes after its end")
    if _CRC.unpack_from(payload, _HEADER.size)[0] != zlib.crc32(body, zlib.crc32(payload[: _HEADER.size])):
        raise ChunkError("the CRC-32 of the payload does not fit its bytes")
    return count, body


def _split(body: bytes, count: int, depth: int) -> Iterable[bytes]:
    return (body[place * depth : (place + 1) * depth] for place in range(count))
