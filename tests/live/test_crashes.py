"""What is killed or interrupted in the middle: the same command again ends it, and nothing is left behind."""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from producer.cluster import PrivateBroker
from tests.gridmill import Gridmill, end
from tests.processes import command_of, descendants, is_running, wait_until
from tests.rows import lines, without_times, write_lines
from worker.broker import connect

# Small chunks and a solver in Python: long enough to be killed in the middle.
SLOWLY = ("--solver", "dlx", "--chunk", 10)
ROWS = 1600  # some seconds of work: far more than the quarter of a second between two commits


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "in.txt", lines(ROWS))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The rows of a run that nothing happened to: the quickest way there, for no way makes a difference."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_lines(folder / "in.txt", lines(ROWS))
    assert Gridmill(folder, folder)("solve", "in.txt", "-o", "out.csv", "--solver", "dlx").code == 0
    return without_times((folder / "out.csv").read_text())


def rows_safe(folder: Path) -> int:
    """How many rows the journal tells."""
    try:
        entries = (folder / "out.csv.journal").read_text().splitlines()
        return int(json.loads(entries[-1]).get("rows", 0))
    except (FileNotFoundError, ValueError, IndexError):
        return 0


def wait_for_rows(folder: Path, process: "subprocess.Popen[str]", rows: int) -> list[int]:
    """Waits until so many rows are safe; returns the processes that work for it."""

    def there() -> bool:
        assert process.poll() is None, "it has ended already"
        return rows_safe(folder) >= rows

    wait_until(there, f"{rows} rows")
    return descendants(process.pid)


def check_done(gridmill: Gridmill, undisturbed: list[dict[str, str]]) -> None:
    folder = gridmill.folder
    assert without_times((folder / "out.csv").read_text()) == undisturbed
    assert sorted(path.name for path in folder.iterdir()) == ["in.txt", "out.csv", "out.csv.summary.json"]
    told = json.loads((folder / "out.csv.summary.json").read_text())
    assert sum(told["status_counts"].values()) == told["lines"]["puzzle"] == ROWS


def all_gone(pids: list[int]) -> bool:
    return not any(is_running(pid) for pid in pids)


def test_a_producer_killed_half_way_goes_on_and_its_children_are_gone(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]]
) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        children = wait_for_rows(alone.folder, process, ROWS // 2)
        process.kill()
        process.wait()
        wait_until(lambda: all_gone(children), "the children's end")
    kept = rows_safe(alone.folder)

    again = alone("solve", "in.txt", "-o", "out.csv", "--solver", "dlx")

    assert kept >= ROWS // 2
    assert not (alone.folder / "out.csv.partial").exists()
    assert again.code == 0
    check_done(alone, undisturbed)
    assert alone.left_in_temp() == []  # also of the run that was killed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_is_130_keeps_what_is_done_and_leaves_nothing_behind(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]], number: signal.Signals
) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        children = wait_for_rows(alone.folder, process, ROWS // 10)
        ended = end(process, number)

    assert ended.code == 130
    assert ended.err.splitlines()[-1].startswith("gridmill: interrupted; what is done is kept")
    assert alone.left_in_temp() == []
    wait_until(lambda: all_gone(children), "the children's end")
    assert rows_safe(alone.folder) >= ROWS // 10

    assert alone("solve", "in.txt", "-o", "out.csv", "--solver", "dlx", "--quiet").code == 0
    check_done(alone, undisturbed)


def test_an_interrupt_before_the_first_row_leaves_nothing_behind(alone: Gridmill) -> None:
    with alone.started("solve", "-", "-o", "out.csv", stdin=subprocess.PIPE) as process:
        wait_until(lambda: len(descendants(process.pid)) >= 3, "the workers")
        children = descendants(process.pid)
        ended = end(process, signal.SIGINT)

    assert ended.code == 130
    assert alone.left_in_temp() == []
    wait_until(lambda: all_gone(children), "the children's end")


@pytest.mark.parametrize("victims", ["-m worker ", "worker.supervisor", "server"])
def test_workers_supervisor_or_broker_killed_in_the_middle_make_no_difference(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]], victims: str
) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        killed = [pid for pid in wait_for_rows(alone.folder, process, ROWS // 4) if victims in command_of(pid)]
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        process.wait(80)

    assert killed
    assert process.returncode == 0
    check_done(alone, undisturbed)
    assert alone.left_in_temp() == []


def pool_of(producer: int) -> list[int]:
    """The processes of the pool: workers without children."""
    workers = [pid for pid in descendants(producer) if "-m worker " in command_of(pid)]
    return [pid for pid in workers if not descendants(pid)]


def test_a_process_of_the_pool_killed_again_and_again_makes_no_difference(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]]
) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        wait_for_rows(alone.folder, process, 10)
        killed = 0
        while process.poll() is None and killed < 4:
            for pid in pool_of(process.pid)[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            time.sleep(0.1)
        process.wait(80)

    assert process.returncode == 0
    assert killed > 1
    check_done(alone, undisturbed)


def test_another_run_on_the_same_output_is_refused_with_3(alone: Gridmill, puzzles: Path) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        wait_for_rows(alone.folder, process, 1)
        second = alone("solve", "in.txt", "-o", "out.csv", *SLOWLY)

    assert second.code == 3
    assert second.err == "gridmill: another run is working on out.csv\n"


def test_a_changed_option_or_input_is_refused_and_fresh_begins_anew(alone: Gridmill, puzzles: Path) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        wait_for_rows(alone.folder, process, 1)
        end(process, signal.SIGINT)
    kept = rows_safe(alone.folder)

    other_limit = alone("solve", "in.txt", "-o", "out.csv", *SLOWLY, "--limit", 1)
    write_lines(alone.folder / "in.txt", lines(5))
    other_input = alone("solve", "in.txt", "-o", "out.csv", *SLOWLY)
    still_kept = rows_safe(alone.folder)
    fresh = alone("solve", "in.txt", "-o", "out.csv", "--fresh")

    assert (other_limit.code, other_input.code, fresh.code) == (2, 2, 0)
    assert "limit (2, now 1)" in other_limit.err
    assert "input" in other_input.err
    assert "--fresh" in other_limit.err
    assert kept == still_kept > 0
    assert len((alone.folder / "out.csv").read_text().splitlines()) == 6


def test_standard_input_cannot_be_gone_on_with(alone: Gridmill) -> None:
    with alone.started("solve", "-", "-o", "out.csv", stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write("\n".join(lines(5)) + "\n")
        process.stdin.flush()
        wait_for_rows(alone.folder, process, 5)
        process.send_signal(signal.SIGINT)
        process.wait(60)

    again = alone("solve", "-", "-o", "out.csv", stdin="\n".join(lines(5)))

    assert again.code == 2
    assert "--fresh" in again.err
    assert alone("solve", "-", "-o", "out.csv", "--fresh", stdin="\n".join(lines(5))).code == 0


def test_a_second_interrupt_at_once_leaves_no_process_and_nothing_that_the_next_run_does_not_sweep(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]]
) -> None:
    with alone.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        children = wait_for_rows(alone.folder, process, 1)
        process.send_signal(signal.SIGINT)
        ended = end(process, signal.SIGINT)

    assert ended.code == 130
    wait_until(lambda: all_gone(children), "the children's end")
    assert alone("solve", "in.txt", "-o", "out.csv", "--solver", "dlx").code == 0
    check_done(alone, undisturbed)
    assert alone.left_in_temp() == []


