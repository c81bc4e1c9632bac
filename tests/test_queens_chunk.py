"""N-Queens work and answers on the wire: there and back whole, and hostile bytes are refused."""

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver_core import queens
from solver_core.chunk import WIRE_VERSION
from solver_core.errors import ChunkError, KernelError
from solver_core.queens_chunk import (
    Answer,
    Work,
    examine,
    failed_answer,
    merge_answers,
    pack_answers,
    pack_work,
    slice_work,
    unfinished,
    unpack_answers,
    unpack_work,
)
from solver_core.sudoku import Stop

U64 = 2**64 - 1
PREFIXES = (b"\x00\x02", b"\x00\x03", b"\x01\x03", b"\x02\x00")
WORK = pack_work(Work(4, 2, 0, PREFIXES))
READERS = (unpack_work, unpack_answers, unfinished, lambda payload: slice_work(payload, 0, 1))


@st.composite
def works(draw: st.DrawFn) -> Work:
    n = draw(st.integers(1, 32))
    depth = draw(st.integers(1, min(n, 6)))
    prefix = st.lists(st.integers(0, n - 1), min_size=depth, max_size=depth).map(bytes)
    return Work(n, depth, draw(st.integers(0, U64)), tuple(draw(st.lists(prefix, max_size=8))))


@st.composite
def answers(draw: st.DrawFn) -> tuple[int, list[Answer]]:
    n = draw(st.integers(1, 32))
    depth = draw(st.integers(1, 4))
    found = []
    for _ in range(draw(st.integers(0, 6))):
        prefix = draw(st.binary(min_size=depth, max_size=depth))
        listed = draw(st.integers(0, 3)) * draw(st.booleans())
        solutions = listed or draw(st.integers(0, U64))
        found.append(Answer(prefix, draw(st.booleans()), solutions, draw(st.integers(0, U64)), bytes(listed * n)))
    return n, found


@given(works())
def test_work_comes_back_as_it_was(work: Work) -> None:
    assert unpack_work(pack_work(work)) == work


@given(answers())
def test_answers_come_back_as_they_were(case: tuple[int, list[Answer]]) -> None:
    n, given_answers = case

    assert unpack_answers(pack_answers(n, given_answers)) == given_answers


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(payload: bytes) -> None:
    for read in READERS:
        with pytest.raises(ChunkError):
            read(payload)


@given(works(), st.data())
def test_a_changed_byte_is_noticed(work: Work, data: st.DataObject) -> None:
    payload = bytearray(pack_work(work))
    payload[data.draw(st.integers(0, len(payload) - 1))] ^= data.draw(st.integers(1, 255))

    with pytest.raises(ChunkError):
        unpack_work(bytes(payload))


@given(answers(), st.data())
def test_a_cut_or_lengthened_payload_is_noticed(case: tuple[int, list[Answer]], data: st.DataObject) -> None:
    payload = pack_answers(*case)
    cut = data.draw(st.integers(0, len(payload) - 1))

    for wrong in (payload[:cut], payload + b"\0"):
        with pytest.raises(ChunkError):
            unpack_answers(wrong)


def sealed(magic: bytes, count: int, body: bytes) -> bytes:
    """A payload whose header and CRC fit, whatever its body says."""
    header = struct.pack("<4sHHII", magic, WIRE_VERSION, 0, count, len(body))
    return header + struct.pack("<I", zlib.crc32(header + body)) + body


@given(st.integers(0, 2**32 - 1), st.binary(max_size=120))
def test_a_body_that_lies_behind_a_right_crc_is_refused_or_read_but_never_breaks(count: int, body: bytes) -> None:
    for magic, read in ((b"GMQW", unpack_work), (b"GMQA", unpack_answers)):
        try:
            read(sealed(magic, count, body))
        except ChunkError:
            continue


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (struct.pack("<BBQ", 0, 0, 0), 0),
        (struct.pack("<BBQ", 33, 1, 0) + b"\0", 1),
        (struct.pack("<BBQ", 4, 5, 0) + b"\0" * 5, 1),
        (struct.pack("<BBQ", 4, 2, 0) + b"\0" * 5, 2),
        (struct.pack("<BBQ", 4, 2, 0)[:5], 0),
        (struct.pack("<BBQ", 4, 0, 0), 2**32 - 1),  # would be four thousand million empty prefixes
    ],
)
def test_work_whose_sizes_do_not_fit_is_refused(body: bytes, count: int) -> None:
    with pytest.raises(ChunkError):
        unpack_work(sealed(b"GMQW", count, body))


