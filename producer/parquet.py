"""Parquet: rows on their way are CSV in frames of zstd, and become typed columns when all are there.

A Parquet file ends with the table of its row groups, so it cannot be gone on with after a crash. Rows of text can: the
journal treats them as those of any other format, and the file is made of them at the end.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from producer.extras import load
from producer.shape import Shape

# Rows of CSV, and thus of a row group: some hundred thousand, some MB when packed.
BLOCK_BYTES = 64 << 20
_NUMBERS = frozenset({"id", "nth", "line", "solutions", "guesses", "time_ns", "same_as"})
# Few different values: the file holds each once, and a number for each row.
_REPEATED = frozenset({"source", "status", "note"})


def packer() -> Callable[[bytes], bytes]:
    """Returns what makes a frame of rows of CSV.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    arrow = load("arrow")

    def pack(text: bytes) -> bytes:
        packed: bytes = arrow.compress(text, codec="zstd", asbytes=True)
        return packed

    return pack


def sealer(shape: Shape) -> Callable[[Path, Path], None]:
    """Returns what makes a Parquet file (second path) of rows of CSV (first path).

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    arrow, csv, parquet = load("arrow"), load("csv"), load("parquet")
    types = {name: _type_of(arrow, name) for name in shape.names}
    options = {
        "read_options": csv.ReadOptions(block_size=BLOCK_BYTES),
        "parse_options": csv.ParseOptions(newlines_in_values=True),
        "convert_options": csv.ConvertOptions(
            column_types=types, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        ),
    }

    def seal(rows: Path, out: Path) -> None:
        with arrow.input_stream(str(rows), compression="zstd") as text, csv.open_csv(text, **options) as batches:
            repeated = [name for name in shape.names if name in _REPEATED]
            with parquet.ParquetWriter(out, batches.schema, compression="zstd", use_dictionary=repeated) as writer:
                for batch in batches:
                    writer.write_batch(batch)

    return seal


def _type_of(arrow: Any, name: str) -> Any:
    """Numbers are 64 bits wide, all else is text; fields that are carried through stay as they stood."""
    return arrow.int64() if name in _NUMBERS else arrow.string()
