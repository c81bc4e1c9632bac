"""How sources are to be read: what the person said of them, beside their names."""

from dataclasses import dataclass

LINES, GRIDS, CSV, JSON, XML, PARQUET, ARROW = "lines", "grids", "csv", "json", "xml", "parquet", "arrow"
FORMS = (LINES, GRIDS, CSV, JSON, XML, PARQUET, ARROW)
# Why a job for queens among puzzles is no puzzle; behind it stands the job as JSON.
QUEENS_JOB = "a job for queens, which has a place among rows in jsonl only"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the person said; all of it shapes rows.

    Attributes:
        form: one of `FORMS`; None tells it by the content of each source.
        column: where the puzzles stand: the name of a column, or its number from 1.
        keep: names of columns, keys or attributes that are carried through.
    """

    form: str | None = None
    column: str | None = None
    keep: tuple[str, ...] = ()


class DamagedError(ValueError):
    """A source cannot be read from here on; what came before stands.

    Attributes:
        line: where it was noticed; 0 where nobody knows.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        """Keep the reason and the place."""
        super().__init__(reason, line)
        self.reason = reason
        self.line = line

    def __str__(self) -> str:
        """Say the reason."""
        return self.reason
