"""A small batch against a journal, killed at each step of its protocol: `python -m tests.journal_crash FOLDER [OLD]`.

A step is a call that changes what is on the disk. A process of its own runs the batch in `FOLDER/STEP/` and ends right
before (even numbers) or right after the step (odd numbers), as by SIGKILL: nothing is flushed, no `finally` runs. The
last folder is that of a run that went through. With OLD, an older file of this text stands in the place of OUT.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from producer.journal import Journal
from producer.writers import write_whole

DIED = 9
OUT = "out.csv"
SUBJECT = {"limit": 2, "input": [{"source": "a.txt", "bytes": 3, "crc32": "00000000"}]}
CHUNKS = 4
ROWS = 3
STEPS = ("fdatasync", "fsync", "replace", "unlink", "truncate", "ftruncate")
SUMMARY = ".summary.json"


def text_of(chunk: int) -> bytes:
    """The rows of a chunk."""
    return b"".join(f"row {chunk * ROWS + row}\n".encode() for row in range(ROWS))


WHOLE = b"head\n" + b"".join(text_of(chunk) for chunk in range(CHUNKS))


class Ticks:
    """A clock by which every look is a second later, so that every write commits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def run(out: Path) -> None:
    """Writes the batch, going on where an earlier run ended."""
    with Journal(out, SUBJECT, clock=Ticks()) as journal:
        chunks = list(journal.state.get("chunks", []))
        if not journal.state:
            journal.write(b"head\n", 0, lambda: {"chunks": []})
        for chunk in range(journal.rows // ROWS, CHUNKS):
            chunks.append(chunk)
            journal.write(text_of(chunk), ROWS, lambda: {"chunks": list(chunks)})
        assert chunks == list(range(CHUNKS))
        journal.finish()
        write_whole(out.with_name(out.name + SUMMARY), "done\n")
        journal.forget()


def die_at(step: int) -> None:
    """Has this process end at a step."""
    seen = -1

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def step_or_death(*arguments: Any, **options: Any) -> Any:
            nonlocal seen
            seen += 1
            mine = seen
            if step == 2 * mine:
                os._exit(DIED)
            result = call(*arguments, **options)
            if step == 2 * mine + 1:
                os._exit(DIED)
            return result

        return step_or_death

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name)))


def crash_everywhere(folder: Path, old: str | None) -> None:
    """Runs the batch again and again, one step further each time, until it goes through."""
    step, died = 0, True
    while died:
        out = folder / str(step) / OUT
        out.parent.mkdir(parents=True)
        if old is not None:
            out.write_text(old)
        child = os.fork()
        if child == 0:
            die_at(step)
            run(out)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code in (0, DIED), code
        died = code == DIED
        step += 1


if __name__ == "__main__":
    crash_everywhere(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
