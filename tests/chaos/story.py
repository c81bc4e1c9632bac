"""How every scenario goes: a run is begun, hurt as planned, waited for, and compared with one that nobody hurt."""

import csv
import io
import itertools
import json
import random
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.chaos import report
from tests.chaos.faults import Plan
from tests.chaos.report import Finding
from tests.chaos.world import Run, World

LOOK_S = 0.05
# No run is far from its end for so long; the machine may be slow and shared.
LIMIT_S = 300


class Watch:
    """Looks at the journal of a run all the time: how many rows are safe, and since when."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._steps: list[tuple[float, int]] = [(time.monotonic(), 0)]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def rows(self) -> int:
        """Rows that are safe."""
        return self._steps[-1][1]

    def stop(self) -> None:
        """Ends the looking."""
        self._ended.set()
        self._thread.join()

    def recoveries_s(self, moments: Sequence[float]) -> list[float]:
        """For each fault: the longest time without new safe rows from it to the next one, or to the end.

        What was answered before a fault is often made safe just after it; so the next rows alone would tell nothing.
        """
        steps = [at for at, _ in self._steps] + [time.monotonic()]
        longest: list[float] = []
        if not moments:
            return longest
        for moment, until in zip(moments, [*moments[1:], steps[-1]], strict=True):
            after = [moment, *(at for at in steps if moment < at < until)]
            after.append(next((at for at in steps if at >= until), until))
            longest.append(max(later - at for at, later in itertools.pairwise(after)))
        return longest

    def _look(self) -> None:
        while not self._ended.wait(LOOK_S):
            try:
                with self._run.journal().open("rb") as file:
                    file.seek(max(0, file.seek(0, 2) - 4096))
                    found = re.findall(rb'\{"rows": (\d+), "bytes"', file.read())
            except OSError:
                found = []
            if found and int(found[-1]) > self.rows():
                self._steps.append((time.monotonic(), int(found[-1])))


def hurt(world: World, run: Run, faults: Plan, rng: random.Random, finding: Finding, *, from_rows: int = 1) -> int:
    """Carries out a plan while a run lasts, once `from_rows` rows are safe; returns the run's exit code."""
    watch = Watch(run)
    moments = []
    began = time.monotonic()
    try:
        while watch.rows() < from_rows and run.process.poll() is None:
            assert time.monotonic() - began < LIMIT_S, f"it does not begin; it said: {run.said()[-2000:]}"
            time.sleep(LOOK_S)
        for pause_s, fault in faults:
            time.sleep(pause_s)
            if run.process.poll() is not None:
                break
            moment = time.monotonic()
            if fault(world, run, rng):
                finding.strike(fault.__name__)
                moments.append(moment)
        code = run.wait(LIMIT_S)
    finally:
        watch.stop()
    finding.wall_s = time.monotonic() - began
    finding.recoveries_s += watch.recoveries_s(moments)
    return code


def judge(finding: Finding, out: Path, expected: bytes, least_faults: int, *, plain: Callable[[bytes], bytes]) -> None:
    """Compares the output with that of an undisturbed run, byte by byte apart from `time_ns`, and keeps the finding."""
    summary = out.with_name(f"{out.name}.summary.json")
    if summary.exists():
        finding.resent = json.loads(summary.read_text())["resent_chunks"]
    found = plain(out.read_bytes())
    if found != expected:
        finding.lost, finding.doubled = _lost_and_doubled(found.splitlines(), expected.splitlines())
    report.keep(finding)
    assert found == expected, f"{finding.scenario}, seed {finding.seed}: not the output of an undisturbed run"
    assert finding.faults >= least_faults, f"only {finding.struck} struck; {least_faults} faults are needed to prove it"
    left = [path.name for path in out.parent.glob(f"{out.name}.*") if path != summary]
    assert not left, f"left beside OUT: {left}"


def without_times(text: bytes) -> bytes:
    """Returns CSV rows without the column `time_ns`."""
    rows = list(csv.reader(io.StringIO(text.decode(), newline="")))
    if not rows:
        return b""
    column = rows[0].index("time_ns")
    plain = io.StringIO()
    csv.writer(plain, lineterminator="\n").writerows(row[:column] + row[column + 1 :] for row in rows)
    return plain.getvalue().encode()


def without_json_times(text: bytes) -> bytes:
    """Returns JSON lines without the numbers of `time_ns`."""
    return re.sub(rb'"time_ns": ?(\d+|null)', b'"time_ns":', text)


def as_it_is(text: bytes) -> bytes:
    """Returns output that has no times."""
    return text


def _lost_and_doubled(found: Sequence[bytes], expected: Sequence[bytes]) -> tuple[int, int]:
    there = set(found)
    return sum(row not in there for row in expected), len(found) - len(there)
