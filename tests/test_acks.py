"""A worker that holds messages nobody works on connects anew."""

from types import SimpleNamespace
from typing import Any

import pytest
import redis
from celery.worker import state
from kombu.transport.virtual import QoS

from worker.acks import LOOKS, AcksStep, unacknowledged


class Request:
    """Something that is being worked on."""


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> set[Request]:
    requests: set[Request] = set()
    monkeypatch.setattr(state, "reserved_requests", requests)
    return requests


def worker_with(messages: int, prefetch: int = 2) -> Any:
    """A worker that has taken so many messages and acknowledged none."""
    qos = QoS(SimpleNamespace(do_restore=False), prefetch)
    for tag in range(messages):
        qos.append(SimpleNamespace(), tag)
    return SimpleNamespace(consumer=SimpleNamespace(task_consumer=SimpleNamespace(channel=SimpleNamespace(qos=qos))))


def look(step: AcksStep, worker: Any, times: int) -> None:
    for _ in range(times):
        step._look(worker)


def test_messages_taken_and_not_acknowledged_are_counted() -> None:
    worker = worker_with(2)

    worker.consumer.task_consumer.channel.qos.ack(0)

    assert unacknowledged(worker) == 1
    assert unacknowledged(worker_with(0)) == 0


def test_a_worker_that_is_not_connected_holds_nothing() -> None:
    assert unacknowledged(SimpleNamespace(consumer=None)) == 0
    assert unacknowledged(SimpleNamespace(consumer=SimpleNamespace(task_consumer=None))) == 0


def test_messages_that_are_worked_on_are_in_order(at_work: set[Request]) -> None:
    at_work |= {Request(), Request()}

    look(AcksStep(None), worker_with(2), 10 * LOOKS)


def test_a_message_between_two_hands_is_in_order(at_work: set[Request]) -> None:
    step = AcksStep(None)

    for _ in range(5):
        look(step, worker_with(1), LOOKS - 1)
        look(step, worker_with(0), 1)


@pytest.mark.parametrize("busy", [0, 1])
def test_a_message_that_nobody_works_on_ends_the_connection(at_work: set[Request], busy: int) -> None:
    at_work |= {Request() for _ in range(busy)}
    step, worker = AcksStep(None), worker_with(busy + 1)
    look(step, worker, LOOKS - 1)

    with pytest.raises(redis.ConnectionError, match="acknowledgement"):
        look(step, worker, 1)

    look(step, worker, LOOKS - 1)  # and it is given time to connect
