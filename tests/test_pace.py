"""How large chunks are, and how long one is waited for."""

import math

import pytest

from producer.pace import AIM_BYTES, AIM_NS, CHUNKS_A_PROCESS, FIRST_ROWS, LARGEST_ROWS, ChunkSize, Lease

EASY_NS = 200
HARD_NS = 50_000_000


def settled(a_row_ns: int, answer_bytes: int = 48, expected_rows: float = math.inf) -> ChunkSize:
    size = ChunkSize(None, expected_rows)
    for _ in range(20):
        rows = size.rows(2)
        size.observe(rows, rows * a_row_ns, rows * answer_bytes)
    return size


def test_a_fixed_size_does_not_change() -> None:
    size = ChunkSize(7, 10**6)

    size.observe(7, 10**12, 10**9)

    assert size.rows(64) == 7


def test_the_first_chunk_is_small() -> None:
    assert ChunkSize(None, math.inf).rows(2) == FIRST_ROWS


def test_chunks_of_easy_puzzles_grow_up_to_the_largest() -> None:
    assert settled(EASY_NS).rows(2) == LARGEST_ROWS


def test_chunks_of_hard_puzzles_shrink_to_what_keeps_a_kernel_busy_for_the_aim() -> None:
    assert settled(HARD_NS).rows(2) == AIM_NS // HARD_NS


def test_a_puzzle_longer_than_the_aim_is_alone_in_its_chunk() -> None:
    assert settled(10**10).rows(2) == 1


def test_long_answers_keep_chunks_small() -> None:
    size = settled(EASY_NS, answer_bytes=10_000)

    assert size.rows(2) * 10_000 <= AIM_BYTES


def test_growth_is_gradual() -> None:
    size = ChunkSize(None, math.inf)

    size.observe(FIRST_ROWS, FIRST_ROWS, FIRST_ROWS)

    assert size.rows(2) == 4 * FIRST_ROWS


def test_every_process_gets_its_share_of_a_small_batch() -> None:
    assert settled(EASY_NS, expected_rows=16_000).rows(2) == 16_000 / (CHUNKS_A_PROCESS * 2)


def test_a_tiny_batch_is_not_ground_to_dust() -> None:
    assert ChunkSize(None, 10).rows(64) == FIRST_ROWS / 4


@pytest.mark.parametrize("rows", [1, 5])
def test_a_size_is_never_below_one(rows: int) -> None:
    size = ChunkSize(None, 0.0, first=1)
    size.observe(rows, 10**15, 10**12)

    assert size.rows(1000) == 1


def test_a_lease_is_never_shorter_than_the_shortest() -> None:
    lease = Lease(5)

    lease.observe(0.001)

    assert lease.length_s(0) == 5


def test_a_lease_is_five_times_the_99th_percentile() -> None:
    lease = Lease(5)

    for hundredths in range(1, 201):
        lease.observe(hundredths / 100)

    assert lease.length_s(0) == pytest.approx(5 * 1.98)


def test_a_lease_doubles_with_each_attempt_up_to_a_bound() -> None:
    lease = Lease(5)

    assert [lease.length_s(attempt) for attempt in range(4)] == [5, 10, 20, 40]
    assert lease.length_s(6) == lease.length_s(1000)


def test_old_times_are_forgotten() -> None:
    lease = Lease(5)
    lease.observe(100)

    for _ in range(1000):
        lease.observe(0.1)

    assert lease.length_s(0) == 5
