"""A progress bar on a terminal, and nothing elsewhere."""

import contextlib
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


@contextlib.contextmanager
def bar(what: str, total: float | None) -> Iterator[Callable[[int], None]]:
    """Shows how many of `total` are done on stderr; yields what is to be told the number.

    An estimate of the total that proves too low grows with what is done, so that 100 % stands there at the end alone.
    """
    with Progress(
        TextColumn(what),
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task(what, total=total)

        def show(done: int) -> None:
            estimate = None if total is None else max(total, done * 1.01 + 1)
            progress.update(task, completed=done, total=estimate)

        yield show
