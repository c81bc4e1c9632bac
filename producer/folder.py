"""`-o FOLDER/`: one output for each input file, under the same names."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from producer.readers.sources import TYPED, Source
from producer.writers import STDOUT

# Format -> what is put behind the name of the input.
_SUFFIXES = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet", "lines": ".txt", "sdm": ".sdm"}
_NAMELESS = {STDOUT: "stdin", TYPED: "typed"}


@dataclass(frozen=True, slots=True)
class Job:
    """An input file, all members of an archive together, and where its rows go."""

    out: Path
    sources: list[Source] = field(default_factory=list)


def is_folder(out: str) -> bool:
    """Whether OUT names a folder: it ends in a slash."""
    return out.endswith("/")


def jobs(sources: Sequence[Source], folder: Path, format_name: str) -> list[Job]:
    """Returns a job for each input file that does not lie in the folder, and makes the folders of the outputs.

    Raises:
        OSError: a folder cannot be made.
    """
    inside = folder.resolve()
    sources = [source for source in sources if not (source.path and source.path.resolve().is_relative_to(inside))]
    root = _common_folder(source.path for source in sources if source.path)
    found: dict[Path, Job] = {}
    for source in sources:
        name = source.path.resolve().relative_to(root) if source.path else Path(_NAMELESS.get(source.name, "typed"))
        out = folder / f"{name}{_SUFFIXES[format_name]}"
        found.setdefault(out, Job(out)).sources.append(source)
    for job in found.values():
        job.out.parent.mkdir(parents=True, exist_ok=True)
    return list(found.values())


def _common_folder(paths: Iterable[Path]) -> Path:
    folders = [path.resolve().parent for path in paths]
    return Path(os.path.commonpath(folders)) if folders else Path()
