"""The chunk store, against a Redis that lives in this process."""

import os
import platform
from collections.abc import Iterator

import fakeredis
import pytest

from producer.submitted import GatherLock
from solver_core.errors import BatchError, ChunkError
from worker.store import ALIVE_S, WORKER_S, ChunkName, Done, Store, new_batch_id

META = {"keep_s": 60, "solver": "solo"}
C = ChunkName(0, 10)
D = ChunkName(10, 20)


@pytest.fixture
def store() -> Iterator[Store]:
    client = fakeredis.FakeRedis()
    yield Store(client)
    client.close()


def put(store: Store, *chunks: ChunkName) -> None:
    store.put("B", META, [(chunk, f"work {chunk}".encode()) for chunk in chunks], 60)


def test_a_chunk_goes_there_and_back(store: Store) -> None:
    put(store, C, D)

    begun = store.begin("B", C, "p1")
    accepted = store.finish("B", C, "host/1", b"answer", 60)

    assert begun is not None
    assert (begun.payload, begun.meta, begun.others) == (b"work 0-10", META, ())
    assert accepted
    assert store.wait_done("B", 1) == [Done(C, "host/1")]
    assert store.answers("B", [D, C]) == [None, b"answer"]


def test_nothing_is_done_within_the_time(store: Store) -> None:
    assert store.wait_done("B", 0.05) == []


def test_all_that_is_done_comes_at_once_in_the_order_in_which_it_was_done(store: Store) -> None:
    names = [ChunkName(at, at + 1) for at in (3, 1, 2)]
    put(store, *names)

    for name in names:
        store.finish("B", name, "w", b"", 60)

    assert [entry.chunk for entry in store.wait_done("B", 1) if isinstance(entry, Done)] == names


def test_a_chunk_that_nobody_laid_down_is_not_begun_nor_finished(store: Store) -> None:
    assert store.begin("B", C, "p1") is None
    assert not store.finish("B", C, "w", b"answer", 60)
    assert store.answers("B", [C]) == [None]


def test_a_chunk_that_was_withdrawn_is_not_wanted_any_more(store: Store) -> None:
    put(store, C)
    store.begin("B", C, "p1")
    wanted = store.wanted("B", C)

    store.drop("B", [C])

    assert wanted
    assert not store.wanted("B", C)
    assert not store.finish("B", C, "w", b"late", 60)
    assert store.wait_done("B", 0.05) == []


def test_a_chunk_that_has_its_answer_is_not_begun_again(store: Store) -> None:
    put(store, C)
    store.finish("B", C, "w", b"answer", 60)

    assert store.begin("B", C, "p2") is None


def test_the_first_answer_counts_and_is_reported_once(store: Store) -> None:
    put(store, C)

    store.finish("B", C, "first", b"one", 60)
    store.finish("B", C, "second", b"two", 60)

    assert store.answers("B", [C]) == [b"one"]
    assert store.wait_done("B", 1) == [Done(C, "first")]


def test_an_answer_that_was_thrown_away_makes_room_for_another(store: Store) -> None:
    put(store, C)
    store.finish("B", C, "w", b"garbled", 60)

    store.drop_answer("B", C)
    again = store.begin("B", C, "p2")
    store.finish("B", C, "w", b"right", 60)

    assert again is not None
    assert store.answers("B", [C]) == [b"right"]


def test_starts_of_others_are_told_with_age_and_life(store: Store) -> None:
    put(store, C)
    store.begin("B", C, "alive")
    store.begin("B", C, "dead")
    store.client.delete("gridmill:alive:dead")

    begun = store.begin("B", C, "third")

    assert begun is not None
    assert {(start.process, start.alive) for start in begun.others} == {("alive", True), ("dead", False)}
    assert all(0 <= start.age_s < 60 for start in begun.others)


@pytest.mark.parametrize("gone_on_to", [None, ("B", D), ("C", C)])
def test_a_process_that_went_on_to_something_else_works_on_the_chunk_no_more(
    store: Store, gone_on_to: tuple[str, ChunkName] | None
) -> None:
    # Given a process that could not put its answer, because the broker was away, and lives on.
    put(store, C)
    store.begin("B", C, "p")
    before = store.at_work("B", C)

    store.still_alive("p", gone_on_to)
    begun = store.begin("B", C, "q")

    assert begun is not None
    assert (before, begun.others) == (True, ())


