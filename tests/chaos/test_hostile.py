"""Garbage in every key and message that a worker or producer reads: rejected, and the batch is none the worse."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis

from tests.chaos import faults
from tests.chaos.conftest import LONG
from tests.chaos.report import Finding
from tests.chaos.story import LIMIT_S, hurt, judge, without_times
from tests.chaos.world import Run, World

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
ROWS = 16_000 if LONG else 6_000
SOME_ROWS = 1
NAMES = ("0-4", "4-0", "0-99999999999999999999", "-1-4", "x", "", "0-4-8", "٣-٤", "../../etc/passwd", "0" * 5000)


def garbage(rng: random.Random) -> bytes:
    """Random bytes, a lying header, JSON of every kind."""
    return rng.choice(
        (
            rng.randbytes(rng.randrange(1, 200)),
            b"GMPZ\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff" + rng.randbytes(50),
            b"GMRS\x01\x00\x00\x00\xff\xff\xff\xff\x10\x00\x00\x00" + rng.randbytes(20),
            b"GMQA\x02\x00" + rng.randbytes(40),
            b"{}",
            b"[]",
            b"null",
            b"[" * 2000,
            b'{"wire": 1, "keep_s": "for ever", "limit": -1, "max_guesses": [], "solver": "os.system"}',
            b'{"processes": "many", "isa": null, "wire": {}, "clock": "noon"}',
            b'{"processes": 1e400}',
            b'{"path": "/etc/passwd", "offset": 0, "length": 10, "parts": "/etc"}',
        )
    )


def _tried(action: Callable[[Any], bool]) -> faults.Fault:
    def fault(world: World, _run: Run, _rng: random.Random) -> bool:
        try:
            return action(world.client())
        except redis.RedisError:
            return False

    return fault


def messages(rng: random.Random) -> faults.Fault:
    """Messages of Celery's form with other arguments, and some of no form at all."""

    def put(client: Any) -> bool:
        queue = next((key for key in client.scan_iter("gridmill:wire*") if client.type(key) == b"list"), None)
        if queue is None:
            return False
        genuine = json.loads(client.lindex(queue, 0) or b"null")
        if not genuine:
            return False
        other = dict(genuine)
        batch = rng.choice(("B", "../..", "", "x" * 3000, "*"))
        body = json.dumps([[batch, rng.choice(NAMES), rng.choice((0, -1, "x", None))], {}, {}])
        other["body"] = body
        other["properties"] = genuine["properties"] | {"body_encoding": "plain", "delivery_tag": str(rng.random())}
        return bool(client.rpush(queue, json.dumps(other)))

    fault = _tried(put)
    fault.__name__ = "message with other arguments"
    return fault


def formless(rng: random.Random) -> faults.Fault:
    def put(client: Any) -> bool:
        queue = next((key for key in client.scan_iter("gridmill:wire*") if client.type(key) == b"list"), None)
        return queue is not None and bool(client.rpush(queue, garbage(rng)))

    fault = _tried(put)
    fault.__name__ = "message of no form"
    return fault


def done_entries(rng: random.Random) -> faults.Fault:
    def put(client: Any) -> bool:
        key = next(iter(client.scan_iter("gridmill:b:*:meta")), None)
        if key is None:
            return False
        done = key.replace(b":meta", b":done")
        entries = [rng.choice(NAMES).encode() + rng.choice((b" w", b"", b" w x", b"\xff\xfe")), garbage(rng)]
        held = [name.rpartition(b":")[2] for name in client.scan_iter(key.replace(b":meta", b":p:*"), count=1000)]
        entries += [held[0] + b" stranger"] * 2 if held else []
        return bool(client.rpush(done, *entries))

    fault = _tried(put)
    fault.__name__ = "entries of the done list"
    return fault


def values(rng: random.Random) -> faults.Fault:
    def put(client: Any) -> bool:
        keys = sorted(client.scan_iter("gridmill:b:*:[prm]*", count=1000))
        strings = [key for key in keys if client.type(key) == b"string"]
        return any(client.set(key, garbage(rng), xx=True, keepttl=True) for key in strings[:3])

    fault = _tried(put)
    fault.__name__ = "payloads, answers, meta"
    return fault


def workers(rng: random.Random) -> faults.Fault:
    def put(client: Any) -> bool:
        names = [f"{number}\x1b[31m" for number in range(12)]
        client.sadd("gridmill:workers", *names)
        return all(client.set(f"gridmill:worker:{name}", garbage(rng), ex=15) for name in names)

    fault = _tried(put)
    fault.__name__ = "what workers say"
    return fault


def test_garbage_everywhere_does_a_batch_no_harm(
    few_seed: int, rng: random.Random, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(ROWS, "csv")
    out = tmp_path / "out.csv"
    finding = Finding("hostile payloads", few_seed)
    kinds = (messages(rng), done_entries(rng), values(rng), workers(rng), formless(rng))
    count = 60 if LONG else 15
    plan = [(0.3, kind) for kind in kinds] + faults.plan(rng, kinds, count, 0.15)

    with World(tmp_path) as world:
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        code = hurt(world, run, plan, rng, finding)

    assert code == SOME_ROWS, run.said()
    assert "\x1b" not in run.said()
    assert "Traceback" not in run.said()
    judge(finding, out, expected, count // 3, plain=without_times)


def test_doctor_and_batches_read_garbage_in_peace(tmp_path: Path) -> None:
    rng = random.Random(1)

    with World(tmp_path, processes=0) as world:
        client = world.client()
        for number in range(30):
            client.set(f"gridmill:worker:{number}", garbage(rng), ex=60)
            client.sadd("gridmill:workers", number)
            client.set(f"gridmill:b:{number}:meta", garbage(rng), ex=60)
            client.zadd("gridmill:batches", {str(number): number})
        client.zadd("gridmill:batches", {b"\xff\xfe": 1})
        runs = [world.run(*command) for command in (("doctor",), ("doctor", "--json"), ("batches",), ("status", "3"))]
        codes = [run.wait(LIMIT_S) for run in runs]

    assert codes[0] in (0, 3)
    assert codes[1] in (0, 3)
    assert codes[2] == 0
    assert codes[3] == 2
    assert "this should not have happened" not in runs[0].said()
