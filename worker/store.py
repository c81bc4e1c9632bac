"""Where chunk payloads lie while they travel: the `redis` plane, raw blobs under keys of our own.

All names of keys and all scripts of the data plane stand here. `B` is a batch id, `C` a chunk's name (`start-stop`,
rows of the batch counted from 0), `W` a worker process.

| key                    | type   | holds                                                          |
|------------------------|--------|----------------------------------------------------------------|
| `gridmill:batches`     | zset   | submitted batches, by the time they were submitted             |
| `gridmill:b:B:meta`    | string | what a worker must know of the batch, and who asked (`sealed`) |
| `gridmill:b:B:order`   | zset   | the chunks of a submitted batch, by their first row            |
| `gridmill:b:B:lock`    | string | who gathers the batch                                          |
| `gridmill:b:B:gone`    | string | the batch was cancelled; whoever gathers it ends               |
| `gridmill:b:B:done`    | list   | `C W`: the chunks that were answered, and by whom; `C W died`   |
| `gridmill:b:B:p:C`     | string | payload: the work of a chunk (`solver_core/chunk.py`)          |
| `gridmill:b:B:x:C`     | string | rows: what the gatherer must know beside it; submitted batches |
| `gridmill:b:B:r:C`     | string | the answer                                                     |
| `gridmill:b:B:k:C`     | hash   | W -> time it began; what is left behind of dead processes      |
| `gridmill:alive:W`     | string | `B C`: what a process works on, for 5 s; renewed by its thread |
| `gridmill:worker:NAME` | string | JSON: what a worker says of itself, for 15 s                   |
| `gridmill:workers`     | set    | names of workers, some of which may have gone                  |
| `gridmill:totals`      | hash   | what was done so far (`totals.py`), for 30 days after the last |

A payload is there as long as its chunk is wanted: whoever drops it withdraws the chunk, and an answer that comes
later is thrown away by the broker itself. Every key has a time to live.
"""

import json
import math
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import redis

from solver_core.errors import ChunkError
from solver_core.sealed import seal, unseal

PREFIX = "gridmill:"
TOTALS = f"{PREFIX}totals"
ALIVE_S = 5
WORKER_S = 15
# More than any machine has; what claims to have more is no worker.
PROCESSES_MOST = 4096
# What a killed `solve` leaves behind; a run that is alive renews its keys with every chunk that it sends.
RUN_KEEP_S = 3600
TOTALS_KEEP_S = 30 * 86400

# KEYS: payload, answer, starts, meta. ARGV: process, keep, "B C", how long it counts as alive. Out: nothing when the
# chunk is not wanted, else payload, meta, and the processes that began it before: name, age in seconds, what each works
# on now if it is alive.
_BEGIN = """
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('EXISTS', KEYS[2]) == 1 then return {} end
local now = tonumber(redis.call('TIME')[1])
local out = {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[4])}
local starts = redis.call('HGETALL', KEYS[3])
for i = 1, #starts, 2 do
  out[#out + 1] = starts[i]
  out[#out + 1] = now - tonumber(starts[i + 1])
  out[#out + 1] = redis.call('GET', 'gridmill:alive:' .. starts[i]) or ''
end
redis.call('HSET', KEYS[3], ARGV[1], now)
redis.call('SET', 'gridmill:alive:' .. ARGV[1], ARGV[3], 'EX', ARGV[4])
redis.call('EXPIRE', KEYS[3], ARGV[2])
return out
"""

# KEYS: payload, answer, starts, done, totals. ARGV: answer, entry of the done list, keep, how long totals are kept,
# then names of totals, each with what is added to it. Out: 1 if the chunk was wanted. No total is worth an answer, so
# one that cannot be added to is passed over.
_FINISH = """
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', KEYS[3]) return 0 end
if redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[3], 'NX') then
  redis.call('RPUSH', KEYS[4], ARGV[2])
  redis.call('EXPIRE', KEYS[4], ARGV[3])
  for i = 5, #ARGV, 2 do redis.pcall('HINCRBY', KEYS[5], ARGV[i], ARGV[i + 1]) end
  redis.call('EXPIRE', KEYS[5], ARGV[4])
end
redis.call('DEL', KEYS[3])
return 1
"""


# KEYS: lock. ARGV: owner. Out: 1 if it was the owner's.
_UNLOCK = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""


class ChunkName(NamedTuple):
    """The rows of a batch that a chunk carries, counted from 0: `start` up to, not including, `stop`."""

    start: int
    stop: int

    def __str__(self) -> str:
        return f"{self.start}-{self.stop}"

    @classmethod
    def parse(cls, text: str) -> "ChunkName":
        """Reads `start-stop`.

        Raises:
            ValueError: that is no chunk's name.
        """
        start, _, stop = text.partition("-")
        if not (start.isascii() and start.isdigit() and stop.isascii() and stop.isdigit()):
            raise ValueError(f"{text[:40]!r} is no chunk's name")
        name = cls(int(start), int(stop))
        if name.start >= name.stop:
            raise ValueError(f"{text[:40]!r} is no chunk's name")
        return name


