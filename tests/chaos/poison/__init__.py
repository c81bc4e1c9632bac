"""Puzzles that end or hang whoever solves them, by a hook that Python itself loads in the worker's processes."""

import os
from pathlib import Path

from tests.conftest import REPOSITORY

VARIABLE = "CHAOS_POISON"


def poisoned(puzzles: dict[str, str]) -> dict[str, str]:
    """Returns the environment of workers to whom these puzzles do harm: puzzle -> kind (see `sitecustomize.py`)."""
    hook = Path(__file__).parent / "hook"
    return {
        VARIABLE: ",".join(f"{puzzle}={kind}" for puzzle, kind in puzzles.items()),
        "PYTHONPATH": os.pathsep.join([str(hook), str(REPOSITORY)]),
    }
