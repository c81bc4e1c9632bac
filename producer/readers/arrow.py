"""Parquet and Arrow files: a column of puzzles, as text or as lists of cells."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from producer.extras import MissingExtraError, load
from producer.readers.reading import PARQUET, DamagedError, Reading
from producer.readers.sink import Row, Sink
from producer.readers.tables import LABEL, PUZZLES, SOLUTIONS

_BATCH_ROWS = 4096


def read_arrow(file: BinaryIO, form: str, sink: Sink, reading: Reading) -> None:
    """Reads all rows of a file; the line of a row is its number.

    Raises:
        DamagedError: it cannot be read from here on, or has no column of puzzles.
        MissingExtraError: pyarrow is not installed.
    """
    for number, values in enumerate(_rows(file, form, reading), 1):
        sink.put(_row(values, number, reading))


def _rows(file: BinaryIO, form: str, reading: Reading) -> Iterator[dict[str, Any]]:
    """The rows, each with the values of its columns; the first column is that of the puzzles."""
    try:
        for batch in _batches(file, form, reading):
            # Damaged offsets would have it read memory that is not its own.
            batch.validate(full=True)
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield dict(zip(batch.schema.names, values, strict=True))
    except (DamagedError, MissingExtraError):
        raise
    except Exception as error:  # the library has no kind of its own for damage: names that are no UTF-8, say
        raise DamagedError(f"the {form} file is damaged ({' '.join(str(error).split())})"[:200]) from None


def _batches(file: BinaryIO, form: str, reading: Reading) -> Iterator[Any]:
    if form == PARQUET:
        table = load("parquet").ParquetFile(file)
        yield from table.iter_batches(_BATCH_ROWS, columns=_columns(table.schema_arrow.names, reading))
        return
    ipc = load("arrow ipc")
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    if not is_file:
        for batch in ipc.open_stream(file):
            yield batch.select(_columns(batch.schema.names, reading))
        return
    table = ipc.open_file(file)
    for place in range(table.num_record_batches):
        batch = table.get_batch(place)
        yield batch.select(_columns(batch.schema.names, reading))


def _columns(names: list[str], reading: Reading) -> list[str]:
    """The columns that are read: all others stay in the file."""
    puzzle = _find(names, (reading.column,) if reading.column else PUZZLES)
    if puzzle is None:
        raise DamagedError(f"there is no column of puzzles, name one with --column: {', '.join(names[:10])}"[:200])
    found = [puzzle, _find(names, SOLUTIONS), _find(names, (LABEL,)), *(_find(names, (name,)) for name in reading.keep)]
    return [name for name in dict.fromkeys(found) if name is not None]


def _find(names: list[str], wanted: Any) -> str | None:
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name.lower()] for name in wanted if name.lower() in lower), None)


def _row(values: dict[str, Any], number: int, reading: Reading) -> Row:
    names = list(values)
    solution, label = _find(names, SOLUTIONS), _find(names, (LABEL,))
    given = _text(values[solution]) if solution and solution != names[0] else b""
    kept = [_text(values[name]) if (name := _find(names, (wanted,))) else b"" for wanted in reading.keep]
    return Row(number, _text(values[names[0]]), _text(values[label]) if label else b"", given or None, kept or None)


def _text(value: Any) -> bytes:
    if value is None:
        return b""
    if isinstance(value, bytes):
        return value
    if isinstance(value, list):
        flat = [cell for row in value for cell in (row if isinstance(row, list) else [row])]
        return "".join("." if cell in (None, "") else str(cell) for cell in flat).encode()
    return str(value).encode()
