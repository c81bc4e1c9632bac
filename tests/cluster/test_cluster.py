"""The cluster in containers, hurt in mid-run, against a run on this machine: `make cluster-test`.

Needs a Docker engine, and the right to kill what it runs. The puzzles are real ones where they are there.
"""

import gzip
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.chaos import made
from tests.chaos.processes import wait_until
from tests.chaos.story import without_times
from tests.cluster import compose
from tests.cluster.compose import Cluster

DATA = Path(os.environ.get("GRIDMILL_TEST_DATA") or Path(__file__).parents[3] / "shared")
LONG = os.environ.get("CLUSTER_LONG", "") not in ("", "0")
# Solved by a solver that is slow enough for a run to be hurt: milliseconds a puzzle.
SOLVER = ("--solver", "propagation", "--chunk", "20")
ROWS = 40_000 if LONG else 20_000
LIMIT_S = 600

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    command = compose.compose_command()
    if not compose.is_there() or command is None:
        pytest.skip("no Docker engine with Compose here")
    try:
        compose.build(DATA / "tools/make-base-images")
    except compose.NoImagesError as error:
        pytest.skip(str(error))
    with Cluster(tmp_path_factory.mktemp("cluster"), command) as running:
        running.scale(3)
        wait_until(lambda: running.is_well("worker", 3), 120, "three healthy workers")
        yield running


@pytest.fixture(scope="module")
def puzzles(cluster: Cluster) -> Path:
    path = cluster.data / "puzzles.txt"
    real = DATA / "data/17clue_49158.txt.gz"
    lines = gzip.decompress(real.read_bytes()).decode() if real.exists() else made.lines(1, ROWS)
    path.write_text("".join(lines.splitlines(keepends=True)[:ROWS]))
    return path


@pytest.fixture(scope="module")
def expected(puzzles: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The rows of a run on this machine, without times and with the path that containers see."""
    out = tmp_path_factory.mktemp("alone") / "out.csv"
    command = [sys.executable, "-m", "producer.cli", "solve", str(puzzles), "-o", str(out), "--quiet", *SOLVER]
    subprocess.run(command, check=False, timeout=LIMIT_S, cwd=out.parent)
    return without_times(out.read_bytes().replace(str(puzzles).encode(), b"/data/puzzles.txt"))


def safe_rows(out: Path) -> int:
    """Rows that the journal says are safe."""
    try:
        found = re.findall(rb'\{"rows": (\d+), "bytes"', out.with_name(f"{out.name}.journal").read_bytes())
    except OSError:
        return 0
    return int(found[-1]) if found else 0


def test_a_cluster_that_grows_crashes_and_is_parted_in_mid_run_makes_the_same_bytes(
    cluster: Cluster, puzzles: Path, expected: bytes
) -> None:
    out = cluster.data / "out.csv"
    owner = puzzles.parent.stat()
    run = cluster.start("solve", "/data/puzzles.txt", "-o", "/data/out.csv", *SOLVER)
    recoveries_s: dict[str, float] = {}

    def hurt(fault: str, strike: Callable[[], object]) -> None:
        assert run.poll() is None, f"the run was over too soon to be hurt by: {fault}"
        strike()
        rows = safe_rows(out)
        recoveries_s[fault] = wait_until(
            lambda: safe_rows(out) > rows or run.poll() is not None, 120, f"row after {fault}"
        )

    wait_until(lambda: safe_rows(out), 120, "row")
    hurt("five workers", lambda: cluster.scale(5))
    hurt("crash of a worker", lambda: cluster.crash("worker"))
    parted = cluster.containers("worker")[-1]["Id"]
    hurt("worker cut off", lambda: cluster.part(parted))
    hurt("crash of the broker", lambda: cluster.crash("redis"))
    hurt("worker joined again", lambda: cluster.join(parted))
    hurt("two workers of the next image", lambda: cluster.renew(2))
    code = run.wait(LIMIT_S)

    print("seconds until more rows were safe:", {name: round(time_s, 1) for name, time_s in recoveries_s.items()})
    assert code == (0 if b"invalid" not in expected else 1), cluster.said()[-2000:]
    assert without_times(out.read_bytes()) == expected
    assert (out.stat().st_uid, out.stat().st_gid) == (owner.st_uid, owner.st_gid)


def test_all_workers_are_well_again_afterwards(cluster: Cluster) -> None:
    cluster.scale(3)

    wait_until(lambda: cluster.is_well("worker", 3), 120, "three healthy workers")

    assert all(container["Config"]["User"] == "0:0" for container in cluster.containers("worker"))


def test_workers_have_no_capability_and_a_file_system_that_is_read_only(cluster: Cluster) -> None:
    [worker, *_] = cluster.containers("worker")
    script = 'grep -h "^Cap[EPB]" /proc/[0-9]*/status; cat /proc/[0-9]*/comm; touch /x'
    shown = subprocess.run(
        ["docker", "exec", worker["Id"], "as-owner", "sh", "-c", script], capture_output=True, text=True, check=False
    )
    root = re.findall(r"0000000000000(?!000)[0-9a-f]{3}", shown.stdout)

    # Of the first process, which passes signals on, three sets of four capabilities; of all others nothing.
    assert len(root) == 3, shown.stdout
    assert "gridmill" in shown.stdout
    assert "Read-only file system" in shown.stderr


def test_a_batch_is_left_with_the_cluster_and_gathered(cluster: Cluster, puzzles: Path, expected: bytes) -> None:
    submitted = cluster.start("submit", "/data/puzzles.txt", "--solver", "propagation")
    assert submitted.wait(LIMIT_S) == 0, cluster.said()[-2000:]
    batch = re.findall(r"^(\d{8}-\d{6}-[0-9a-f]{8})\s*$", cluster.said(), re.MULTILINE)[-1]

    gathered = cluster.start("gather", batch, "-o", "/data/gathered.csv")
    code = gathered.wait(LIMIT_S)

    assert code == (0 if b"invalid" not in expected else 1), cluster.said()[-2000:]
    assert without_times((cluster.data / "gathered.csv").read_bytes()) == expected
