"""The same job in separate steps: submit, status, batches, gather, cancel, on one cluster for all."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from producer.cluster import LocalCluster, PrivateBroker
from tests.gridmill import Gridmill, end
from tests.processes import descendants, is_running, wait_until
from tests.rows import lines, read_rows, without_times, write_lines
from worker.broker import connect


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "in.txt", lines(300))


@pytest.fixture
def idle(server: str, temp: Path) -> Iterator[PrivateBroker]:
    """A broker without any worker."""
    (temp / "idle").mkdir()
    broker = PrivateBroker(temp / "idle", durable=True)
    broker.start()
    yield broker
    broker.stop()


def submit(gridmill: Gridmill, *arguments: object) -> str:
    ended = gridmill("submit", *arguments)
    assert ended.code == 0, ended.err
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{8}\n", ended.out)  # the id alone
    return ended.out.strip()


def test_a_submitted_batch_is_gathered_as_solve_would_have_written_it(
    gridmill: Gridmill, puzzles: Path, tmp_path: Path
) -> None:
    gridmill("solve", "in.txt", "-o", "solved.csv")

    batch = submit(gridmill, "in.txt", "--chunk", 17)
    first = gridmill("gather", batch, "-o", "first.csv")
    again = gridmill("gather", batch)

    assert (first.code, again.code) == (0, 0)
    assert without_times((tmp_path / "first.csv").read_text()) == without_times((tmp_path / "solved.csv").read_text())
    assert again.out == (tmp_path / "first.csv").read_text()  # the very same answers
    told, solved = (json.loads((tmp_path / f"{name}.csv.summary.json").read_text()) for name in ("first", "solved"))
    assert told["status_counts"] == solved["status_counts"]
    assert told["lines"] == solved["lines"]
    assert told["input"] == solved["input"]
    gridmill("cancel", batch)


def test_status_and_batches_tell_how_far_it_is_and_cancel_takes_it_away(
    gridmill: Gridmill, cluster: LocalCluster, puzzles: Path
) -> None:
    batch = submit(gridmill, "in.txt", "--chunk", 50, "--quiet")
    state = {}

    def is_done() -> bool:
        state.update(json.loads(gridmill("status", batch, "--json").out))
        return state["rows_done"] == 300

    wait_until(is_done)
    shown, listed = gridmill("status", batch), json.loads(gridmill("batches", "--json").out)
    cancelled = gridmill("cancel", batch)

    assert (state["rows"], state["chunks"], state["chunks_done"], state["sources"]) == (300, 6, 6, ["in.txt"])
    assert "300 of 300 rows (100 %), 6 of 6 chunks" in shown.out
    assert batch in [entry["batch"] for entry in listed]
    assert cancelled.code == 0
    assert batch not in gridmill("batches").out
    # What is left is the word for whoever gathers it, for an hour.
    assert connect(cluster.broker.url).keys(f"*{batch}*") == [f"gridmill:b:{batch}:gone".encode()]
    for command in ("status", "gather", "cancel"):
        ended = gridmill(command, batch)
        assert (ended.code, ended.out) == (2, "")
        assert f"there is no batch {batch}" in ended.err


def test_what_was_wrong_with_the_input_is_told_when_it_is_submitted_and_when_it_is_gathered(
    gridmill: Gridmill, tmp_path: Path
) -> None:
    write_lines(tmp_path / "in.txt", [*lines(3), "broken"])

    batch = submit(gridmill, "in.txt")
    gathered = gridmill("gather", batch)

    assert gathered.code == 1
    assert read_rows(gathered.out)[3]["status"] == "invalid"
    gridmill("cancel", batch)


def test_only_one_may_gather_a_batch_at_a_time(gridmill: Gridmill, puzzles: Path, idle: PrivateBroker) -> None:
    at_idle = Gridmill(gridmill.folder, gridmill.temp, idle.url)
    batch = submit(at_idle, "in.txt")
    lock = f"gridmill:b:{batch}:lock"

    with at_idle.started("gather", batch, "-o", "a.csv") as process:
        wait_until(lambda: connect(idle.url).exists(lock), "the lock")
        second = at_idle("gather", batch, "-o", "b.csv")
        first = end(process, signal.SIGINT)

    assert (second.code, first.code) == (3, 130)
    assert f"another run gathers {batch}" in second.err
    assert not connect(idle.url).exists(lock)


def test_chunks_that_the_broker_lost_are_cut_again_from_the_input_alone(
    gridmill: Gridmill, puzzles: Path, idle: PrivateBroker, tmp_path: Path
) -> None:
    at_idle = Gridmill(tmp_path, gridmill.temp, idle.url)
    batch = submit(at_idle, "in.txt", "--chunk", 100)
    client = connect(idle.url)
    client.delete(*client.keys(f"gridmill:b:{batch}:[px]:100-200"))

    without = at_idle("gather", batch, "-o", "out.csv")
    write_lines(tmp_path / "other.txt", lines(300))
    with_another = at_idle("gather", batch, "other.txt", "-o", "out.csv")
    with at_idle.working():
        with_input = at_idle("gather", batch, "in.txt", "-o", "out.csv")
    gridmill("solve", "in.txt", "-o", "solved.csv")

    assert without.code == 3
    assert "lost 1 chunks" in without.err
    assert "100-200" in without.err
    assert with_another.code == 2
    assert with_input.code == 0
    assert without_times((tmp_path / "out.csv").read_text()) == without_times((tmp_path / "solved.csv").read_text())


def test_a_batch_too_large_for_the_broker_is_refused_and_leaves_nothing(
    gridmill: Gridmill, idle: PrivateBroker, tmp_path: Path
) -> None:
    client = connect(idle.url)
    before = client.info("memory")["used_memory"]
    client.config_set("maxmemory", before + 1_000_000)
    write_lines(tmp_path / "large.txt", lines(10_000))

    ended = Gridmill(tmp_path, gridmill.temp, idle.url)("submit", "large.txt")

    assert (ended.code, ended.out) == (3, "")
    assert "half of the broker's free memory" in ended.err
    assert client.keys("*") == []


def test_a_gatherer_waits_for_a_broker_that_is_away(
    gridmill: Gridmill, puzzles: Path, idle: PrivateBroker, tmp_path: Path
) -> None:
    at_idle = Gridmill(tmp_path, gridmill.temp, idle.url)
    batch = submit(at_idle, "in.txt", "--chunk", 50)
    connect(idle.url).bgrewriteaof()

    with at_idle.started("gather", batch, "-o", "out.csv") as process:
        wait_until((tmp_path / "out.csv.journal").exists, "the journal")
        idle.stop(10)
        assert process.stderr
        said = process.stderr.readline()
        idle.start()
        with at_idle.working():
            rest = process.communicate(timeout=60)[1]

    assert "does not answer" in said
    assert process.returncode == 0, rest
    assert len(read_rows((tmp_path / "out.csv").read_text())) == 300


def test_up_keeps_batches_over_a_restart_and_leaves_no_process(
    gridmill: Gridmill, puzzles: Path, temp: Path, tmp_path: Path
) -> None:
    alone = Gridmill(tmp_path, temp)
    url_file = temp / "state/gridmill/broker.url"
    shell = Gridmill(tmp_path, temp, f"@{url_file}")

    with alone.started("up", "--workers", 1) as process:
        assert process.stdout
        said = [process.stdout.readline() for _ in range(3)]
        mode = url_file.stat().st_mode & 0o777
        batch = submit(shell, "in.txt")
        wait_until(lambda: json.loads(shell("status", batch, "--json").out)["rows_done"] == 300)
        second = alone("up")
        children = descendants(process.pid)
        ended = end(process, signal.SIGINT)
    gone = not url_file.exists()
    with alone.started("up", "--workers", 1):
        wait_until(url_file.exists, "the address")
        gathered = shell("gather", batch)
    gridmill("solve", "in.txt", "-o", "solved.csv")

    assert f"export GRIDMILL_BROKER=@{url_file}" in said[1]
    assert mode == 0o600
    assert second.code == 3
    assert str(url_file) in second.err
    assert (ended.code, gone) == (130, True)
    assert not any(is_running(pid) for pid in children)
    assert gathered.code == 0
    assert without_times(gathered.out) == without_times((tmp_path / "solved.csv").read_text())


def test_a_broker_that_throws_keys_away_is_refused(gridmill: Gridmill, idle: PrivateBroker, puzzles: Path) -> None:
    client = connect(idle.url)
    client.config_set("maxmemory", 10**9)
    client.config_set("maxmemory-policy", "allkeys-lru")
    at_idle = Gridmill(gridmill.folder, gridmill.temp, idle.url)

    ended, examined = at_idle("solve", "in.txt"), at_idle("doctor")

    assert (ended.code, ended.out) == (3, "")
    assert "noeviction" in ended.err
    assert ended.err.count("\n") == 1
    assert examined.code == 3
    assert "BAD eviction" in examined.out


def test_a_wrong_password_is_refused_at_once(gridmill: Gridmill, idle: PrivateBroker) -> None:
    wrong = idle.url.replace("://:", "://:wrong")

    ended = Gridmill(gridmill.folder, gridmill.temp, wrong)("batches")

    assert ended.code == 3
    assert "wrong" not in ended.err.replace("WRONGPASS", "")
    assert ended.err.count("\n") == 1


def test_a_password_of_strange_characters_works_on_every_way(
    gridmill: Gridmill, server: str, temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (temp / "odd").mkdir()
    broker = PrivateBroker(temp / "odd", durable=False)
    broker.start()
    connect(broker.url).config_set("requirepass", "a@b:c/d#e%f?g&h=i")
    password = re.search(r"://:([^@]*)@", broker.url)
    assert password
    odd = broker.url.replace(password[1], "a%40b%3Ac%2Fd%23e%25f%3Fg%26h%3Di")
    (temp / "url").write_text(odd)
    at_odd = Gridmill(tmp_path, temp, f"@{temp}/url")
    try:
        with at_odd.working():
            ended = at_odd("solve", write_lines(tmp_path / "in.txt", lines(3)))
            examined = at_odd("doctor", "--json")
    finally:
        broker.stop()

    assert ended.code == 0
    assert len(read_rows(ended.out)) == 3
    assert "c%2Fd" not in examined.out
    assert all(check["ok"] for check in json.loads(examined.out) if check["name"].startswith(("broker", "worker")))


def test_doctor_finds_the_cluster_fit(gridmill: Gridmill) -> None:
    ended = gridmill("doctor", "--json")

    checks = {check["name"].split()[0]: check for check in json.loads(ended.out)}
    assert {"kernels", "broker", "version", "eviction", "persistence", "memory", "worker"} <= set(checks)
    assert checks["broker"]["ok"]
    assert checks["eviction"]["ok"]
    assert not checks["persistence"]["ok"]  # the cluster of these tests keeps nothing
    assert ended.code == 3


def test_nothing_of_a_run_stays_with_the_broker(gridmill: Gridmill, cluster: LocalCluster, puzzles: Path) -> None:
    client: redis.Redis = connect(cluster.broker.url)
    before = set(client.keys("gridmill:b:*"))

    assert gridmill("solve", "in.txt", "-o", "out.csv").code == 0

    assert set(client.keys("gridmill:b:*")) <= before
