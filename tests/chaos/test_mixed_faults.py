"""Random plans of everything that can go wrong, one after the other; whatever happens, the output is the same."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos import faults
from tests.chaos.conftest import LONG
from tests.chaos.report import Finding
from tests.chaos.story import as_it_is, hurt, judge, without_json_times, without_times
from tests.chaos.world import GRIDMILL, World, environment

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
ROWS = 40_000 if LONG else 6_000
COUNT = 12 if LONG else 5
SOME_ROWS = 1
# A batch that was submitted lives in the broker: one that forgets everything is another test (T6).
SUBMITTED_FAULTS = (*faults.WORKER_FAULTS, faults.kill_broker, faults.stop_broker, faults.lose_messages)
SUBMITTED_FAULTS += (faults.double_messages, faults.kill_producer)


@pytest.mark.parametrize("plane", ["redis", "files"])
def test_solve_to_csv(plane: str, seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding(f"mixed, solve to csv, {plane} plane", seed)
    shared = {"GRIDMILL_SHARED": f"{source.parent}:{tmp_path}"} if plane == "files" else {}

    with World(tmp_path, durable=rng.random() < 0.5, **shared) as world:
        assert world.workers is not None
        if shared:
            world.wait_for_presence()
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, faults.plan(rng, faults.ALL_FAULTS, COUNT, 0.7), rng, finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, COUNT // 3, plain=without_times)


def test_solve_to_jsonl(few_seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(ROWS, "jsonl")
    out = tmp_path / "out.jsonl"
    finding = Finding("mixed, solve to jsonl", few_seed)

    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, faults.plan(rng, faults.ALL_FAULTS, COUNT, 0.7), rng, finding)

    assert code == SOME_ROWS, run.said()
    judge(finding, out, expected, COUNT // 3, plain=without_json_times)


def test_submit_and_gather(few_seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("mixed, submit and gather", few_seed)

    with World(tmp_path, durable=True, processes=0) as world:
        batch = world.submit(source, "--chunk", "4")
        world.hire(2, world.broker.url)  # not before: there must be something left to gather
        run = world.run("gather", batch, "-o", str(out), out=out)
        code = hurt(world, run, faults.plan(rng, SUBMITTED_FAULTS, COUNT, 0.7), rng, finding)

    assert code == SOME_ROWS, run.said()
    # Answers that were there before the gatherer came leave less time for faults.
    judge(finding, out, expected, COUNT // 4, plain=without_times)


@pytest.mark.parametrize(
    "arguments", [("13-16" if LONG else "13-14",), ("15" if LONG else "14", "--list")], ids=["counts", "list"]
)
def test_queens(arguments: tuple[str, ...], few_seed: int, rng: random.Random, tmp_path: Path) -> None:
    # The private broker of a run of its own has nobody who disturbs it.
    calm = tmp_path / "calm.csv"
    command = [*GRIDMILL, "queens", *arguments, "-o", str(calm), "--quiet"]
    subprocess.run(command, env=environment(), check=True)
    plain = as_it_is if "--list" in arguments else without_times
    out = tmp_path / "out.csv"
    finding = Finding(f"mixed, queens {' '.join(arguments)}", few_seed)

    with World(tmp_path) as world:
        run = world.run("queens", *arguments, "-o", str(out), "--chunk", "1", out=out)
        code = hurt(world, run, faults.plan(rng, faults.ALL_FAULTS, COUNT, 0.2), rng, finding)

    assert code == 0, run.said()
    judge(finding, out, plain(calm.read_bytes()), 1, plain=plain)
