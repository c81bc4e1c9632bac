"""Lines of sources, cut into chunks: the same rows whatever the blocks, the files and the chunks are."""

import gzip
import io
import os
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from producer.readers import feed as feed_module
from producer.readers.cutter import Cutter
from producer.readers.sources import Source, find_sources
from solver_core.chunk import unpack_puzzles
from solver_core.rows import format_rows
from solver_core.solvers import SOLVERS
from tests.rows import lines, read_rows

MIXED = (
    "\ufeff# a comment\n"
    "\n"
    + "\r\n".join(lines(3))
    + "\n; another\n"
    + "too short\n"
    + lines(5)[4].replace(".", "0")
    + "\n   \n"
    + f"{lines(6)[5][:81]}{'9' * 40}\n"
    + lines(7)[6]  # no newline at the end
)


@dataclass(frozen=True)
class Pieces:
    """A source that comes in pieces of our choice; stands in for `Source`."""

    name: str
    pieces: Sequence[bytes]
    member: str | None = None

    def blocks(self, size: int) -> Iterator[bytes]:
        return iter(self.pieces)


def cut_all(cutter: Cutter, chunk_rows: int = 1000) -> list[dict[str, str]]:
    """The rows of a cutter, as a run would write them, without what a solver adds."""
    rows: list[dict[str, str]] = []
    while not cutter.ended:
        chunk = cutter.cut(chunk_rows, wait_s=1.0)
        if chunk is None:
            continue
        assert 0 < chunk.count <= chunk_rows
        assert chunk.name.start == len(rows)
        answer = SOLVERS["solo"](unpack_puzzles(chunk.work), 1, 0, None)
        names = [source.name for source in cutter.sources]
        text = format_rows("csv", chunk.name.start + 1, names, chunk.rows, chunk.work, answer).decode()
        rows += read_rows("id,source,line,label,puzzle,status,solutions,solution,guesses,time_ns,note\n" + text)
    cutter.close()
    return [{key: row[key] for key in ("id", "source", "line", "label", "puzzle", "note")} for row in rows]


def of_bytes(text: bytes, name: str = "a.txt") -> Cutter:
    return Cutter([Pieces(name, [text])])  # type: ignore[list-item]


def test_rows_carry_id_source_line_and_label() -> None:
    rows = cut_all(of_bytes(MIXED.encode()))

    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "5", "6", "7"]
    assert [row["line"] for row in rows] == ["3", "4", "5", "7", "8", "10", "11"]
    assert [row["label"] for row in rows][:3] == ["number 1", "number 2", "number 3"]
    assert rows[4]["puzzle"] == lines(5)[4][:81]
    assert "too short" in rows[3]["note"]
    assert [bool(row["puzzle"]) for row in rows] == [True, True, True, False, True, False, True]


def test_rows_are_the_same_wherever_the_text_is_broken_into_blocks() -> None:
    text = MIXED.encode()
    whole = cut_all(of_bytes(text))

    for at in range(len(text) + 1):
        assert cut_all(Cutter([Pieces("a.txt", [text[:at], text[at:]])])) == whole, at  # type: ignore[list-item]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 80, 81, 82, 83])
def test_rows_are_the_same_when_text_comes_in_small_blocks(size: int) -> None:
    text = MIXED.encode()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]

    assert cut_all(Cutter([Pieces("a.txt", pieces)])) == cut_all(of_bytes(text))  # type: ignore[list-item]


@pytest.mark.parametrize("chunk_rows", [1, 2, 3, 6, 7, 8])
def test_rows_are_the_same_for_every_chunk_size(chunk_rows: int) -> None:
    text = MIXED.encode()

    assert cut_all(of_bytes(text), chunk_rows) == cut_all(of_bytes(text))


