"""Plain Celery: groups of tasks, results by the Redis backend, on a private broker like gridmill's own.

Results are pickled, for JSON would have rows twice escaped; two groups are on their way, so that workers never wait;
results are deleted once taken, or the broker would hold the whole output.
"""

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from celery import Celery, group
from celery.result import GroupResult

from producer.bench import plain
from producer.cluster import PrivateBroker, run_folder
from worker.broker import celery_url

URL = "GRIDMILL_BENCH_BROKER"
CHUNKS_A_PROCESS = 4
HANG_S = 120

app = Celery("peer", broker=os.environ.get(URL), backend=os.environ.get(URL))
app.conf.update(
    result_accept_content=["pickle"],
    result_serializer="pickle",
    worker_prefetch_multiplier=2,
)


@app.task(name="solve_range")
def solve_range(work: list[Any]) -> bytes:
    """Solves a range."""
    told = plain.Range(*work)
    return plain.solve_range(told._replace(place=tuple(told.place)))  # JSON knows no tuples


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:
    """Solves a file."""
    with run_folder() as folder:
        broker = PrivateBroker(folder, durable=False)
        broker.start()
        url = celery_url(broker.url)
        app.conf.update(broker_url=url, result_backend=url)
        command = [sys.executable, "-m", "celery", "-A", "benchmarks.peers.celery_group", "worker", "-c", str(workers)]
        quiet = ["-l", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat"]
        with subprocess.Popen([*command, *quiet], env=os.environ | {URL: url}) as worker:
            try:
                plain.write(out, form, _texts(path, form, workers, rows))
            finally:
                worker.terminate()
                worker.wait(HANG_S)
                broker.stop()


def _texts(path: str, form: str, workers: int, rows: int) -> Iterator[bytes]:
    works = plain.cut(path, form, rows)
    groups: deque[GroupResult] = deque()
    while True:
        while len(groups) < 2 and (some := list(islice(works, CHUNKS_A_PROCESS * workers))):
            groups.append(group(solve_range.s(list(work)) for work in some).apply_async())
        if not groups:
            return
        for result in groups.popleft().results:
            yield result.get(timeout=HANG_S)
            result.forget()