def test_finishing_and_releasing_leave_no_start_behind(store: Store) -> None:
    put(store, C, D)
    store.begin("B", C, "p")
    store.begin("B", D, "p")

    store.finish("B", C, "w", b"", 60)
    store.release("B", D, "p")
    begun = store.begin("B", D, "q")

    assert begun is not None
    assert begun.others == ()
    assert store.client.exists("gridmill:b:B:k:0-10") == 0


def test_a_recorded_death_counts_though_the_process_lives(store: Store) -> None:
    put(store, C)
    store.still_alive("p")
    for _ in range(3):
        store.begin("B", C, "p")
        store.record_death("B", C, "p")

    begun = store.begin("B", C, "q")

    assert begun is not None
    assert [start.alive for start in begun.others] == [False] * 3


def test_reported_deaths_reach_the_producer_and_begin_anew(store: Store) -> None:
    put(store, C)
    store.begin("B", C, "dead")

    store.report_deaths("B", C, "w", 60)
    begun = store.begin("B", C, "q")

    assert store.wait_done("B", 1) == [Done(C, "w", died=True)]
    assert begun is not None
    assert begun.others == ()


def test_a_chunk_is_at_work_as_long_as_a_process_that_began_it_lives_and_is_at_it(store: Store) -> None:
    put(store, C)
    before = store.at_work("B", C)
    store.begin("B", C, "p")
    begun = store.at_work("B", C)
    store.client.delete("gridmill:alive:p")
    dead = store.at_work("B", C)
    store.still_alive("p", ("B", C))
    alive = store.at_work("B", C)
    store.still_alive("p")
    elsewhere = store.at_work("B", C)

    assert (before, begun, dead, alive, elsewhere) == (False, True, False, True, False)


def test_every_key_has_a_time_to_live(store: Store) -> None:
    put(store, C, D)
    store.begin("B", C, "p")
    store.finish("B", D, "w", b"answer", 60)
    store.register("S", C, b"work", b"rows", 60)
    store.announce("S", META | {"created": 1.0}, 60)
    store.report_deaths("B", C, "w", 60)
    store.begin("B", C, "p")
    store.still_alive("p")
    store.present("w", {})
    store.lock("S", "me", 30)

    endless = [key for key in store.client.keys("*") if store.client.ttl(key) < 0]

    assert endless == [b"gridmill:batches"]  # which forgets by itself what is gone


def test_life_and_presence_run_out_soon(store: Store) -> None:
    store.still_alive("p")
    store.present("w", {"isa": "portable"})

    assert 0 < store.client.ttl("gridmill:alive:p") <= ALIVE_S
    assert 0 < store.client.ttl("gridmill:worker:w") <= WORKER_S


def test_workers_say_what_they_are_and_garbage_is_passed_over(store: Store) -> None:
    store.present("celery@a", {"isa": "avx2"})
    store.present("celery@b", {"isa": "neon"})
    store.client.set("gridmill:worker:broken", b"{")
    store.client.set("gridmill:worker:list", b"[]")
    store.client.sadd("gridmill:workers", "broken", "list")

    store.absent("celery@b")

    assert store.workers() == {"celery@a": {"isa": "avx2"}}
    assert not store.client.sismember("gridmill:workers", "celery@b")


@pytest.mark.parametrize(
    "entry", [b"", b"x", b"5-5 w", b"-1-3 w", b"3-1 w", b"0-10 w exploded", b"\xff 0-10", b"0-\xb2 w"]
)
def test_an_entry_that_cannot_be_read_comes_as_text(store: Store, entry: bytes) -> None:
    store.client.rpush("gridmill:b:B:done", entry)

    assert store.wait_done("B", 1) == [entry.decode(errors="replace")]


def test_ending_a_run_leaves_nothing(store: Store) -> None:
    put(store, C, D)
    store.begin("B", C, "p")
    store.finish("B", D, "w", b"", 60)

    store.end_run("B", [C, D])

    assert store.client.keys("gridmill:b:*") == []


