"""What a scenario found, and the table at the end of the run."""

import json
import os
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Finding:
    """One run of one scenario.

    Attributes:
        scenario: its name.
        seed: of its plan.
        struck: faults that really struck, by name.
        resent: chunks that were sent again.
        lost: rows that should be in the output and are not, or are others.
        doubled: rows that are there more than once.
        recoveries_s: for each fault, how long it took until more rows were safe than before.
        wall_s: from begin to end.
    """

    scenario: str
    seed: int = 0
    struck: dict[str, int] = field(default_factory=dict)
    resent: int = 0
    lost: int = 0
    doubled: int = 0
    recoveries_s: list[float] = field(default_factory=list)
    wall_s: float = 0.0

    def strike(self, fault: str) -> None:
        """Notes a fault."""
        self.struck[fault] = self.struck.get(fault, 0) + 1

    @property
    def faults(self) -> int:
        """All faults that struck."""
        return sum(self.struck.values())


_kept: list[Finding] = []


def table(findings: Iterable[Finding]) -> list[str]:
    """Returns the lines of the table: one a scenario."""
    by_scenario: dict[str, list[Finding]] = {}
    for finding in findings:
        by_scenario.setdefault(finding.scenario, []).append(finding)
    lines = [
        "| scenario | runs | faults struck | chunks resent | rows lost | rows doubled | recovery: median | worst |"
    ]
    lines.append("|---|---|---|---|---|---|---|---|")
    for scenario, runs in sorted(by_scenario.items()):
        times = sorted(time for run in runs for time in run.recoveries_s)
        median = f"{statistics.median(times):.1f} s" if times else ""
        worst = f"{times[-1]:.1f} s" if times else ""
        sums = [sum(getattr(run, name) for run in runs) for name in ("faults", "resent", "lost", "doubled")]
        lines.append(f"| {scenario} | {len(runs)} | {' | '.join(map(str, sums))} | {median} | {worst} |")
    return lines


def keep(finding: Finding) -> None:
    """Keeps a finding for the table and, with CHAOS_REPORT, at the end of that file, one JSON object a line."""
    _kept.append(finding)
    if path := os.environ.get("CHAOS_REPORT"):
        with Path(path).open("a") as file:
            file.write(json.dumps(asdict(finding)) + "\n")


def taken() -> list[Finding]:
    """Returns what was kept since it was last asked."""
    taken = _kept[:]
    _kept.clear()
    return taken
