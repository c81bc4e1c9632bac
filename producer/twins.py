"""Puzzles that are the same are solved once: an index on disk tells where each came first, and with what result.

A copy keeps its place in its chunk, but goes out as an unreadable line, which costs a kernel nothing. When the chunk
is back, its result is made of that of the first row with the same form, which is always written before.
"""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from producer.chunk import Chunk
from producer.dispatch import Gathered
from producer.readers.cutter import Cutter
from solver_core.chunk import pack_puzzles, pack_results, unpack_puzzles, unpack_results
from solver_core.errors import BatchError
from solver_core.result import Result, Status
from solver_core.rows import LineTally, carry_over, minlex
from solver_core.solvers import SOLVERS
from worker.store import ChunkName

EXACT, CANONICAL = "exact", "canonical"
MODES = (EXACT, CANONICAL)
# The index is a companion of OUT with this suffix.
SUFFIX = "twins"
CELLS, WAY = 81, 29
NO_FORM = bytes([15]) * CELLS
# Results that another arrangement of the same puzzle has, too. The first solution of several, and what a search had
# found when it gave up, depend on the arrangement.
_CARRIED = (Status.UNIQUE, Status.UNSOLVABLE, Status.INVALID, Status.SOLVED)
_HEADER = 20  # of a payload

