"""gridmill as a person runs it on one machine: `gridmill solve` with a private broker and local workers."""

import json
import os
import subprocess
import sys
from pathlib import Path


def run(path: str, out: Path, form: str, workers: int, rows: int) -> None:  # noqa: ARG001 - chunks fit themselves
    """Solves a file."""
    solve(path, out, form, "files", ["--workers", str(workers)], "")


def solve(path: str, out: Path, form: str, plane: str, options: list[str], broker: str) -> None:
    """Runs `gridmill solve`, and sees to it that it takes this plane."""
    command = [sys.executable, "-P", "-m", "producer.cli", "solve", path, "-o", str(out), "--format", form]
    environment = os.environ | {"GRIDMILL_BROKER": broker}
    subprocess.run([*command, "--fresh", "--quiet", *options], env=environment, check=True)
    summary = out.with_name(f"{out.name}.summary.json")
    if json.loads(summary.read_text())["plane"] != plane:
        raise RuntimeError(f"gridmill did not take the plane {plane}")
    summary.unlink()
