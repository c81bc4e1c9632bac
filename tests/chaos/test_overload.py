"""Overload and oddities: a full broker, a slow one, many producers, strangers, clocks that are set back."""

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from solver_core.chunk import WIRE_VERSION
from tests.chaos import faults, processes
from tests.chaos.conftest import LONG
from tests.chaos.poison import clock_set_back
from tests.chaos.proxy import Proxy
from tests.chaos.report import Finding
from tests.chaos.story import LIMIT_S, Watch, hurt, judge, without_times
from tests.chaos.world import Run, TcpBroker, World, pid_of

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
SOME_ROWS, TROUBLE = 1, 3


def test_a_broker_at_its_memory_limit_is_waited_for(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("broker at maxmemory")

    def fill(world: World, _run: Run, _rng: random.Random) -> bool:
        client = world.client()
        client.config_set("maxmemory", "1")
        time.sleep(4)
        full = client.info("memory")["used_memory"] > 1
        client.config_set("maxmemory", "0")
        return full

    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, [(0.5, fill), (1.0, fill)] if LONG else [(0.5, fill)], random.Random(1), finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, 1, plain=without_times)


def test_a_batch_that_is_too_large_for_the_broker_is_not_submitted(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, _ = undisturbed(16_000, "csv")

    with World(tmp_path, tcp=True, processes=0, more="maxmemory 3mb") as world:
        run = world.run("submit", str(source), "--quiet")
        code = run.wait(60)
        left = list(world.client().scan_iter("gridmill:*"))

    assert code == TROUBLE
    assert "half of the broker's free memory" in run.said()
    assert left == []


def test_a_slow_broker_slows_nothing_but_time(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(400, "csv")
    out = tmp_path / "out.csv"

    with World(tmp_path, tcp=True, processes=0) as world:
        assert isinstance(world.broker, TcpBroker)
        with Proxy(world.broker.port) as proxy:
            proxy.delay_s = 0.05
            world.name_broker(world.broker.url_at(proxy.port))
            world.hire(2, world.broker.url_at(proxy.port))
            run = world.run("solve", str(source), "-o", str(out), "--chunk", "100", out=out)
            code = run.wait(LIMIT_S)

    assert code == SOME_ROWS, run.said()
    assert without_times(out.read_bytes()) == expected


def test_ten_producers_share_a_cluster(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(2000, "csv")

    with World(tmp_path) as world:
        outs = [tmp_path / f"out-{number}.csv" for number in range(10)]
        runs = [world.run("solve", str(source), "-o", str(out), "--chunk", "50", out=out) for out in outs]
        codes = [run.wait(LIMIT_S) for run in runs]
        left = list(world.client().scan_iter("gridmill:b:*"))

    assert codes == [SOME_ROWS] * 10
    for out in outs:
        assert without_times(out.read_bytes()) == expected
    assert left == []


def test_one_worker_of_two_stops_without_a_word(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(4000, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("one worker of two gets SIGSTOP")

    with World(tmp_path, processes=1) as world:
        first = world.workers
        world.hire(1, world.broker.url)
        assert first is not None
        first.wait_for_pool()

        def stop(*_: object) -> bool:
            victims = [*first.celery(), *first.pool()]
            return [processes.send(pid, signal.SIGSTOP) for pid in victims] == [True, True]

        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, [(0.2, stop)], random.Random(1), finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, 1, plain=without_times)


def test_workers_of_another_wire_version_are_named_and_get_no_work(tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text("." * 81 + "\n")
    out = tmp_path / "out.csv"

    with World(tmp_path, processes=0) as world:
        facts = f'{{"wire": {WIRE_VERSION + 1}, "processes": 4, "isa": "avx2"}}'
        world.client().set("gridmill:worker:strange@host", facts, ex=300)
        world.client().sadd("gridmill:workers", "strange@host")
        run = world.run("solve", str(source), "-o", str(out), out=out)
        processes.wait_until(lambda: "wire version" in run.said(), 30, "word of the other version")
        still_running = run.process.poll() is None
        doctor = world.run("doctor")
        code = doctor.wait(60)

    assert still_running
    assert "strange@host" in run.said()
    assert code == TROUBLE
    assert "wire version" in doctor.output.read_text()


@pytest.mark.parametrize("steps_s", [3600, -3600], ids=["back", "forward"])
def test_a_clock_that_is_set_during_the_run(steps_s: int, undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(8000, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("clock set by an hour")
    changes = clock_set_back(steps_s, after_s=4)

    with World(tmp_path, **changes) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "2", out=out, **changes)
        code = hurt(
            world, run, faults.plan(random.Random(1), (faults.kill_pool_process,), 8, 0.8), random.Random(1), finding
        )

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, 2, plain=without_times)


def test_a_broker_that_is_away_for_longer_than_patience_ends_the_run_and_the_next_goes_on(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("broker away for longer than --patience")

    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", "--patience", "3", out=out)
        watch = Watch(run)
        processes.wait_until(watch.rows, 60, "safe row")
        watch.stop()
        assert processes.send(pid_of(world.broker), signal.SIGKILL)
        finding.strike("kill_broker")
        code = run.wait(LIMIT_S)
        said = run.said()
        journal = run.journal().exists()
        world.broker.mend()
        again = world.run("solve", str(source), "-o", str(out), "--chunk", "40", out=out)
        code_again = again.wait(LIMIT_S)

    assert code == TROUBLE
    assert journal
    assert said.count("waiting for it") == 1
    assert "did not answer for 3 s" in said.splitlines()[-1]
    assert "run the same command again" in said.splitlines()[-1]
    assert code_again == SOME_ROWS
    judge(finding, out, expected, 1, plain=without_times)
