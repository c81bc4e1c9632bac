"""A chunk as the producer holds it: its rows of the batch, the work that travels, and what stays behind."""

from dataclasses import dataclass

from worker.store import ChunkName


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows `start` up to, not including, `stop` of a batch, counted from 0.

    Attributes:
        name: start and stop.
        work: the payload a worker gets.
        rows: what stays with the producer: where each row stood and what stood beside it (a `rows` payload).
    """

    name: ChunkName
    work: bytes
    rows: bytes

    @property
    def count(self) -> int:
        """How many rows."""
        return self.name.stop - self.name.start
