"""A worker that could not acknowledge must not count the message for ever."""

from types import SimpleNamespace
from typing import Any

import pytest
import redis
from celery.worker import state

from worker.unacked import UnackedStep


def worker_with(delivered: int, dirty: int = 0) -> Any:
    """A worker whose channel counts so many messages as taken, and so many of them as acknowledged."""
    qos = SimpleNamespace(_delivered=dict.fromkeys(range(delivered)), _dirty=set(range(dirty)))
    return SimpleNamespace(consumer=SimpleNamespace(task_consumer=SimpleNamespace(channel=SimpleNamespace(qos=qos))))


class Request:
    """Stands for one that is at work."""


def test_a_message_that_is_left_over_twice_ends_the_connection() -> None:
    step = UnackedStep(None)

    step.look(worker_with(1))

    with pytest.raises(redis.ConnectionError, match="acknowledged"):
        step.look(worker_with(1))


def test_the_next_connection_begins_anew() -> None:
    step = UnackedStep(None)
    step.look(worker_with(1))
    with pytest.raises(redis.ConnectionError):
        step.look(worker_with(1))

    step.look(worker_with(1))
    step.look(worker_with(0))
    step.look(worker_with(1))

    assert step.left_over


def test_messages_at_work_and_acknowledged_ones_are_none_of_its_business(monkeypatch: pytest.MonkeyPatch) -> None:
    step = UnackedStep(None)
    at_work = Request()
    monkeypatch.setattr(state, "reserved_requests", {at_work})

    for _ in range(3):
        step.look(worker_with(3, dirty=2))

    assert not step.left_over


@pytest.mark.parametrize("worker", [SimpleNamespace(), SimpleNamespace(consumer=SimpleNamespace(task_consumer=None))])
def test_a_worker_without_a_connection_has_nothing_left_over(worker: Any) -> None:
    step = UnackedStep(None)

    step.look(worker)
    step.look(worker)

    assert not step.left_over
