"""Seeds, long and short form, the undisturbed runs, and the table at the end.

`make chaos` runs the short form; CHAOS_LONG=1 the long one, with CHAOS_SEEDS seeds from CHAOS_SEED on.
"""

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from producer.cluster import find_server
from solver_core.errors import BrokerError
from tests.chaos import made, report
from tests.chaos.report import Finding
from tests.chaos.story import without_json_times, without_times
from tests.chaos.world import GRIDMILL, environment

LONG = os.environ.get("CHAOS_LONG", "") not in ("", "0")
FIRST_SEED = int(os.environ.get("CHAOS_SEED") or 1)
SEEDS = int(os.environ.get("CHAOS_SEEDS") or (20 if LONG else 1))
# `solve` to csv carries the proof; what goes the same way needs fewer.
FEWER_SEEDS = 3 if LONG else 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.chaos)
            item.add_marker(pytest.mark.timeout(900))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, count in (("seed", SEEDS), ("few_seed", min(SEEDS, FEWER_SEEDS))):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, range(FIRST_SEED, FIRST_SEED + count))


# Of all processes that run tests at once; filled where their reports come together.
FINDINGS: list[Finding] = []


@pytest.fixture(autouse=True)
def _told(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Has the findings of a test travel with its report."""
    yield
    for finding in report.taken():
        record_property("finding", asdict(finding))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        told = [value for name, value in report.user_properties if name == "finding"]
        FINDINGS.extend(Finding(**fields) for fields in told if isinstance(fields, dict))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FINDINGS:
        terminalreporter.section("chaos")
        for line in report.table(FINDINGS):
            terminalreporter.write_line(line)


@pytest.fixture(scope="session", autouse=True)
def _server() -> None:
    try:
        find_server()
    except BrokerError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Chance, by the seed of the test."""
    names = ("seed", "few_seed")
    seed = next((request.getfixturevalue(name) for name in names if name in request.fixturenames), FIRST_SEED)
    return random.Random(f"{seed} {request.node.name}")


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, str], tuple[Path, bytes]]:
    """Returns for a number of rows and a format an input, and the output of a run that nobody hurts, without times."""
    folder = tmp_path_factory.mktemp("undisturbed")

    def make(rows: int, suffix: str) -> tuple[Path, bytes]:
        source = folder / f"puzzles-{rows}.txt"
        out = folder / f"puzzles-{rows}.{suffix}"
        if not source.exists():
            source.write_text(made.lines(FIRST_SEED, rows))
        if not out.exists():
            command = [*GRIDMILL, "solve", str(source), "-o", str(out), "--quiet"]
            done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
            assert done.returncode == 1, done.stderr  # there are invalid lines
        plain = without_times if suffix == "csv" else without_json_times
        return source, plain(out.read_bytes())

    return make