class Start(NamedTuple):
    """A process that began a chunk before and has not ended it."""

    process: str
    age_s: float
    alive: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """A chunk as a worker takes it up."""

    payload: bytes
    meta: dict[str, Any]
    others: tuple[Start, ...]


class Done(NamedTuple):
    """One entry of the list of answered chunks."""

    chunk: ChunkName
    worker: str
    died: bool = False  # no answer: its processes died of it


def new_batch_id() -> str:
    """Returns an id for a batch: the date, then random letters, so that ids sort and never meet."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(4)}"


class Store:
    """The chunk store of one broker. All methods raise `redis.RedisError` when the broker does not answer."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client  # redis-py's types allow for text where a client of ours has bytes alone
        self._begin = client.register_script(_BEGIN)
        self._finish = client.register_script(_FINISH)
        self._unlock = client.register_script(_UNLOCK)

    # The worker's side.

    def begin(self, batch: str, chunk: ChunkName, process: str) -> Begun | None:
        """Takes a chunk up and notes the start; None if nobody wants it (any more), or it has its answer.

        A process that is alive but has gone on to something else, such as one that could not put its answer because the
        broker was away, is not told among the others.

        Raises:
            ChunkError: what must be known of the batch cannot be read.
        """
        keys = [_key(batch, part, chunk) for part in "prk"] + [_key(batch, "meta")]
        at = _at_work(batch, chunk)
        reply = self._begin(keys=keys, args=[process, RUN_KEEP_S, at, ALIVE_S])
        if not reply or reply[1] is None:
            return None
        payload, meta, *starts = reply
        others = tuple(
            Start(name.decode(), float(age), bool(works_on))
            for name, age, works_on in zip(starts[::3], starts[1::3], starts[2::3], strict=True)
            if works_on in (b"", at.encode()) and name.decode() != process
        )
        return Begun(payload, unseal(meta), others)

    def finish(
        self,
        batch: str,
        chunk: ChunkName,
        worker: str,
        answer: bytes,
        keep_s: float,
        counts: Iterable[tuple[str, int]] = (),
    ) -> bool:
        """Puts the answer, reports the chunk done and adds to the totals, in one step; False if nobody wants it."""
        keys = [_key(batch, part, chunk) for part in "prk"] + [_key(batch, "done"), TOTALS]
        added = [text for name, count in counts if count for text in (name, count)]
        return bool(self._finish(keys=keys, args=[answer, f"{chunk} {worker}", int(keep_s), TOTALS_KEEP_S, *added]))

    def record_death(self, batch: str, chunk: ChunkName, process: str) -> None:
        """Turns a start into one that ended badly, although its process lives on."""
        key = _key(batch, "k", chunk)
        pipe = self.client.pipeline(transaction=True)
        pipe.hdel(key, process)
        pipe.hset(key, f"{process}/{secrets.token_hex(4)}", "0")
        pipe.expire(key, RUN_KEEP_S)
        pipe.execute()

    def report_deaths(self, batch: str, chunk: ChunkName, worker: str, keep_s: float) -> None:
        """Reports that processes died of a chunk again and again; its starts begin anew."""
        pipe = self.client.pipeline(transaction=True)
        pipe.delete(_key(batch, "k", chunk))
        pipe.rpush(_key(batch, "done"), f"{chunk} {worker} died")
        pipe.expire(_key(batch, "done"), int(keep_s))
        pipe.execute()

    def release(self, batch: str, chunk: ChunkName, process: str) -> None:
        """Takes back a start that ended in good order without an answer: no death."""
        self.client.hdel(_key(batch, "k", chunk), process)

    def still_alive(self, process: str, at: tuple[str, ChunkName] | None = None) -> None:
        """Says that a worker process is alive, and which chunk of which batch it works on."""
        self.client.set(f"{PREFIX}alive:{process}", _at_work(*at) if at else "-", ex=ALIVE_S)

    def wanted(self, batch: str, chunk: ChunkName) -> bool:
        """Whether somebody still waits for the chunk."""
        return bool(self.client.exists(_key(batch, "p", chunk)))

    def present(self, name: str, facts: dict[str, Any]) -> None:
        """Says that a worker is there, and what it is."""
        pipe = self.client.pipeline(transaction=True)
        pipe.set(f"{PREFIX}worker:{name}", json.dumps(facts), ex=WORKER_S)
        pipe.sadd(f"{PREFIX}workers", name)
        pipe.expire(f"{PREFIX}workers", RUN_KEEP_S)
        pipe.execute()

    def absent(self, name: str) -> None:
        """Says that a worker has gone."""
        self.client.delete(f"{PREFIX}worker:{name}")

    def count(self, name: str, count: int = 1) -> None:
        """Adds to one of the totals, if the broker lets it."""
        pipe = self.client.pipeline(transaction=True)
        pipe.hincrby(TOTALS, name, count)
        pipe.expire(TOTALS, TOTALS_KEEP_S)
        pipe.execute(raise_on_error=False)

    # The producer's side.

    def put(self, batch: str, meta: dict[str, Any], work: Iterable[tuple[ChunkName, bytes]], keep_s: float) -> None:
        """Lays down chunks, and renews what workers must know of the batch."""
        pipe = self.client.pipeline(transaction=True)
        pipe.set(_key(batch, "meta"), seal(meta), ex=int(keep_s))
        for chunk, payload in work:
            pipe.set(_key(batch, "p", chunk), payload, ex=int(keep_s))
        pipe.execute()

    def wait_done(self, batch: str, timeout_s: float) -> list[Done | str]:
        """Waits for answered chunks and takes all that are there; an entry that cannot be read comes as text."""
        key = _key(batch, "done")
        first = self.client.blpop([key], timeout=timeout_s)
        if first is None:
            return []
        entries = [first[1], *(self.client.lpop(key, 1000) or [])]
        return [_done(entry) for entry in entries]

    def answers(self, batch: str, chunks: Sequence[ChunkName]) -> list[bytes | None]:
        """Returns the answers of chunks; None where there is none."""
        if not chunks:
            return []
        return list(self.client.mget([_key(batch, "r", chunk) for chunk in chunks]))

    def drop(self, batch: str, chunks: Iterable[ChunkName]) -> None:
        """Withdraws chunks with all that belongs to them."""
        keys = [_key(batch, part, chunk) for chunk in chunks for part in "pxrk"]
        if keys:
            self.client.delete(*keys)

    def drop_answer(self, batch: str, chunk: ChunkName) -> None:
        """Throws away an answer, so that another can take its place."""
        self.client.delete(_key(batch, "r", chunk))

    def end_run(self, batch: str, chunks: Iterable[ChunkName]) -> None:
        """Ends a batch that was not submitted: withdraws these chunks, and what belongs to the batch itself."""
        self.drop(batch, chunks)
        self.client.delete(_key(batch, "meta"), _key(batch, "done"))

    def at_work(self, batch: str, chunk: ChunkName) -> bool:
        """Whether a process that is alive works on the chunk."""
        names = [name.decode(errors="replace") for name in self.client.hkeys(_key(batch, "k", chunk))]
        works_on = self.client.mget([f"{PREFIX}alive:{name}" for name in names]) if names else []
        return _at_work(batch, chunk).encode() in works_on

    def forget(self, batch: str) -> int:
        """Deletes everything of a batch; returns how many keys there were."""
        self.client.zrem(f"{PREFIX}batches", batch)
        count = 0
        for keys in _batched(self.client.scan_iter(match=f"{PREFIX}b:{batch}:*", count=1000), 500):
            count += self.client.delete(*keys)
        return count

    def workers(self) -> dict[str, dict[str, Any]]:
        """Returns what the workers that are there say of themselves, by name; forgets those that have gone."""
        names = sorted(self.client.smembers(f"{PREFIX}workers"))
        facts = self.client.mget([f"{PREFIX}worker:".encode() + name for name in names]) if names else []
        gone = [name for name, text in zip(names, facts, strict=True) if text is None]
        if gone:
            self.client.srem(f"{PREFIX}workers", *gone)
        found = {}
        for name, text in zip(names, facts, strict=True):
            read = _json_object(text)
            if read is not None and _are_facts(read):
                shown = name.decode(errors="replace")
                found["".join(mark if mark.isprintable() else "?" for mark in shown)] = read
        return found

    # Submitted batches.

    def register(self, batch: str, chunk: ChunkName, payload: bytes, rows: bytes, keep_s: float) -> None:
        """Lays down one chunk of a submitted batch, with its rows, at its place in the order."""
        pipe = self.client.pipeline(transaction=True)
        pipe.set(_key(batch, "p", chunk), payload, ex=int(keep_s))
        pipe.set(_key(batch, "x", chunk), rows, ex=int(keep_s))
        pipe.zadd(_key(batch, "order"), {str(chunk): chunk.start})  # twice makes no difference, where a list would
        pipe.expire(_key(batch, "order"), int(keep_s))
        pipe.execute()

    def announce(self, batch: str, meta: dict[str, Any], keep_s: float) -> None:
        """Makes a submitted batch known."""
        pipe = self.client.pipeline(transaction=True)
        pipe.set(_key(batch, "meta"), seal(meta), ex=int(keep_s))
        pipe.zadd(f"{PREFIX}batches", {batch: meta["created"]})
        pipe.execute()

    def meta(self, batch: str) -> dict[str, Any] | None:
        """Returns what is known of a batch; None if it is not there."""
        try:
            return unseal(self.client.get(_key(batch, "meta")) or b"")
        except ChunkError:
            return None

    def batches(self) -> dict[str, dict[str, Any]]:
        """Returns the submitted batches that are still there, oldest first, and forgets those that are not."""
        found = {}
        for entry in self.client.zrange(f"{PREFIX}batches", 0, -1):
            batch = entry.decode(errors="replace")
            meta = self.meta(batch)
            if meta is None:
                self.client.zrem(f"{PREFIX}batches", entry)
            else:
                found[batch] = meta
        return found

    def order(self, batch: str) -> list[ChunkName]:
        """Returns the chunks of a submitted batch, in input order."""
        return [ChunkName.parse(entry.decode()) for entry in self.client.zrange(_key(batch, "order"), 0, -1)]

    def work(self, batch: str, chunk: ChunkName) -> tuple[bytes | None, bytes | None]:
        """Returns payload and rows of a submitted chunk; None for what is lost."""
        payload, rows = self.client.mget(_key(batch, "p", chunk), _key(batch, "x", chunk))
        return payload, rows

    def answered(self, batch: str, chunks: Sequence[ChunkName]) -> list[bool]:
        """Returns for each chunk whether its answer is there."""
        return self._are_there(batch, "r", chunks)

    def laid_down(self, batch: str, chunks: Sequence[ChunkName]) -> list[bool]:
        """Returns for each chunk whether its payload is there."""
        return self._are_there(batch, "p", chunks)

    def messages(self, queue: str) -> int:
        """Returns how many messages wait in a queue."""
        return int(self.client.llen(f"{PREFIX}{queue}"))

    def _are_there(self, batch: str, part: str, chunks: Sequence[ChunkName]) -> list[bool]:
        pipe = self.client.pipeline(transaction=False)
        for chunk in chunks:
            pipe.exists(_key(batch, part, chunk))
        return [bool(there) for there in pipe.execute()]

    def lock(self, batch: str, owner: str, ttl_s: float) -> bool:
        """Takes or renews the right to gather a batch; False if another has it."""
        key = _key(batch, "lock")
        if self.client.set(key, owner, nx=True, ex=int(ttl_s)):
            return True
        if self.client.get(key) != owner.encode():
            return False
        return bool(self.client.expire(key, int(ttl_s)))

    def cancel(self, batch: str) -> None:
        """Takes a submitted batch back, with all that belongs to it; whoever gathers it is told."""
        self.forget(batch)
        self.client.set(_key(batch, "gone"), 1, ex=RUN_KEEP_S)

    def cancelled(self, batch: str) -> bool:
        """Whether a batch was cancelled not long ago."""
        return bool(self.client.exists(_key(batch, "gone")))

    def lock_owner(self, batch: str) -> str:
        """Returns who has the right to gather a batch; empty if nobody has."""
        owner: bytes = self.client.get(_key(batch, "lock")) or b""
        return owner.decode(errors="replace")

    def unlock(self, batch: str, owner: str) -> None:
        """Gives the right to gather back, if it is this owner's."""
        self._unlock(keys=[_key(batch, "lock")], args=[owner])


def _key(batch: str, part: str, chunk: ChunkName | None = None) -> str:
    return f"{PREFIX}b:{batch}:{part}" + (f":{chunk}" if chunk else "")


def _at_work(batch: str, chunk: ChunkName) -> str:
    return f"{batch} {chunk}"


def _done(entry: bytes) -> Done | str:
    text = entry.decode(errors="replace")
    chunk, _, rest = text.partition(" ")
    worker, _, died = rest.partition(" ")
    if died not in ("", "died"):
        return text
    try:
        return Done(ChunkName.parse(chunk), worker, bool(died))
    except ValueError:
        return text


def _json_object(text: bytes | None) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _are_facts(facts: dict[str, Any]) -> bool:
    """Whether what a worker says of itself can be relied on to be of the right kind, where it is there."""
    processes, clock = facts.get("processes", 1), facts.get("clock", 0.0)
    return (
        isinstance(processes, int)
        and 0 < processes <= PROCESSES_MOST
        and isinstance(clock, int | float)
        and math.isfinite(clock)
        and isinstance(facts.get("wire", 0), int)
    )


def _batched(keys: Iterator[bytes], size: int) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    for key in keys:
        batch.append(key)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
