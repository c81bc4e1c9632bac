"""Reads sources for tests: the rows that come out, without a broker."""

from dataclasses import dataclass
from pathlib import Path

from producer.readers.cutter import Cutter
from producer.readers.reading import Reading
from producer.readers.sources import find_sources
from producer.shape import Shape
from solver_core.chunk import unpack_puzzles
from solver_core.rows import LineTally
from solver_core.solvers import SOLVERS
from tests.rows import read_rows


@dataclass(frozen=True)
class Read:
    """What came out of some sources."""

    rows: list[dict[str, str]]
    faults: list[str]
    lines: LineTally

    @property
    def puzzles(self) -> list[str]:
        return [row["puzzle"] for row in self.rows]

    @property
    def notes(self) -> list[str]:
        return [row["note"] for row in self.rows]

    @property
    def labels(self) -> list[str]:
        return [row["label"] for row in self.rows]

    @property
    def at_lines(self) -> list[int]:
        return [int(row["line"]) for row in self.rows]


def read(*paths: Path | str, limit: int = 2, chunk_rows: int = 1000, **reading: object) -> Read:
    """Reads and solves what these paths name; `reading` is what `Reading` takes."""
    how = Reading(**reading)  # type: ignore[arg-type]
    sources = find_sources([str(path) for path in paths])
    cutter = Cutter(sources, how)
    shape = Shape("csv", keep=how.keep)
    parts = [shape.header()]
    try:
        while not cutter.ended:
            chunk = cutter.cut(chunk_rows, wait_s=1.0)
            if chunk is not None:
                answer = SOLVERS["solo"](unpack_puzzles(chunk.work), limit)
                names = [source.name for source in sources]
                parts.append(shape.rows(chunk.name.start + 1, names, chunk.rows, chunk.work, answer))
    finally:
        cutter.close()
    rows = read_rows(b"".join(parts).decode())
    lines = cutter.lines()
    assert lines.total == lines.blank + lines.comment + lines.structure + lines.puzzle
    assert lines.puzzle == len(rows)
    return Read(rows, cutter.faults, lines)


def read_bytes(folder: Path, content: bytes | str, name: str = "a.txt", **reading: object) -> Read:
    """Reads a file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, **reading)
