"""Everything that loses work without a word is found, each for itself, with what to do about it."""

import time
from collections.abc import Callable
from typing import Any

import fakeredis
import pytest

from producer import doctor
from producer.doctor import Check, examine
from solver_core.chunk import WIRE_VERSION
from worker.store import Store

FIT = {"redis_version": "7.2.4", "redis_mode": "standalone", "maxmemory": 0, "maxmemory_policy": "noeviction"}
FIT |= {"aof_enabled": 1, "used_memory": 10, "server_name": "valkey"}
Examined = Callable[..., dict[str, Check]]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> fakeredis.FakeRedis:
    fake = fakeredis.FakeRedis()
    monkeypatch.setattr(doctor, "reach", lambda _url: fake)
    return fake


@pytest.fixture
def examined(client: fakeredis.FakeRedis, monkeypatch: pytest.MonkeyPatch) -> Examined:
    """Examines a broker that tells these facts of itself."""

    def with_facts(clock_s: float = 0.0, **facts: Any) -> dict[str, Check]:
        told = time.time() + clock_s
        monkeypatch.setattr(client, "info", lambda *_: FIT | facts)
        monkeypatch.setattr(client, "time", lambda: (int(told), int(told % 1 * 1e6)))
        return {check.name: check for check in examine("redis://host")}

    return with_facts


def test_a_fit_broker_has_nothing_bad_but_the_missing_workers(examined: Examined) -> None:
    checks = examined()

    assert [name for name, check in checks.items() if not check.ok] == ["workers"]
    assert {"version", "cluster", "eviction", "clock", "persistence", "memory"} <= checks.keys()


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"redis_version": "6.0.16"}, "version"),
        ({"redis_mode": "cluster"}, "cluster"),
        ({"cluster_enabled": 1}, "cluster"),
        ({"maxmemory": 100, "maxmemory_policy": "allkeys-lru"}, "eviction"),
        ({"aof_enabled": 0}, "persistence"),
        ({"maxmemory": 100, "used_memory": 90}, "memory"),
        ({"clock_s": 60.0}, "clock"),
        ({"clock_s": -60.0}, "clock"),
    ],
)
def test_what_is_unfit_is_named_alone_and_with_advice(facts: dict[str, Any], name: str, examined: Examined) -> None:
    checks = examined(**facts)

    assert [other for other, check in checks.items() if not check.ok] == [name, "workers"]
    assert checks[name].advice


@pytest.mark.parametrize(
    ("facts", "advice"),
    [({}, ""), ({"wire": WIRE_VERSION + 1}, "wire version"), ({"clock": 1.0}, "NTP")],
    ids=["fit", "other wire version", "clock off"],
)
def test_workers_are_told_with_isa_wire_version_and_clock(
    facts: dict[str, Any], advice: str, client: fakeredis.FakeRedis, examined: Examined
) -> None:
    fit = {"wire": WIRE_VERSION, "isa": "avx2", "processes": 4, "clock": time.time()}
    Store(client).present("w@host", fit | facts)

    check = examined()["worker w@host"]

    assert check.ok == (not advice)
    assert advice in check.advice
    assert "avx2" in check.found
