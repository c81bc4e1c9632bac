"""Files of every form that a machine wrote, damaged at random: rows and faults come of them, never anything else."""

import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from producer.extras import load
from tests.puzzles import MADE
from tests.reading import read_bytes
from tests.test_packed import PACKERS

# A short look in the plain suite; more when somebody asks for it.
DAMAGES = int(os.environ.get("GRIDMILL_DAMAGES") or 150)
TEXT = "".join(f"{puzzle.text} no. {number}\n" for number, puzzle in enumerate(MADE[:10])).encode()


def zipped(compression: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("a.txt", TEXT)
        archive.writestr("b/c.csv", f"id,puzzle,note\n1,{MADE[0].text},x\n")
    return file.getvalue()


def table() -> object:
    puzzles = [puzzle.text for puzzle in MADE[:10]]
    columns = {"puzzle": puzzles, "label": [None, *"abcdefghi"], "x": [[1, 2]] * 10}
    return load("arrow").table(columns)


def parquet() -> bytes:
    file = io.BytesIO()
    load("parquet").write_table(table(), file)
    return file.getvalue()


def arrow(opener: str) -> bytes:
    file, content = io.BytesIO(), table()
    with getattr(load("arrow ipc"), opener)(file, content.schema) as writer:  # type: ignore[attr-defined]
        writer.write_table(content)
    return file.getvalue()


def opensudoku() -> bytes:
    game = MADE[0].text.replace(".", "0")
    return f'<?xml version="1.0"?><opensudoku><game data="{game}"/></opensudoku>'.encode()


FILES: dict[str, Callable[[], bytes]] = {
    **{name: lambda pack=pack: pack(TEXT) for name, pack in PACKERS.items()},  # type: ignore[misc]
    "zip, stored": lambda: zipped(zipfile.ZIP_STORED),
    "zip, deflated": lambda: zipped(zipfile.ZIP_DEFLATED),
    "parquet": parquet,
    "arrow file": lambda: arrow("new_file"),
    "arrow stream": lambda: arrow("new_stream"),
    "utf-16": lambda: TEXT.decode().encode("utf-16"),
    "json": lambda: json.dumps({"puzzles": [{"puzzle": puzzle.text, "n": 1} for puzzle in MADE[:10]]}).encode(),
    "json lines": lambda: b"".join(json.dumps({"puzzle": puzzle.text}).encode() + b"\n" for puzzle in MADE[:10]),
    "xml": opensudoku,
}


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with a few bits, bytes or stretches of it changed, taken out, doubled or moved."""
    text = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at, length = rng.randrange(len(text) + 1), rng.choice([1, 1, 4, 30])
        match rng.randrange(6):
            case 0 if at < len(text):
                text[at] ^= 1 << rng.randrange(8)
            case 1:
                text[at : at + length] = rng.randbytes(length)
            case 2:
                del text[at : at + length]
            case 3:
                text[at:at] = text[rng.randrange(len(text) + 1) :][:length]
            case 4:
                text[at : at + length] = rng.choice([b"\0", b"\xff"]) * length
            case _ if rng.random() < 0.2:
                del text[at:]
    return bytes(text)


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_gives_rows_and_faults(tmp_path: Path, name: str) -> None:
    content, rng = FILES[name](), random.Random(name)
    whole = read_bytes(tmp_path, content)
    assert whole.puzzles
    assert not whole.faults

    for _ in range(DAMAGES):
        # `read_bytes` checks that the lines add up, and lets pass no error but those that are told as faults.
        read_bytes(tmp_path, damaged(content, rng), keep=("x",))


def test_nothing_but_damage_is_rows_and_faults(tmp_path: Path) -> None:
    rng = random.Random(1)
    beginnings = [b"", *(FILES[name]()[:8] for name in FILES)]

    for _ in range(DAMAGES):
        read_bytes(tmp_path, rng.choice(beginnings) + rng.randbytes(rng.randrange(300)))
