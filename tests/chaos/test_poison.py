"""Puzzles that end or hang whoever solves them: each alone becomes `failed`, whatever else goes on."""

import csv
import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos import faults, report
from tests.chaos.conftest import LONG
from tests.chaos.poison import poisoned
from tests.chaos.report import Finding
from tests.chaos.story import LIMIT_S, hurt
from tests.chaos.world import World

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
SOME_ROWS = 1
# Its two kinds of harm must not hide each other, nor must being next to each other.
GUILTY = (40, 41, 333)
# A process over a chunk that ignores its stop is killed after twice this and ten seconds, or 0.9 visibility timeouts.
SHORT_LIMITS = {"GRIDMILL_BUDGET_S": "1", "GRIDMILL_VISIBILITY_S": "3"}


def puzzles_at(source: Path, numbers: tuple[int, ...]) -> list[str]:
    """The puzzles of these rows, from 1."""
    lines = [line for line in source.read_text().split("\n") if line and not line.startswith("#")]
    return [lines[number - 1][:81] for number in numbers]


def differing(out: Path, expected: bytes) -> list[dict[str, str]]:
    """Rows that are not as in an undisturbed run."""
    with out.open(newline="") as file:
        found = list(csv.DictReader(file))
    calm = list(csv.DictReader(expected.decode().splitlines()))
    assert len(found) == len(calm)
    return [now for now, then in zip(found, calm, strict=True) if any(now[name] != then[name] for name in then)]


@pytest.mark.parametrize(
    ("plane", "kind"),
    list(itertools.product(("redis", "files"), ("abort", "segfault", "raises")))
    if LONG
    else [("redis", "raises"), ("files", "segfault")],
)
def test_a_guilty_puzzle_alone_becomes_failed(kind: str, plane: str, undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(400, "csv")
    out = tmp_path / "out.csv"
    guilty = puzzles_at(source, GUILTY)
    shared = {"GRIDMILL_SHARED": f"{source.parent}:{tmp_path}"} if plane == "files" else {}

    with World(tmp_path, **poisoned(dict.fromkeys(guilty, kind)), **shared) as world:
        if shared:
            world.wait_for_presence()
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "16", out=out)
        code = run.wait(LIMIT_S)

    rows = differing(out, expected)
    assert code == SOME_ROWS, run.said()
    assert [row["puzzle"] for row in rows] == guilty
    for row in rows:
        assert (row["status"], row["solution"], row["time_ns"], row["guesses"]) == ("failed", "", "", "")
        assert row["note"] != ""


@pytest.mark.skipif(not LONG, reason="takes minutes: long form only")
def test_a_kernel_that_ignores_its_stop_meets_the_hard_time_limit(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(400, "csv")
    out = tmp_path / "out.csv"
    guilty = puzzles_at(source, GUILTY[:1])

    # Guesses bound a puzzle that is alone in its chunk; few of them make a short limit.
    few = ("--max-guesses", "1000")
    with World(tmp_path, **SHORT_LIMITS, **poisoned({guilty[0]: "endless"})) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", *few, out=out, **SHORT_LIMITS)
        code = run.wait(LIMIT_S * 2)
        log = world.worker_log()

    rows = differing(out, expected)
    assert code == SOME_ROWS, run.said()
    assert [(row["puzzle"], row["status"]) for row in rows] == [(guilty[0], "failed")]
    assert "Hard time limit" in log


def test_in_the_midst_of_a_kill_storm_only_the_guilty_fail(
    few_seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(4000, "csv")
    out = tmp_path / "out.csv"
    guilty = puzzles_at(source, (*GUILTY, 2222))
    kinds = dict(zip(guilty, ("abort", "segfault", "raises", "abort"), strict=True))
    finding = Finding("poison in a kill storm", few_seed)

    with World(tmp_path, **poisoned(kinds)) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "8", out=out)
        code = hurt(world, run, faults.plan(rng, (faults.kill_pool_process, faults.kill_worker), 12, 0.4), rng, finding)

    rows = differing(out, expected)
    finding.lost = len(rows) - len(guilty)
    report.keep(finding)
    assert code == SOME_ROWS, run.said()
    assert [(row["puzzle"], row["status"]) for row in rows] == [(puzzle, "failed") for puzzle in guilty]
    assert finding.faults >= 5
