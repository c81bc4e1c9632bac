"""How large chunks are, how many are on their way, and how long one is waited for."""

import math
from collections import deque

# A chunk should keep a kernel busy this long: far longer than its task costs (1.3 ms), far shorter than its budget.
AIM_NS = 100e6
# More than this should not travel in one piece.
AIM_BYTES = 2e6
FIRST_ROWS = 256
LARGEST_ROWS = 40_000
CHUNKS_A_PROCESS = 8
GROWTH = 4.0

LEASE_FACTOR = 5.0
SAMPLES = 500
LONGEST_DOUBLING = 6


class ChunkSize:
    """Rows of the next chunk: fixed, or so many that a kernel is busy for about 100 ms with them."""

    def __init__(
        self,
        fixed: int | None,
        expected_rows: float,
        *,
        first: int = FIRST_ROWS,
        shares: int = CHUNKS_A_PROCESS,
        largest: int = LARGEST_ROWS,
    ) -> None:
        """Begins small.

        Args:
            fixed: all chunks have so many rows.
            expected_rows: rows of the whole batch, infinite if unknown.
            first: rows of the first chunk.
            largest: no chunk has more rows.
            shares: every process should get so many chunks, if there are rows enough.
        """
        self._fixed = fixed
        self._expected_rows = expected_rows
        self._shares = shares
        self._largest = largest
        self._least = max(1, first / 4)
        self._rows = float(first)

    def rows(self, processes: int) -> int:
        """Returns the size of the next chunk, when so many processes work."""
        if self._fixed:
            return self._fixed
        share = self._expected_rows / (self._shares * processes)
        return max(1, int(min(self._rows, max(share, self._least), self._largest)))

    def observe(self, rows: int, kernel_ns: int, answer_bytes: int) -> None:
        """Learns how long a chunk took its kernel, and how long its answer was."""
        wanted = rows * min(AIM_NS / max(kernel_ns, 1), AIM_BYTES / max(answer_bytes, 1))
        self._rows = max(1.0, min(wanted, self._rows * GROWTH, self._largest))


class Lease:
    """How long an answer is waited for: five times the 99th percentile of what it took so far, doubling."""

    def __init__(self, shortest_s: float) -> None:
        self._shortest_s = shortest_s
        self._times_s: deque[float] = deque(maxlen=SAMPLES)

    def observe(self, time_s: float) -> None:
        """Learns how long a chunk was on its way."""
        self._times_s.append(time_s)

    def length_s(self, attempt: int) -> float:
        """Returns the lease of the n-th attempt, from 0."""
        times = sorted(self._times_s)
        percentile = times[math.ceil(len(times) * 0.99) - 1] if times else 0.0
        return float(max(self._shortest_s, LEASE_FACTOR * percentile) * 2 ** min(attempt, LONGEST_DOUBLING))
