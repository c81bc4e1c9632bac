"""What is no message must not end a worker; what is wrong with the connection must be told."""

from queue import Empty
from typing import Any

import pytest
import redis

from worker.formless import tolerant


def failing_with(error: Exception) -> Any:
    """A reader that fails."""

    def read(*_: object) -> None:
        raise error

    return read


@pytest.mark.parametrize("error", [TypeError(), AttributeError(), KeyError("body"), ValueError(), RecursionError()])
def test_what_is_no_message_is_passed_over(error: Exception) -> None:
    assert tolerant(failing_with(error))() is None


@pytest.mark.parametrize("error", [redis.ConnectionError(), redis.TimeoutError(), Empty(), MemoryError()])
def test_everything_else_is_told(error: Exception) -> None:
    with pytest.raises(type(error)):
        tolerant(failing_with(error))()


def test_a_message_is_handed_on() -> None:
    assert tolerant(lambda text, times: text * times)("x", times=2) == "xx"
