"""Compressed files, archives and encodings: told by their content, never by their name."""

import bz2
import gzip
import lzma
import random
import struct
import zipfile
from pathlib import Path

import pytest

from producer.extras import MissingExtraError, load
from tests.puzzles import MADE
from tests.reading import read, read_bytes

ONE, TWO, THREE = (MADE[i].text for i in range(3))
PLAIN = f"{ONE} one\n{TWO} two\n".encode()


def zstd(content: bytes) -> bytes:
    packed: bytes = load("zstd").compress(content)
    return packed


PACKERS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lambda content: lzma.compress(content, preset=1),
    "zstd": zstd,
}


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", ["a.txt", "a.gz", "a.zip", "a"])
def test_a_packed_file_is_told_by_its_content(tmp_path: Path, packer: str, name: str) -> None:
    found = read_bytes(tmp_path, PACKERS[packer](PLAIN), name)

    assert (found.puzzles, found.faults) == ([ONE, TWO], [])


@pytest.mark.parametrize("packer", PACKERS)
def test_several_members_are_one_text(tmp_path: Path, packer: str) -> None:
    pack = PACKERS[packer]

    found = read_bytes(tmp_path, pack(PLAIN[:50]) + pack(PLAIN[50:]))

    assert (found.puzzles, found.faults) == ([ONE, TWO], [])


def test_zeros_behind_a_gzip_member_are_padding(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, gzip.compress(PLAIN) + bytes(10))

    assert (found.puzzles, found.faults) == ([ONE, TWO], [])


