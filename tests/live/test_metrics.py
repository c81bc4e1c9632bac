"""What workers count adds up to what was solved, on both planes."""

import contextlib
import json
from pathlib import Path

import pytest

from producer.cluster import LocalCluster
from tests.gridmill import Gridmill
from tests.processes import wait_until
from tests.rows import lines, write_lines
from tests.test_metrics import scraped
from worker.broker import connect
from worker.store import Store

ROWS = 3000


def sums(store: Store) -> dict[str, float]:
    """All totals: they only ever grow."""
    return {name: value for name, value in scraped(store).items() if "_total" in name}


@pytest.mark.parametrize("plane", ["redis", "files"])
def test_what_workers_count_is_what_the_summary_says(tmp_path: Path, temp: Path, plane: str, server: str) -> None:
    path = write_lines(tmp_path / "in.txt", [*lines(ROWS), "broken"])
    shared = [tmp_path] if plane == "files" else []
    with (
        LocalCluster(temp, 2, shared=shared) as cluster,
        contextlib.closing(connect(cluster.broker.url)) as client,
    ):
        gridmill = Gridmill(tmp_path, temp, cluster.broker.url)
        wait_until(Store(client).workers, "a worker, whose word tells the plane")

        ended = gridmill("solve", path, "-o", "out.csv", "--chunk", 100)
        counted = sums(Store(client))

    told = json.loads((tmp_path / "out.csv.summary.json").read_text())
    assert (ended.code, told["plane"]) == (1, plane), ended.err
    by_status = {name: counted[f"puzzles_total{{status={name}}}"] for name in told["status_counts"]}
    assert by_status == told["status_counts"]
    assert sum(by_status.values()) == ROWS + 1
    assert counted["chunks_done_total{kind=sudoku}"] == told["chunks"]
    assert counted["kernel_seconds_total{kind=sudoku}"] == pytest.approx(told["kernel_s"], abs=1e-6)


def test_totals_only_ever_grow_and_queens_are_told_apart(gridmill: Gridmill, cluster: LocalCluster) -> None:
    with contextlib.closing(connect(cluster.broker.url)) as client:
        before = sums(Store(client))
        ended = gridmill("queens", 9)
        after = sums(Store(client))

    assert ended.code == 0, ended.err
    assert all(after[name] >= value for name, value in before.items())
    assert after["prefixes_total"] > before["prefixes_total"]
    assert after["puzzles_total{status=unique}"] == before["puzzles_total{status=unique}"]
