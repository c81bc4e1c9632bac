"""What is known of one puzzle after a solver has looked at it."""

from dataclasses import dataclass
from enum import IntEnum


class Status(IntEnum):
    """What became of a puzzle; the numbers are those of the wire format (`Status` in rust/src/grid.rs)."""

    UNFINISHED = 0  # the solver was stopped before it came to an end with this puzzle; never a row of output
    UNIQUE = 1  # exactly one solution
    MULTIPLE = 2  # two solutions or more
    UNSOLVABLE = 3  # no solution
    INVALID = 4  # the givens break a rule, or the line was no puzzle
    SOLVED = 5  # a solution was found and no second one was asked for (limit 1)
    GAVE_UP = 6  # the search would have needed more than `max_guesses`
    FAILED = 7  # it ended its worker each time; written by the producer, never by a solver

    @property
    def word(self) -> str:
        """The word that stands in rows of output, such as `gave_up`."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one puzzle.

    Attributes:
        status: what became of it.
        solutions: how many were found: exact below the limit, the limit when it was reached.
        solution: the first one found, as 81 cell values 1 to 9; empty when there is none.
        guesses: how often the search had to choose among two candidates or more.
        time_ns: time spent on this puzzle, monotonic clock, at least 1; 0 only when unfinished.
    """

    status: Status
    solutions: int
    solution: bytes
    guesses: int
    time_ns: int
