"""Where rows go: streams, formats by suffix, and small files that are there whole or not at all."""

import os
import sys
import threading
from pathlib import Path

import pytest

from producer.shape import Shape
from producer.writers import Stream, format_of, is_stream, write_whole


def no_state() -> dict[str, object]:
    return {}


@pytest.mark.parametrize(
    ("out", "chosen", "expected"),
    [
        ("a.csv", None, "csv"),
        ("a.CSV", None, "csv"),
        ("a.b.jsonl", None, "jsonl"),
        ("-", None, "csv"),
        ("a.csv", "jsonl", "jsonl"),
        ("a.unknown", "lines", "lines"),
        ("-", "jsonl", "jsonl"),
        ("/dev/null", None, "csv"),
    ],
)
def test_the_format_is_the_one_chosen_or_that_of_the_suffix(out: str, chosen: str | None, expected: str) -> None:
    assert format_of(out, chosen) == expected


@pytest.mark.parametrize("out", ["a.xls", "a", "csv", ".csv"])
def test_an_unknown_suffix_is_refused_and_a_way_out_is_named(out: str) -> None:
    with pytest.raises(ValueError, match=r"--format csv\|jsonl") as refused:
        format_of(out, None)

    assert out in str(refused.value)


def test_what_is_no_regular_file_is_a_stream(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()

    streams = [is_stream(str(place)) for place in ("-", "/dev/null", tmp_path / "pipe")]
    others = [is_stream(str(place)) for place in (tmp_path / "file", tmp_path, tmp_path / "not there")]

    assert (streams, others) == ([True] * 3, [False] * 3)


def test_a_pipe_gets_rows_as_they_come(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    seen: list[bytes] = []
    reader = threading.Thread(target=lambda: seen.append(path.read_bytes()))
    reader.start()

    with Stream(str(path)) as stream:
        stream.write(b"one\n", 1, no_state)
        stream.write(b"two\n", 1, no_state)
        stream.finish()
    reader.join(60)

    assert seen == [b"one\ntwo\n"]
    assert stream.rows == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_an_error_names_the_device() -> None:
    with Stream("/dev/full") as stream, pytest.raises(OSError, match="No space left") as failed:
        stream.write(b"x", 1, no_state)

    assert failed.value.filename == "/dev/full"


def test_standard_output_is_not_closed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with Stream("-") as stream:
        stream.write(b"one\n", 1, no_state)
    with Stream("-") as stream:
        stream.write(b"two\n", 1, no_state)

    assert not sys.stdout.closed
    assert capfdbinary.readouterr().out == b"one\ntwo\n"


def test_csv_alone_has_a_header() -> None:
    assert Shape("csv").header() == b"id,source,line,label,puzzle,status,solutions,solution,guesses,time_ns,note\n"
    assert Shape("jsonl").header() == Shape("lines").header() == b""


def test_a_small_file_is_written_over_and_nothing_is_left_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.json"

    write_whole(path, "old")
    write_whole(path, "new ü")

    assert path.read_text(encoding="utf-8") == "new ü"
    assert list(tmp_path.iterdir()) == [path]


def test_a_small_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, "old")

    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
