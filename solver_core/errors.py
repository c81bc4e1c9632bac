"""The errors of gridmill: broken promises only, for an outcome such as "no solution" is a status, not an error.

    GridmillError
    ├── PuzzleError (ValueError)     a line is no puzzle: reason, source, line
    ├── ChunkError (ValueError)      a payload is not what it says it is (magic, version, length, CRC)
    ├── KernelError (RuntimeError)   native code failed
    ├── BatchError                   journal does not fit the input, batch unknown, batch locked
    └── BrokerError                  broker unreachable, unfit (eviction, cluster mode), no worker answered

Errors cross process borders: whatever a constructor takes goes to `super().__init__`, for pickle rebuilds an error
from its `args`. Only the command line turns errors into exit codes.
"""


class GridmillError(Exception):
    """Base of every error that gridmill raises on purpose."""


class PuzzleError(GridmillError, ValueError):
    """A line is no puzzle.

    Attributes:
        reason: what is wrong with it, in a few words.
        source: the file it stands in, as it was given; empty where there is none.
        line: the line it starts on, counted from 1; 0 where there is none.
    """

    def __init__(self, reason: str, source: str = "", line: int = 0) -> None:
        """Keep the reason and the place."""
        super().__init__(reason, source, line)
        self.reason = reason
        self.source = source
        self.line = line

    def __str__(self) -> str:
        """Say where and what: `source:line: reason`, leaving out what is not known."""
        place = [self.source] if self.source else []
        place += [str(self.line)] if self.line else []
        return f"{':'.join(place)}: {self.reason}" if place else self.reason


class ChunkError(GridmillError, ValueError):
    """A payload is not what it says it is: magic, version, length or CRC do not fit."""


class KernelError(GridmillError, RuntimeError):
    """Native code failed."""


class BatchError(GridmillError):
    """A batch cannot go on: the journal does not fit the input, the batch is unknown, or another run holds it.

    Attributes:
        locked: another run holds it; it may be free later.
    """

    def __init__(self, reason: str, locked: bool = False) -> None:
        """Keep the reason."""
        super().__init__(reason, locked)
        self.locked = locked

    def __str__(self) -> str:
        """Say the reason."""
        return str(self.args[0])


class BrokerError(GridmillError):
    """The broker is unreachable or unfit, or no worker answered."""
