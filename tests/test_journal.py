"""The journal: OUT is the old file or the whole new one, and a run goes on from what was safe."""

import contextlib
import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from producer.journal import COMMIT_EVERY_S, Journal, beside, differences, fingerprint
from producer.readers.sources import find_sources
from solver_core.errors import BatchError
from tests import journal_crash
from tests.journal_crash import CHUNKS, ROWS, SUBJECT, WHOLE, Ticks, text_of

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.csv"


def started(out: Path, chunks: int = 2, **options: Any) -> None:
    """A run that was interrupted after some chunks, all safe."""
    with Journal(out, SUBJECT, clock=Ticks(), **options) as journal:
        journal.write(b"head\n", 0, lambda: {"chunks": []})
        for chunk in range(chunks):
            done = list(range(chunk + 1))
            journal.write(text_of(chunk), ROWS, lambda done=done: {"chunks": done})


def files(out: Path) -> list[str]:
    return sorted(path.name for path in out.parent.iterdir())


def test_a_run_leaves_the_whole_file_and_nothing_else(out: Path) -> None:
    journal_crash.run(out)

    assert out.read_bytes() == WHOLE
    assert files(out) == ["out.csv", "out.csv.summary.json"]


def test_an_interrupted_run_goes_on_where_it_ended(out: Path) -> None:
    started(out, chunks=2)

    with Journal(out, SUBJECT) as journal:
        seen = (journal.resumed, journal.rows, journal.state)
    journal_crash.run(out)

    assert seen == (True, 2 * ROWS, {"chunks": [0, 1]})
    assert out.read_bytes() == WHOLE


def test_the_old_file_stands_until_the_new_one_is_whole(out: Path) -> None:
    out.write_bytes(b"old")

    started(out)

    assert out.read_bytes() == b"old"
    journal_crash.run(out)
    assert out.read_bytes() == WHOLE


@pytest.mark.parametrize("old", [None, "old"])
def test_whatever_step_a_run_dies_at_the_file_is_old_or_whole_and_the_next_run_ends_it(
    tmp_path: Path, old: str | None
) -> None:
    command = [sys.executable, "-m", "tests.journal_crash", str(tmp_path), *([old] if old else [])]
    subprocess.run(command, cwd=REPOSITORY, timeout=60, check=True)

    outs = [folder / "out.csv" for folder in sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))]
    left = [out.read_bytes() if out.exists() else None for out in outs]
    for out in outs:
        journal_crash.run(out)

    befores = left.index(WHOLE)
    assert befores > 4 * CHUNKS
    assert left == [old and old.encode()] * befores + [WHOLE] * (len(left) - befores)
    assert [out.read_bytes() for out in outs] == [WHOLE] * len(outs)
    assert {tuple(files(out)) for out in outs} == {("out.csv", "out.csv.summary.json")}


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_a_torn_last_line_of_the_journal_is_as_if_it_had_not_been_written(out: Path, cut: int) -> None:
    started(out, chunks=3)
    path = beside(out, "journal")
    path.write_bytes(path.read_bytes()[:-cut])

    with Journal(out, SUBJECT) as journal:
        rows = journal.rows
    journal_crash.run(out)

    assert rows == 2 * ROWS
    assert out.read_bytes() == WHOLE


@pytest.mark.parametrize("tail", [b"\0" * 100, b'{"rows": 1', b"\xff\xfe\x80 no text\n", b"[]\n"])
def test_garbage_behind_the_last_commit_does_not_count(out: Path, tail: bytes) -> None:
    started(out, chunks=3)
    with beside(out, "journal").open("ab") as file:
        file.write(tail)

    with Journal(out, SUBJECT) as journal:
        rows = journal.rows
    journal_crash.run(out)

    assert rows == 3 * ROWS
    assert out.read_bytes() == WHOLE


def test_a_journal_whose_first_line_is_torn_is_begun_anew(out: Path) -> None:
    started(out, chunks=3)
    path = beside(out, "journal")
    path.write_bytes(path.read_bytes()[:20])

    journal_crash.run(out)

    assert out.read_bytes() == WHOLE


