"""The error tree: its shape, what an error says, and that it survives the way between processes."""

import pickle

import pytest

from solver_core.errors import BatchError, BrokerError, ChunkError, GridmillError, KernelError, PuzzleError

ERRORS = [
    PuzzleError("two 9s in row 1", "a.txt", 3),
    ChunkError("CRC does not fit"),
    KernelError("out of memory"),
    BatchError("the input has changed", "a.txt"),
    BrokerError("no answer within 10 s"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: GridmillError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is type(error)
    assert (copy.args, vars(copy), str(copy)) == (error.args, vars(error), str(error))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PuzzleError("80 cells", "a.txt", 3), "a.txt:3: 80 cells"),
        (PuzzleError("80 cells", "a.txt"), "a.txt: 80 cells"),
        (PuzzleError("80 cells"), "80 cells"),
    ],
)
def test_a_puzzle_error_says_where_and_what(error: PuzzleError, said: str) -> None:
    assert str(error) == said


def test_every_error_is_caught_by_the_base_and_by_its_builtin_kin() -> None:
    assert all(isinstance(error, GridmillError) for error in ERRORS)
    assert issubclass(PuzzleError, ValueError)
    assert issubclass(ChunkError, ValueError)
    assert issubclass(KernelError, RuntimeError)
