"""What Prometheus sees of a cluster: one collector, which asks the broker at every scrape and keeps nothing itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import redis

from producer import extras
from worker.app import QUEUE
from worker.census import Census, take
from worker.store import Store
from worker.totals import KINDS, STATUSES

ISA_LETTERS = 16

# Label, and a value for each of its values; without a label the value stands under "".
Samples = tuple[str, Mapping[str, float]]


class ClusterCollector:
    """Collects the metrics of the cluster of one broker; an instance is what `CollectorRegistry.register` takes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._families = extras.load("metrics").metrics_core

    def collect(self) -> Iterator[Any]:
        """Yields all metrics; while the broker is away, only that it is.

        Raises:
            redis.ResponseError: it is there and refuses; the scrape fails, and the reason is in the log.
        """
        try:
            census = take(self._store, QUEUE)
        except (redis.ConnectionError, redis.TimeoutError):
            yield self._gauge("broker_up", "Whether the broker answers.", _plain(0))
            return
        yield self._gauge("broker_up", "Whether the broker answers.", _plain(1))
        yield from self._now(census)
        yield from self._so_far(census.totals)

    def describe(self) -> Iterable[Any]:
        """Returns nothing: the broker need not be there while the collector is registered."""
        return ()

    def _now(self, census: Census) -> Iterator[Any]:
        """What is there at this moment."""
        memory = census.memory
        if memory:
            used, most = memory.get("used_memory", 0), memory.get("maxmemory", 0)
            yield self._gauge("broker_memory_bytes", "Memory that the broker uses.", _plain(used))
            yield self._gauge("broker_memory_max_bytes", "Memory that the broker may use; 0: no limit.", _plain(most))
        batches = {"submitted": census.submitted, "direct": census.direct}
        yield self._gauge("batches", "Batches with the broker: submitted, or of a solve that waits.", ("kind", batches))
        yield self._gauge("chunks_waiting", "Chunks in the queue.", _plain(census.waiting))
        yield self._gauge("chunks_running", "Chunks that processes work on.", _plain(census.running))
        workers, processes = Counter[str](), Counter[str]()
        for facts in census.workers.values():
            isa = str(facts.get("isa"))[:ISA_LETTERS]
            workers[isa] += 1
            processes[isa] += facts.get("processes", 1)
        yield self._gauge("workers", "Workers that are there.", ("isa", workers))
        yield self._gauge("worker_processes", "Processes of the workers that are there.", ("isa", processes))

    def _so_far(self, totals: Mapping[str, int]) -> Iterator[Any]:
        """What was done since the broker began to count."""
        puzzles = {status: totals[f"puzzles:{status}"] for status in STATUSES}
        yield self._counter("puzzles", "Puzzles that workers have answered.", ("status", puzzles))
        yield self._counter("prefixes", "Prefixes of queens that workers have answered.", _plain(totals["prefixes"]))
        done = {kind: totals[f"chunks_done:{kind}"] for kind in KINDS}
        yield self._counter("chunks_done", "Chunks that workers have answered.", ("kind", done))
        kernel_s = {kind: totals[f"kernel_ns:{kind}"] / 1e9 for kind in KINDS}
        yield self._counter("kernel_seconds", "Kernel time of all answers.", ("kind", kernel_s))
        for name, text in (
            ("chunks_resent", "Chunks that producers have sent again."),
            ("chunks_begun_again", "Chunks begun though begun before: a process died or failed, or two had it."),
            ("chunks_refused", "Ranges of files that workers could not work on, and handed back."),
            ("chunks_unreadable", "Payloads that workers could not read."),
            ("chunks_poisonous", "Chunks given up as their processes died of them again and again."),
        ):
            yield self._counter(name, text, _plain(totals[name]))

    def _gauge(self, name: str, text: str, samples: Samples) -> Any:
        return self._filled(self._families.GaugeMetricFamily, name, text, samples)

    def _counter(self, name: str, text: str, samples: Samples) -> Any:
        return self._filled(self._families.CounterMetricFamily, name, text, samples)

    @staticmethod
    def _filled(kind: Any, name: str, text: str, samples: Samples) -> Any:
        label, values = samples
        family = kind(f"gridmill_{name}", text, labels=[label] if label else [])
        for value_of_label, value in values.items():
            family.add_metric([value_of_label] if label else [], value)
        return family


def serve(store: Store, address: str, port: int) -> None:
    """Serves the metrics of a cluster by HTTP, from a thread of this process.

    Raises:
        MissingExtraError: the library for it is not installed.
        OSError: the port is taken, or the address none of this machine.
    """
    library = extras.load("metrics")
    registry = library.CollectorRegistry()
    registry.register(ClusterCollector(store))
    library.start_http_server(port, addr=address, registry=registry)


def _plain(value: float) -> Samples:
    return "", {"": value}