def test_a_submitted_batch_is_there_until_it_is_forgotten(store: Store) -> None:
    for batch, created in (("S2", 2.0), ("S1", 1.0), ("X", 3.0)):
        store.register(batch, C, b"work", b"rows", 60)
        store.register(batch, D, b"work", b"", 60)
        store.announce(batch, META | {"created": created}, 60)
    store.finish("S1", D, "w", b"answer", 60)

    assert list(store.batches()) == ["S1", "S2", "X"]
    assert store.meta("S1") == META | {"created": 1.0}
    assert store.order("S1") == [C, D]
    assert store.work("S1", C) == (b"work", b"rows")
    assert store.work("S1", D) == (b"work", b"")
    assert store.answered("S1", [C, D]) == [False, True]

    store.forget("S1")

    assert list(store.batches()) == ["S2", "X"]
    assert store.client.keys("gridmill:b:S1:*") == []
    assert store.order("S2") == [C, D]


def test_a_chunk_registered_twice_stands_once_in_the_order(store: Store) -> None:
    for chunk in (C, C, D, C):
        store.register("S", chunk, b"work", b"rows", 60)

    assert store.order("S") == [C, D]


def test_the_order_is_that_of_the_rows_not_of_the_letters(store: Store) -> None:
    names = [ChunkName(at, at + 1) for at in (0, 2, 10, 9, 100)]

    for name in names:
        store.register("S", name, b"work", b"rows", 60)

    assert store.order("S") == sorted(names)


def test_batches_whose_time_is_over_are_forgotten(store: Store) -> None:
    store.announce("S", META | {"created": 1.0}, 60)
    store.client.delete("gridmill:b:S:meta")

    assert store.batches() == {}
    assert store.client.keys("*") == []


def test_forgetting_takes_thousands_of_keys(store: Store) -> None:
    for at in range(1200):
        store.client.set(f"gridmill:b:S:r:{at}-{at + 1}", b"")

    assert store.forget("S") == 1200


def test_a_lock_is_one_owners_until_given_back(store: Store) -> None:
    first = store.lock("S", "me", 30)
    renewed = store.lock("S", "me", 30)
    others = store.lock("S", "you", 30)
    store.unlock("S", "you")
    still = store.lock("S", "you", 30)
    store.unlock("S", "me")

    assert (first, renewed, others, still, store.lock("S", "you", 30)) == (True, True, False, False, True)


@pytest.mark.parametrize(
    ("owner", "is_taken"),
    [
        (f"{platform.node()}/{2**22 + 1}/killed", True),  # above any process id
        (f"{platform.node()}/{os.getpid()}/alive", False),
        (f"elsewhere/{2**22 + 1}/unknown", False),
        (f"{platform.node()}/{10**30}/nonsense", False),
        ("", False),
    ],
    ids=["killed", "alive", "elsewhere", "nonsense", "nobody"],
)
def test_the_right_of_a_producer_that_was_killed_here_is_taken_over(store: Store, owner: str, is_taken: bool) -> None:
    store.client.set("gridmill:b:S:lock", owner)

    lock = GatherLock(store, "S")

    if is_taken:
        lock.take()
    else:
        with pytest.raises(BatchError, match="within 30 s"):
            lock.take()
    assert (store.lock_owner("S") == owner) is not is_taken


def test_meta_that_cannot_be_read_is_none_and_nobody_works_by_it(store: Store) -> None:
    put(store, C)
    flipped = (store.client.get("gridmill:b:B:meta") or b"").replace(b"60", b"61")

    for text in (b"{", b"[]", b'{"keep_s": 60}', flipped, b""):
        store.client.set("gridmill:b:B:meta", text)

        assert store.meta("B") is None
        with pytest.raises(ChunkError):
            store.begin("B", C, "p")


def test_a_name_is_read_as_it_is_written() -> None:
    assert ChunkName.parse(str(ChunkName(3, 2**40))) == (3, 2**40)


@pytest.mark.parametrize(
    "text", ["", "-", "1", "1-", "-1", "2-1", "1-1", "1-2-3", "a-b", "\u0661-\u0662", " 1-2", "1-2 "]
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no chunk's name"):
        ChunkName.parse(text)


def test_ids_of_batches_never_meet() -> None:
    ids = {new_batch_id() for _ in range(1000)}

    assert len(ids) == 1000
    assert not any(set(batch) & set("*?[]:/ ") for batch in ids)


def test_a_cancelled_batch_leaves_a_word_for_whoever_gathers_it(store: Store) -> None:
    store.register("S", C, b"work", b"rows", 60)
    store.announce("S", META | {"created": 1.0}, 60)
    lock = GatherLock(store, "S")
    lock.take()
    lock.renew()

    store.cancel("S")

    assert store.meta("S") is None
    assert store.batches() == {}
    with pytest.raises(BatchError, match="S was cancelled"):
        lock.renew()
