"""A bounded number of chunks on their way, taken back in order: what memory asks for with millions of rows."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

FLIGHTS_A_PROCESS = 4


def in_order(
    submit: Callable[[Any], Any], take: Callable[[Any], bytes], works: Iterable[Any], workers: int
) -> Iterator[bytes]:
    """Yields what becomes of each work, in order."""
    flights: deque[Any] = deque()
    for work in works:
        flights.append(submit(work))
        if len(flights) == FLIGHTS_A_PROCESS * workers:
            yield take(flights.popleft())
    while flights:
        yield take(flights.popleft())
