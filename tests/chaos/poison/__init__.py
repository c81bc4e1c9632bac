"""Puzzles that end or hang whoever solves them, and clocks that are set.

By a hook that Python itself loads in the processes that are started with this environment.
"""

import os
from pathlib import Path

from tests.conftest import REPOSITORY

VARIABLE = "CHAOS_POISON"
CLOCK_VARIABLE = "CHAOS_CLOCK_BACK"
_HOOK = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent / "hook"), str(REPOSITORY)])}


def poisoned(puzzles: dict[str, str]) -> dict[str, str]:
    """Returns the environment of workers to whom these puzzles do harm: puzzle -> kind (see `sitecustomize.py`)."""
    return {VARIABLE: ",".join(f"{puzzle}={kind}" for puzzle, kind in puzzles.items()), **_HOOK}


def clock_set_back(by_s: int, *, after_s: float) -> dict[str, str]:
    """Returns the environment of processes whose wall clock jumps back, so long after each begins."""
    return {CLOCK_VARIABLE: f"{by_s} {after_s}", **_HOOK}
