"""Work of the `files` plane: a byte range of a file that the worker reads itself, and a part file that it leaves.

Work and answer are JSON objects with a checksum (`sealed.py`), small whatever the range holds. Work:

| key | holds |
|---|---|
| range | path, offset, length in bytes, and CRC-32 of what stands there |
| place | where a line reader stands at the offset: line, at_start, at_top, in_long_line |
| rows | how many rows the range holds |
| first_id, source, format, columns | how they are written; no columns are the usual ones |
| parts | folder for part files |

The answer is `part` (file name, length in bytes), `statuses` (rows by status), `kernel_ns`, `slowest` (row, guesses,
time_ns, puzzle) and `given` (rows that came with a solution, and those among them for which it is none); or `refused`:
why the worker did nothing, whereupon the rows travel as puzzles.
"""

from dataclasses import asdict, dataclass

from solver_core.errors import ChunkError
from solver_core.result import Status
from solver_core.sealed import seal, unseal

MOST_BYTES = 64 << 10
LISTS = {"place", "columns", "statuses", "slowest", "given"}


@dataclass(frozen=True, slots=True)
class RangeWork:
    """A range of a file, and how its rows are written; the table is above."""

    path: str
    offset: int
    length: int
    crc32: int
    place: tuple[int, bool, bool, bool]
    rows: int
    first_id: int
    source: str
    format: str
    columns: tuple[str, ...]
    parts: str


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """A finished part file, or why there is none."""

    part: str = ""
    part_bytes: int = 0
    statuses: tuple[int, ...] = ()
    kernel_ns: int = 0
    slowest: tuple[tuple[int, int, int, str], ...] = ()
    given: tuple[int, int] = (0, 0)
    refused: str = ""


def is_json(payload: bytes) -> bool:
    """Whether a payload is of this plane; payloads of the other begin with a magic word."""
    return payload[:1] == b"{"


def pack(value: RangeWork | RangeAnswer) -> bytes:
    """Returns the payload of work or of an answer."""
    return seal(asdict(value))


def unpack_range_work(payload: bytes) -> RangeWork:
    """Reads work.

    Raises:
        ChunkError: it is none.
    """
    fields = _read(payload, RangeWork)
    work = RangeWork(**fields | {"place": tuple(fields["place"]), "columns": tuple(fields["columns"])})
    numbers = (work.offset, work.length, work.crc32, work.rows, work.first_id, work.place[0])
    texts = (work.path, work.source, work.format, work.parts, *work.columns)
    if (
        not all(type(number) is int and number >= 0 for number in numbers)
        or not all(type(text) is str for text in texts)
        or [type(part) for part in work.place] != [int, bool, bool, bool]
    ):
        raise ChunkError("a range with a value that is none")
    return work


def unpack_range_answer(payload: bytes) -> RangeAnswer:
    """Reads an answer.

    Raises:
        ChunkError: it is none.
    """
    fields = _read(payload, RangeAnswer)
    slowest = tuple(tuple(slow) for slow in fields["slowest"])
    lists = {"statuses": tuple(fields["statuses"]), "slowest": slowest, "given": tuple(fields["given"])}
    answer = RangeAnswer(**fields | lists)
    numbers = (answer.part_bytes, answer.kernel_ns, *answer.statuses, *answer.given)
    texts = (answer.part, answer.refused)
    if (
        not all(type(number) is int and number >= 0 for number in numbers)
        or not all(type(text) is str for text in texts)
        or not all([type(part) for part in slow] == [int, int, int, str] for slow in slowest)
        or len(answer.given) != 2
        or "/" in answer.part
        or (not answer.refused and len(answer.statuses) != len(Status))
    ):
        raise ChunkError("an answer with a value that is none")
    return answer


def _read(payload: bytes, kind: type[RangeWork] | type[RangeAnswer]) -> dict:  # type: ignore[type-arg]
    if len(payload) > MOST_BYTES:
        raise ChunkError(f"a {kind.__name__} of {len(payload)} bytes")
    fields = unseal(payload)
    names = set(kind.__slots__)
    if fields.keys() != names or not all(isinstance(fields[name], list) for name in names & LISTS):
        raise ChunkError(f"no {kind.__name__}: other keys")
    return fields