def test_a_prefix_off_the_board_is_refused_and_not_counted() -> None:
    payload = sealed(b"GMQW", 1, struct.pack("<BBQ", 4, 1, 0) + b"\x09")

    with pytest.raises(ChunkError):
        queens.answer(payload, {}, Stop())


def test_another_version_is_named() -> None:
    header = struct.pack("<4sHHII", b"GMQW", WIRE_VERSION + 1, 0, 0, 0)

    with pytest.raises(ChunkError, match=f"wire version {WIRE_VERSION + 1}"):
        unpack_work(header + struct.pack("<I", zlib.crc32(header)))


def test_a_slice_is_the_work_of_its_prefixes() -> None:
    assert unpack_work(slice_work(WORK, 1, 3)) == Work(4, 2, 0, PREFIXES[1:3])


@pytest.mark.parametrize(("start", "stop"), [(0, 5), (-1, 2), (2, 2), (3, 1)])
def test_a_slice_of_what_is_not_there_is_refused(start: int, stop: int) -> None:
    with pytest.raises(ChunkError, match="no prefixes"):
        slice_work(WORK, start, stop)


def test_a_kernel_answers_every_prefix() -> None:
    payload = queens.answer(WORK, {}, Stop())

    assert [answer.solutions for answer in unpack_answers(payload)] == [0, 0, 1, 1]
    assert examine(WORK, payload)[0] == []


def test_a_stopped_kernel_leaves_prefixes_unfinished() -> None:
    stop = Stop()
    stop.set()

    payload = queens.answer(pack_work(Work(20, 1, 0, (b"\0", b"\1"))), {}, stop)

    assert unfinished(payload) == [(0, 2)]


def some(*done: bool) -> bytes:
    return pack_answers(4, [Answer(prefix, here, 7, 1) for prefix, here in zip(PREFIXES, done, strict=False)])


def test_unfinished_prefixes_are_told_as_ranges() -> None:
    assert unfinished(some(True, False, False, True)) == [(1, 3)]
    assert unfinished(some(False, True, True, False)) == [(0, 1), (3, 4)]
    assert unfinished(some(True)) == []


def test_parts_are_put_together_wherever_they_come_from() -> None:
    part = pack_answers(4, [Answer(PREFIXES[1], True, 5, 2), Answer(PREFIXES[2], True, 6, 3)])

    merged = merge_answers(4, [(0, some(True, False, False, True)), (1, part)])

    assert [answer.solutions for answer in unpack_answers(merged)] == [7, 5, 6, 7]
    assert unfinished(merged) == []


def test_parts_that_leave_a_gap_are_refused() -> None:
    with pytest.raises(ChunkError, match="do not make a whole"):
        merge_answers(4, [(0, some(True, True))])


LISTING = pack_work(Work(4, 2, 1, PREFIXES[2:]))
BOARD = bytes([1, 3, 0, 2])


@pytest.mark.parametrize(
    ("work", "answer"),
    [
        (WORK, pack_answers(4, [Answer(prefix, True) for prefix in reversed(PREFIXES)])),
        (WORK, pack_answers(5, [Answer(prefix, True) for prefix in PREFIXES])),
        (WORK, some(True, True)),
        (WORK, pack_answers(4, [Answer(prefix, True, 1, 1, BOARD) for prefix in PREFIXES])),
        (LISTING, pack_answers(4, [Answer(prefix, True, 1, 1) for prefix in PREFIXES[2:]])),
        (LISTING, pack_answers(4, [Answer(prefix, True, 2, 1, BOARD * 2) for prefix in PREFIXES[2:]])),
    ],
    ids=["other prefixes", "another board", "too few", "a list unasked", "a count for a list", "too long a list"],
)
def test_answers_to_other_work_are_noticed(work: bytes, answer: bytes) -> None:
    with pytest.raises(ChunkError):
        examine(work, answer)


def test_a_count_that_lacks_a_prefix_is_no_count() -> None:
    with pytest.raises(KernelError, match=r"three workers died of 4 queens below the prefix \[0, 2\]"):
        failed_answer(WORK)
