"""Drops what lies in the queue and is no message, where Celery would end the whole worker over it."""

import logging
from collections.abc import Callable
from typing import Any

from celery import bootsteps

log = logging.getLogger(__name__)
# What kombu raises over bytes that are no JSON, or JSON that has not the form of a message.
FORMLESS = (TypeError, AttributeError, LookupError, ValueError, RecursionError)


class FormlessStep(bootsteps.StartStopStep):
    """Stands between the connection's reader and the event loop; begins anew with every connection."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        """Takes its stand."""
        handlers = getattr(consumer.task_consumer.channel, "handlers", {})
        if "BRPOP" in handlers:
            handlers["BRPOP"] = tolerant(handlers["BRPOP"])


def tolerant(read: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a reader that passes over what is no message; trouble with the connection still ends in an error."""

    def tolerant_read(*arguments: Any, **options: Any) -> Any:
        try:
            return read(*arguments, **options)
        except FORMLESS as error:
            log.error("something in the queue was no message and was dropped: %s", type(error).__name__)
            return None

    return tolerant_read
