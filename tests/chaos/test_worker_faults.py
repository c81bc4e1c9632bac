"""T3, T4, T5, T7, T8, T9 of the ten: workers are killed, chunks are slow, or kill whoever takes them."""

import multiprocessing
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from solver_core.sudoku import solve
from tests.chaos import faults, processes, report
from tests.chaos.conftest import LONG
from tests.chaos.poison import poisoned
from tests.chaos.report import Finding
from tests.chaos.story import LIMIT_S, hurt, judge, without_times
from tests.chaos.world import World
from tests.puzzles import BY_NAME

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
ROWS = 40_000 if LONG else 6_000
SOME_ROWS = 1
EMPTY = "." * 81
# A search that never ends within a test: the empty grid has more solutions than anybody can count.
ENDLESS = ("--limit", "4000000000", "--max-guesses", "4000000000", "--chunk", "1")


def test_t3_a_chunk_slower_than_the_visibility_timeout_and_the_lease(tmp_path: Path) -> None:
    source = tmp_path / "slow.txt"
    source.write_text(EMPTY + "\n" + BY_NAME["easy 1"].text + "\n")
    out = tmp_path / "out.csv"
    finding = Finding("T3 chunk slower than visibility timeout and lease")
    # Twenty seconds of search, more or less; the lease is one second, and Redis hands the message out again after
    # eleven: from ten on a start is known not to be a leftover of a process that died.
    slow = ("--limit", "4000000000", "--max-guesses", "25000000", "--chunk", "1")

    with World(tmp_path, GRIDMILL_VISIBILITY_S="11") as world:
        world.wait_for_presence()  # what waits in the queue for long is sent again, and then taken twice
        run = world.run("solve", str(source), "-o", str(out), *slow, out=out)
        code = run.wait(LIMIT_S)
        log = world.worker_log()

    finding.struck["message handed out again"] = log.count("is being worked on; this delivery is dropped")
    rows = out.read_text().splitlines()
    assert code == SOME_ROWS, run.said()
    assert log.count(" 0-1 attempt ") == 1, "the slow chunk was worked on more than once"
    assert [row.split(",")[5] for row in rows[1:]] == ["gave_up", "unique"]
    assert [row.split(",")[8] for row in rows[1:]] == ["25000000", "0"]
    report.keep(finding)
    assert finding.faults >= 1


def test_t4_a_storm_of_kills_over_tiny_chunks(
    seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T4 kill storm", seed)
    kills = 40 if LONG else 16

    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "2", out=out)
        storm = (faults.kill_pool_process,) * 3 + (faults.kill_worker,)
        code = hurt(world, run, faults.plan(rng, storm, kills, 0.3), rng, finding)

    assert code == SOME_ROWS, run.said()
    # While a worker starts there is nobody to kill, and on a slow machine that is long.
    judge(finding, out, expected, kills // 4, plain=without_times)


def test_t5_a_pool_process_is_killed_in_mid_chunk(tmp_path: Path) -> None:
    source = tmp_path / "slow.txt"
    source.write_text((EMPTY + "\n") * 4)
    out = tmp_path / "out.csv"
    finding = Finding("T5 pool process killed in mid-chunk")

    with World(tmp_path) as world:
        # Each chunk takes some seconds, so whoever is killed is in the midst of one.
        slow = ("--limit", "4000000000", "--max-guesses", "2000000", "--chunk", "1")
        run = world.run("solve", str(source), "-o", str(out), *slow, out=out)
        assert world.workers is not None
        for _ in range(2):
            processes.wait_until(lambda: world.chunks_at_work() == 2, 60, "chunk at work")
            time.sleep(0.5)
            moment = time.monotonic()
            victim = world.workers.pool()[0]
            assert processes.send(victim, 9)
            finding.strike("kill_pool_process")
            processes.wait_until(lambda: len(world.workers.pool()) == 2, 60, "new process")  # type: ignore[union-attr]
            finding.recoveries_s.append(time.monotonic() - moment)
        code = run.wait(LIMIT_S)

    statuses = [row.split(",")[5] for row in out.read_text().splitlines()[1:]]
    finding.lost = 4 - len(statuses)
    report.keep(finding)
    assert code == SOME_ROWS, run.said()
    assert statuses == ["gave_up"] * 4


def test_t7_nobody_minds_when_nothing_comes_for_longer_than_a_client_waits_by_default(tmp_path: Path) -> None:
    # redis-py gives up a read after 5 s, unless it is told otherwise.
    idle_s = 8
    source = tmp_path / "slow.txt"
    source.write_text(EMPTY + "\n")
    out = tmp_path / "out.csv"
    finding = Finding("T7 blocking reads longer than 5 s")

    with World(tmp_path) as world:
        assert world.workers is not None
        world.workers.wait_for_pool()
        time.sleep(idle_s)
        finding.strike("idle workers")
        slow = ("--limit", "4000000000", "--max-guesses", "14000000", "--chunk", "1", "--quiet")
        run = world.run("solve", str(source), "-o", str(out), *slow, out=out)
        began = time.monotonic()
        code = run.wait(LIMIT_S)
        if time.monotonic() - began > 5:
            finding.strike("idle producer")
        log = world.worker_log()

    report.keep(finding)
    assert code == SOME_ROWS
    assert run.said() == ""
    assert "onnection to broker lost" not in log
    assert "imeout" not in log.replace("soft timeouts", "")
    assert finding.faults == 2


def test_t8_the_only_worker_is_killed_and_another_started(
    seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS // 2, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T8 the only worker killed", seed)

    with World(tmp_path, processes=1) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "2", out=out)
        kills = 4 if LONG else 2
        code = hurt(world, run, faults.plan(rng, (faults.kill_supervisor,), kills, 1.0), rng, finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, kills // 2, plain=without_times)
    # The time to start a worker, the 5 s that a dead process counts as alive, and a lease; and a slow machine.
    assert max(finding.recoveries_s) < 60


def _solve_hard(queue: "multiprocessing.Queue[str]") -> None:
    queue.put(solve(BY_NAME["hard 1"].text).status.word)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_t9_the_kernel_works_in_a_process_that_was_made_by(method: str) -> None:
    context = multiprocessing.get_context(method)
    queue: multiprocessing.Queue[str] = context.Queue()
    before = solve(BY_NAME["hard 1"].text).status.word  # used before the fork

    process = context.Process(target=_solve_hard, args=(queue,))
    process.start()
    after = queue.get(timeout=60)
    process.join(60)

    assert (before, after, process.exitcode) == ("unique", "unique", 0)


def test_t9_a_puzzle_that_ends_every_process_is_set_apart_and_the_batch_goes_on(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    rows = 400
    source, expected = undisturbed(rows, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T9 SIGSEGV in the kernel")
    guilty = source.read_text().split("\n")[40][:81]

    with World(tmp_path, **poisoned({guilty: "segfault"})) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "16", out=out)
        code = run.wait(LIMIT_S)
        deaths = world.worker_log().count("exited with 'signal 11 (SIGSEGV)'")

    finding.struck["SIGSEGV"] = deaths
    plain = without_times(out.read_bytes()).decode().splitlines()
    differing = [
        (now, before) for now, before in zip(plain, expected.decode().splitlines(), strict=True) if now != before
    ]
    report.keep(finding)
    assert code == SOME_ROWS, run.said()
    assert [now.split(",")[4] for now, _ in differing] == [guilty]
    assert [now.split(",")[5] for now, _ in differing] == ["failed"]
    assert differing[0][0].split(",")[-1] != "", "a row that failed needs a note"
    assert deaths >= 3
