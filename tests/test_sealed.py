"""JSON with a checksum: what was put in comes out, and nothing else does."""

import random

import pytest

from solver_core.errors import ChunkError
from solver_core.range_chunk import RangeWork, pack, unpack_range_work
from solver_core.sealed import seal, unseal

VALUE = {"source": "/data/p\u00fczzles.txt", "limit": 2, "columns": [], "deep": {"a": None}}
WORK = RangeWork("/data/in.txt", 0, 82, 7, (1, True, True, False), 1, 1, "in.txt", "csv", (), "/data/parts")


def test_an_object_comes_back() -> None:
    assert unseal(seal(VALUE)) == VALUE


def test_a_bit_that_flips_anywhere_is_noticed() -> None:
    sealed = seal(VALUE)

    for bit in range(8 * len(sealed)):
        garbled = bytearray(sealed)
        garbled[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ChunkError):
            unseal(bytes(garbled))


@pytest.mark.parametrize("payload", [b"", b"{}", b"00000000", b"\xff" * 40])
def test_what_was_not_sealed_is_refused(payload: bytes) -> None:
    with pytest.raises(ChunkError):
        unseal(payload)


@pytest.mark.parametrize("value", [[1], 1, "x", None])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(ChunkError):
        unseal(seal(value))  # type: ignore[arg-type]


def test_the_name_of_a_source_cannot_change_on_the_way() -> None:
    payload = pack(WORK)
    rng = random.Random(1)

    for _ in range(200):
        garbled = bytearray(payload)
        garbled[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
        with pytest.raises(ChunkError):
            unpack_range_work(bytes(garbled))