Columns = tuple[bytes, list[int], list[bool]]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of puzzles that must be solved here after all."""

    solver: str
    limit: int
    max_guesses: int


@dataclass(frozen=True, slots=True)
class _Held:
    """What is known of a chunk on its way."""

    work: bytes
    forms: bytes
    ways: bytes
    same_as: list[int]
    copied: list[bool]


class Twins:
    """The rows of a batch as a dispatcher takes them, with copies taken out.

    Attributes:
        ended: whether all rows have been cut.
        faults: what was wrong with sources, one line each.
    """

    def __init__(self, rows: Cutter, mode: str, index: Path, question: Question, done: int) -> None:
        """Opens the index, going on after so many rows."""
        self.ended = False
        self._closed = False
        self._rows = rows
        self._mode = mode
        self._question = question
        self._held: dict[ChunkName, _Held] = {}
        if not done:
            forget_index(index)
        self._index = _opened(index)
        self._settled = done
        (settled,) = self._index.execute("SELECT coalesce(max(rows), 0) FROM settled").fetchone()
        # Where all rows are done nothing is asked of the index, which may be gone by then.
        self._behind = (
            f"{index} does not know all rows that are done; begin anew with --fresh" if settled < done else ""
        )
        # What was on its way when the last run ended is cut again.
        self._index.execute("DELETE FROM twins WHERE id > ?", (done,))

    @property
    def faults(self) -> list[str]:
        """What was wrong with sources, one line each."""
        return self._rows.faults

    def lines(self) -> LineTally:
        """Returns what the lines read so far were."""
        return self._rows.lines()

    def skip(self, rows: int) -> int:
        """Passes over rows; returns how many there were."""
        passed = self._rows.skip(rows)
        self.ended = self._rows.ended
        return passed

    def commit(self) -> None:
        """Makes safe what is known of the rows that were settled; to be called before they count as done."""
        if self._closed:
            return
        self._index.execute("INSERT OR REPLACE INTO settled VALUES (0, ?)", (self._settled,))
        self._index.commit()

    def close(self) -> None:
        """Closes the index, which stays for a later run."""
        self.commit()
        self._closed = True
        self._index.close()
        self._rows.close()

    def cut(self, max_rows: int, wait_s: float) -> Chunk | None:
        """Returns the next chunk, its copies made unreadable; None when there is none.

        Raises:
            BatchError: the index does not know all rows before it.
        """
        chunk = self._rows.cut(max_rows, wait_s)
        self.ended = self._rows.ended
        if chunk is None:
            return None
        if self._behind:
            raise BatchError(self._behind)
        cells = unpack_puzzles(chunk.work)
        held = self._known(chunk, cells)
        self._held[chunk.name] = held
        parts = [
            NO_FORM if copied else cells[CELLS * row : CELLS * (row + 1)] for row, copied in enumerate(held.copied)
        ]
        work = pack_puzzles(b"".join(parts)) if any(held.copied) else chunk.work
        return Chunk(chunk.name, work, chunk.rows)

    def settle(self, item: Gathered) -> tuple[Gathered, Columns]:
        """Returns a chunk with the results of its copies, and what is to be said of twins."""
        held = self._held.pop(item.chunk.name)
        results = unpack_results(item.answer)
        packed = pack_puzzles(held.forms)[_HEADER:]
        size = len(packed) // len(results)
        keys = [packed[at : at + size] for at in range(0, len(packed), size)]
        self._index.executemany(
            "UPDATE twins SET status = ?, solutions = ?, guesses = ?, solution = ? WHERE key = ?",
            (
                (int(result.status), result.solutions, result.guesses, result.solution, keys[row])
                for row, result in enumerate(results)
                if not held.same_as[row] and held.forms[CELLS * row] != NO_FORM[0]
            ),
        )
        copied = list(held.copied)
        for row in (row for row, is_copy in enumerate(held.copied) if is_copy):
            carried = self._carried(keys[row], held.ways[WAY * row : WAY * (row + 1)])
            copied[row] = carried is not None
            results[row] = carried or self._solved(held.work, row)
        self._settled = item.chunk.name.stop
        answer = pack_results(results) if any(held.copied) else item.answer
        chunk = Chunk(item.chunk.name, held.work, item.chunk.rows)
        return Gathered(chunk, answer, item.workers), (held.forms, held.same_as, copied)

    def _known(self, chunk: Chunk, cells: bytes) -> _Held:
        """Finds each puzzle in the index, and puts it there if it is the first of its form."""
        count = chunk.count
        unreadable = [cells[CELLS * row] > 9 for row in range(count)]
        forms, ways = self._forms(cells, unreadable)
        packed = pack_puzzles(forms)[_HEADER:]
        size = len(packed) // count
        same_as, copied = [0] * count, [False] * count
        for row in range(count):
            if unreadable[row]:
                continue
            key = packed[size * row : size * (row + 1)]
            found = self._index.execute("SELECT id, status FROM twins WHERE key = ?", (key,)).fetchone()
            if found is None:
                way = ways[WAY * row : WAY * (row + 1)]
                values = (key, chunk.name.start + row + 1, way)
                self._index.execute("INSERT INTO twins (key, id, way) VALUES (?, ?, ?)", values)
                continue
            same_as[row] = found[0]
            copied[row] = found[1] is None or self._is_carried(found[1])
        return _Held(chunk.work, forms, ways, same_as, copied)

    def _forms(self, cells: bytes, unreadable: list[bool]) -> tuple[bytes, bytes]:
        """The forms by which puzzles are known, and the ways to them (empty for `exact`)."""
        if self._mode == EXACT:
            return cells, b""
        empty = bytes(CELLS)
        parts = [empty if bad else cells[CELLS * row : CELLS * (row + 1)] for row, bad in enumerate(unreadable)]
        forms, ways = minlex(b"".join(parts))
        if not any(unreadable):
            return forms, ways
        whole = [NO_FORM if bad else forms[CELLS * row : CELLS * (row + 1)] for row, bad in enumerate(unreadable)]
        return b"".join(whole), ways

    def _is_carried(self, status: int) -> bool:
        return self._mode == EXACT or Status(status) in _CARRIED

    def _carried(self, key: bytes, way: bytes) -> Result | None:
        """The result of a copy, None if it must be solved itself."""
        columns = "way, status, solutions, guesses, solution"
        first, status, solutions, guesses, solution = self._index.execute(
            f"SELECT {columns} FROM twins WHERE key = ?",  # noqa: S608 - the names stand above
            (key,),
        ).fetchone()
        if not self._is_carried(status):
            return None
        if solution and self._mode == CANONICAL:
            solution = carry_over(solution, first, way)
        return Result(Status(status), solutions, solution, guesses, 0)

    def _solved(self, work: bytes, row: int) -> Result:
        """The result of a puzzle that was taken for a copy while nothing was known of the first."""
        cells = unpack_puzzles(work)[CELLS * row : CELLS * (row + 1)]
        asked = self._question
        return unpack_results(SOLVERS[asked.solver](cells, asked.limit, asked.max_guesses, None))[0]


def forget_index(index: Path) -> None:
    """Deletes an index."""
    for suffix in ("", "-wal", "-shm"):
        index.with_name(index.name + suffix).unlink(missing_ok=True)


def _opened(index: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(index)
    # What the journal tells as done must be in the index whatever happens: it is made safe before.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS twins (key BLOB PRIMARY KEY, id INTEGER NOT NULL, way BLOB, status INTEGER,"
        " solutions INTEGER, guesses INTEGER, solution BLOB) WITHOUT ROWID"
    )
    connection.execute("CREATE TABLE IF NOT EXISTS settled (one INTEGER PRIMARY KEY, rows INTEGER NOT NULL)")
    return connection