@pytest.mark.parametrize("skipped", range(9))
def test_what_is_skipped_and_what_is_cut_make_the_whole(skipped: int) -> None:
    text = MIXED.encode()
    whole = cut_all(of_bytes(text))

    rest = of_bytes(text)
    passed = rest.skip(skipped)

    assert passed == min(skipped, len(whole))
    cut = rest.cut(1000, wait_s=1.0)
    assert (cut.name.start if cut else len(whole)) == passed
    assert (cut.name.stop if cut else len(whole)) == len(whole)


def test_skipping_counts_lines_as_cutting_does() -> None:
    cut, skipped = of_bytes(MIXED.encode()), of_bytes(MIXED.encode())
    cut_all(cut)

    skipped.skip(10**6)

    assert skipped.lines() == cut.lines()


def test_lines_add_up() -> None:
    cutter = Cutter([Pieces("a", [MIXED.encode()]), Pieces("b", []), Pieces("c", [MIXED.encode()])])  # type: ignore[list-item]

    rows = cut_all(cutter)

    tally = cutter.lines()
    assert tally.total == 2 * 11
    assert tally.total == tally.blank + tally.comment + tally.structure + tally.puzzle
    assert (tally.blank, tally.comment, tally.puzzle) == (4, 4, 14)
    assert len(rows) == tally.puzzle


def test_several_files_are_one_batch_and_each_begins_at_line_1(tmp_path: Path) -> None:
    for name, count in (("a", 2), ("b", 0), ("c", 3)):
        (tmp_path / name).write_text("\n".join(lines(count)))  # the last line of a file needs no newline

    rows = cut_all(Cutter(find_sources([str(tmp_path / name) for name in "abc"])))

    assert [(row["id"], Path(row["source"]).name, row["line"]) for row in rows] == [
        ("1", "a", "1"),
        ("2", "a", "2"),
        ("3", "c", "1"),
        ("4", "c", "2"),
        ("5", "c", "3"),
    ]


@pytest.mark.parametrize("text", [b"", b"\n", b"\xef\xbb\xbf", b"#", b"\r\n\r\n"])
def test_an_input_without_puzzles_has_no_rows(text: bytes) -> None:
    cutter = of_bytes(text)

    assert cut_all(cutter) == []
    assert cutter.faults == []