def test_bytes_behind_the_last_commit_are_cut_off(out: Path) -> None:
    started(out)
    with beside(out, "partial").open("ab") as file:
        file.write(b"row 6\nrow")

    journal_crash.run(out)

    assert out.read_bytes() == WHOLE


def test_a_partial_file_shorter_than_its_journal_says_is_refused(out: Path) -> None:
    started(out)
    os.truncate(beside(out, "partial"), 10)

    with pytest.raises(BatchError, match=r"out\.csv\.partial is shorter .* --fresh"):
        Journal(out, SUBJECT)


def test_a_partial_file_that_is_gone_is_refused(out: Path) -> None:
    started(out)
    beside(out, "partial").unlink()

    with pytest.raises(BatchError, match=r"out\.csv\.partial is gone.*--fresh"):
        Journal(out, SUBJECT)


def test_a_finished_file_that_was_renamed_but_not_forgotten_is_done(out: Path) -> None:
    journal = Journal(out, SUBJECT)
    journal.write(b"x\n", 1, lambda: {"done": 1})
    journal.finish()
    journal.__exit__(None, None, None)  # died before it could forget

    with Journal(out, SUBJECT) as again:
        seen = (again.rows, again.state)
        again.finish()
        again.forget()

    assert seen == (1, {"done": 1})
    assert files(out) == ["out.csv"]
    assert out.read_bytes() == b"x\n"


def test_a_finished_file_that_was_taken_away_before_it_was_forgotten_is_refused(out: Path) -> None:
    journal = Journal(out, SUBJECT)
    journal.write(b"x\n", 1, lambda: {})
    journal.finish()
    journal.__exit__(None, None, None)
    out.unlink()

    with pytest.raises(BatchError, match="--fresh"):
        Journal(out, SUBJECT)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"limit": 3}, "limit (2, now 3)"),
        ({"input": []}, "input"),
        ({"solver": "solo"}, "solver (None, now solo)"),
    ],
)
def test_a_journal_of_other_options_is_refused_and_the_difference_is_named(
    out: Path, changed: dict[str, Any], named: str
) -> None:
    started(out)

    with pytest.raises(BatchError) as refused:
        Journal(out, SUBJECT | changed)

    assert named in str(refused.value)
    assert not refused.value.locked
    journal_crash.run(out)  # and the old run can still go on
    assert out.read_bytes() == WHOLE


def test_a_journal_of_another_version_is_refused(out: Path) -> None:
    started(out)
    path = beside(out, "journal")
    lines = path.read_text().splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | {"gridmill_journal": 999})
    path.write_text("\n".join(lines) + "\n")

    with pytest.raises(BatchError, match="another version"):
        Journal(out, SUBJECT)


def test_fresh_begins_anew_whatever_the_old_journal_says(out: Path) -> None:
    started(out)

    with Journal(out, {"limit": 99}, fresh=True) as journal:
        seen = (journal.resumed, journal.rows, journal.state)
        journal.write(b"new\n", 1, lambda: {})
        journal.finish()
        journal.forget()

    assert seen == (False, 0, {})
    assert out.read_bytes() == b"new\n"


def test_an_output_that_another_process_works_on_is_locked(out: Path) -> None:
    script = "import sys; from pathlib import Path; from producer.journal import Journal\n"
    script += "with Journal(Path(sys.argv[1]), {}): print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=REPOSITORY) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == b"held\n"

        for fresh in (False, True):
            with pytest.raises(BatchError, match=r"another run is working on .*out\.csv") as refused:
                Journal(out, SUBJECT, fresh=fresh)
            assert refused.value.locked
        other.stdin.close()

    with Journal(out, {}) as journal:
        assert not journal.resumed


def test_a_refused_run_lets_go_of_the_lock(out: Path) -> None:
    started(out)
    with pytest.raises(BatchError):
        Journal(out, {"limit": 3})

    with Journal(out, SUBJECT) as journal:
        assert journal.resumed


def test_discard_leaves_the_old_file_and_nothing_else(out: Path) -> None:
    out.write_bytes(b"old")

    with Journal(out, SUBJECT) as journal:
        journal.write(b"new", 1, lambda: {})
        journal.discard()

    assert files(out) == ["out.csv"]
    assert out.read_bytes() == b"old"


