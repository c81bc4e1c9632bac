"""A real worker process and a real producer on a fake Redis: the parts fit together, no server needed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import fakeredis
import pytest
import redis

from solver_core.chunk import pack_puzzles, unpack_results
from tests.gridmill import Gridmill, end
from tests.processes import descendants, is_running, wait_until
from tests.puzzles import BY_NAME, PUZZLES
from tests.rows import SOLVABLE, lines, read_rows, write_lines
from worker import totals
from worker.app import QUEUE, SOLVE_CHUNK
from worker.store import TOTALS, ChunkName, Done, Store

pytestmark = pytest.mark.wiring
META = {"wire": 1, "kind": "sudoku", "keep_s": 60, "limit": 2, "max_guesses": 10**6, "solver": "solo"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A fake server that ends with the tests of this module."""
    server = fakeredis.TcpFakeServer(("127.0.0.1", 0), server_type="redis")
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"redis://127.0.0.1:{server.server_address[1]}/0"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def home(url: str, tmp_path_factory: pytest.TempPathFactory) -> Gridmill:
    folder = tmp_path_factory.mktemp("wiring")
    return Gridmill(folder, folder, url)


@pytest.fixture(scope="module")
def worker(home: Gridmill) -> Iterator[int]:
    """The process id of `gridmill worker` with one process."""
    with home.working() as process:
        yield process.pid


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with contextlib.closing(redis.Redis.from_url(url)) as client:
        yield Store(client)


@pytest.mark.usefixtures("worker")
def test_puzzles_go_through_queue_and_worker_and_come_back(home: Gridmill) -> None:
    path = write_lines(home.folder / "in.txt", [*lines(30), "broken"])

    ended = home("solve", path, "-o", "out.csv", "--chunk", 7)

    rows = read_rows((home.folder / "out.csv").read_text())
    assert ended.code == 1, ended.err
    expected = [SOLVABLE[i % len(SOLVABLE)].status(2).word for i in range(30)]
    assert [row["status"] for row in rows] == [*expected, "invalid"]
    told = json.loads((home.folder / "out.csv.summary.json").read_text())
    assert told["chunks"] == 5


@pytest.mark.usefixtures("worker")
def test_queens_go_the_same_way(home: Gridmill) -> None:
    ended = home("queens", "6", "-o", "q.csv")

    rows = read_rows((home.folder / "q.csv").read_text())
    assert ended.code == 0, ended.err
    assert sum(int(row["solutions"]) for row in rows) == 4


@pytest.mark.usefixtures("worker")
def test_a_submitted_batch_goes_the_same_way(home: Gridmill) -> None:
    path = write_lines(home.folder / "s.txt", lines(5))

    with_id = home("submit", path, "--quiet")
    gathered = home("gather", with_id.out.strip())

    assert (with_id.code, gathered.code) == (0, 0), with_id.err
    assert len(read_rows(gathered.out)) == 5


def ask(store: Store, url: str, batch: str, chunk: ChunkName, work: bytes) -> None:
    """Lays a chunk down and puts its message on the queue, as a producer does."""
    store.put(batch, META, [(chunk, work)], 60)
    send_message(url, batch, chunk)


def send_message(url: str, batch: str, chunk: ChunkName) -> None:
    # From a process of its own: the Celery app of this one must not be bound to a broker that goes away.
    from_outside = (
        "import sys; from worker.app import app; "
        f"app.send_task({SOLVE_CHUNK!r}, args=[sys.argv[1], sys.argv[2], 0], queue={QUEUE!r}, ignore_result=True)"
    )
    run_python(from_outside, url, batch, str(chunk))


def run_python(text: str, url: str, *arguments: str) -> None:
    environment = {**os.environ, "GRIDMILL_BROKER": url}
    subprocess.run([sys.executable, "-c", text, *arguments], env=environment, timeout=60, check=True)


def done(store: Store, batch: str) -> list[Done | str]:
    found: list[Done | str] = []
    wait_until(lambda: found.extend(store.wait_done(batch, 1)) or found, "an answer")
    return found


def totals_of(store: Store) -> dict[str, int]:
    return totals.read(store.client.hgetall(TOTALS))


