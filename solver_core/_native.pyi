"""The compiled kernels: plain bytes in, plain values out. Private to `solver_core`.

`cells` are N x 81 bytes, puzzle after puzzle and row by row: 0 is an empty cell, 1 to 9 a given, 15 marks a line that
could not be read. Payloads are those of `chunk.py`; a function that reads one raises `ChunkError` where it is not what
it says it is. Kernels let the GIL go, end within some milliseconds of a stop, let Python's signal handlers run every
20 ms, and raise `KernelError` where native code fails. Times are in nanoseconds of a monotonic clock.
"""

WIRE_VERSION: int
LONG_LINE_BYTES: int
"""A line longer than this is told to be too long without being held as a whole."""
QUEENS_COUNTS: list[int]
"""Solutions of N-Queens for n = 0 to 27, OEIS A000170."""
QUEENS_MAX_N: int
"""The largest board."""
COLUMNS: list[str]
STATUS_NAMES: list[str]
"""Names of the statuses, by their numbers on the wire."""

class Stop:
    """A request to end a kernel, from any thread, or by itself after `budget_s` seconds."""

    def __new__(cls, budget_s: float | None = None) -> Stop: ...
    def set(self) -> None: ...
    def requested(self) -> bool: ...

def solve_solo(cells: bytes, limit: int = 2, max_guesses: int = 10_000_000, stop: Stop | None = None) -> bytes:
    """Solves puzzles one at a time; returns a `results` payload.

    Raises:
        ValueError: the cells are no whole number of puzzles, or `limit` is 0.
        OverflowError: `limit` or `max_guesses` does not fit in 32 bits.
    """

def solve_listed(cells: bytes, limit: int, max_guesses: int, stop: Stop | None = None) -> bytes:
    """Solves puzzles one at a time; the `results` payload has all solutions of each, up to the limit.

    Raises:
        ValueError, OverflowError: as `solve_solo`.
    """

def solve_lanes(
    cells: bytes, limit: int = 2, max_guesses: int = 10_000_000, stop: Stop | None = None, isa: str | None = None
) -> bytes:
    """Solves puzzles side by side, with the isa named or the best one; the rows are those of `solve_solo`.

    Raises:
        ValueError: as `solve_solo`, or this machine lacks the isa.
    """

def lane_passes(cells: bytes, limit: int, max_guesses: int, isa: str) -> int:
    """Returns how many passes `lanes` needs for these puzzles, each times the lanes in use."""

def wrong_solutions(cells: bytes, results: bytes) -> list[int]:
    """Returns the rows whose solution is not a full valid grid that keeps the givens."""

def isa(name: str | None = None) -> str:
    """Returns the best isa of this machine, or `name` itself.

    Raises:
        ValueError: this machine lacks the isa named, or there is none of that name.
    """

def isas() -> list[str]:
    """Returns the isas of this machine, best first."""

def pack_puzzles(cells: bytes) -> bytes: ...
def unpack_puzzles(payload: bytes) -> bytes: ...
def slice_puzzles(payload: bytes, start: int, stop: int) -> bytes:
    """Returns the payload of puzzles `start` up to, not including, `stop`."""

def pack_results(results: list[tuple[int, int, int, int, bytes]]) -> bytes:
    """Packs results of (status, solutions, guesses, time_ns, solution)."""

def unpack_results(payload: bytes) -> list[tuple[int, int, int, int, bytes]]: ...
def unfinished(payload: bytes) -> list[tuple[int, int]]:
    """Returns the ranges of rows, from and up to (not including), that a stopped kernel left unfinished."""

def merge_results(count: int, parts: list[tuple[int, bytes]]) -> bytes:
    """Puts the results of `count` rows together from parts, each with the row it begins at."""

def examine_results(puzzles: bytes, results: bytes) -> tuple[list[tuple[int, int]], int]:
    """Checks that these results are of these puzzles: as many, and every solution keeps the givens of its puzzle.

    Returns:
        The ranges that are unfinished, as of `unfinished`, and the kernel time in ns.
    """

def tally(payload: bytes) -> tuple[list[int], int, list[tuple[int, int, int]]]:
    """Adds up results: rows by status, kernel time, and the ten slowest as (row, guesses, time_ns), slowest first."""

class RowBuffer:
    """Rows that have been read."""

    def __new__(cls) -> RowBuffer: ...
    def __len__(self) -> int: ...
    @property
    def known(self) -> int:
        """Rows so far that are puzzles, of 9x9 or another size."""

    def push_line(self, source: int, line: int, text: bytes) -> None:
        """Appends what a line of one puzzle a line holds; it has no blanks at its ends."""

    def push(
        self,
        source: int,
        line: int,
        puzzle: bytes,
        label: bytes | None = None,
        given: bytes | None = None,
        kept: list[bytes] | None = None,
    ) -> None:
        """Appends a puzzle by itself, or an unreadable row if it is none."""

    def push_invalid(self, source: int, line: int, reason: str, raw: bytes, kept: list[bytes] | None = None) -> None:
        """Appends something that is no puzzle."""

    def cells(self) -> bytes:
        """Returns what is in the buffer as a solver takes it, 81 bytes a row."""

    def take(self) -> tuple[bytes, bytes]:
        """Empties the buffer into a `puzzles` and a `rows` payload."""