def test_commits_are_no_closer_than_they_need_be(out: Path) -> None:
    now = 0.0
    with Journal(out, SUBJECT, clock=lambda: now) as journal:
        for step in range(10):
            now = step * COMMIT_EVERY_S / 4
            journal.write(b"x\n", 1, lambda: {})
        commits = len(beside(out, "journal").read_text().splitlines()) - 1
        journal.discard()

    assert commits == 2


def test_what_was_written_last_is_committed_when_the_time_comes_though_nothing_new_is(out: Path) -> None:
    now = 0.0
    with Journal(out, SUBJECT, clock=lambda: now) as journal:
        journal.write(b"x\n", 1, lambda: {"rows": 1})
        now = 1.0
        journal.tick()
        journal.tick()
        text = beside(out, "journal").read_text().splitlines()
        journal.discard()

    assert [json.loads(line)["rows"] for line in text[1:]] == [1]


def test_an_error_on_the_way_says_that_what_is_done_is_kept(out: Path) -> None:
    error = RuntimeError("broker gone")

    with contextlib.suppress(RuntimeError), Journal(out, SUBJECT) as journal:
        journal.write(text_of(0), ROWS, lambda: {"chunks": [0]})
        raise error

    assert ["kept" in note for note in error.__notes__] == [True]
    with Journal(out, SUBJECT) as journal:
        assert journal.rows == ROWS


def cannot_be_made(folder: Path) -> Path:
    return folder / "nowhere" / "out.csv"


def is_a_folder(folder: Path) -> Path:
    (folder / "out.csv.partial").mkdir()
    return folder / "out.csv"


@pytest.mark.parametrize("place", [cannot_be_made, is_a_folder])
def test_an_output_that_cannot_be_written_is_refused_at_once(tmp_path: Path, place: Callable[[Path], Path]) -> None:
    out = place(tmp_path)

    with pytest.raises(OSError, match=r"out\.csv"):
        Journal(out, SUBJECT)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_told_with_the_name_of_the_file(out: Path) -> None:
    beside(out, "partial").symlink_to("/dev/full")

    with pytest.raises(OSError, match="No space left") as failed, Journal(out, SUBJECT, clock=Ticks()) as journal:
        journal.write(text_of(0), ROWS, lambda: {})

    assert failed.value.filename == str(beside(out, "partial"))
    beside(out, "partial").unlink(missing_ok=True)
    journal_crash.run(out)  # once there is room again
    assert out.read_bytes() == WHOLE


def test_a_disk_too_full_for_the_journal_itself_is_told_too(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    journal = Journal(out, SUBJECT, clock=Ticks())
    monkeypatch.setattr(os, "fdatasync", full)
    with pytest.raises(OSError, match="No space left") as failed, journal:
        journal.write(text_of(0), ROWS, lambda: {})

    assert failed.value.filename is not None
    assert "out.csv." in failed.value.filename
    monkeypatch.undo()
    journal_crash.run(out)
    assert out.read_bytes() == WHOLE


def test_a_fingerprint_tells_content_from_content_and_does_not_read_what_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"abd")
    os.mkfifo(tmp_path / "pipe")  # reading it would wait for ever

    prints = fingerprint(find_sources([str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "pipe"), "-"]))

    assert [entry.get("bytes") for entry in prints] == [3, 3, None, None]
    assert prints[0]["crc32"] != prints[1]["crc32"]
    assert prints[3] == {"source": "-"}


def test_a_copied_journal_goes_on_elsewhere(out: Path, tmp_path: Path) -> None:
    started(out)
    (tmp_path / "moved").mkdir()
    for suffix in ("journal", "partial"):
        shutil.copy(beside(out, suffix), tmp_path / "moved")

    journal_crash.run(tmp_path / "moved" / "out.csv")

    assert (tmp_path / "moved" / "out.csv").read_bytes() == WHOLE


def test_differences_name_what_is_gone_and_what_is_new() -> None:
    assert differences({"a": 1, "b": [1], "c": 2}, {"a": 2, "b": [2], "d": 3}) == [
        "a (1, now 2)",
        "b",
        "c (2, now None)",
        "d (None, now 3)",
    ]