@pytest.mark.usefixtures("worker")
def test_a_worker_answers_what_lies_in_the_store_and_says_who_it_is(store: Store, url: str) -> None:
    chunk = ChunkName(0, len(PUZZLES))
    ask(store, url, "B1", chunk, pack_puzzles(b"".join(puzzle.cells for puzzle in PUZZLES)))

    entries = done(store, "B1")

    answer = store.answers("B1", [chunk])[0]
    assert answer is not None
    assert [result.status for result in unpack_results(answer)] == [puzzle.status(2) for puzzle in PUZZLES]
    assert [entry.chunk for entry in entries if isinstance(entry, Done)] == [chunk]


@pytest.mark.usefixtures("worker")
def test_a_message_whose_chunk_is_not_wanted_any_more_harms_nobody(store: Store, url: str) -> None:
    send_message(url, "B2", ChunkName(0, 1))
    ask(store, url, "B3", ChunkName(0, 1), pack_puzzles(BY_NAME["easy 1"].cells))

    done(store, "B3")

    assert store.answers("B2", [ChunkName(0, 1)]) == [None]


@pytest.mark.usefixtures("worker")
def test_a_payload_that_cannot_be_read_is_left_alone_and_the_worker_lives_on(store: Store, url: str) -> None:
    ask(store, url, "B4", ChunkName(0, 1), b"rubbish")
    ask(store, url, "B5", ChunkName(0, 1), pack_puzzles(BY_NAME["easy 1"].cells))

    done(store, "B5")

    assert store.answers("B4", [ChunkName(0, 1)]) == [None]
    assert store.wait_done("B4", 0.1) == []
    assert totals_of(store)["chunks_unreadable"] == 1


@pytest.mark.usefixtures("worker")
def test_a_kernel_that_fails_each_time_is_reported_as_deaths(store: Store, url: str) -> None:
    store.put("B6", META | {"solver": "no such solver"}, [(ChunkName(0, 1), pack_puzzles(bytes(81)))], 60)
    before = totals_of(store)
    send_message(url, "B6", ChunkName(0, 1))

    entries = done(store, "B6")

    assert [(entry.chunk, entry.died) for entry in entries if isinstance(entry, Done)] == [((0, 1), True)]
    after = totals_of(store)
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {
        "chunks_begun_again": 3,
        "chunks_poisonous": 1,
    }


@pytest.mark.usefixtures("worker")
def test_a_chunk_that_three_processes_died_of_is_reported_and_not_begun(store: Store, url: str) -> None:
    chunk = ChunkName(0, 1)
    store.put("B7", META, [(chunk, pack_puzzles(bytes(81)))], 60)
    for name in ("x/1/a", "x/2/b", "x/3/c"):
        store.begin("B7", chunk, name)
        store.client.delete(f"gridmill:alive:{name}")  # as runs out by itself 5 s after a death

    send_message(url, "B7", chunk)

    assert [entry.died for entry in done(store, "B7") if isinstance(entry, Done)] == [True]


def test_doctor_status_and_batches_know_the_worker(home: Gridmill, worker: int, store: Store) -> None:
    wait_until(store.workers, "the worker's presence")

    facts = next(iter(store.workers().values()))
    examined = home("doctor")

    assert facts["processes"] == 1
    assert facts["wire"] == 1
    assert "ok  worker " in examined.out
    assert home("batches", "--json").code == 0


def test_a_worker_that_is_told_to_stop_takes_its_presence_away_and_ends_with_0(home: Gridmill, store: Store) -> None:
    before = set(store.workers())
    with home.started("worker", "-c", 1) as process:
        wait_until(lambda: set(store.workers()) - before, "its presence")
        children = descendants(process.pid)
        ended = end(process, signal.SIGTERM)

    assert ended.code == 0, ended.err
    assert set(store.workers()) <= before
    assert not any(is_running(pid) for pid in children)


def test_celery_itself_starts_a_worker(home: Gridmill, store: Store, url: str) -> None:
    before = set(store.workers())
    celery = str(Path(sys.executable).with_name("celery"))
    command = [celery, "-A", "worker.app", "worker", "-c", "1", "-n", "plain@%h", "-P", "solo", "-Q", QUEUE]
    with subprocess.Popen(
        command, env=home.environment, cwd=home.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        try:
            wait_until(lambda: process.poll() is not None or set(store.workers()) - before, "its presence")
            seen = set(store.workers()) - before
        finally:
            process.terminate()
            process.communicate(timeout=30)

    assert any(name.startswith("plain@") for name in seen)
