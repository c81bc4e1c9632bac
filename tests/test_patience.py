"""Waiting for a broker that is away, by a clock that only we move."""

from collections.abc import Callable

import kombu.exceptions
import pytest
import redis

from producer.patience import PAUSE_S, Patience, reason
from solver_core.errors import BrokerError


class Broker:
    """Fails with each of these errors in turn, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self, word: str) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return word


class Waiting:
    def __init__(self, limit_s: float, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.now = 0.0
        self.said: list[str] = []
        self.patience = Patience(
            limit_s, say=self.said.append, meanwhile=meanwhile, clock=lambda: self.now, sleep=self.sleep
        )

    def sleep(self, seconds: float) -> None:
        self.now += seconds


PASSING = [
    redis.ConnectionError("refused"),
    redis.TimeoutError("slow"),
    redis.exceptions.BusyLoadingError("loading"),
    redis.exceptions.OutOfMemoryError("OOM"),
    redis.exceptions.ReadOnlyError("replica"),
    kombu.exceptions.OperationalError("refused"),
]


def test_a_broker_that_answers_is_asked_once() -> None:
    waiting, broker = Waiting(10), Broker()

    assert waiting.patience(broker, "word") == "word"
    assert (broker.calls, waiting.patience.outages, waiting.said, waiting.now) == (1, 0, [], 0)


@pytest.mark.parametrize("error", PASSING, ids=lambda error: type(error).__name__)
def test_what_may_pass_is_waited_for_and_told_once(error: Exception) -> None:
    waiting, broker = Waiting(10), Broker(error, error, error)

    assert waiting.patience(broker, "word") == "word"
    assert (broker.calls, waiting.patience.outages) == (4, 1)
    assert waiting.now == pytest.approx(3 * PAUSE_S)
    assert len(waiting.said) == 1
    assert str(error) in waiting.said[0]


def test_every_outage_has_the_whole_limit() -> None:
    waiting = Waiting(10)

    for _ in range(5):
        waiting.patience(Broker(*[redis.ConnectionError("away")] * 40), "word")

    assert waiting.patience.outages == 5
    assert waiting.now > 10


def test_patience_ends_at_its_limit() -> None:
    waiting = Waiting(10)

    with pytest.raises(BrokerError, match="did not answer for 10 s: away"):
        waiting.patience(Broker(*[redis.ConnectionError("away")] * 1000), "word")

    assert 10 <= waiting.now <= 10 + 2 * PAUSE_S


def test_no_patience_at_all_ends_at_the_first_error() -> None:
    waiting, broker = Waiting(0), Broker(redis.ConnectionError("away"))

    with pytest.raises(BrokerError):
        waiting.patience(broker, "word")

    assert broker.calls == 1


@pytest.mark.parametrize(
    "error",
    [
        redis.AuthenticationError("WRONGPASS"),
        redis.exceptions.NoPermissionError("NOPERM"),
        redis.ResponseError("WRONGTYPE"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_will_never_pass_is_not_waited_for(error: Exception) -> None:
    waiting, broker = Waiting(10), Broker(error)

    with pytest.raises(BrokerError, match=f"refuses: {error}"):
        waiting.patience(broker, "word")

    assert (broker.calls, waiting.now) == (1, 0)


def test_errors_that_are_not_the_brokers_pass_through() -> None:
    with pytest.raises(ZeroDivisionError):
        Waiting(10).patience(lambda: 1 // 0)


def test_between_two_tries_something_can_be_done() -> None:
    done: list[int] = []
    waiting = Waiting(10, meanwhile=lambda: done.append(1))

    waiting.patience(Broker(*[redis.ConnectionError("away")] * 3), "word")

    assert len(done) == 3


def test_a_reason_is_one_short_line_and_never_empty() -> None:
    assert reason(ValueError("a\n  b.\n")) == "a b"
    assert reason(ValueError()) == "ValueError"
    assert len(reason(ValueError("x" * 1000))) == 200