class LineReader:
    """Reads one puzzle a line from the source of this index; `read` and `skip` may be given the text in blocks."""

    def __new__(cls, source: int, place: tuple[int, bool, bool, bool] | None = None) -> LineReader: ...
    def read(self, text: bytes, start: int, at_end: bool, max_rows: int, buffer: RowBuffer) -> int:
        """Reads at most `max_rows` rows from `text[start:]` into the buffer; returns where it stopped.

        What it left, an incomplete line unless `at_end`, must come again with more text behind it.
        """

    def skip(self, text: bytes, start: int, at_end: bool, max_rows: int) -> int:
        """Passes over rows as `read` does."""

    @property
    def line(self) -> int:
        """The number of the next line, from 1."""

    @property
    def place(self) -> tuple[int, bool, bool, bool]:
        """Where another reader can go on: number of the next line, at_start, at_top, in_long_line."""

    @property
    def tallies(self) -> tuple[int, int, int, int, int]:
        """Lines so far: total, blank, comment, structure, puzzle."""

class TableReader:
    """Reads one puzzle a record from the source of this index, as `LineReader` reads lines.

    Fields are counted from 0. `title` is what the header has over the puzzles, empty without a header; `label` the
    field that is the label, all that stands beside the puzzle and the solution if None; `kept` are fields to carry
    through, None for one that is not there.
    """

    def __new__(
        cls,
        source: int,
        separator: int,
        puzzle: int,
        solution: int | None,
        label: int | None,
        kept: list[int | None],
        title: bytes,
    ) -> TableReader: ...
    def read(self, text: bytes, start: int, at_end: bool, max_rows: int, buffer: RowBuffer) -> int: ...
    def skip(self, text: bytes, start: int, at_end: bool, max_rows: int) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def tallies(self) -> tuple[int, int, int, int, int]: ...

def minlex(cells: bytes) -> tuple[bytes, bytes]:
    """Returns the minlex forms of N puzzles, 81 bytes each, and the ways to them, 29 bytes each.

    Raises:
        ValueError: the cells are no whole number of puzzles, or one is no digit.
    """

def carry_over(grid: bytes, way: bytes, other_way: bytes) -> bytes:
    """Takes a grid (a solution) from one puzzle to another of the same form: the way there, the other way back."""

def holds_puzzle(line: bytes) -> bool:
    """Whether a line holds a puzzle, in whatever way it is written."""

def count_given(rows: bytes, puzzles: bytes) -> tuple[int, int]:
    """Returns how many rows came with a solution, and for how many of them it is none."""

def unsolved(rows: bytes, puzzles: bytes) -> bytes:
    """Returns the `results` payload of rows that were read and not solved.

    They are `invalid`, or `solved` with the given solution where there is one.
    """

def remarks(rows: bytes, puzzles: bytes) -> tuple[int, list[tuple[int, int, str]]]:
    """Returns how many rows are invalid, and (source, line, note) of those that have a note."""

def format_rows(
    format: str,
    first_id: int,
    sources: list[str],
    rows: bytes,
    puzzles: bytes,
    results: bytes,
    columns: list[str] | None = None,
    kept: list[str] | None = None,
    twins: tuple[bytes, list[int], list[bool]] | None = None,
) -> bytes:
    """Writes the rows of a chunk as text, UTF-8: `csv`, `jsonl`, `lines` (solutions), `sdm` or `puzzles`.

    Args:
        format: the name of the format.
        first_id: id of the first row.
        sources: names of the sources, by the index that `rows` has for them.
        rows: a `rows` payload.
        puzzles: a `puzzles` payload.
        results: a `results` payload, nothing in it unfinished; where it has all solutions of a puzzle (`solve_listed`),
            each is a row.
        columns: names of the columns, in order; the usual ones if None.
        kept: names of the fields that are carried through, in the order in which the rows have them.
        twins: the form by which each puzzle is known (81 bytes, all 15 for none), the id of the first row with this
            form (0 for none), and whether its result is a copy of that row's.

    Raises:
        ValueError: there is no such format or column.
    """

def crc32(data: bytes, start: int, stop: int, before: int = 0) -> int:
    """Returns the CRC-32 of `data[start:stop]`, or of these bytes behind others whose CRC-32 is `before`."""

def format_header(format: str, columns: list[str] | None = None, kept: list[str] | None = None) -> str:
    """Returns what stands before the first row."""

def queens_count(n: int, prefix: bytes, isa: str | None = None, stop: Stop | None = None) -> tuple[int, int] | None:
    """Returns the number of solutions that begin with this prefix, and the time; None when stopped.

    Raises:
        ValueError: n is not 1 to 32, or the prefix has a column that is not on the board.
    """

def queens_list(
    n: int, prefix: bytes, most: int, isa: str | None = None, stop: Stop | None = None
) -> tuple[bytes, int] | None:
    """Returns the first `most` solutions that begin with this prefix, n bytes each, in order, and the time."""

def queens_prefixes(n: int, depth: int) -> list[bytes]:
    """Returns all prefixes of this depth in which no queen attacks another, in lexicographic order."""

def write_boards(n: int, solutions: bytes, form: str, first: bool) -> bytes:
    """Writes solutions, n bytes each, as text in the form `columns`, `board` or `jsonl`.

    Args:
        n: size of the board.
        solutions: n 0-based columns each.
        form: the name of the form.
        first: nothing stands before them in the file.
    """

def board_bytes(n: int, form: str) -> int:
    """Returns how many bytes a solution of n queens takes as text, at most."""
