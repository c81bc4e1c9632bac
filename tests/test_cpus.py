"""How many CPUs a worker takes: its affinity, and the quota of its control group."""

import os
from pathlib import Path

import pytest

from worker import supervisor
from worker.supervisor import cpus


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control group of our own making, and 8 CPUs allowed."""
    real = supervisor._quota
    monkeypatch.setattr(supervisor, "_quota", lambda _root: real(tmp_path))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(8)), raising=False)
    return tmp_path


def version_1(group: Path, quota: str, period: str) -> None:
    (group / "cpu").mkdir()
    (group / "cpu/cpu.cfs_quota_us").write_text(f"{quota}\n")
    (group / "cpu/cpu.cfs_period_us").write_text(f"{period}\n")


def test_without_a_control_group_the_affinity_counts(group: Path) -> None:
    assert cpus() == 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max 100000", 8),
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("140000 100000", 1),
        ("10000 100000", 1),
        ("9900000 100000", 8),
        ("rubbish", 8),
        ("", 8),
    ],
)
def test_a_quota_of_version_2_counts(group: Path, text: str, expected: int) -> None:
    (group / "cpu.max").write_text(f"{text}\n")

    assert cpus() == expected


@pytest.mark.parametrize(("quota", "expected"), [("300000", 3), ("-1", 8), ("1000", 1)])
def test_a_quota_of_version_1_counts(group: Path, quota: str, expected: int) -> None:
    version_1(group, quota, "100000")

    assert cpus() == expected


def test_this_machine_has_at_least_one() -> None:
    assert cpus() >= 1
