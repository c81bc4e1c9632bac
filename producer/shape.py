"""The shape of rows: format, columns, and what is carried through."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solver_core.rows import COLUMNS, format_header, format_rows

NTH = "nth"
TWINS = ("canonical", "same_as")
# Formats with columns, of which there may be a choice.
PARQUET = "parquet"
TABULAR = ("csv", "jsonl", PARQUET)
# Parquet is made of rows of CSV when all are there.
_WRITTEN_AS = {PARQUET: "csv"}


@dataclass(frozen=True, slots=True)
class Shape:
    """How rows are written; all of it belongs to the subject of a journal.

    Attributes:
        format: `csv`, `jsonl`, `parquet`, `lines` or `sdm`.
        columns: the columns that were asked for, in order; None for the usual ones.
        keep: fields of the input that are carried through, after `note`.
        listed: one row for each solution, with the column `nth`.
        dedup: how puzzles that are the same are told, `exact` or `canonical`; with the columns of `TWINS`.
    """

    format: str = "csv"
    columns: tuple[str, ...] | None = None
    keep: tuple[str, ...] = ()
    listed: bool = False
    dedup: str | None = None

    def __post_init__(self) -> None:
        """Check that the columns are there.

        Raises:
            ValueError: a column is not there, stands twice, or the format has none.
        """
        if self.columns is None and not self.keep:
            return
        if self.format not in TABULAR:
            raise ValueError(f"{self.format} has no columns to choose; --columns and --keep need {', '.join(TABULAR)}")
        known = [*COLUMNS, NTH, *TWINS, *self.keep]
        clash = next((name for name in self.keep if known.count(name) > 1), None)
        if clash is not None:
            raise ValueError(f"--keep {clash}: a column of this name is there already")
        for name in self.columns or ():
            if name not in known:
                raise ValueError(f"--columns {name}: there is no such column; there are {', '.join(known)}")
            if (self.columns or ()).count(name) > 1:
                raise ValueError(f"--columns {name}: it stands twice")

    @property
    def names(self) -> list[str]:
        """The columns, in order."""
        if self.columns is not None:
            return list(self.columns)
        nth = [NTH] if self.listed else []
        return [COLUMNS[0], *nth, *COLUMNS[1:], *(TWINS if self.dedup else ()), *self.keep]

    def subject(self) -> dict[str, Any]:
        """Returns what a journal must know to tell this shape from another."""
        return {"format": self.format, "columns": self.columns and list(self.columns), "keep": list(self.keep)} | (
            {"dedup": self.dedup} if self.dedup else {}
        )

    def header(self) -> bytes:
        """Returns what stands before the first row."""
        return format_header(self._written_as, self.names, list(self.keep)).encode()

    def rows(
        self,
        first_id: int,
        sources: Sequence[str],
        rows: bytes,
        work: bytes,
        answer: bytes,
        twins: tuple[bytes, list[int], list[bool]] | None = None,
    ) -> bytes:
        """Returns the rows of a chunk; `twins` as `format_rows` has them."""
        names = self.names
        columns = None if names == list(COLUMNS) else names
        kept = list(self.keep)
        form, names = self._written_as, list(sources)
        return format_rows(form, first_id, names, rows, work, answer, columns, kept, twins)

    @property
    def _written_as(self) -> str:
        return _WRITTEN_AS.get(self.format, self.format)


def names_in(given: str | None) -> tuple[str, ...]:
    """Returns the names of a list with commas."""
    return tuple(_stripped((given or "").split(",")))


def _stripped(names: Iterable[str]) -> Iterable[str]:
    return (name.strip() for name in names if name.strip())
