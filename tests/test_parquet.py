"""Parquet files: typed columns, made at the end of what the journal knows, whatever a crash leaves."""

from pathlib import Path

import pytest

from producer import parquet
from producer.extras import load
from producer.journal import Journal
from producer.shape import Shape
from producer.writers import format_of

SHAPE = Shape("parquet", keep=("by",), listed=True)
SUBJECT = {"format": "parquet"}
ROW = '{id},1,"a, b.txt",{id},"say ""x""",,multiple,2,,0,{time},,"A\nB"\n'


class Clock:
    """A second for every look at it, so that every row is a commit."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def opened(out: Path) -> Journal:
    return Journal(out, SUBJECT, pack=parquet.packer(), seal=parquet.sealer(SHAPE), clock=Clock())


def write(journal: Journal, first: int, last: int) -> None:
    if first == 1:
        journal.write(SHAPE.header(), 0, dict)
    for number in range(first, last + 1):
        journal.write(ROW.format(id=number, time=2**62 + number).encode(), 1, dict)


def rows_of(out: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = load("parquet").read_table(out).to_pylist()
    return rows


def test_columns_have_types_and_numbers_stay_exact(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"

    with opened(out) as journal:
        write(journal, 1, 3)
        journal.finish()
        journal.forget()

    schema = load("parquet").read_schema(out)
    numbers = [name for name, kind in zip(schema.names, schema.types, strict=True) if str(kind) == "int64"]
    assert schema.names == SHAPE.names
    assert numbers == ["id", "nth", "line", "solutions", "guesses", "time_ns"]
    assert rows_of(out)[2] == {
        "id": 3,
        "nth": 1,
        "source": "a, b.txt",
        "line": 3,
        "label": 'say "x"',
        "puzzle": None,
        "status": "multiple",
        "solutions": 2,
        "solution": None,
        "guesses": 0,
        "time_ns": 2**62 + 3,
        "note": None,
        "by": "A\nB",
    }
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


def test_no_rows_are_a_file_with_columns_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"

    with opened(out) as journal:
        write(journal, 1, 0)
        journal.finish()

    assert rows_of(out) == []
    assert load("parquet").read_schema(out).names == SHAPE.names


def test_what_was_written_before_a_crash_is_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with pytest.raises(RuntimeError, match="crash"):
        crash_after_rows(out)

    with opened(out) as journal:
        assert journal.rows == 5
        write(journal, 6, 8)
        journal.finish()
        journal.forget()

    assert [row["id"] for row in rows_of(out)] == list(range(1, 9))


def crash_after_rows(out: Path) -> None:
    with opened(out) as journal:
        write(journal, 1, 5)
        raise RuntimeError("crash")


@pytest.mark.parametrize("step", ["sealing", "renaming", "noting", "deleting"])
def test_a_crash_at_the_end_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    out = tmp_path / "out.parquet"

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    journal = opened(out)
    write(journal, 1, 5)
    with monkeypatch.context() as patch:
        match step:
            case "sealing":
                patch.setattr(journal, "_seal", crash)
            case "renaming":
                patch.setattr(Path, "replace", crash)
            case "noting":
                journal.commit()
                patch.setattr(journal, "_note", crash)
            case "deleting":
                patch.setattr(Path, "unlink", crash)
        with pytest.raises(KeyboardInterrupt):
            journal.finish()
    journal._file.close()
    journal._partial.close()

    with opened(out) as again:
        assert again.rows == 5
        again.finish()
        again.forget()

    assert [row["id"] for row in rows_of(out)] == [1, 2, 3, 4, 5]
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


@pytest.mark.parametrize(("out", "chosen"), [("-", "parquet"), ("a.parquet.gz", None), ("/dev/null", "parquet")])
def test_parquet_needs_a_file_of_its_own(out: str, chosen: str | None) -> None:
    with pytest.raises(ValueError, match="Parquet needs a file"):
        format_of(out, chosen)