def test_gzip_is_told_by_its_content_and_may_have_several_members(tmp_path: Path) -> None:
    plain = "\n".join(lines(40)) + "\n"
    packed = tmp_path / "no-suffix"
    half = plain.index("\n", len(plain) // 2) + 20  # in the middle of a line
    packed.write_bytes(gzip.compress(plain[:half].encode()) + gzip.compress(plain[half:].encode()))

    cutter = Cutter(find_sources([str(packed)]))

    assert [row["label"] for row in cut_all(cutter)] == [f"number {i}" for i in range(1, 41)]
    assert cutter.faults == []


def test_of_a_truncated_archive_the_rows_before_the_cut_remain_and_the_next_file_is_read(tmp_path: Path) -> None:
    plain = ("\n".join(lines(2000)) + "\n").encode()
    packed = gzip.compress(plain)
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "whole.txt").write_text(f"{lines(1)[0]}\n")
    seen = len(zlib.decompressobj(31).decompress(packed[: len(packed) // 2]).splitlines())

    cutter = Cutter(find_sources([str(tmp_path / "cut.gz"), str(tmp_path / "whole.txt")]))
    rows = cut_all(cutter)

    assert rows[-1]["source"].endswith("whole.txt")
    assert seen - 1 <= sum(row["source"].endswith("cut.gz") for row in rows) <= seen
    assert [row["label"] for row in rows[:100]] == [f"number {i}" for i in range(1, 101)]
    assert len(cutter.faults) == 1
    assert "cut.gz" in cutter.faults[0]
    assert "cut short" in cutter.faults[0]


@pytest.mark.parametrize("damage", ["crc", "garbage behind"])
def test_a_damaged_archive_is_told_and_its_rows_remain(tmp_path: Path, damage: str) -> None:
    packed = bytearray(gzip.compress(("\n".join(lines(10)) + "\n").encode()))
    if damage == "crc":
        packed[-5] ^= 0xFF
    else:
        packed += b"what is this"
    (tmp_path / "a.gz").write_bytes(packed)

    cutter = Cutter(find_sources([str(tmp_path / "a.gz")]))
    rows = cut_all(cutter)

    assert len(rows) == 10
    assert ["a.gz" in fault for fault in cutter.faults] == [True]


def test_a_file_that_vanishes_before_its_turn_is_told(tmp_path: Path) -> None:
    sources = [Source("gone.txt", tmp_path / "gone.txt"), Source("(typed)", text=lines(1)[0][:81])]

    cutter = Cutter(sources)
    rows = cut_all(cutter)

    assert [row["source"] for row in rows] == ["(typed)"]
    assert ["gone.txt" in fault for fault in cutter.faults] == [True]


def test_a_line_longer_than_any_block_is_one_invalid_row(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(f"{lines(1)[0]}\n{'5' * 3_000_000}\n{lines(2)[1]}\n")

    rows = cut_all(Cutter(find_sources([str(path)])))

    assert [(row["line"], bool(row["puzzle"])) for row in rows] == [("1", True), ("2", False), ("3", True)]
    assert len(rows[1]["note"]) < 300


def test_bytes_that_are_no_utf8_do_not_harm_their_neighbours() -> None:
    rows = cut_all(of_bytes(b"\n".join([lines(1)[0].encode(), b"\xff\xfe\x00\x80", lines(2)[1].encode()])))

    assert [bool(row["puzzle"]) for row in rows] == [True, False, True]


def test_a_slow_pipe_gives_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    go_on = threading.Event()
    writer = threading.Thread(target=write_slowly, args=(path, go_on))
    writer.start()

    cutter = Cutter([Source("pipe", path)])
    first = until_cut(cutter)
    none_yet = cutter.cut(1000, wait_s=0.05)
    was_ended = cutter.ended
    go_on.set()
    rest = until_cut(cutter)
    while not cutter.ended:
        assert cutter.cut(1000, wait_s=0.05) is None
    writer.join()

    assert (first.name, none_yet, was_ended, rest.name) == ((0, 2), None, False, (2, 3))


def write_slowly(path: Path, go_on: threading.Event) -> None:
    with path.open("w") as pipe:
        pipe.write("\n".join(lines(2)) + "\n" + lines(3)[2][:30])
        pipe.flush()
        go_on.wait(60)
        pipe.write(lines(3)[2][30:])


def until_cut(cutter: Cutter):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        chunk = cutter.cut(1000, wait_s=0.2)
        if chunk:
            return chunk
    raise AssertionError("nothing came")


def test_reading_ahead_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "BLOCKS_AHEAD", 2)
    taken = []

    def endless() -> Iterator[bytes]:
        while True:
            taken.append(1)
            yield f"{lines(1)[0]}\n".encode()

    class Endless:
        name = "endless"
        member = None

        def blocks(self, size: int) -> Iterator[bytes]:
            return endless()

    cutter = Cutter([Endless()])  # type: ignore[list-item]
    cutter.cut(1, wait_s=5)
    time.sleep(0.1)
    held = len(taken)
    cutter.close()

    assert held <= 5


def test_standard_input_is_read_as_it_comes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("\n".join(lines(3)))

    with path.open("rb") as file:
        monkeypatch.setattr("sys.stdin", Numbered(file.fileno()))
        rows = cut_all(Cutter(find_sources(["-"])))

    assert [(row["source"], row["line"]) for row in rows] == [("-", "1"), ("-", "2"), ("-", "3")]


class Numbered(io.StringIO):
    """A stand-in for standard input that has this file number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.fileno: Callable[[], int] = lambda: number  # type: ignore[method-assign]
