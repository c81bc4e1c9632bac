"""The producer's line to a cluster: its broker, checked, and the queue."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import redis

from producer.cluster import LocalCluster, run_folder
from producer.patience import START_S, Patience
from solver_core.errors import BrokerError
from worker.app import QUEUE, app, hard_limit_s, settings
from worker.broker import celery_url, connect, without_password
from worker.store import ChunkName, Store

OLDEST_BROKER = (6, 2)


@dataclass(frozen=True, slots=True)
class Link:
    """A broker that was found fit, and how to look after it.

    Attributes:
        url: its URL, password included.
        store: the chunk store in it.
        shares_files: the workers may see the producer's folders.
        mend: to be called every few seconds: starts again what has died of a cluster of our own.
    """

    url: str
    store: Store
    mend: Callable[[], object]
    shares_files: bool = False

    def sender(self, batch: str, task: str, max_guesses: int | None = None) -> Callable[[ChunkName, int], None]:
        """Returns what puts the message of a chunk on the queue; `max_guesses` bounds the search of a puzzle."""

        def send(chunk: ChunkName, attempt: int) -> None:
            limit_s = hard_limit_s(settings, chunk.stop - chunk.start, max_guesses)
            app.send_task(task, args=[batch, str(chunk), attempt], queue=QUEUE, time_limit=limit_s, ignore_result=True)

        return send


@contextlib.contextmanager
def linked(broker: str | None, workers: int, shared: Sequence[Path] = ()) -> Iterator[Link]:
    """A line to the broker with this URL or, without one, to a private broker with local workers.

    Local workers may touch the folders `shared`.

    Raises:
        BrokerError: the broker does not answer, or is not fit.
    """
    with contextlib.ExitStack() as stack:
        if broker is None:
            cluster = stack.enter_context(LocalCluster(stack.enter_context(run_folder()), workers, shared=shared))
            yield replace(attach(cluster.broker.url, cluster.mend), shares_files=bool(shared))
        else:
            yield attach(broker)


def attach(broker: str, mend: Callable[[], object] = lambda: None) -> Link:
    """Returns a line to a broker.

    Raises:
        BrokerError: it does not answer within 10 s, or is not fit.
    """
    client = reach(broker)
    unfit = unfitness(client, without_password(broker))
    if unfit:
        raise BrokerError(next(iter(unfit.values())))
    app.conf.broker_url = celery_url(broker)
    store = Store(client)
    return Link(broker, store, mend, any(facts.get("shared") for facts in store.workers().values()))


def reach(broker: str) -> redis.Redis:
    """Returns a client of a broker that answers, fit or not.

    Raises:
        BrokerError: it does not answer within 10 s.
    """
    client = connect(broker)
    patience = Patience(START_S, say=lambda _: None)
    try:
        patience(client.ping)
    except BrokerError as error:
        raise BrokerError(f"no broker at {without_password(broker)}: {error}") from None
    return client


def unfitness(client: redis.Redis, shown: str) -> dict[str, str]:
    """Returns what of a broker would lose work without a word: version, cluster or eviction -> a sentence."""
    try:
        facts = client.info()
    except redis.ResponseError:
        return {}  # a broker that does not tell: nothing can be said against it
    found = {}
    version = tuple(int(part) for part in str(facts.get("redis_version", "")).split(".") if part.isdigit())
    if version and version < OLDEST_BROKER:
        found["version"] = f"the broker at {shown} is version {facts['redis_version']}; 6.2 or newer is needed"
    if facts.get("redis_mode") == "cluster" or facts.get("cluster_enabled") == 1:
        found["cluster"] = f"the broker at {shown} is a Redis Cluster, which Celery cannot use; name a single server"
    policy = facts.get("maxmemory_policy", "noeviction")
    if facts.get("maxmemory", 0) and policy != "noeviction":
        found["eviction"] = f"the broker at {shown} throws keys away ({policy}); set maxmemory-policy noeviction"
    return found
