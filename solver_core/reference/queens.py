"""N-Queens, row by row, with three masks: the readable counterpart of the native kernel.

Bit k of a mask stands for column k of the row at hand, and is set when a queen above attacks that square: straight
down, along a diagonal that runs left, or along one that runs right. From row to row the diagonals move by one column,
so one shift each brings them up to date. No symmetry is used: a mirrored board is found by search, not assumed.

    columns   . 1 . . .      left   1 . . . .      right   . . 1 . .      for the row below a queen in column 1
"""

from collections.abc import Iterator, Sequence

MAX_N = 32


def count(n: int, prefix: Sequence[int] = ()) -> int:
    """Count the solutions on an n x n board that begin with these columns of the first rows.

    Raises:
        ValueError: n is not within 1 to 32, or the prefix does not fit the board.
    """
    return sum(1 for _ in solutions(n, prefix))


def count_by_column(n: int) -> list[int]:
    """Count the solutions with the first row's queen in column 0, 1, ... n - 1.

    Raises:
        ValueError: n is not within 1 to 32.
    """
    _check(n, ())
    return [count(n, [column]) for column in range(n)]


def solutions(n: int, prefix: Sequence[int] = ()) -> Iterator[bytes]:
    """Yield the solutions that begin with `prefix`, in lexicographic order: n bytes each, the column of every row.

    A prefix whose queens attack each other has no solutions.

    Raises:
        ValueError: n is not within 1 to 32, or the prefix does not fit the board.
    """
    _check(n, prefix)
    columns = left = right = 0
    for column in prefix:
        bit = 1 << column
        if bit & (columns | left | right):
            return iter(())
        columns, left, right = _next_row(columns, left, right, bit)
    return _place(n, bytes(prefix), columns, left, right)


def _place(n: int, placed: bytes, columns: int, left: int, right: int) -> Iterator[bytes]:
    """Yield every way to go on below the queens that are placed."""
    if len(placed) == n:
        yield placed
        return
    free = ((1 << n) - 1) & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        yield from _place(n, placed + bytes([bit.bit_length() - 1]), *_next_row(columns, left, right, bit))


def _next_row(columns: int, left: int, right: int, bit: int) -> tuple[int, int, int]:
    """The masks of the row below, once a queen stands on `bit`."""
    return columns | bit, (left | bit) >> 1, (right | bit) << 1


def _check(n: int, prefix: Sequence[int]) -> None:
    if not 1 <= n <= MAX_N:
        raise ValueError(f"n must be 1 to {MAX_N}, not {n}")
    if len(prefix) > n or not all(0 <= column < n for column in prefix):
        raise ValueError(f"a prefix is at most {n} columns of 0 to {n - 1}, not {list(prefix)}")
