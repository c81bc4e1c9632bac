"""Running the same work again and again, on threads, and taking the median."""

import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
Part = TypeVar("Part")


def on_threads(work: Callable[[Part], T], parts: Sequence[Part]) -> list[T]:
    """Returns what `work` returns for each part, each on a thread of its own; kernels let the GIL go."""
    if len(parts) == 1:
        return [work(parts[0])]
    with ThreadPoolExecutor(len(parts)) as threads:
        return list(threads.map(work, parts))


def median_s(work: Callable[[], object], repeats: int) -> float:
    """Returns the median wall time of so many runs, in seconds."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def slices(count: int, parts: int) -> list[tuple[int, int]]:
    """Returns the bounds of so many parts of nearly the same size, fewer if there is less to share out."""
    parts = max(1, min(parts, count))
    edges = [count * place // parts for place in range(parts + 1)]
    return list(itertools.pairwise(edges))
