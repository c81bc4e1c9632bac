"""Runs one peer in a process of its own: `python -m benchmarks.driver PEER FILE OUT FORMAT WORKERS ROWS`."""

import importlib
import sys
from pathlib import Path


def main() -> None:
    """Runs the peer that is named."""
    peer, path, out, form, workers, rows = sys.argv[1:]
    importlib.import_module(f"benchmarks.peers.{peer}").run(path, Path(out), form, int(workers), int(rows))


if __name__ == "__main__":
    main()
