"""Waiting for a broker that is away, once for every call that needs it."""

import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import kombu.exceptions
import redis

from solver_core.errors import BrokerError

P = ParamSpec("P")
T = TypeVar("T")
START_S = 8.0
PAUSE_S = 0.2
# What a broker says that is away, that starts, or that is full: all may pass.
PASSING = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
    kombu.exceptions.OperationalError,
)
FINAL = (redis.AuthenticationError, redis.exceptions.NoPermissionError)


class Patience:
    """Calls the broker again and again until it answers, up to a limit.

    Attributes:
        outages: how often the broker was away.
    """

    def __init__(
        self,
        limit_s: float,
        *,
        say: Callable[[str], None],
        meanwhile: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepares to wait.

        Args:
            limit_s: wait no longer than this at a time.
            say: tells the person, once for each outage.
            meanwhile: called between two tries, such as to start a broker of our own again.
            clock: tells seconds.
            sleep: sleeps seconds.
        """
        self.outages = 0
        self._limit_s = limit_s
        self._say = say
        self._meanwhile = meanwhile
        self._clock = clock
        self._sleep = sleep

    def __call__(self, action: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """Returns what `action` returns; it may be called several times, so it must not mind.

        Raises:
            BrokerError: the broker did not answer within the limit, or will never.
        """
        began: float | None = None
        while True:
            try:
                return action(*args, **options)
            except FINAL as error:
                raise BrokerError(f"the broker refuses: {reason(error)}") from None
            except PASSING as error:
                if began is None:
                    began = self._clock()
                    self.outages += 1
                    self._say(
                        f"the broker does not answer ({reason(error)}); waiting for it up to {self._limit_s:.0f} s"
                    )
                if self._clock() - began >= self._limit_s:
                    raise BrokerError(f"the broker did not answer for {self._limit_s:.0f} s: {reason(error)}") from None
                self._meanwhile()
                self._sleep(PAUSE_S)
            except redis.RedisError as error:
                raise BrokerError(f"the broker refuses: {reason(error)}") from None


def reason(error: BaseException) -> str:
    """Returns an error's text as one short line."""
    text = " ".join(str(error).split()).rstrip(".")
    return text[:200] or type(error).__name__
