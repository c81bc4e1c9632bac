"""The supervisor: starts a worker again that has died, passes SIGTERM on, and takes its child with it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes import HANG_S, ended_afterwards, is_running, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children die with their parent on Linux alone")
REPOSITORY = Path(__file__).resolve().parent.parent
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    path = tmp_path / "pids"
    path.touch()
    return path


@pytest.fixture
def start(pids: Path) -> Iterator[Start]:
    started = []

    def run(lives_s: float = 1000, *more: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tests.supervised", str(pids), str(lives_s), *more]
        started.append(subprocess.Popen(command, cwd=REPOSITORY, stderr=subprocess.PIPE))
        return started[-1]

    yield run
    for process in started:
        with ended_afterwards(process.pid):
            pass
        process.communicate()


def children(pids: Path, count: int) -> list[int]:
    wait_until(lambda: len(pids.read_text().splitlines()) >= count, f"{count} children")
    return [int(line) for line in pids.read_text().splitlines()]


def test_a_worker_that_was_killed_is_started_again(start: Start, pids: Path) -> None:
    supervisor = start()
    first = children(pids, 1)[0]

    os.kill(first, signal.SIGKILL)

    second = children(pids, 2)[1]
    assert second != first
    assert supervisor.poll() is None


def test_a_worker_that_dies_young_is_started_again_and_again(start: Start, pids: Path) -> None:
    start(0)

    assert len(children(pids, 3)) >= 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_worker_and_then_the_supervisor(start: Start, pids: Path, number: signal.Signals) -> None:
    supervisor = start()
    child = children(pids, 1)[0]

    supervisor.send_signal(number)

    assert supervisor.wait(HANG_S) == 0
    assert not is_running(child)
    assert len(pids.read_text().splitlines()) == 1


def test_a_signal_between_two_lives_ends_it_too(start: Start, pids: Path) -> None:
    supervisor = start(0)
    children(pids, 4)  # the pause is long by now

    supervisor.send_signal(signal.SIGTERM)

    assert supervisor.wait(HANG_S) == 0


def test_a_worker_that_is_asked_to_end_while_it_is_made_ends(start: Start, pids: Path) -> None:
    supervisor = start(1000, "end at once")
    assert supervisor.stderr is not None

    assert b"ended by itself (signal 15)" in supervisor.stderr.readline()
    assert pids.read_text() == ""


def test_a_killed_supervisor_takes_its_worker_with_it(start: Start, pids: Path) -> None:
    supervisor = start()
    child = children(pids, 1)[0]

    supervisor.kill()

    wait_until(lambda: not is_running(child), "the worker's end")


def test_it_says_how_the_worker_ended(start: Start, pids: Path) -> None:
    supervisor = start()
    os.kill(children(pids, 1)[0], signal.SIGKILL)
    children(pids, 2)

    supervisor.send_signal(signal.SIGTERM)
    said = supervisor.communicate(timeout=HANG_S)[1].decode()

    assert "ended by itself (signal 9)" in said
