"""T1, T2, T6, T10 of the ten: the broker restarts, vanishes, forgets, or lies behind a network that swallows."""

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos import faults, processes
from tests.chaos.conftest import LONG
from tests.chaos.proxy import Proxy
from tests.chaos.report import Finding
from tests.chaos.story import LIMIT_S, Watch, hurt, judge, without_times
from tests.chaos.world import TcpBroker, World, pid_of

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
ROWS = 40_000 if LONG else 6_000
SOME_ROWS = 1


@pytest.mark.parametrize("durable", [False, True], ids=["no persistence", "append-only file"])
def test_t1_the_broker_is_killed_again_and_again_under_load(
    durable: bool, seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding(f"T1 broker killed ({'AOF' if durable else 'no persistence'})", seed)
    kills = 20 if LONG else 3
    plan = faults.plan(rng, (faults.kill_broker,), kills, 0.7)

    with World(tmp_path, durable=durable) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, plan, rng, finding)
        assert world.workers is not None
        world.workers.wait_for_pool()

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, kills - 1, plain=without_times)


def test_t2_a_network_that_swallows_bytes(
    few_seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T2 half-open network", few_seed)
    # The worker's line and the producer's: each has its own way through the network.
    with World(tmp_path, tcp=True, processes=0) as world:
        assert isinstance(world.broker, TcpBroker)
        with Proxy(world.broker.port) as near, Proxy(world.broker.port) as far:

            def swallow(proxy: Proxy) -> faults.Fault:
                def fault(*_: object) -> bool:
                    before = proxy.swallowed_bytes
                    proxy.swallowing = True
                    time.sleep(rng.uniform(1.0, 3.0))
                    proxy.swallowing = False
                    return proxy.swallowed_bytes > before

                fault.__name__ = "swallow"
                return fault

            def cut(*_: object) -> bool:
                return near.cut() + far.cut() > 0

            world.name_broker(world.broker.url_at(near.port))
            world.hire(2, world.broker.url_at(far.port))
            run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
            plan: faults.Plan = [(1.0, swallow(far)), (2.0, cut), (1.0, swallow(near))]
            code = hurt(world, run, plan * (2 if LONG else 1), rng, finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, 2, plain=without_times)


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
def test_t6_a_broker_that_throws_keys_away_is_refused(policy: str, tmp_path: Path) -> None:
    puzzle = "." * 81

    with World(tmp_path, tcp=True, processes=0, more=f"maxmemory 100mb\nmaxmemory-policy {policy}") as world:
        run = world.run("solve", puzzle, "-o", str(tmp_path / "out.csv"))
        code = run.wait(60)

    assert code == 3
    assert policy in run.said()
    assert run.said().count("\n") == 1
    assert not (tmp_path / "out.csv").exists()


def test_t6_flushall_in_mid_run(seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T6 FLUSHALL", seed)
    flushes = 9 if LONG else 3

    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, faults.plan(rng, (faults.flush_all,), flushes, 0.8), rng, finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, flushes - 1, plain=without_times)


def test_t6_flushall_while_a_submitted_batch_is_gathered_with_its_input(
    few_seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T6 FLUSHALL, submit and gather with INPUT", few_seed)

    with World(tmp_path, processes=0) as world:
        batch = world.submit(source, "--chunk", "4")
        world.hire(2, world.broker.url)  # not before: there must be something left to gather
        run = world.run("gather", batch, str(source), "-o", str(out), out=out)
        code = hurt(world, run, faults.plan(rng, (faults.flush_all,), 3, 0.8), rng, finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, 1, plain=without_times)


def test_t6_flushall_while_a_submitted_batch_is_gathered_without_its_input(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, _ = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"

    with World(tmp_path, processes=0) as world:
        batch = world.submit(source, "--chunk", "4")
        world.hire(2, world.broker.url)  # not before: there must be something left to gather
        run = world.run("gather", batch, "-o", str(out), out=out)
        watch = Watch(run)
        processes.wait_until(watch.rows, 60, "row that is safe")
        struck = world.client().flushall()
        code = run.wait(LIMIT_S)
        watch.stop()

    assert struck
    assert code == 3
    last = run.said().splitlines()[-1]
    assert batch in last
    assert "lost" in last
    assert "name INPUT" in last
    assert not out.exists()


def test_t10_the_broker_is_away_while_the_producer_publishes_and_the_producer_is_killed_then(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("T10 broker away, producer killed")

    def go_away(world: World, run: object, _rng: object) -> bool:
        struck = processes.send(pid_of(world.broker), signal.SIGKILL)
        assert world.broker._server is not None
        world.broker._server.wait()
        time.sleep(60 if LONG else 8)
        return struck

    def come_back(world: World, run: object, _rng: object) -> bool:
        return world.broker.mend()

    plan: faults.Plan = [(0.5, go_away), (0.0, faults.kill_producer), (3.0, come_back)]
    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        # Whoever begins while the broker is away waits ten seconds for it.
        code = hurt(world, run, plan, random.Random(1), finding)

    assert code == SOME_ROWS, run.said()
    assert "the broker does not answer" in run.said()
    judge(finding, out, expected, 3, plain=without_times)