@pytest.mark.parametrize("packer", PACKERS)
def test_of_a_file_that_is_cut_short_what_came_before_stands(tmp_path: Path, packer: str) -> None:
    rng = random.Random(1)
    many = b"".join(f"{ONE} {rng.getrandbits(400)}\n".encode() for _ in range(20_000))
    packed = PACKERS[packer](many)

    found = read_bytes(tmp_path, packed[: len(packed) * 3 // 4])

    assert len(found.puzzles) > 5000
    assert set(found.puzzles[:-1]) == {ONE}
    assert ["cut short" in fault for fault in found.faults] == [True]


@pytest.mark.parametrize("packer", PACKERS)
def test_a_damaged_file_is_a_fault(tmp_path: Path, packer: str) -> None:
    packed = bytearray(PACKERS[packer](PLAIN * 50))
    packed[len(packed) // 2] ^= 0xFF
    packed[len(packed) // 2 + 1] ^= 0xFF

    found = read_bytes(tmp_path, bytes(packed))

    assert ["a.txt: the archive is" in fault for fault in found.faults] == [True]


def test_plain_text_with_the_name_of_an_archive_is_plain_text(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, PLAIN, "a.txt.gz").puzzles == [ONE, TWO]


def test_members_of_a_zip_archive_are_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b/two.csv", f"id,puzzle\n1,{TWO}\n")
        archive.writestr("a/one.txt.gz", gzip.compress(PLAIN))
        archive.writestr("readme.md", "hello\nworld 123\n")
        archive.writestr("__MACOSX/._x", b"\0\1")
        archive.writestr("large.txt", "1234567890ABCDEF\n" * 16)

    found = read(path)

    assert [row["source"].removeprefix(f"{path}!") for row in found.rows] == [
        "a/one.txt.gz",
        "a/one.txt.gz",
        "b/two.csv",
        "large.txt",
    ]
    assert found.puzzles == [ONE, TWO, TWO, ""]
    assert "16x16" in found.notes[-1]
    assert found.lines.structure == 2 + 1 + 15


def test_a_damaged_zip_archive_is_a_fault_and_the_next_file_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "whole.zip", "w") as archive:
        archive.writestr("one.txt", PLAIN)
    whole = (tmp_path / "whole.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "wrong.zip").write_bytes(whole.replace(TWO.encode()[:9], b"999999999"))
    (tmp_path / "plain.txt").write_bytes(PLAIN)

    found = read(tmp_path / "cut.zip", tmp_path / "wrong.zip", tmp_path / "plain.txt")

    assert found.puzzles[-2:] == [ONE, TWO]
    assert len(found.faults) == 2


def test_a_zip_archive_with_a_name_that_is_no_text_is_a_fault(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("\u00fc.txt", PLAIN)
    damaged = (tmp_path / "a.zip").read_bytes().replace("\u00fc".encode(), b"\xff\xff")

    found = read_bytes(tmp_path, damaged)

    assert ["damaged" in fault for fault in found.faults] == [True]


def test_binary_junk_is_rows_and_never_a_crash(tmp_path: Path) -> None:
    junk = random.Random(5).randbytes(20_000)

    found = read_bytes(tmp_path, b"\x7fELF" + junk)

    assert {row["status"] for row in found.rows} == {"invalid"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, end: str) -> None:
    text = end.join([f"{ONE} caf\u00e9", "", TWO, "# the end", THREE, ""])

    found = read_bytes(tmp_path, text.encode(encoding))

    assert found.puzzles == [ONE, TWO, THREE]
    assert found.labels[0] == "caf\u00e9"
    assert found.at_lines == [1, 3, 5]
    assert not any("\r" in value for row in found.rows for value in row.values())


def test_an_encoded_table_and_an_encoded_grid(tmp_path: Path) -> None:
    grid = "".join(f"{ONE[at : at + 9]}\r\n" for at in range(0, 81, 9))

    assert read_bytes(tmp_path, f"id,puzzle\n1,{ONE}\n".encode("utf-16")).puzzles == [ONE]
    assert read_bytes(tmp_path, grid.encode("utf-16")).puzzles == [ONE]


@pytest.mark.parametrize("form", ["parquet", "arrow file", "arrow stream"])
def test_parquet_and_arrow(tmp_path: Path, form: str) -> None:
    arrow = load("arrow")
    cells = [0 if mark == "." else int(mark) for mark in TWO]
    text = arrow.table({"id": [1, 2], "level": [7, None], "puzzle": [ONE, "short"], "solution": [ONE, None]})
    path = tmp_path / "a.bin"
    write_arrow(arrow, text, path, form)

    found = read(path, keep=("level",))
    write_arrow(arrow, arrow.table({"board": [cells]}), path, form)
    lists = read(path)

    assert found.puzzles == [ONE, ""]
    assert found.notes[0] == "differs from the given solution"
    assert [row["level"] for row in found.rows] == ["7", ""]
    assert lists.puzzles == [TWO]


def write_arrow(arrow, table, path: Path, form: str) -> None:
    if form == "parquet":
        load("parquet").write_table(table, path)
        return
    ipc = load("arrow ipc")
    new = ipc.new_file if form == "arrow file" else ipc.new_stream
    with arrow.OSFile(str(path), "wb") as file, new(file, table.schema) as writer:
        writer.write_table(table)


def test_a_parquet_file_without_puzzles_names_its_columns(tmp_path: Path) -> None:
    arrow = load("arrow")
    write_arrow(arrow, arrow.table({"a": [1], "b": [2]}), tmp_path / "a.parquet", "parquet")

    found = read(tmp_path / "a.parquet")

    assert "a, b" in found.faults[0]


def test_an_arrow_file_whose_texts_lie_outside_of_it_is_a_fault(tmp_path: Path) -> None:
    path, ends = tmp_path / "whole.bin", struct.pack("<3i", 0, 81, 162)
    write_arrow(load("arrow"), load("arrow").table({"puzzle": [ONE, TWO]}), path, "arrow file")
    whole = path.read_bytes()
    assert whole.count(ends) == 1

    found = read_bytes(tmp_path, whole.replace(ends, struct.pack("<3i", 0, 81, 1 << 30)))

    assert found.puzzles == []
    assert ["damaged" in fault for fault in found.faults] == [True]


def test_a_library_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "backports.zstd", None)
    monkeypatch.setattr("producer.extras._MODULES", {"zstd": ("backports.zstd", "zstd")})

    with pytest.raises(MissingExtraError, match=r"pip install 'gridmill\[zstd\]'"):
        load("zstd")
    with pytest.raises(MissingExtraError):
        read_bytes(tmp_path, b"\x28\xb5\x2f\xfd and more")
