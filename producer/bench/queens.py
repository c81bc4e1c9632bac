"""The N-Queens kernel, counting by first-row column or listing."""

from dataclasses import dataclass

from producer.bench.timing import median_s, on_threads
from producer.prefixes import is_counted
from solver_core._native import queens_count, queens_list
from solver_core.errors import KernelError
from solver_core.isa import isa as default_isa
from solver_core.queens import QUEENS_COUNTS, prefixes

ENDLESS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement, as `--json` prints it."""

    n: int
    isa: str
    threads: int
    solutions: int
    seconds: float
    solutions_per_second: float


def measure(n: int, listing: bool, isa: str | None, threads: int, repeats: int) -> Measured:
    """Measures the kernel on a board of n: counts by first-row column with the mirror, or lists into memory, in order.

    Raises:
        ValueError: there is no such board, or this machine lacks the isa.
        KernelError: the total is not the published one.
    """
    isa = isa or default_isa()
    columns = prefixes(n, 1)
    if threads > 1:  # a column each would leave threads idle at the end
        columns = prefixes(n, min(n, 3))
    work = columns if listing else [prefix for prefix in columns if is_counted(n, prefix)]
    shares = [work[place::threads] for place in range(min(threads, len(work)))]

    def run(share: list[bytes]) -> int:
        return sum(_list(n, prefix, isa) if listing else _count(n, prefix, isa) for prefix in share)

    solutions = sum(on_threads(run, shares))
    if n < len(QUEENS_COUNTS) and solutions != QUEENS_COUNTS[n]:
        raise KernelError(f"{solutions} solutions of {n} queens; {QUEENS_COUNTS[n]} are published (A000170)")
    seconds = median_s(lambda: on_threads(run, shares), repeats)
    return Measured(n, isa, len(shares), solutions, seconds, solutions / seconds)


def _count(n: int, prefix: bytes, isa: str) -> int:
    counted = queens_count(n, prefix, isa)
    assert counted is not None  # nobody stops it
    return counted[0] if 2 * prefix[0] == n - 1 else 2 * counted[0]


def _list(n: int, prefix: bytes, isa: str) -> int:
    listed = queens_list(n, prefix, ENDLESS, isa)
    assert listed is not None  # nobody stops it
    return len(listed[0]) // n
