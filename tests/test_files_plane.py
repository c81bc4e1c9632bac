"""The `files` plane without a broker: ranges are cut, answered, refused, and cut into puzzles."""

import contextlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from producer.batch import Manner, Question, _on_plane
from producer.chunk import Chunk
from producer.files_plane import PartsFolder, RangeCutter, RangeWire, expanded, is_plain
from producer.journal import Journal
from producer.readers.cutter import Cutter
from producer.readers.reading import Reading
from producer.readers.sources import find_sources
from producer.shape import Shape
from solver_core.chunk import unpack_puzzles, unpack_results
from solver_core.errors import ChunkError
from solver_core.range_chunk import RangeAnswer, pack, unpack_range_answer, unpack_range_work
from solver_core.rows import format_rows
from solver_core.sealed import seal, unseal
from solver_core.sudoku import Stop, answer
from tests.puzzles import PUZZLES
from worker import ranges

SHAPE = Shape("csv")
META = {"solver": "lanes", "limit": 2, "max_guesses": 10_000}
LINES = [
    "# a comment",
    *(f"{puzzle.text} {puzzle.name}" for puzzle in PUZZLES),
    "",
    "no puzzle at all",
    *(puzzle.text for puzzle in PUZZLES),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, end in (("a.txt", "\n"), ("b.txt", "\r\n")):
        (tmp_path / name).write_bytes(end.join(LINES).encode())
    (tmp_path / "empty.txt").touch()
    return tmp_path


def inputs(folder: Path) -> list[str]:
    return [str(folder / name) for name in ("a.txt", "empty.txt", "b.txt")]


def cut_all(cutter: Cutter | RangeCutter, size: int) -> list[Chunk]:
    chunks = []
    while not cutter.ended:
        chunk = cutter.cut(size, 1.0)
        if chunk:
            chunks.append(chunk)
    cutter.close()
    return chunks


def rows_of(chunks: Sequence[Chunk], names: list[str]) -> bytes:
    """The text of rows that are not solved: what they are, and where they stood."""
    text = b""
    for chunk in chunks:
        whole = expanded(chunk, names)
        results = answer(whole.work, META | {"solver": "lanes", "max_guesses": 0}, Stop())
        text += format_rows("csv", whole.name.start + 1, names, whole.rows, whole.work, results)
    return b"".join(b",".join(line.split(b",")[:5]) for line in text.splitlines())


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_ranges_hold_the_rows_that_the_reader_finds(folder: Path, size: int) -> None:
    sources = find_sources(inputs(folder))
    by_range, by_line = RangeCutter(sources, SHAPE, folder), Cutter(sources)

    ranges_cut, lines_cut = cut_all(by_range, size), cut_all(by_line, 1000)

    assert rows_of(ranges_cut, inputs(folder)) == rows_of(lines_cut, inputs(folder))
    assert by_range.lines() == by_line.lines()
    assert [chunk.name.start for chunk in ranges_cut[1:]] == [chunk.name.stop for chunk in ranges_cut[:-1]]


def test_rows_that_are_skipped_are_those_that_would_have_been_cut(folder: Path) -> None:
    sources = find_sources(inputs(folder))
    whole, rest = RangeCutter(sources, SHAPE, folder), RangeCutter(sources, SHAPE, folder)

    skipped = rest.skip(len(PUZZLES) + 3)

    assert skipped == len(PUZZLES) + 3
    wanted = [chunk for chunk in cut_all(whole, 1) if chunk.name.start >= skipped]
    assert cut_all(rest, 1) == wanted
    assert RangeCutter(sources, SHAPE, folder).skip(10**9) == whole.lines().puzzle


def test_a_part_file_holds_the_rows_that_the_gatherer_would_write(folder: Path) -> None:
    sources = find_sources(inputs(folder))
    parts = PartsFolder(folder / "out.csv")
    parts.make()
    [chunk, *_] = cut_all(RangeCutter(sources, SHAPE, parts.path), 1000)
    whole = expanded(chunk, inputs(folder))

    given = unpack_range_answer(ranges.answer(chunk.work, META, Stop(), str(folder)))

    results = answer(whole.work, META, Stop())
    wanted = format_rows("csv", 1, inputs(folder), whole.rows, whole.work, results)
    found = (parts.path / given.part).read_bytes()
    assert len(found) == given.part_bytes
    assert without_times(found) == without_times(wanted)
    assert sum(given.statuses) == chunk.count
    assert RangeWire().examine(chunk.work, pack(given)) == ([], given.kernel_ns)
    parts.remove()
    assert not parts.path.exists()


def without_times(text: bytes) -> list[list[bytes]]:
    return [line.split(b",")[:9] for line in text.splitlines()]


@pytest.mark.parametrize(
    ("change", "shared"),
    [
        ({}, ""),
        ({}, "/nowhere"),
        ({"path": "/etc/passwd"}, None),
        ({"parts": "/"}, None),
        ({"crc32": 1}, None),
        ({"offset": 10**12}, None),
        ({"length": 1 << 40}, None),
        ({"rows": 10**6}, None),
        ({"parts": "/nowhere/at/all"}, "/"),
    ],
)
def test_a_range_that_cannot_or_may_not_be_served_is_refused_and_travels_as_puzzles(
    folder: Path, change: dict[str, object], shared: str | None
) -> None:
    [chunk, *_] = cut_all(RangeCutter(find_sources(inputs(folder)), SHAPE, folder), 1000)
    asked = unpack_range_work(chunk.work)
    before = set(folder.iterdir())

    given = ranges.answer(pack(replace(asked, **change)), META, Stop(), str(folder) if shared is None else shared)

    assert unpack_range_answer(given).refused
    assert set(folder.iterdir()) == before
    wire = RangeWire()
    assert wire.examine(chunk.work, given) == ([(0, chunk.count)], 0)
    assert wire.refused == 1
    puzzles = wire.slice_work(chunk.work, 2, 5)
    assert unpack_puzzles(puzzles) == b"".join(puzzle.cells for puzzle in PUZZLES[2:5])
    results = answer(puzzles, META, Stop())
    merged = wire.merge_answers(3, [(0, given), (0, results)])
    assert unpack_results(merged) == unpack_results(results)


def test_a_link_does_not_lead_out_of_the_shared_folder(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "way_out").symlink_to("/etc")

    assert ranges.is_allowed(str(shared / "x"), str(shared))
    assert not ranges.is_allowed(str(shared / "way_out" / "passwd"), str(shared))
    assert not ranges.is_allowed(str(shared / ".." / "x"), str(shared))
    assert not ranges.is_allowed(str(tmp_path / "shared_too" / "x"), str(shared))
    assert not ranges.is_allowed(str(shared / "x"), "")


def test_a_stopped_kernel_leaves_no_part(folder: Path) -> None:
    [chunk, *_] = cut_all(RangeCutter(find_sources(inputs(folder)), SHAPE, folder), 1000)
    stop = Stop()
    stop.set()
    before = set(folder.iterdir())

    given = unpack_range_answer(ranges.answer(chunk.work, META, stop, str(folder)))

    assert given.refused == "stopped"
    assert set(folder.iterdir()) == before


def test_an_answer_without_its_part_is_garbled(folder: Path) -> None:
    [chunk, *_] = cut_all(RangeCutter(find_sources(inputs(folder)), SHAPE, folder), 1000)
    statuses = (0, chunk.count, 0, 0, 0, 0, 0, 0)

    with pytest.raises(ChunkError):
        RangeWire().examine(chunk.work, pack(RangeAnswer("gone", 1, statuses, 1)))


def test_a_file_that_changes_on_the_way_is_noticed(folder: Path) -> None:
    [chunk, *_] = cut_all(RangeCutter(find_sources(inputs(folder)), SHAPE, folder), 1000)
    text = (folder / "a.txt").read_bytes()
    (folder / "a.txt").write_bytes(text.replace(b"1", b"2", 1))

    with pytest.raises(ChunkError, match="changed"):
        expanded(chunk, inputs(folder))
    assert unpack_range_answer(ranges.answer(chunk.work, META, Stop(), str(folder))).refused


@given(st.binary(max_size=300) | st.builds(seal, st.dictionaries(st.text(), st.integers())))
def test_hostile_payloads_are_refused(payload: bytes) -> None:
    for read in (unpack_range_work, unpack_range_answer):
        with pytest.raises(ChunkError):
            read(payload)


@pytest.mark.parametrize(
    "change",
    [
        {"part": "../../etc/passwd"},
        {"part_bytes": -1},
        {"statuses": [1]},
        {"kernel_ns": 1.5},
        {"slowest": [[1]]},
        {"given": [1]},
        {"x": 1},
    ],
)
def test_an_answer_with_a_value_that_is_none_is_refused(change: dict[str, object]) -> None:
    good = unseal(pack(RangeAnswer("part", 1, (0,) * 8, 1)))
    assert unpack_range_answer(seal(good)).part == "part"

    with pytest.raises(ChunkError):
        unpack_range_answer(seal(good | change))


def test_only_plain_files_are_read_by_workers(folder: Path) -> None:
    (folder / "packed.gz").write_bytes(b"\x1f\x8b rest")
    os.mkfifo(folder / "pipe")

    plain = [
        is_plain(source, Reading())
        for source in find_sources([*inputs(folder)[:1], str(folder / "packed.gz"), "." * 81])
    ]

    assert plain == [True, False, False]


def test_a_journal_joins_part_files_between_rows_of_its_own(tmp_path: Path) -> None:
    part = tmp_path / "part"
    part.write_bytes(b"two\nthree\n")

    with Journal(tmp_path / "out.csv", {}) as journal:
        journal.write(b"one\n", 1, lambda: {"n": 1})
        journal.join(part, 10, 2, lambda: {"n": 3})
        journal.write(b"four\n", 1, lambda: {"n": 4})
        journal.finish()
        journal.forget()

    assert (tmp_path / "out.csv").read_bytes() == b"one\ntwo\nthree\nfour\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv"]


