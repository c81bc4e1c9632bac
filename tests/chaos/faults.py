"""What can go wrong, by name, and random plans of it. Every fault tells whether it really struck."""

import random
import signal
import time
from collections.abc import Callable
from typing import Any

import redis

from tests.chaos.processes import send
from tests.chaos.world import Run, World, pid_of

Fault = Callable[[World, Run, random.Random], bool]


def kill_pool_process(world: World, _run: Run, rng: random.Random) -> bool:
    """A pool process is killed, as by the kernel when memory runs out."""
    pool = _workers(world).pool()
    return bool(pool) and send(rng.choice(pool), signal.SIGKILL)


def kill_worker(world: World, _run: Run, _rng: random.Random) -> bool:
    """The Celery worker is killed; its supervisor starts another."""
    parents = _workers(world).celery()
    return bool(parents) and send(parents[0], signal.SIGKILL)


def end_worker(world: World, _run: Run, _rng: random.Random) -> bool:
    """The Celery worker is asked to end, as by `docker stop`; its supervisor starts another."""
    parents = _workers(world).celery()
    return bool(parents) and send(parents[0], signal.SIGTERM)


def kill_supervisor(world: World, _run: Run, _rng: random.Random) -> bool:
    """Supervisor and worker are killed; somebody starts them again."""
    struck = _workers(world).kill_supervisor()
    _workers(world).start()
    return struck


def kill_broker(world: World, _run: Run, rng: random.Random) -> bool:
    """The broker is killed and is back soon, with its memory only if it is durable."""
    return world.restart_broker(rng.uniform(0.1, 1.0))


def stop_broker(world: World, _run: Run, rng: random.Random) -> bool:
    """The broker hangs for a while."""
    struck = send(pid_of(world.broker), signal.SIGSTOP)
    time.sleep(rng.uniform(0.5, 2.0))
    return send(pid_of(world.broker), signal.SIGCONT) and struck


def stop_pool_process(world: World, _run: Run, rng: random.Random) -> bool:
    """A pool process hangs, longer than it counts as alive."""
    pool = _workers(world).pool()
    if not pool:
        return False
    pid = rng.choice(pool)
    struck = send(pid, signal.SIGSTOP)
    time.sleep(rng.uniform(1.0, 7.0))
    send(pid, signal.SIGCONT)
    return struck


def flush_all(world: World, _run: Run, _rng: random.Random) -> bool:
    """Somebody empties the broker."""
    return _with_broker(world, lambda client: bool(client.dbsize()) and bool(client.flushall()))


def lose_messages(world: World, _run: Run, _rng: random.Random) -> bool:
    """Messages vanish from the queue, as they do between the two steps in which Celery takes one."""
    return _with_broker(world, lambda client: sum(client.delete(key) for key in client.scan_iter("gridmill:wire*")) > 0)


def double_messages(world: World, _run: Run, _rng: random.Random) -> bool:
    """Messages come twice, as they do when Celery hands them out again too early."""

    def double(client: Any) -> bool:
        doubled = 0
        for key in client.scan_iter("gridmill:wire*"):
            if client.type(key) == b"list":
                for message in client.lrange(key, 0, -1):
                    doubled += bool(client.lpush(key, message))
        return doubled > 0

    return _with_broker(world, double)


def lose_payloads(world: World, _run: Run, rng: random.Random) -> bool:
    """Some of what lies in the broker vanishes."""

    def lose(client: Any) -> bool:
        keys = sorted(client.scan_iter("gridmill:b:*"))
        return bool(keys) and client.delete(*rng.sample(keys, (len(keys) + 1) // 2)) > 0

    return _with_broker(world, lose)


def garble_payloads(world: World, _run: Run, rng: random.Random) -> bool:
    """A bit of a payload or of an answer flips."""

    def garble(client: Any) -> bool:
        garbled = 0
        for key in list(client.scan_iter("gridmill:b:*:[pr]:*"))[:2]:
            payload = bytearray(client.get(key) or b"")
            if payload:
                payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
                garbled += bool(client.set(key, bytes(payload), xx=True, keepttl=True))
        return garbled > 0

    return _with_broker(world, garble)


def kill_producer(_world: World, run: Run, _rng: random.Random) -> bool:
    """The producer is killed, and the same command is run again."""
    return run.kill_and_start_again()


WORKER_FAULTS: tuple[Fault, ...] = (kill_pool_process, kill_worker, end_worker, kill_supervisor, stop_pool_process)
MESSAGE_FAULTS: tuple[Fault, ...] = (lose_messages, double_messages, lose_payloads)
BROKER_FAULTS: tuple[Fault, ...] = (kill_broker, stop_broker, flush_all)
ALL_FAULTS: tuple[Fault, ...] = (*WORKER_FAULTS, *MESSAGE_FAULTS, *BROKER_FAULTS, garble_payloads, kill_producer)

Plan = list[tuple[float, Fault]]


def plan(rng: random.Random, faults: tuple[Fault, ...], count: int, pause_s: float) -> Plan:
    """Returns `count` faults, each with the pause before it, about `pause_s` on average."""
    return [(rng.uniform(0.3, 1.7) * pause_s, rng.choice(faults)) for _ in range(count)]


def _workers(world: World) -> Any:
    assert world.workers is not None
    return world.workers


def _with_broker(world: World, action: Callable[[Any], bool]) -> bool:
    try:
        return action(world.client())
    except redis.RedisError:
        return False
