"""Time budget, cancel, signals, full disks, closed pipes: what is done is kept, and nothing is left running."""

import errno
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.chaos import processes
from tests.chaos.story import LIMIT_S, without_times
from tests.chaos.world import GRIDMILL, Run, World, environment
from tests.puzzles import BY_NAME

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
EMPTY = "." * 81
OK, SOME_ROWS, WRONG_USE, TROUBLE, INTERRUPTED = 0, 1, 2, 3, 130
ENDLESS = ("--limit", "4000000000", "--max-guesses", "4000000000")
# "Within a second", and what a busy machine adds to it.
SOON_S = 20


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """Starts runs with a private cluster of their own, and ends what is left of them."""
    runs: list[Run] = []

    def start(*arguments: str, out: Path | None = None, **changes: str) -> Run:
        runs.append(Run(list(arguments), out, tmp_path, **changes))
        return runs[-1]

    yield start
    for run in runs:
        run.stop()


def rows_of(journal: Path) -> int:
    """Rows that a journal says are safe."""
    found = re.findall(r'\{"rows": (\d+), "bytes"', journal.read_text()) if journal.exists() else []
    return int(found[-1]) if found else 0


def wait_for_rows(run: Run) -> None:
    processes.wait_until(lambda: rows_of(run.journal()) > 0, 60, "safe row")


def test_a_chunk_that_reaches_its_budget_gives_back_what_is_finished(tmp_path: Path) -> None:
    # Given a chunk of four searches of about a second each, and a budget of one second.
    source = tmp_path / "slow.txt"
    source.write_text((EMPTY + "\n" + BY_NAME["hard 1"].text + "\n") * 4)
    guesses = ("--limit", "4000000000", "--max-guesses", "1000000")
    calm, out = tmp_path / "calm.csv", tmp_path / "out.csv"
    command = [*GRIDMILL, "solve", str(source), "-o", str(calm), *guesses, "--chunk", "1", "--quiet"]
    subprocess.run(command, env=environment(), check=False)

    with World(tmp_path, GRIDMILL_BUDGET_S="1") as world:
        run = world.run("solve", str(source), "-o", str(out), *guesses, "--chunk", "8", "--solver", "solo", out=out)
        code = run.wait(LIMIT_S)
        log = world.worker_log()

    assert code == SOME_ROWS, run.said()
    assert without_times(out.read_bytes()) == without_times(calm.read_bytes())
    assert log.count(" attempt ") > 1, "the chunk was not cut again"


def test_cancel_ends_a_search_within_a_second(tmp_path: Path) -> None:
    source = tmp_path / "slow.txt"
    source.write_text(EMPTY + "\n")

    with World(tmp_path) as world:
        batch = world.submit(source, *ENDLESS)
        processes.wait_until(world.chunks_at_work, 60, "chunk at work")
        cancelled = world.run("cancel", batch)
        code = cancelled.wait(60)
        took_s = processes.wait_until(lambda: " attempt " in world.worker_log(), SOON_S, "end of the search")
        keys = list(world.client().scan_iter("gridmill:b:*"))

    assert code == OK
    assert took_s < SOON_S
    # What is left tells a gatherer, should there be one, why the batch is not there.
    assert keys == [f"gridmill:b:{batch}:gone".encode()]


