"""The prefixes of a queens batch, cut into chunks.

The unit of the answer is the first-row column, the unit of work a prefix. Columns c and n-1-c mirror each other, so
only the left half of the first row is counted; a list needs every column.
"""

from collections.abc import Sequence

from producer.chunk import Chunk
from solver_core.queens import prefixes
from solver_core.queens_chunk import Work, pack_work
from worker.store import ChunkName

# Rows of a prefix, for boards up to n: at least twenty pieces for each of 64 processes where a board has so many, none
# that takes longer than some seconds as far as anybody will ever wait for the whole, and at most about a million in
# all, for they are held in memory. Nothing but n may decide, since a journal counts prefixes.
COUNT_DEPTHS = ((8, 1), (12, 2), (17, 3), (22, 4), (24, 5), (32, 4))
# The list below a prefix travels in one answer: a deeper prefix keeps it small. Nine rows or more must be left, for
# there the kernel lists ten times as fast.
LIST_DEPTHS = ((10, 1), (12, 2), (14, 3), (16, 4), (20, 5), (32, 4))


class PrefixCutter:
    """The prefixes of a batch, chunk by chunk; a chunk has prefixes of one board only.

    Attributes:
        ended: whether all have been cut.
        total: how many there are.
    """

    def __init__(self, boards: Sequence[int], *, most: int = 0, start: int = 0) -> None:
        """Prepares the prefixes.

        Args:
            boards: the sizes n.
            most: 0 counts; else all first-row columns are listed, at most so many solutions below a prefix.
            start: prefixes that an earlier run has done.
        """
        self._most = most
        self._boards = [(n, _to_list(n) if most else _to_count(n)) for n in boards]
        self.total = sum(len(board) for _, board in self._boards)
        self._at = start
        self.ended = start >= self.total

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:  # noqa: ARG002 - all prefixes are at hand
        """Returns the next chunk; None at the end."""
        place = self._at
        for n, board in self._boards:
            if place >= len(board):
                place -= len(board)
                continue
            taken = tuple(board[place : place + max_rows])
            name = ChunkName(self._at, self._at + len(taken))
            self._at = name.stop
            return Chunk(name, pack_work(Work(n, len(taken[0]), self._most, taken)), b"")
        self.ended = True
        return None


def is_counted(n: int, prefix: bytes) -> bool:
    """Whether a prefix is counted itself; the others have a mirrored one that is."""
    return prefix[0] < (n + 1) // 2


def _to_count(n: int) -> list[bytes]:
    return [prefix for prefix in prefixes(n, _depth(n, COUNT_DEPTHS)) if is_counted(n, prefix)]


def _to_list(n: int) -> list[bytes]:
    return prefixes(n, _depth(n, LIST_DEPTHS))


def _depth(n: int, depths: Sequence[tuple[int, int]]) -> int:
    return min(n, next(depth for largest, depth in depths if n <= largest))
