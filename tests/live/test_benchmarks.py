"""Measurements from file to file: whatever is compared writes the same rows, and the figures add up."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.peers import PEERS, is_missing
from producer.bench import plain
from producer.bench.running import repeat
from producer.bench.stages import STAGES
from tests.conftest import REPOSITORY
from tests.gridmill import Gridmill
from tests.puzzles import MADE
from tests.rows import lines, without_times, write_lines

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other processes' CPU time is told by Linux alone")
ROWS = 600
TEXTS = ["# a comment", *lines(300), "", *lines(300)]


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "in.txt", TEXTS)


def run(*command: object) -> str:
    return subprocess.run(
        [sys.executable, *map(str, command)], cwd=REPOSITORY, capture_output=True, text=True, timeout=100, check=True
    ).stdout


@pytest.mark.parametrize("peer", PEERS)
def test_every_peer_writes_the_rows_of_gridmill(gridmill: Gridmill, puzzles: Path, tmp_path: Path, peer: str) -> None:
    if is_missing(peer):
        pytest.skip(f"{PEERS[peer]} is not installed")
    gridmill("solve", puzzles, "-o", "expected.csv")

    run("-m", "benchmarks.driver", peer, puzzles, tmp_path / "out.csv", "csv", 2, 70)

    rows = without_times((tmp_path / "out.csv").read_text())
    assert len(rows) == ROWS
    assert rows == without_times((tmp_path / "expected.csv").read_text())


@pytest.mark.parametrize("form", ["csv", "jsonl", "lines", "sdm"])
def test_only_times_are_left_out_of_a_digest(tmp_path: Path, form: str) -> None:
    path = write_lines(tmp_path / "in.txt", [puzzle.text for puzzle in MADE])
    once, again, other = (tmp_path / name for name in ("once", "again", "other"))

    plain.by_one_process(str(path), once, form, 7)
    plain.by_one_process(str(path), again, form, 3)
    other.write_bytes(once.read_bytes().replace(b"5", b"6", 1))

    assert plain.digest(once, form) == plain.digest(again, form) != plain.digest(other, form)


def test_ranges_hold_every_row_once_whatever_their_size(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.txt", TEXTS)
    for rows in (1, 7, 299, ROWS, 10 * ROWS):
        ranges = list(plain.cut(str(path), "csv", rows))

        assert [work.first_id for work in ranges] == list(range(1, ROWS + 1, rows))
        assert sum(work.rows for work in ranges) == ROWS
        assert [work.offset for work in ranges] == [0, *(work.offset + work.length for work in ranges[:-1])]


def test_a_file_is_repeated_to_any_size(tmp_path: Path) -> None:
    for rows in (1, 2, 3, 7):
        repeat(bytes(range(10)) * 8 + b"\x0f" + bytes(81), rows, tmp_path / "out.txt")

        assert (tmp_path / "out.txt").read_text().splitlines() == [".123456789" * 8 + "?", "." * 81] * (rows // 2) + [
            ".123456789" * 8 + "?"
        ] * (rows % 2)


@pytest.mark.parametrize(("plane", "form"), [("files", "csv"), ("redis", "lines")])
def test_stages_and_processes_add_up_to_the_cost_of_a_puzzle(
    alone: Gridmill, puzzles: Path, plane: str, form: str
) -> None:
    ended = alone(
        "bench", "pipeline", puzzles, "--rows", 500, 2000, "--repeat", 1, "--plane", plane, "--format", form, "--json"
    )

    told = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert (told["plane"], told["format"], told["rows"]) == (plane, form, [500, 2000])
    assert set(told["stage_us"]) == {*STAGES, "rest"}
    assert sum(told["stage_us"].values()) == pytest.approx(told["gridmill"]["cpu_us"])
    assert sum(told["process_us"].values()) == pytest.approx(told["gridmill"]["cpu_us"])
    assert all(size > 0 for size in told["peak_bytes"].values())
    for way in ("gridmill", "alone", "pool"):
        assert told[way]["cpu_us"] - told[way]["overhead_us"] == pytest.approx(told["stage_us"]["kernel"])


def test_sizes_that_tell_nothing_are_refused(alone: Gridmill, puzzles: Path) -> None:
    ended = alone("bench", "pipeline", puzzles, "--rows", 500, 500)

    assert ended.code == 2
    assert ended.err.splitlines()[-1] == "gridmill: two sizes are needed, the smaller one first"


def test_peers_are_measured_in_one_run_and_missing_ones_are_told(puzzles: Path) -> None:
    wanted = ["gridmill_files", "pool", "pool_parts", "ray"]
    chosen = [part for peer in wanted if peer != "ray" or is_missing(peer) for part in ("--peer", peer)]

    told = json.loads(run("-m", "benchmarks", puzzles, *chosen, "--rows", 500, 2000, "--repeat", 1, "--json"))

    assert [one["peer"] for one in told["peers"]] == wanted[:3]
    assert told["missing"] == (["ray"] if is_missing("ray") else [])
    assert all(one["cpu_us"] == pytest.approx(one["overhead_us"] + told["kernel_us"]) for one in told["peers"])