def test_a_worker_that_is_asked_to_end_gives_a_long_search_back_and_another_takes_it(tmp_path: Path) -> None:
    source = tmp_path / "slow.txt"
    source.write_text(EMPTY + "\n")

    with World(tmp_path, processes=1) as world:
        batch = world.submit(source, *ENDLESS)
        processes.wait_until(world.chunks_at_work, 60, "chunk at work")
        assert world.workers is not None
        first = world.workers
        os.kill(first.supervisor, signal.SIGTERM)
        took_s = processes.wait_until(lambda: not processes.is_running(first.supervisor), SOON_S, "end of the worker")
        released = world.chunks_at_work()
        world.hire(1, world.broker.url)
        again_s = processes.wait_until(world.chunks_at_work, 60, "chunk at work again")
        deaths = [len(world.client().hgetall(key)) for key in world.client().scan_iter(f"gridmill:b:{batch}:k:*")]

    assert took_s < SOON_S
    assert again_s < 60
    assert released == 0
    assert deaths == [1]  # the one at work: an end that was asked for is no death


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_what_is_done_and_leaves_nothing_running(
    number: signal.Signals, alone: Callable[..., Run], undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"
    out.write_text("the old file")
    arguments = ("solve", str(source), "-o", str(out), "--chunk", "4", "--workers", "1")

    run = alone(*arguments, out=out)
    wait_for_rows(run)
    below = processes.descendants(run.process.pid)
    run.process.send_signal(number)
    code = run.wait(60)
    old = out.read_text()
    processes.wait_until(lambda: not any(map(processes.is_running, below)), SOON_S, "end of its children")
    said = run.said()
    again = alone("solve", str(source), "-o", str(out), out=out)

    assert code == INTERRUPTED
    assert len(below) >= 3
    assert old == "the old file"
    assert said.splitlines()[-1] == "gridmill: interrupted; what is done is kept: run the same command again to go on"
    assert again.wait(LIMIT_S) == SOME_ROWS
    assert without_times(out.read_bytes()) == expected


def test_nohup_means_what_it_says(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"
    command = ["nohup", *GRIDMILL, "solve", str(source), "-o", str(out), "--chunk", "20", "--quiet"]

    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        processes.wait_until(lambda: rows_of(tmp_path / "out.csv.journal") > 0, 60, "safe row")
        run.send_signal(signal.SIGHUP)
        code = run.wait(LIMIT_S)

    assert code == SOME_ROWS
    assert without_times(out.read_bytes()) == expected


def test_a_signal_ends_a_long_search_of_a_run_of_its_own(alone: Callable[..., Run], tmp_path: Path) -> None:
    source = tmp_path / "slow.txt"
    source.write_text(EMPTY + "\n")

    run = alone("solve", str(source), "-o", str(tmp_path / "out.csv"), *ENDLESS, out=tmp_path / "out.csv")
    time.sleep(4)
    below = processes.descendants(run.process.pid)
    began = time.monotonic()
    run.process.send_signal(signal.SIGTERM)
    code = run.wait(60)
    took_s = time.monotonic() - began
    processes.wait_until(lambda: not any(map(processes.is_running, below)), SOON_S, "end of its children")

    assert code == INTERRUPTED
    assert took_s < SOON_S


def test_children_end_with_a_producer_that_was_killed(
    alone: Callable[..., Run], undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, _ = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"

    run = alone("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
    wait_for_rows(run)
    below = processes.descendants(run.process.pid)
    run.process.kill()
    took_s = processes.wait_until(lambda: not any(map(processes.is_running, below)), SOON_S, "end of its children")

    assert len(below) >= 3  # broker, supervisor, worker
    assert took_s < SOON_S
    assert not out.exists()


def test_a_full_device_is_trouble(alone: Callable[..., Run], undisturbed: Undisturbed) -> None:
    source, _ = undisturbed(400, "csv")

    run = alone("solve", str(source), "-o", "/dev/full")

    assert run.wait(60) == TROUBLE
    assert os.strerror(errno.ENOSPC) in run.said()
    assert run.said().count("\n") == 1


def test_a_full_disk_keeps_what_is_done_and_room_lets_it_go_on(
    alone: Callable[..., Run], undisturbed: Undisturbed, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    mounted = subprocess.run(mount, capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        source, expected = undisturbed(16_000, "csv")
        out = disk / "out.csv"

        full = alone("solve", str(source), "-o", str(out), "--chunk", "400", out=out)
        code = full.wait(LIMIT_S)
        exists = out.exists()
        said = full.said()
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        again = alone("solve", str(source), "-o", str(out), out=out)

        assert code == TROUBLE
        assert not exists
        assert os.strerror(errno.ENOSPC) in said
        assert "run the same command again" in said
        assert again.wait(LIMIT_S) == SOME_ROWS
        assert without_times(out.read_bytes()) == expected
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_folder_that_vanishes_ends_the_run_soon(
    alone: Callable[..., Run], undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, _ = undisturbed(16_000, "csv")
    folder = tmp_path / "gone"
    folder.mkdir()
    out = folder / "out.csv"

    run = alone("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
    wait_for_rows(run)
    shutil.rmtree(folder)
    code = run.wait(LIMIT_S)

    assert code == WRONG_USE
    assert str(folder) in run.said().splitlines()[-1]
    assert all(line.startswith("gridmill: ") for line in run.said().splitlines()), run.said()


def test_a_reader_that_closes_the_pipe_ends_the_run_in_silence(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, _ = undisturbed(16_000, "csv")

    with subprocess.Popen(
        [*GRIDMILL, "solve", str(source), "--chunk", "4", "--quiet"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        first = run.stdout.readline()
        run.stdout.close()
        code = run.wait(60)
        assert run.stderr is not None
        said = run.stderr.read()

    assert first.startswith(b"id,source,line")
    assert (code, said) == (OK, b"")


def test_standard_input_cannot_be_gone_on_with(alone: Callable[..., Run], tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    command = [*GRIDMILL, "solve", "-", "-o", str(out), "--chunk", "1"]
    with subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdin is not None
        run.stdin.write((BY_NAME["easy 1"].text + "\n").encode() * 3)
        run.stdin.flush()
        journal = tmp_path / "out.csv.journal"
        processes.wait_until(lambda: rows_of(journal) > 0, 60, "safe row")
        run.terminate()
        assert run.wait(60) == INTERRUPTED

    again = alone("solve", "-", "-o", str(out))

    assert again.wait(60) == WRONG_USE
    assert "cannot be read a second time" in again.said()
    assert not out.exists()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("--limit", "1"), "limit"),
        (("--max-guesses", "7"), "max_guesses"),
        (("--solver", "solo"), "solver"),
        (("--format", "jsonl"), "format"),
    ],
)
def test_other_options_do_not_go_on_and_are_named(
    change: tuple[str, ...], named: str, alone: Callable[..., Run], undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, _ = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"
    run = alone("solve", str(source), "-o", str(out), "--chunk", "4", "--quiet", out=out)
    wait_for_rows(run)
    run.process.kill()
    run.process.wait()

    other = alone("solve", str(source), "-o", str(out), *change)

    assert other.wait(60) == WRONG_USE
    assert named in other.said().splitlines()[-1]
    assert not out.exists()


def test_a_changed_input_does_not_go_on(alone: Callable[..., Run], undisturbed: Undisturbed, tmp_path: Path) -> None:
    whole, _ = undisturbed(16_000, "csv")
    source = tmp_path / "puzzles.txt"
    shutil.copy(whole, source)
    out = tmp_path / "out.csv"
    run = alone("solve", str(source), "-o", str(out), "--chunk", "4", "--quiet", out=out)
    wait_for_rows(run)
    run.process.kill()
    run.process.wait()
    with source.open("r+b") as file:  # of the same length
        file.seek(-10, os.SEEK_END)
        file.write(b"1")

    other = alone("solve", str(source), "-o", str(out))

    assert other.wait(60) == WRONG_USE
    assert "input" in other.said().splitlines()[-1]
