"""`python -m worker.health`: whether the worker of this host takes messages; for health checks of containers.

A worker's key is renewed by the loop that takes its messages, and lives 15 s (`presence.py`).
"""

import platform
import sys

import redis

from solver_core.errors import BrokerError
from worker.app import settings
from worker.broker import connect, read_url
from worker.store import Store

TIMEOUT_S = 5


def main() -> int:
    """Returns the exit code: 0 if the worker is well."""
    try:
        workers = Store(connect(read_url(settings.broker), timeout_s=TIMEOUT_S, retries=0)).workers()
    except (redis.RedisError, BrokerError, OSError, ValueError) as error:
        print(f"the broker does not answer: {error}", file=sys.stderr)
        return 1
    mine = [name for name in workers if name.endswith(f"@{platform.node()}")]
    print(", ".join(mine) or f"no worker of {platform.node()} has shown itself for 15 s")
    return 0 if mine else 1


if __name__ == "__main__":
    sys.exit(main())