def test_a_broker_that_stays_away_is_3_with_what_is_done_kept(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]], temp: Path
) -> None:
    (temp / "b").mkdir()
    broker = PrivateBroker(temp / "b", durable=False)
    broker.start()
    there = Gridmill(alone.folder, temp, broker.url)
    with there.working():
        with there.started("solve", "in.txt", "-o", "out.csv", *SLOWLY, "--patience", 1) as process:
            wait_for_rows(alone.folder, process, 50)
            broker.stop()
            said = process.communicate(timeout=60)[1].splitlines()
        kept = rows_safe(alone.folder)
        broker.start()  # without all that it knew
        again = there("solve", "in.txt", "-o", "out.csv", *SLOWLY)
    broker.stop()

    assert process.returncode == 3
    assert len(said) == 2
    assert "waiting for it up to 1 s" in said[0]
    assert "did not answer for 1 s" in said[1]
    assert "what is done is kept" in said[1]
    assert kept >= 50
    assert again.code == 0
    check_done(alone, undisturbed)


def test_a_worker_over_which_celery_gives_up_is_replaced(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]], temp: Path
) -> None:
    (temp / "b").mkdir()
    broker = PrivateBroker(temp / "b", durable=False)
    broker.start()
    there = Gridmill(alone.folder, temp, broker.url)
    client = connect(broker.url)
    with there.working(4) as worker, there.started("solve", "in.txt", "-o", "out.csv", *SLOWLY) as process:
        wait_for_rows(alone.folder, process, 50)
        first = descendants(worker.pid)
        # Where Celery notes the messages it has taken; it can note none now.
        client.set("gridmill:unacked", "no table")
        wait_until(lambda: not any(is_running(pid) for pid in first), "the worker's end")
        client.delete("gridmill:unacked")
        process.communicate(timeout=60)
    broker.stop()

    assert process.returncode == 0
    check_done(alone, undisturbed)


@pytest.mark.parametrize(
    "settings",
    [
        {"GRIDMILL_BUDGET_S": "0.05"},
        {"GRIDMILL_LEASE_S": "0.05"},
        {"GRIDMILL_BUDGET_S": "0.3", "GRIDMILL_LEASE_S": "0.1", "GRIDMILL_VISIBILITY_S": "3"},
    ],
    ids=["budget", "lease", "visibility"],
)
def test_chunks_longer_than_budget_lease_or_visibility_make_no_difference(
    alone: Gridmill, puzzles: Path, undisturbed: list[dict[str, str]], temp: Path, settings: dict[str, str]
) -> None:
    hurried = Gridmill(alone.folder, temp, **settings)

    ended = hurried("solve", "in.txt", "-o", "out.csv", "--solver", "dlx", "--chunk", 200)

    assert ended.code == 0, ended.err
    check_done(alone, undisturbed)
