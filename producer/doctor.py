"""Looks at a cluster and says what is fit, what is not, and what to do."""

import time
from dataclasses import dataclass
from typing import Any

import redis

from producer.cluster import find_server, server_version
from producer.link import reach, unfitness
from solver_core.chunk import WIRE_VERSION
from solver_core.errors import BrokerError
from solver_core.isa import isa
from worker.broker import without_password
from worker.store import WORKER_S, Store

CLOCK_SKEW_S = 5.0
FULL_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: what.
        ok: whether it is fit.
        found: what was found.
        advice: what to do; empty when there is nothing to be done.
    """

    name: str
    ok: bool
    found: str
    advice: str = ""


def examine(broker: str | None) -> list[Check]:
    """Looks at everything: this machine and, with a URL, the broker and its workers."""
    checks = [_kernels()]
    if broker is None:
        return [*checks, _server()]
    try:
        client = reach(broker)
    except BrokerError as error:
        return [*checks, Check("broker", False, str(error), "name one that answers with --broker or GRIDMILL_BROKER")]
    checks.append(Check("broker", True, f"{without_password(broker)} answers"))
    try:
        checks += _broker(client)
    except redis.ResponseError as error:
        checks.append(Check("broker facts", True, f"the broker does not tell: {error}"))
    return [*checks, *_workers(Store(client))]


def _kernels() -> Check:
    try:
        return Check("kernels", True, f"isa {isa()}, wire version {WIRE_VERSION}")
    except ValueError as error:
        return Check("kernels", False, str(error), "unset GRIDMILL_ISA")


def _server() -> Check:
    try:
        path = find_server()
    except BrokerError as error:
        return Check("private broker", False, "no server", str(error))
    version = ".".join(map(str, server_version(path)))
    return Check("private broker", True, f"{path}, version {version}")


def _broker(client: redis.Redis) -> list[Check]:
    facts: dict[str, Any] = client.info()
    version = facts.get("valkey_version") or facts.get("redis_version", "unknown")
    persistent = facts.get("aof_enabled") == 1
    used, limit = facts.get("used_memory", 0), facts.get("maxmemory", 0)
    unfit = unfitness(client, "there")
    fit = {
        "version": f"{facts.get('server_name', 'redis')} {version}",
        "cluster": "a single server",
        "eviction": str(facts.get("maxmemory_policy", "unknown")),
    }
    advice = {
        "version": "take Redis 6.2 or newer, or Valkey",
        "cluster": "take a single server",
        "eviction": "set maxmemory-policy noeviction",
    }
    checks = [
        Check(name, name not in unfit, unfit.get(name, found), advice[name] if name in unfit else "")
        for name, found in fit.items()
    ]
    seconds, microseconds = client.time()
    skew_s = seconds + microseconds / 1e6 - time.time()
    fair = abs(skew_s) < CLOCK_SKEW_S
    checks.append(Check("clock", fair, f"{skew_s:+.1f} s from here", "" if fair else "set the clocks by NTP"))
    checks.append(
        Check(
            "persistence",
            persistent,
            "append-only file" if persistent else "none",
            "" if persistent else "set appendonly yes: a restart would lose submitted batches",
        )
    )
    room = not limit or used < FULL_SHARE * limit
    found = f"{used / 2**20:,.0f} MiB used" + (f" of {limit / 2**20:,.0f}" if limit else ", no limit")
    checks.append(Check("memory", room, found, "" if room else "raise maxmemory, or cancel batches"))
    return checks


def _workers(store: Store) -> list[Check]:
    workers = store.workers()
    if not workers:
        return [Check("workers", False, "none", "start one: gridmill worker --broker URL")]
    shared = [name for name, facts in workers.items() if facts.get("shared")]
    checks = [Check("plane", True, f"{len(shared)} of {len(workers)} workers share folders (GRIDMILL_SHARED)")]
    now = time.time()
    for name, facts in sorted(workers.items()):
        skew_s = abs(now - float(facts.get("clock", now)))
        found = f"{facts.get('processes')} processes, isa {facts.get('isa')}, wire version {facts.get('wire')}"
        advice = ""
        if facts.get("wire") != WIRE_VERSION:
            advice = f"it speaks another wire version than {WIRE_VERSION}: bring it to the same gridmill"
        elif skew_s > CLOCK_SKEW_S + WORKER_S:  # what it said of its clock may be that old
            advice = f"its clock is {skew_s:.0f} s off: set it by NTP"
        checks.append(Check(f"worker {name}", not advice, found, advice))
    return checks