def test_a_part_file_shorter_than_its_answer_is_an_error(tmp_path: Path) -> None:
    part = tmp_path / "part"
    part.write_bytes(b"two\n")

    with pytest.raises(OSError, match="shorter"), Journal(tmp_path / "out.csv", {}) as journal:
        journal.join(part, 10, 2, dict)


def test_the_folder_of_parts_goes_also_when_a_worker_is_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = PartsFolder(tmp_path / "out.csv")
    parts.make()
    (parts.path / "part").write_text("")
    remove, calls = shutil.rmtree, []

    def remove_late(path: Path, ignore_errors: bool) -> None:
        calls.append(path)
        if len(calls) > 2:  # before, the worker's part came in between
            remove(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", remove_late)
    parts.remove()

    assert not parts.path.exists()


def test_a_run_on_the_other_plane_sweeps_the_parts_of_a_killed_one(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(PUZZLES[0].text + "\n")
    out = tmp_path / "out.csv"
    PartsFolder(out).make()
    manner = Manner(None, 1, False, False, say=lambda _: None, progress=lambda _: None)
    sources = find_sources([str(tmp_path / "in.txt")])

    with contextlib.ExitStack() as stack:
        _on_plane("redis", sources, str(out), Shape("csv"), Question(2, 10, "solo"), Reading(), manner, stack)

    assert not (tmp_path / "out.csv.parts").exists()
